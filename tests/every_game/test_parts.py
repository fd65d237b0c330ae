"""Offers form a tree by their parts: whoever asks part after part ends at exactly one command.

In every position of every recorded game, and where every numbered case begins and ends; and what a
part names is in the picture of the seat that is asked, or the game lists it as no piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.examples.pennant.game import GAME as PENNANT
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.shown.parts import PARTS
from domain.kernel.conformance import Nonconformance
from domain.kernel.options import PartOf
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.shown.parts import parts_of
from domain.kernel.testing.parts import Offer, check_lit, check_tree, offers_of, unlit
from domain.kernel.values import Seat
from tests.support import cases
from tests.support.recorded import Line, files, order, read
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

FOLDERS = sorted(suites())


class Asked(NamedTuple):
    """A seat that is asked, what it may do, and the state as it sees it."""

    where: str
    state: Any
    view: Any
    seat: Seat
    offers: list[Offer]


def recorded(suite: Suite, name: str, lines: list[Line], every: int = 1) -> Iterator[Asked]:
    """Every position of a recorded game, or one in so many."""
    game = suite.game
    events = game.opening(msgspec.convert(lines[0]["setup"], Setup))
    state = game.fold(events)
    views = {seat: game.fold([game.seen(e, seat) for e in events]) for seat in state.seats}
    for number, line in enumerate(lines[1:-1], 2):
        if "turn" in line:
            continue
        if number % every == 0:
            yield from asked(game, f"{name}:{number}", state, views)
        more = game.decide(state, *order(suite, state, line))
        for seat, view in views.items():
            views[seat] = game.fold([game.seen(e, seat) for e in more], view)
        state = game.fold(more, state)


def in_cases(suite: Suite) -> Iterator[Asked]:
    """Where each numbered case begins and ends."""
    with suite.around():
        for case in cases.load(suite.folder):
            for state in _ends(suite, case):
                if suite.game.result(state) is None:
                    views = dict.fromkeys(state.seats, state)
                    yield from asked(suite.game, case["id"], state, views)


def _ends(suite: Suite, case: Line) -> Iterator[Any]:
    try:
        table = suite.begin(case)
    except Refused:  # a set-up that is not allowed is what the case shows
        return
    yield table.state
    for entry in case.get("script", ()):
        try:
            cases.do(suite.game, table, entry)
        except Refused:  # likewise; what came before stands
            break
    yield table.state


def asked(game: AnyGame, where: str, state: Any, views: dict[Seat, Any]) -> Iterator[Asked]:
    for question in game.pending(state):
        seat = question.seat
        offers = offers_of(game, state, game.legal(state, seat))
        yield Asked(where, state, views[seat], seat, offers)


def kinds(each: Asked) -> tuple[Any, ...]:
    """Positions of one step with offers of the same types are drawn alike."""
    return each.state.step, frozenset(type(command) for command, _ in each.offers)


@cache
def unlit_of(folder: str) -> frozenset[str]:
    """What is in no picture; each position is held to the tree on the way."""
    suite = suites()[folder]
    found = set[str]()
    known = set[tuple[Any, ...]]()
    every = [recorded(suite, path.stem, read(path)) for path in files(suite)]
    for each in (one for many in (*every, in_cases(suite)) for one in many):
        try:
            check_tree(each.offers)
            if kinds(each) not in known or each.where in NAMED:
                known.add(kinds(each))
                check_lit(suite.game, each.view, each.seat, each.offers)
                found |= {where for where, _ in unlit(suite.game, each.view, each.offers)}
        except Nonconformance as error:
            raise Nonconformance(f"{each.where}: {error}") from error
    return frozenset(found)


NAMED = frozenset({"WAS-C-017", "WAS-C-1100", "WAS-C-857"})
"""Cases whose pictures are looked at though others of their types were: what is listed as unlit."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_part_after_part_leads_to_one_command_and_pieces_are_in_the_picture(folder: str) -> None:
    """And what the game lists as no piece is none, somewhere."""
    tables = suites()[folder].game.tables
    assert tables is not None
    assert unlit_of(folder) == set(tables.unlit)


def an_attack(weapon: str, *abilities: str) -> Offer:
    command = c.Fire("p1-1", weapon, "p2-1", abilities)
    parts = tuple(PartOf("ability", each, each.title()) for each in abilities)
    return command, (PartOf("unit", "p1-1", "one"), PartOf("weapon", weapon, weapon), *parts)


def test_two_commands_that_no_part_tells_apart_are_found() -> None:
    plain, aimed = an_attack("main"), an_attack("main", "sharpshooter")
    check_tree([plain, aimed, an_attack("secondary")])
    with pytest.raises(Nonconformance, match="nothing tells Fire"):
        check_tree([plain, aimed, (c.Fire("p1-1", "main", "p2-2"), plain[1])])


def test_two_answers_that_read_alike_are_found() -> None:
    other = c.Fire("p1-2", "main", "p2-1"), (PartOf("unit", "p1-2", "one"),)
    with pytest.raises(Nonconformance, match="read alike: one"):
        check_tree([an_attack("main"), other])


def test_a_field_that_is_no_part_breaks_the_tree() -> None:
    """Where an Aircraft may strafe, a placement that does not say so is two commands."""
    told = {name: tells for name, tells in PARTS[c.Place].items() if name != "strafing"}
    fewer = {**PARTS, c.Place: told}
    every = list(in_cases(suites()["war_at_sea"]))
    low = {each.where for each in every if any(map(_strafes, each.offers))}
    assert low
    assert {each.where for each in every if _falls(each, fewer)} == low


def _strafes(offer: Offer) -> bool:
    return isinstance(offer[0], c.Place) and offer[0].strafing


def _falls(each: Asked, parts: Any) -> bool:
    try:
        check_tree([(command, parts_of(parts, each.state, command)) for command, _ in each.offers])
    except Nonconformance:
        return True
    return False


def test_a_part_that_is_in_no_picture_is_found() -> None:
    game = PENNANT
    state = game.fold(game.opening(Setup("pennant", "first", "", ("p1", "p2"))))
    (first, *_), where = game.legal(state, "p1").commands, "choose.unit"
    check_lit(game, state, "p1", [(first, (PartOf("unit", "p2", "the other"),))])
    with pytest.raises(Nonconformance, match=f"{where}: p9 is not in the picture that p1 sees"):
        check_lit(game, state, "p1", [(first, (PartOf("unit", "p9", "nobody"),))])
