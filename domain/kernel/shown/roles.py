"""What events mean to readers who know no game: a unit is lost, damaged, moved, fired at.

Each game says it once, for each type of its events, in :attr:`~domain.kernel.game.Game.roles`.
Reports, the search of the log, statistics and pages read roles and never the name of an event, so
an event may be named anew, and a game may be added, without a word to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args

from ..event import Event
from ..order import Owned
from ..values import Seat, Value

Part = Literal[
    "turn",
    "phase",
    "placed",
    "moved",
    "revealed",
    "attacked",
    "damaged",
    "repaired",
    "lost",
    "left",
]
"""The vocabulary.

turn      a turn begins; ``number`` says which
phase     a phase or a step of a turn begins
placed    a unit comes into play, or is set up
moved     a unit is somewhere else on the board
revealed  what was hidden of a unit, or of a seat's, is open now
attacked  a unit is fired at, whatever comes of it
damaged   a unit takes damage, which may take effect later
repaired  damage of a unit is mended
lost      a unit is out of play for good: sunk, shot down, given up
left      a unit has left play unharmed, which is no loss
"""

PARTS: tuple[Part, ...] = get_args(Part)


class Role(Value, frozen=True, omit_defaults=True):
    """One thing that an event means.

    unit    which unit; "" where it is about none, or about a whole seat
    seat    the owner; "" where the event does not say and the state before was not given
    by      the unit or the seat that did it
    cause   its cause, in the game's own word
    number  of a turn
    """

    role: Part
    unit: str = ""
    seat: Seat = ""
    by: str = ""
    cause: str = ""
    number: int = 0


Reading = Callable[[Any, Any], tuple[Role, ...]]
"""(state before or None, event) -> what it means. Total: redacted events and states mean less."""

Roles = Mapping[type[Any], Reading]
"""A reading for each type of event. There is no other: who adds an event decides what it means."""


def nothing(state: Any, event: Any) -> tuple[Role, ...]:
    """Decided: it is book-keeping, or means nothing outside its game."""
    return ()


def each(
    role: Part, known: Mapping[str, Owned], names: Iterable[str], by: str = "", cause: str = ""
) -> tuple[Role, ...]:
    """The same of each of these units; ``known`` are those of the state before, if it was given."""
    return tuple(Role(role, name, _seat_of(known, name), by, cause) for name in names)


def _seat_of(known: Mapping[str, Owned], name: str) -> Seat:
    return known[name].seat if name in known else ""


def placed(state: Any, event: Any) -> tuple[Role, ...]:
    """A unit has come into play, and the event says whose it is."""
    return (Role("placed", event.unit, event.seat),)


def phase(state: Any, event: Any) -> tuple[Role, ...]:
    """A step begins."""
    return (Role("phase"),)


def undecided(events: tuple[type[Event], ...], roles: Roles) -> list[str]:
    """Names of the types of events that no reading stands for, and of readings that stand alone."""
    types = {type_.__name__ for type_ in events}
    return sorted(types ^ {type_.__name__ for type_ in roles})
