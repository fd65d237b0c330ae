"""Thread sub-steps: emit an event, fold it, go on with the new state.

``decide`` is pure from outside. Inside, a :class:`Flow` carries the state as it will be, so that a
chain of small steps reads as the rulebook does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

S = TypeVar("S")
E = TypeVar("E")


class Flow(Generic[S, E]):
    """The state so far, and the events and states that led to it since the command was given."""

    __slots__ = ("_entered", "events", "evolve", "state", "states")

    def __init__(self, state: S, evolve: Callable[[S, E], S]) -> None:
        self.state = state
        self.events: list[E] = []
        self.states: list[S] = []
        self.evolve = evolve
        self._entered: tuple[int, S] | None = None

    def emit(self, event: E) -> S:
        """Record ``event`` and fold it; returns the new state."""
        self.state = self.evolve(self.state, event)
        self.events.append(event)
        self.states.append(self.state)
        return self.state

    def note(self, event: E) -> None:
        """Record ``event`` only where it changes the state."""
        before = self.state
        if self.emit(event) == before:
            self._take_back(before)

    def enter(self, began: E) -> None:
        """Record that a step begins."""
        before = self.state
        self.emit(began)
        self._entered = (len(self.events), before)

    def unenter(self) -> None:
        """Take the record of the step's beginning back, if nothing has been recorded since."""
        if self._entered is not None and self._entered[0] == len(self.events):
            self._take_back(self._entered[1])
        self._entered = None

    def _take_back(self, before: S) -> None:
        self.events.pop()
        self.states.pop()
        self.state = before


def nothing(flow: Flow[Any, Any]) -> bool:
    """What happens by itself in a step where nothing does."""
    return False


class DecidedEvents(tuple[E, ...]):  # noqa: SLOT001 a tuple has no room for slots
    """Events that were just decided, with where they led: they are a tuple of them otherwise.

    before  the state that they were decided on; None for an opening
    states  the state after each of them, by ``evolve``
    """

    before: Any
    states: tuple[Any, ...]
    evolve: Any


def decided(flow: Flow[Any, E], before: Any) -> tuple[E, ...]:
    """The events of a flow that is done, with where they led."""
    led = DecidedEvents(flow.events)
    led.before, led.states, led.evolve = before, tuple(flow.states), flow.evolve
    return led


def led_to(
    evolve: Callable[[Any, E], S], before: S | None, events: Iterable[E]
) -> tuple[S, ...] | None:
    """The states after the events, if these very ones were just decided there; None otherwise.

    They are what folding them would make again, so whoever asks gets the same answer either way.
    """
    if isinstance(events, DecidedEvents) and events.before is before and events.evolve is evolve:
        return events.states
    return None
