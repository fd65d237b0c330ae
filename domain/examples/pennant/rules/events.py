"""What happens, and who sees it.

Events are stored: a change of one is a new number and an upcaster (domain/README.md).
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.kernel.chance import Awaited
from domain.kernel.event import Event
from domain.kernel.tally import Tally
from domain.kernel.values import TRUTH, Hidden, Known, Seat, Viewer

from .commands import Aim, Colour

Choice = Known[Colour] | Hidden


class Opened(Event, frozen=True):
    NAME = "opened"
    seats: tuple[Seat, ...] = ()
    turns: int = 0


class Chosen(Event, frozen=True):
    NAME = "chosen"
    seat: Seat = ""
    choice: Choice = Hidden(1)


class Revealed(Event, frozen=True):
    NAME = "revealed"
    colours: tuple[Colour, ...] = ()


class FireDeclared(Event, frozen=True):
    NAME = "fire-declared"
    seat: Seat = ""
    aim: Aim = "hull"
    awaited: Awaited | None = None


class FireResolved(Event, frozen=True):
    """``awaited`` is the second roll that a hit in the magazine asks for."""

    NAME = "fire-resolved"
    seat: Seat = ""
    label: str = ""
    dice: Tally = Tally(0, ())
    faces: tuple[int, ...] = ()
    points: int = 0
    awaited: Awaited | None = None


class TenderLost(Event, frozen=True):
    """The tender of ``seat`` goes down; nothing else depends on it."""

    NAME = "tender-lost"
    seat: Seat = ""
    tender: str = ""
    by: Seat = ""


class TurnPassed(Event, frozen=True):
    NAME = "turn-passed"
    seat: Seat = ""


class Ended(Event, frozen=True):
    NAME = "ended"
    winners: tuple[Seat, ...] = ()


AnyEvent = (
    Opened | Chosen | Revealed | FireDeclared | FireResolved | TenderLost | TurnPassed | Ended
)  # fmt: skip


def redact(event: AnyEvent, viewer: Viewer) -> AnyEvent:
    """A colour is for its seat alone until both are shown."""
    match event:
        case Chosen(seat=seat, choice=Known()) if viewer not in (seat, TRUTH):
            return replace(event, choice=Hidden(1))
        case Opened() | Chosen() | Revealed() | FireDeclared() | FireResolved():
            return event
        case TenderLost() | TurnPassed() | Ended():
            return event
        case _:
            assert_never(event)
