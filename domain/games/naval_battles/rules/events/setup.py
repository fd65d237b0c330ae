"""Events of the set-up, and what any part of a battle asks of chance and of the deck."""

from __future__ import annotations

from typing import ClassVar

from .....kernel import events
from .....kernel.event import Event
from .....kernel.values import Seat
from ..deck import Deck
from ..state import Hand, Purpose, Roll, Terms


class GameOpened(events.GameOpened[Terms], frozen=True, kw_only=True):
    """The options are agreed, the seats taken up; ``house`` is a deck the players brought."""

    edition: str
    house: Deck | None = None


class NationTaken(Event, frozen=True, kw_only=True):
    """A seat commands this nation's ships (NB-SETUP-01)."""

    NAME: ClassVar[str] = "nation-taken"
    seat: Seat
    nation: str


class FleetCommitted(Event, frozen=True, kw_only=True):
    """A starting fleet is chosen; which ships is its owner's secret (NB-HID-01)."""

    NAME: ClassVar[str] = "fleet-committed"
    seat: Seat
    ships: Hand


class FirstPlayerRolled(Event, frozen=True, kw_only=True):
    """Dice for the first player; ``first`` is empty when the highest are equal (NB-SETUP-04)."""

    NAME: ClassVar[str] = "first-player-rolled"
    faces: dict[Seat, int]
    first: Seat = ""


class FleetLaidOut(Event, frozen=True, kw_only=True):
    """A fleet is on the table; the ships left over are the reinforcement pile (NB-SETUP-03,
    -05).

    lacking  points that it lacks of 25: who sits on the left begins with them (NB-RUL-13)
    """

    NAME: ClassVar[str] = "fleet-laid-out"
    seat: Seat
    rows: tuple[tuple[str, ...], ...]
    submarines: tuple[str, ...] = ()
    active: tuple[str, ...] = ()
    reserve: tuple[str, ...] = ()
    lacking: int = 0


class DeckLaid(Event, frozen=True, kw_only=True):
    """Cards to draw from: the whole deck, or the discards once it has run out (NB-DRAW-02)."""

    NAME: ClassVar[str] = "deck-laid"
    cards: Hand
    renewed: bool = False


class DiceAwaited(events.DiceAwaited[Purpose], frozen=True, kw_only=True):
    """The chance seat is asked for dice; ``roll`` is the player's purpose."""

    roll: Roll | None = None


class DiceThrown(events.DiceThrown, frozen=True, kw_only=True):
    """Chance has answered; faces of a seat's own domain are known to that seat only."""


class CardsDrawn(Event, frozen=True, kw_only=True):
    """Cards come from the deck into a hand, seen by their new owner only (NB-DRAW-01)."""

    NAME: ClassVar[str] = "cards-drawn"
    seat: Seat
    cards: Hand
