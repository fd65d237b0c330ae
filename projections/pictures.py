"""Pictures of a game along its log: which events are the last action, and a picture a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.shown.scene import Scene

AnyGame = Game[Any, Any, Any]

LONGEST = 100
"""Events of one action that are drawn in; of a longer one the last."""


class Step(NamedTuple):
    """One event as a film needs it; ``event`` is None where it does not touch the board.

    cause  id of the command that led to it; "" where there was none
    """

    event: Event | None
    cause: str


def action(steps: Sequence[Step]) -> Sequence[Step]:
    """The steps of the action that the last one belongs to, as far as they are given."""
    first = len(steps) - 1
    while first > 0 and steps[first - 1].cause == steps[-1].cause:
        first -= 1
    return steps[max(first, 0) :]


def events_of(steps: Iterable[Step]) -> tuple[Any, ...]:
    """The events among them that touch the board."""
    return tuple(step.event for step in steps if step.event is not None)


def scenes(game: AnyGame, steps: Sequence[Step]) -> Iterator[Scene | None]:
    """The picture at each version from 1 on; None before there is a board."""
    state = before = None
    fresh: list[Any] = []
    cause = None
    for step in steps:
        if step.cause != cause or len(fresh) >= LONGEST:
            before, fresh, cause = state, [], step.cause
        if step.event is not None:
            state = game.evolve(state, step.event)
            fresh.append(step.event)
        yield None if state is None else game.picture(state, before, tuple(fresh))
