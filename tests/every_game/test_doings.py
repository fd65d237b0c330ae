"""Each piece of a seat has commands in the list, or a refusal that the rules themselves give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from domain.kernel.rules import Refused
from projections.doings import doings, owned
from tests.support.stretches import of_recorded
from tests.support.suites import AnyGame, Suite, suites

EVERY, MOST = 40, 400
"""Of the first positions of the recorded games one in so many is looked at."""


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
            assert [each.piece for each in found] == [*owned(state, seat)]
            for each in found:
                assert (each.ready > 0) + each.built + (each.refused is not None) == 1, each
                assert each.vain <= each.ready
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
            played = {getattr(command, "card", "") for command in listed}
            refused = {each.piece for each in found if each.refused is not None}
            assert not played & refused, f"{folder}: {played & refused} of {seat}"
