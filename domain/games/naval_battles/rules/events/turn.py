"""Events of a player turn outside the attack."""

from __future__ import annotations

from typing import ClassVar

from .....kernel import events
from .....kernel.event import Event
from .....kernel.values import Seat
from ..commands import Posting


class TurnBegan(Event, frozen=True, kw_only=True):
    """A player turn: mounts, raids, air cover and prepared cards are fresh again (NB-FSM-01)."""

    NAME: ClassVar[str] = "turn-began"
    seat: Seat
    turn: int
    round: int
    calm: int = 0


class StepBegan(events.StepBegan, frozen=True, kw_only=True):
    """The next step is played."""


class CardsExpired(Event, frozen=True, kw_only=True):
    """A player's cards in play leave it: prepare cards and Retreat (NB-SEQ-02)."""

    NAME: ClassVar[str] = "cards-expired"
    seat: Seat
    cards: tuple[str, ...]


class Passed(events.Passed, frozen=True, kw_only=True):
    """A seat does no more, or declines the question."""


class FleetArranged(Event, frozen=True, kw_only=True):
    """Ships stand in these rows; these submarines are active, the others passive (NB-REORG-01)."""

    NAME: ClassVar[str] = "fleet-arranged"
    seat: Seat
    rows: tuple[tuple[str, ...], ...]
    active: tuple[str, ...] = ()


class RetreatPlayed(Event, frozen=True, kw_only=True):
    """A Retreat lies before the fleet; up to ``removing`` damage cards may go (NB-RET-01, -02)."""

    NAME: ClassVar[str] = "retreat-played"
    seat: Seat
    card: str
    removing: int


class DamageRemoved(Event, frozen=True, kw_only=True):
    """A damage card goes from a ship to the discard pile (NB-RET-02)."""

    NAME: ClassVar[str] = "damage-removed"
    seat: Seat
    ship: str
    card: str


class ReinforcementsPlayed(Event, frozen=True, kw_only=True):
    """Ships join the fleet; ``lost`` are the points not used (NB-REIN-02, -04)."""

    NAME: ClassVar[str] = "reinforcements-played"
    seat: Seat
    cards: tuple[str, ...]
    ships: tuple[Posting, ...] = ()
    lost: int = 0


class CardPrepared(Event, frozen=True, kw_only=True):
    """A prepare card lies before the fleet, played by a ship (NB-PREP-01)."""

    NAME: ClassVar[str] = "card-prepared"
    seat: Seat
    card: str
    ship: str


class CardsDiscarded(Event, frozen=True, kw_only=True):
    """Hand cards go to the discard pile, face up (NB-DISC-01)."""

    NAME: ClassVar[str] = "cards-discarded"
    seat: Seat
    cards: tuple[str, ...]


class EndCalled(Event, frozen=True, kw_only=True):
    """A seat agrees to end the game (NB-WIN-05)."""

    NAME: ClassVar[str] = "end-called"
    seat: Seat


class PlayerLeft(Event, frozen=True, kw_only=True):
    """A seat has left the game; its ships stay (NB-RUL-01)."""

    NAME: ClassVar[str] = "player-left"
    seat: Seat


class BattleEnded(Event, frozen=True, kw_only=True):
    """Linked games: a battle is over, and these are the points of each (NB-LINK-02).

    winner  the player who sank the ship that ended it, or who began it past 25 (NB-RUL-14); of
            teams his side has won it
    """

    NAME: ClassVar[str] = "battle-ended"
    winner: Seat
    points: dict[Seat, int]


class BattleBegan(Event, frozen=True, kw_only=True):
    """Linked games: the next battle is set up; nations and points may be kept (NB-LINK-01)."""

    NAME: ClassVar[str] = "battle-began"
    battle: int
    nations: dict[Seat, str]
    earlier: dict[Seat, int]


class GameEnded(events.GameEnded, frozen=True, kw_only=True):
    """The game is over."""
