"""Pictures of a game along its log: which events are the last action, and a picture a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.kernel.event import Event
from domain.kernel.shown.scene import Scene
from domain.kernel.values import Viewer

from .stream import AnyGame, ViewedEvent
from .views import GameHistory

LONGEST = 100
"""Events of one action that are drawn in; of a longer one the last."""

SHORT = 12
"""Events that are looked through for the beginning of the last action, before it is LONGEST."""


class FilmStep(NamedTuple):
    """One event as a film needs it; ``event`` is None where it does not touch the board.

    cause  id of the command that led to it; "" where there was none
    """

    event: Event | None
    cause: str


def action(steps: Sequence[FilmStep]) -> Sequence[FilmStep]:
    """The steps of the action that the last one belongs to, as far as they are given."""
    first = len(steps) - 1
    while first > 0 and steps[first - 1].cause == steps[-1].cause:
        first -= 1
    return steps[max(first, 0) :]


def events_of(steps: Iterable[FilmStep]) -> tuple[Any, ...]:
    """The events among them that touch the board."""
    return tuple(step.event for step in steps if step.event is not None)


def scene_at(past: GameHistory, viewer: Viewer, version: int, unit: str) -> Scene | None:
    """The picture of a version as the viewer may see it, with the last action drawn in.

    None before there is a board. ``unit``: id of the one that is pointed out.
    """
    walked: list[ViewedEvent] = []
    last: Sequence[FilmStep] = ()
    for look in (SHORT, LONGEST):
        start = past.start(viewer, max(0, version - look))
        walked, _ = past.steps(viewer, start, version)
        last = action([FilmStep(each.known, each.cause) for each in walked])
        if len(last) < len(walked) or not start.version:
            break
    state, before = walked[-1].after, walked[-len(last)].before
    if state is None:
        return None
    return past.game.picture(state, before, events_of(last), unit)


def scenes(game: AnyGame, steps: Sequence[FilmStep]) -> Iterator[Scene | None]:
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
