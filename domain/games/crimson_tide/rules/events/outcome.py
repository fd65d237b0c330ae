"""Events of the end of a turn: damage that takes effect, repairs, losses, points, the result."""

from __future__ import annotations

from typing import ClassVar

from .....kernel import events
from .....kernel.event import Event
from .....kernel.values import Seat


class HullLost(Event, frozen=True, kw_only=True):
    """A unit loses hull points outside an attack (CT-TERR-10, CT-COLL-03).

    cause    ``collision``, ``grounding``, ``crippling`` (CT-CRIT-15)
    pending  takes effect at the end of the turn (CT-COLL-12), else at once (CT-EOT-06)
    """

    NAME: ClassVar[str] = "hull-lost"
    unit: str
    hull: int
    cause: str
    pending: bool = True


class DamageApplied(Event, frozen=True, kw_only=True):
    """Pending damage takes effect (CT-EOT-07, E1).

    hull_lost  hull points that the unit has lost in all, from now on; never more than it had
    criticals  table numbers of the markers that are placed now
    """

    NAME: ClassVar[str] = "damage-applied"
    unit: str
    hull_lost: int
    criticals: tuple[int, ...] = ()


class UnitDestroyed(Event, frozen=True, kw_only=True):
    """A DESTROYED marker is placed: the unit leaves play later (CT-DMG-08, CT-AAW-08).

    by  the unit that did it; empty: a fire, or land
    """

    NAME: ClassVar[str] = "unit-destroyed"
    unit: str
    by: str = ""


class UnitCrippled(Event, frozen=True, kw_only=True):
    """A CRIPPLED marker is placed (CT-DMG-07, CT-CRIT-03).

    by  the unit that did it, where it is placed by an attack; empty: as damage takes effect
    """

    NAME: ClassVar[str] = "unit-crippled"
    unit: str
    by: str = ""


class UnitRemoved(Event, frozen=True, kw_only=True):
    """A unit leaves play; ``scorer`` gets ``points``.

    cause  ``destroyed``, ``with-carrier``, ``left-table``, ``no-base``, ``crashed``, ``fire``,
           ``exit``
    """

    NAME: ClassVar[str] = "unit-removed"
    unit: str
    scorer: Seat
    points: int
    cause: str


class RepairRolled(Event, frozen=True, kw_only=True):
    """One check for one marker (CT-EOT-02)."""

    NAME: ClassVar[str] = "repair-rolled"
    unit: str
    critical: int
    face: int
    repaired: bool


class FireBurned(Event, frozen=True, kw_only=True):
    """A fire costs a hull point at the end of an even turn (CT-CRIT-06)."""

    NAME: ClassVar[str] = "fire-burned"
    unit: str


class ControlChecked(Event, frozen=True, kw_only=True):
    """The number of turn ends in a row for which each seat has held an objective (CT-SCN-07)."""

    NAME: ClassVar[str] = "control-checked"
    objective: str
    turns: dict[Seat, int]


class ObjectiveGained(Event, frozen=True, kw_only=True):
    """A seat scores an objective; ``unit`` landed its troops there, or the marker is gone."""

    NAME: ClassVar[str] = "objective-gained"
    objective: str
    seat: Seat
    points: int
    unit: str = ""


class TurnEnded(Event, frozen=True, kw_only=True):
    """Turn-long markers come off (CT-EOT-07, E10)."""

    NAME: ClassVar[str] = "turn-ended"
    turn: int


class DrawOffered(Event, frozen=True, kw_only=True):
    """A seat offers a draw for the rest of this turn."""

    NAME: ClassVar[str] = "draw-offered"
    seat: Seat


class PlayerLeft(Event, frozen=True, kw_only=True):
    """A seat has left the battle, and a partner commands its units (CT-AMB-109)."""

    NAME: ClassVar[str] = "player-left"
    seat: Seat
    heir: Seat


class GameEnded(events.GameEnded, frozen=True, kw_only=True):
    """The battle is over; ``winners`` is empty for a draw."""
