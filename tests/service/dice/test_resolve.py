"""Events are brought into stored form before they are folded: a restart reads nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain.kernel.chance import Faces
from domain.kernel.codec import read_back
from domain.kernel.conformance import askable, play, throw
from domain.kernel.sameness import turned_round
from domain.kernel.values import CHANCE, Seat
from service.dice.resolve import resolve
from service.dice.vault import Batch
from tests.support.suites import Suite, suites

COMMANDS = 60


def never(domain: str) -> Batch:
    raise AssertionError(f"no dice of {domain} are wanted")


def order_of(value: Any) -> Any:
    """Everything in a value, with the order in which its dicts hold their keys."""
    if hasattr(value, "__struct_fields__"):
        return [order_of(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return [(key, order_of(item)) for key, item in value.items()]
    return [order_of(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_what_is_folded_and_kept_is_what_will_be_read(suite: Suite) -> None:
    """A game whose events have their keys turned round: folded and kept as they are stored."""
    folded: list[Any] = []

    def evolve(state: Any, event: Any) -> Any:
        folded.append(event)
        return suite.game.evolve(state, event)

    game = replace(suite.game, evolve=evolve, awaiting=lambda state: None)
    setup = next(iter(suite.recipes.values())).setup
    before, turned = 0, 0
    for played in play(suite.game, setup, Random(7).randrange):
        fresh = [turned_round(event) for event in played.events[before:]]
        state = suite.game.fold(played.events[:before]) if before else None
        folded.clear()
        done = resolve(game, state, fresh, never)
        stored = [read_back(event) for event in fresh]
        assert order_of(done.events) == order_of(stored)
        assert [id(event) for event in done.events] == [id(event) for event in folded]
        turned += order_of(fresh) != order_of(stored)
        before = len(played.events)
        if len(played.turns) >= COMMANDS:
            break
    assert turned


def moves(suite: Suite, most: int) -> Iterator[tuple[Any, Seat, Any]]:
    """Random moves, dice among them: (state, seat, command)."""
    game, choose = suite.game, Random(11).randrange
    setup = next(iter(suite.recipes.values())).setup
    state = game.fold(game.opening(setup))
    for _ in range(most):
        awaited = game.awaiting(state)
        if awaited is not None:
            seat, command = CHANCE, throw(awaited, choose)
        else:
            every = askable(game, state, setup.seats)
            seat, command = every[choose(len(every))]
        yield state, seat, command
        state = game.fold(game.decide(state, seat, command), state)
        if game.result(state) is not None:
            return


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_where_a_command_led_is_taken_over_as_folding_what_is_stored_finds_it(
    suite: Suite,
) -> None:
    """What reads back alike is not folded again; nobody could tell the states apart."""
    game = replace(suite.game, awaiting=lambda state: None)
    taken = orders = 0
    for state, seat, command in moves(suite, COMMANDS):
        events = game.decide(state, seat, command)
        done = resolve(game, state, events, never)
        stored = game.fold([read_back(event) for event in events], state)
        assert order_of(done.state) == order_of(stored)
        assert len(done.states) == len(done.events)
        taken += done.state is game.fold(events, state)
        orders += not isinstance(command, Faces)
    assert taken > orders
