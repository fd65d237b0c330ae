"""Events at the end of phases, turns and battles: losses, claims, points."""

from __future__ import annotations

from typing import ClassVar

from .....kernel import events
from .....kernel.event import Event
from .....kernel.values import Seat
from ..ids import SectorId, UnitId


class SmokeCleared(Event, frozen=True, kw_only=True):
    """Smoke screens of the last turn are gone (WAS-EOT-11)."""

    NAME: ClassVar[str] = "smoke-cleared"
    sectors: tuple[SectorId, ...]


class SquallsMoved(Event, frozen=True, kw_only=True):
    """The new places of the squalls, in order of placement; ``faces`` are empty when they form."""

    NAME: ClassVar[str] = "squalls-moved"
    sectors: tuple[SectorId, ...]
    faces: tuple[int, ...] = ()


class CarrierDoomed(Event, frozen=True, kw_only=True):
    """A Carrier goes down at the end of this phase; ``chosen`` Aircraft are at risk so far."""

    NAME: ClassVar[str] = "carrier-doomed"
    carrier: UnitId
    chosen: tuple[UnitId, ...] = ()


class CarrierLossRolled(Event, frozen=True, kw_only=True):
    """One die for each Aircraft at risk; those on 1 go down with the Carrier."""

    NAME: ClassVar[str] = "carrier-loss-rolled"
    carrier: UnitId
    units: tuple[UnitId, ...]
    faces: tuple[int, ...]
    lost: tuple[UnitId, ...]


class DamageApplied(Event, frozen=True, kw_only=True):
    """Pending hull damage takes effect (WAS-DMG-11)."""

    NAME: ClassVar[str] = "damage-applied"
    unit: UnitId
    damage: int
    crippled: bool


class UnitRemoved(Event, frozen=True, kw_only=True):
    """A unit leaves play; ``scorer`` gets ``points`` for it (WAS-VP-01)."""

    NAME: ClassVar[str] = "unit-removed"
    unit: UnitId
    scorer: Seat
    points: int
    cause: str


class PhaseEnded(Event, frozen=True, kw_only=True):
    """The end-of-phase procedure is complete; the markers of the phase come off (section 6.3)."""

    NAME: ClassVar[str] = "phase-ended"
    phase: str


class ObjectiveClaimed(Event, frozen=True, kw_only=True):
    """An objective marker is taken off the map (WAS-EOT-01, -04)."""

    NAME: ClassVar[str] = "objective-claimed"
    seat: Seat
    sector: SectorId
    points: int


class ClaimDeclined(Event, frozen=True, kw_only=True):
    """A seat leaves an objective that it could claim."""

    NAME: ClassVar[str] = "claim-declined"
    seat: Seat
    sectors: tuple[SectorId, ...]


class PointsScored(Event, frozen=True, kw_only=True):
    """Points for something other than a destroyed unit or an objective."""

    NAME: ClassVar[str] = "points-scored"
    seat: Seat
    points: int
    cause: str


class StalemateCalled(Event, frozen=True, kw_only=True):
    """A seat asks for the game to be ended as a stalemate (RUL-83)."""

    NAME: ClassVar[str] = "stalemate-called"
    seat: Seat


class TurnEnded(Event, frozen=True, kw_only=True):
    """The turn is over; effects that lasted until now lapse. ``calm`` counts turns without
    progress."""

    NAME: ClassVar[str] = "turn-ended"
    turn: int
    calm: int


class GameEnded(events.GameEnded, frozen=True, kw_only=True):
    """The game is over; no winners means a draw."""
