"""What is so, and what an event changes of it."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.kernel.chance import Awaited
from domain.kernel.setup import Result
from domain.kernel.values import Known, Seat, StepKey, Value

from .commands import Colour
from .events import (
    AnyEvent,
    Choice,
    Chosen,
    Ended,
    FireDeclared,
    FireResolved,
    Opened,
    Revealed,
    TenderLost,
    TurnPassed,
)

CHOICE, BATTLE = StepKey("colours"), StepKey("battle")


class State(Value, frozen=True, dict=True):
    """``choices`` and ``points`` are in order of ``seats``; ``left`` counts the turns to come.

    ``tenders``: whether each seat's still floats.
    """

    seats: tuple[Seat, ...]
    left: int
    choices: tuple[Choice | None, ...]
    colours: tuple[Colour, ...] = ()
    mover: int = 0
    points: tuple[int, ...] = (0, 0)
    awaited: Awaited | None = None
    rolls: int = 0
    winners: tuple[Seat, ...] | None = None
    tenders: tuple[bool, ...] = (True, True)

    @property
    def step(self) -> StepKey:
        """Where the game stands: no event need say it, since the colours do."""
        return BATTLE if self.colours else CHOICE

    @property
    def awaiting(self) -> Awaited | None:
        """The roll that chance owes."""
        return self.awaited

    @property
    def result(self) -> Result | None:
        """How it ended."""
        if self.winners is None:
            return None
        return Result(self.winners, "points" if self.winners else "draw", "PEN-6")


def evolve(state: State | None, event: AnyEvent) -> State:
    """What is so after the event."""
    if isinstance(event, Opened):
        return State(event.seats, event.turns, tuple(None for _ in event.seats))
    assert state is not None
    match event:
        case Chosen():
            place = state.seats.index(event.seat)
            choices = tuple(event.choice if i == place else c for i, c in enumerate(state.choices))
            return replace(state, choices=choices)
        case Revealed():
            known = tuple(Known((colour,)) for colour in event.colours)
            return replace(state, colours=event.colours, choices=known)
        case FireDeclared():
            return replace(state, awaited=event.awaited, rolls=state.rolls + 1)
        case FireResolved():
            points = plus(state.points, state.mover, event.points)
            if event.awaited is not None:
                return replace(state, awaited=event.awaited, points=points)
            return replace(_next(state), awaited=None, points=points)
        case TenderLost():
            afloat = zip(state.seats, state.tenders, strict=True)
            return replace(state, tenders=tuple(up and seat != event.seat for seat, up in afloat))
        case TurnPassed():
            return _next(state)
        case Ended():
            return replace(state, winners=event.winners)
        case _:
            assert_never(event)


def _next(state: State) -> State:
    return replace(state, mover=1 - state.mover, left=state.left - 1)


def plus(points: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    """The points of all seats with ``more`` for one of them."""
    return tuple(value + more if i == place else value for i, value in enumerate(points))
