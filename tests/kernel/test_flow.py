"""Where events led is known to whoever folds the very ones that were just decided."""

from __future__ import annotations

import dataclasses

import pytest

from domain.kernel.flow import Flow, decided
from domain.kernel.game import Game
from tests.support import pennant

GAME = pennant.GAME


class Counting:
    """The fold of the toy game, and how often it was asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, state: pennant.State | None, event: pennant.AnyEvent) -> pennant.State:
        self.calls += 1
        return GAME.evolve(state, event)


@pytest.fixture
def counting() -> Counting:
    return Counting()


def taken(evolve: Counting) -> tuple[pennant.State, tuple[pennant.AnyEvent, ...]]:
    """A position, and the events of a turn that was just decided there."""
    state = GAME.fold(GAME.opening(pennant.setup(3)))
    flow: Flow[pennant.State, pennant.AnyEvent] = Flow(state, evolve)
    for event in GAME.decide(state, "p1", pennant.Choose("bold")):
        flow.emit(event)
    events = decided(flow, state)
    evolve.calls = 0
    return state, events


def game(evolve: Counting) -> Game[pennant.State, pennant.Command, pennant.AnyEvent]:
    return dataclasses.replace(GAME, evolve=evolve)


def test_the_very_events_are_not_folded_again(counting: Counting) -> None:
    state, events = taken(counting)
    assert game(counting).fold(events, state) == GAME.fold(list(events), state)
    assert counting.calls == 0


def test_the_states_on_the_way_are_known_too(counting: Counting) -> None:
    state, events = taken(counting)
    assert game(counting).states(events, state)[-1] == GAME.fold(list(events), state)
    assert counting.calls == 0
    assert len(game(counting).states(events, state)) == len(events)


def test_what_other_games_decide_meanwhile_takes_nothing_away(counting: Counting) -> None:
    """Where events led is known with the events, and held by nobody else."""
    state, events = taken(counting)
    for _ in range(40):
        taken(Counting())
    game(counting).fold(events, state)
    assert counting.calls == 0


def test_an_opening_is_not_folded_again() -> None:
    events = GAME.opening(pennant.setup(3))
    assert GAME.fold(events) is GAME.fold(events) is GAME.states(events)[-1]
    assert GAME.fold(events) == GAME.fold(list(events))


def test_equal_events_are_folded(counting: Counting) -> None:
    state, events = taken(counting)
    game(counting).fold(list(events), state)
    assert counting.calls == len(events)
    assert game(counting).states(list(events), state) == GAME.states(events, state)
    assert counting.calls == 2 * len(events)


def test_the_same_events_in_another_position_are_folded(counting: Counting) -> None:
    _, events = taken(counting)
    twin = GAME.fold(GAME.opening(pennant.setup(3)))
    game(counting).fold(events, twin)
    assert counting.calls == len(events)


def test_another_fold_folds_for_itself(counting: Counting) -> None:
    state, events = taken(counting)
    other = Counting()
    game(other).fold(events, state)
    assert other.calls == len(events)
