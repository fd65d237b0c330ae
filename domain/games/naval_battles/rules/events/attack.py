"""Events of the attack step: declared, defended, resolved."""

from __future__ import annotations

from typing import ClassVar

from .....kernel.event import Event
from .....kernel.tally import Tally
from .....kernel.values import Seat
from ..state import Attack, Roll, RollKind


class AttackDeclared(Event, frozen=True, kw_only=True):
    """An attack lies beside its target (NB-ATK-03, NB-ATK-08). ``left``: raids still to aim."""

    NAME: ClassVar[str] = "attack-declared"
    seat: Seat
    attack: Attack
    left: int = 0


class SurpriseDeclared(Event, frozen=True, kw_only=True):
    """A Surprise Attack is played against a player (NB-SURP-01)."""

    NAME: ClassVar[str] = "surprise-declared"
    seat: Seat
    card: str
    target: Seat


class SurpriseSprung(Event, frozen=True, kw_only=True):
    """It works: these cards of the player leave play, and the card itself (NB-SURP-02)."""

    NAME: ClassVar[str] = "surprise-sprung"
    card: str
    target: Seat
    cards: tuple[str, ...] = ()


class DefensePlayed(Event, frozen=True, kw_only=True):
    """A card is used against an attack; one from the hand is discarded (NB-DEF-04)."""

    NAME: ClassVar[str] = "defense-played"
    seat: Seat
    card: str
    attack: int
    prepared: bool = False


class CoverTried(Event, frozen=True, kw_only=True):
    """A carrier uses one air cover symbol against a raid (NB-COVER-02)."""

    NAME: ClassVar[str] = "cover-tried"
    seat: Seat
    carrier: str
    attack: int


class SilenceTried(Event, frozen=True, kw_only=True):
    """A passive submarine runs silent from an attack; ``automatic``: all passed (NB-SUB-05)."""

    NAME: ClassVar[str] = "silence-tried"
    seat: Seat
    submarine: str
    attack: int
    automatic: bool = False


class AttackStopped(Event, frozen=True, kw_only=True):
    """An attack is over before it hits; its card goes to the discard pile (NB-DEF-08)."""

    NAME: ClassVar[str] = "attack-stopped"
    attack: int
    by: str
    discarded: tuple[str, ...] = ()


class AttackMoved(Event, frozen=True, kw_only=True):
    """An attack is aimed at another ship of the row now (NB-ESC-01)."""

    NAME: ClassVar[str] = "attack-moved"
    attack: int
    target: str
    needed: int = 0


class RollIntended(Event, frozen=True, kw_only=True):
    """A player is about to roll and may add Planning (NB-FSM-03)."""

    NAME: ClassVar[str] = "roll-intended"
    roll: Roll


class PlanningUsed(Event, frozen=True, kw_only=True):
    """Planning cards are added to the roll (NB-PLAN-02); none closes the window."""

    NAME: ClassVar[str] = "planning-used"
    seat: Seat
    cards: tuple[str, ...] = ()


class RollScored(Event, frozen=True, kw_only=True):
    """The die, its modifiers, and the figure that it had to reach."""

    NAME: ClassVar[str] = "roll-scored"
    kind: RollKind
    seat: Seat
    attack: int
    face: int
    total: Tally
    needed: Tally
    success: bool
    ship: str = ""


class AttackMissed(Event, frozen=True, kw_only=True):
    """The die was too low; the card goes to the discard pile (NB-TORP-06)."""

    NAME: ClassVar[str] = "attack-missed"
    attack: int
    discarded: tuple[str, ...] = ()


class AttackIgnored(Event, frozen=True, kw_only=True):
    """Its target is sunk already (NB-SINK-03)."""

    NAME: ClassVar[str] = "attack-ignored"
    attack: int
    discarded: tuple[str, ...] = ()


class DamageScored(Event, frozen=True, kw_only=True):
    """The card goes under the ship, which still floats (NB-RES-02)."""

    NAME: ClassVar[str] = "damage-scored"
    attack: int
    ship: str
    card: str
    damage: int
    total: int
    hull: int


class ShipSunk(Event, frozen=True, kw_only=True):
    """A ship goes to its sinker's pile; its damage cards to the discards (NB-SINK-02, -05)."""

    NAME: ClassVar[str] = "ship-sunk"
    attack: int
    ship: str
    seat: Seat
    by: Seat
    points: int
    discarded: tuple[str, ...] = ()


class RowsClosed(Event, frozen=True, kw_only=True):
    """Rows behind an empty one have moved forward (NB-ROW-05)."""

    NAME: ClassVar[str] = "rows-closed"
    seat: Seat
    rows: dict[str, int]
