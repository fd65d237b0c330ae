"""Each piece of a seat has commands in the list, or a refusal that the rules themselves give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from domain.kernel.rules import Refused
from projections.doings import doings, owned
from tests.support.stretches import at_random, of_recorded
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

EVERY, MOST, SOME = 40, 400, 10
"""Of so many first positions of recorded games one in so many is looked at; of defenses some."""


def positions(suite: Suite) -> Iterator[Any]:
    """Positions in which somebody is asked."""
    for stretch in islice(of_recorded(suite), 0, MOST, EVERY):
        game, state = suite.game, stretch.after
        if game.result(state) is None and game.awaiting(state) is None:
            yield state


def seen(game: AnyGame, state: Any) -> Iterator[tuple[str, Any]]:
    """Each seat that has pieces, with what the list says of them."""
    for seat in state.seats:
        yield seat, list(doings(game, state, seat))


@pytest.mark.parametrize("folder", sorted(suites()))
def test_each_piece_is_listed_or_refused_by_a_rule(folder: str) -> None:
    suite, met = suites()[folder], Counter[str]()
    for state in positions(suite):
        pending = {each.seat for each in suite.game.pending(state)}
        for seat, found in seen(suite.game, state):
            mine = [(each.piece, each.where) for each in owned(state, seat)]
            assert [(each.piece, each.where) for each in found] == mine
            for each in found:
                assert (each.ready > 0) + each.built + (each.refused is not None) == 1, each
                assert max(each.vain, each.hopeless) <= each.ready
                met["ready" if each.refused is None else why(each.refused, seat, pending)] += 1
    assert met["ready"] > 0
    assert met["turn.not-yours"] > 0
    assert len(met) > 2, f"{folder}: no unit of an asked seat has a reason of its own: {met}"


def why(refused: Refused, seat: str, pending: set[str]) -> str:
    """The code; whoever is not asked is told that, and by which rule."""
    assert refused.rule
    assert refused.hint
    if seat not in pending:
        assert refused.code == "turn.not-yours"
    return refused.code


@pytest.mark.parametrize("folder", sorted(suites()))
def test_a_card_that_a_listed_command_plays_is_not_refused(folder: str) -> None:
    suite = suites()[folder]
    for state in positions(suite):
        for seat, found in seen(suite.game, state):
            listed = suite.game.legal(state, seat).commands
            played = {
                ("prepared" if getattr(command, "prepared", False) else "", command.card)
                for command in listed
                if hasattr(command, "card")
            }
            refused = {
                ("prepared" if each.where == "prepared" else "", each.piece)
                for each in found
                if each.refused is not None
            }
            assert not played & refused, f"{folder}: {played & refused} of {seat}"


def defenses() -> Iterator[tuple[Any, str]]:
    """Who is asked in Naval Battles while an attack is open and cards lie prepared before him: the
    first times that none of them was used, and that one was, and that he holds another of them."""
    suite, left = suites()["naval_battles"], Counter(dict.fromkeys(range(4), SOME))
    for stretch in of_recorded(suite):
        state, game = stretch.after, suite.game
        if state.attacks and not (game.result(state) or game.awaiting(state)):
            for each in game.pending(state):
                lying = state.prepared.get(each.seat, ())
                more = {one.card for one in lying} & {*state.hands[each.seat].items}
                kind = any(one.used for one in lying) + 2 * bool(more)
                if lying and left[kind]:
                    left[kind] -= 1
                    yield state, each.seat


def test_a_prepared_card_is_a_piece_apart_from_one_in_the_hand() -> None:
    """Naval Battles: a command says whether it takes the card from before the fleet."""
    game, met = suites()["naval_battles"].game, Counter[str]()
    for state, seat in defenses():
        found = list(doings(game, state, seat))
        lying = [each for each in found if each.where == "prepared"]
        assert {each.piece for each in lying} == {each.card for each in state.prepared[seat]}
        cards = [each for each in game.legal(state, seat).commands if hasattr(each, "card")]
        for each in found:
            if each.where in ("hands", "prepared"):
                own = [one for one in cards if one.card == each.piece]
                flagged = [getattr(one, "prepared", False) for one in own]
                assert each.ready == flagged.count(each.where == "prepared")
                word = "ready" if each.refused is None else each.refused.code
                twice = each.piece in {one.piece for one in lying}
                met[f"{each.where} {word}{' beside' * (twice and each.where == 'hands')}"] += 1
    assert met["prepared ready"] > 0
    assert met["prepared defense.not-prepared"] > 0
    assert sum(number for name, number in met.items() if name.endswith("beside")) > 0, met


def unit_refusals(game: AnyGame, state: Any, seat: str, piece: str) -> set[tuple[str, str]]:
    """What every kind of command meets that names the unit in ``unit``; other fields as may be."""
    met = set[tuple[str, str]]()
    for kind in game.commands:
        names = [each.name for each in msgspec.structs.fields(kind) if each.required]
        if "unit" not in names:
            continue
        try:
            game.decide(state, seat, kind(**dict.fromkeys(names, piece)))
        except Refused as refused:
            met.add((refused.code, refused.rule))
    return met


def test_a_unit_is_refused_as_a_command_that_names_it_is() -> None:
    """War at Sea while fleets are set up: no command of that step names a unit."""
    suite, number = suites()["war_at_sea"], 0
    for seed in range(3):
        for stretch in at_random(suite, seed, 40):
            state, game = stretch.after, suite.game
            if game.awaiting(state) is not None or "deploy" not in str(state.step):
                continue
            for seat in (each.seat for each in game.pending(state)):
                for each in doings(game, state, seat):
                    if each.where == "units" and each.refused is not None:
                        told = (each.refused.code, each.refused.rule)
                        assert told in unit_refusals(game, state, seat, each.piece)
                        number += 1
    assert number > 10
