"""Events of the set-up, and the dice that any part of a battle asks for."""

from __future__ import annotations

from typing import ClassVar

from .....kernel import events
from .....kernel.event import Event
from .....kernel.values import Hidden, Known, Seat
from ..geometry.pose import Pose
from ..state import Land, Objective, Options, Pick, Purpose, Storm, Terms, Unit


class GameOpened(events.GameOpened[Options], frozen=True, kw_only=True):
    """The options are agreed, the table is laid out, the seats are taken up.

    targets  the targets ashore (CT-AMB-76)
    title    the name of a scenario that the players bring
    """

    SCHEMA: ClassVar[int] = 2
    terms: Terms
    land: tuple[Land, ...] = ()
    storms: tuple[Storm, ...] = ()
    objectives: tuple[Objective, ...] = ()
    targets: tuple[Unit, ...] = ()
    title: str = ""


class FleetLocked(Event, frozen=True, kw_only=True):
    """A fleet is built and locked; the list is its owner's secret (CT-FLEET-01)."""

    NAME: ClassVar[str] = "fleet-locked"
    seat: Seat
    units: Known[Pick] | Hidden


class FleetsRevealed(Event, frozen=True, kw_only=True):
    """Both fleets are locked: the cards of both lie on the table (CT-FLEET-02)."""

    NAME: ClassVar[str] = "fleets-revealed"
    fleets: dict[Seat, tuple[Pick, ...]]


class DiceAwaited(events.DiceAwaited[Purpose], frozen=True, kw_only=True):
    """The chance seat is asked for dice."""


class DiceThrown(events.DiceThrown, frozen=True, kw_only=True):
    """Chance has answered."""

    SCHEMA: ClassVar[int] = 2


class StormsGathered(Event, frozen=True, kw_only=True):
    """The die for the weather, and the squalls that it brings (CT-WEA-09)."""

    NAME: ClassVar[str] = "storms-gathered"
    face: int
    storms: tuple[Storm, ...]


class UnitPlaced(Event, frozen=True, kw_only=True):
    """A ship or submarine stands on the table (CT-SETUP-03)."""

    NAME: ClassVar[str] = "unit-placed"
    unit: str
    card: str
    seat: Seat
    pose: Pose


class AircraftBased(Event, frozen=True, kw_only=True):
    """An aircraft is put on its ship's card or on the land base (CT-SETUP-05)."""

    NAME: ClassVar[str] = "aircraft-based"
    unit: str
    card: str
    seat: Seat
    base: str
