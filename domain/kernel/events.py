"""Events that every game has, in one shape: a game's own is a subclass, which may say more.

The stored name is the same in all games, after the ruleset's. What is a game's own stands in a type
parameter: what is agreed when a game is opened, what dice are awaited for.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from .chance import PUBLIC_DOMAIN, Awaited
from .event import Event
from .values import Hidden, Known, Seat, StepKey

P = TypeVar("P")
O = TypeVar("O")  # noqa: E741 options


class GameOpened(Event, Generic[O], frozen=True, kw_only=True):
    """The options are agreed, and the seats are taken up."""

    NAME: ClassVar[str] = "game-opened"
    scenario: str
    options: O
    seats: tuple[Seat, ...]


class DiceAwaited(Event, Generic[P], frozen=True, kw_only=True):
    """The chance seat is asked for dice, for a purpose of the game's own."""

    NAME: ClassVar[str] = "dice-awaited"
    awaited: Awaited
    purpose: P


class DiceThrown(Event, frozen=True, kw_only=True):
    """Chance has answered. Faces of a domain that is not open are hidden from who may not see it.

    faces   of each pool that was asked for; how many pools there were is open to all
    domain  whose dice they are: see :class:`~domain.kernel.chance.Awaited`
    """

    NAME: ClassVar[str] = "dice-thrown"
    label: str
    faces: Known[tuple[int, ...]] | Hidden
    owner: Seat
    domain: str = PUBLIC_DOMAIN


def wrapped_faces(data: dict[str, Any]) -> dict[str, Any]:
    """Upcaster of games in which no dice were hidden and the faces stood as such."""
    return data | {"faces": {"sight": "known", "items": data["faces"]}}


class StepBegan(Event, frozen=True, kw_only=True):
    """A step begins. It says where one is, and clears what belongs to a step alone."""

    NAME: ClassVar[str] = "step-began"
    SCHEMA: ClassVar[int] = 2
    step: StepKey


class Passed(Event, frozen=True, kw_only=True):
    """A seat does no more, or declines what it is asked."""

    NAME: ClassVar[str] = "passed"
    seat: Seat


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over; no winners means a draw.

    reason  in the game's own word
    rule    the rule that ended it
    """

    NAME: ClassVar[str] = "game-ended"
    winners: tuple[Seat, ...]
    reason: str
    rule: str
