"""The order of play answers every command; what lies in several places is dealt with by name."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules.commands import AnyCommand
from domain.games.war_at_sea.rules.editions import Edition
from domain.games.war_at_sea.rules.evolve import evolve
from domain.games.war_at_sea.rules.sequence import battle
from domain.games.war_at_sea.rules.state import State
from domain.games.war_at_sea.rules.tasks import _clear_smoke
from domain.kernel.codec import canonical
from domain.kernel.flow import Flow

from .suite import SUITE


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_every_command_answers_a_question_or_is_a_way_out(edition: Edition) -> None:
    assert battle(edition).commands == set(get_args(AnyCommand))


def middle() -> State:
    """A state of a random battle with two units of one seat at least."""
    state: State | None = None
    for event in SUITE.sample(1):
        state = evolve(state, event)
        if len(state.units_of("p1")) > 1:
            return state
    raise AssertionError("nobody has two units")


def test_smoke_clears_by_name_of_the_sector() -> None:
    state, cleared = middle(), []
    for sectors in (("3.2", "1.4", "3.1"), ("3.1", "3.2", "1.4")):
        flow = Flow(replace(state, smoke=dict.fromkeys(sectors, 0)), evolve)
        _clear_smoke(flow)
        cleared += [event.sectors for event in flow.events]  # type: ignore[union-attr]
    assert cleared == [("1.4", "3.1", "3.2")] * 2


def test_stacks_are_drawn_by_name_of_the_carrier() -> None:
    state = middle()
    one, two = (unit.id for unit in state.units_of("p1")[:2])
    cards = (state.units[one].card,)
    drawn = [
        canonical(GAME.picture(replace(state, stacks=dict.fromkeys(names, cards)), None, ()))
        for names in ((one, two), (two, one))
    ]
    assert drawn[0] == drawn[1]
    assert drawn[0].index(f"stacked with {one}".encode()) < drawn[0].index(
        f"stacked with {two}".encode()
    )
