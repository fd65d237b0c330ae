"""Thread sub-steps: emit an event, fold it, go on with the new state.

``decide`` is pure from outside. Inside, a :class:`Flow` carries the state as it will be, so that a
chain of small steps reads as the rulebook does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

S = TypeVar("S")
E = TypeVar("E")


class Flow(Generic[S, E]):
    """The state so far and the events that led to it from where the command found it."""

    __slots__ = ("events", "evolve", "state")

    def __init__(self, state: S, evolve: Callable[[S, E], S]) -> None:
        self.state = state
        self.events: list[E] = []
        self.evolve = evolve

    def emit(self, event: E) -> S:
        """Record ``event`` and fold it; returns the new state."""
        self.state = self.evolve(self.state, event)
        self.events.append(event)
        return self.state


class Led(NamedTuple):
    """Where events led that were just decided: from ``before``, by ``evolve``, to ``after``."""

    evolve: object
    before: object
    events: object
    after: Any


_LAST: list[Led] = [Led(None, None, None, None)]
"""Put down and taken as a whole, so threads may share it."""


def decided(flow: Flow[S, E], before: S) -> tuple[E, ...]:
    """The events of a flow that is done; where they led is kept for who folds these very ones."""
    events = tuple(flow.events)
    _LAST[0] = Led(flow.evolve, before, events, flow.state)
    return events


def led_to(evolve: Callable[[Any, E], S], before: S | None, events: Iterable[E]) -> S | None:
    """The state that the very same events led to when they were decided; None if it is not known.

    It is what folding them would make again, so whoever asks gets the same answer either way.
    """
    last = _LAST[0]
    if last.events is events and last.before is before and last.evolve is evolve:
        after: S = last.after
        return after
    return None
