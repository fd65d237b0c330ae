"""Thread sub-steps: emit an event, fold it, go on with the new state.

``decide`` is pure from outside. Inside, a :class:`Flow` carries the state as it will be, so that a
chain of small steps reads as the rulebook does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
E = TypeVar("E")


class Flow(Generic[S, E]):
    """The state so far and the events that led to it from where the command found it."""

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, state: S, evolve: Callable[[S, E], S]) -> None:
        self.state = state
        self.events: list[E] = []
        self._evolve = evolve

    def emit(self, event: E) -> S:
        """Record ``event`` and fold it; returns the new state."""
        self.state = self._evolve(self.state, event)
        self.events.append(event)
        return self.state
