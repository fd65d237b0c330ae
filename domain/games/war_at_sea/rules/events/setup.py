"""Events of the set-up, and the dice that any part of a battle asks for."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import field

from .....kernel import events
from .....kernel.event import Event
from .....kernel.values import Hidden, Known, Seat
from ..editions import Edition
from ..ids import BaseId, CardId, SectorId, UnitId
from ..purposes import Purpose
from ..state import Alliance, Edge, Light, Options


class GameOpened(events.GameOpened[Options], frozen=True, kw_only=True):
    """The options are agreed and the seats are taken up (S0)."""

    edition: Edition
    seats: tuple[Seat, Seat]


class CustomsBrought(Event, frozen=True, kw_only=True):
    """The scenario and the map that the players bring (WAS-SETUP-28).

    scenario, map  the documents as they were brought; empty where there is none
    """

    NAME: ClassVar[str] = "customs-brought"
    scenario: dict[str, Any] = field(default_factory=dict)
    map: dict[str, Any] = field(default_factory=dict)


class SideChooserFound(Event, frozen=True, kw_only=True):
    """The winner of the coin picks a side (WAS-SETUP-03)."""

    NAME: ClassVar[str] = "side-chooser-found"
    seat: Seat


class SidesSet(Event, frozen=True, kw_only=True):
    """The alliance that each seat commands (WAS-SETUP-03)."""

    NAME: ClassVar[str] = "sides-set"
    alliances: dict[Seat, Alliance]


class EscortChosen(Event, frozen=True, kw_only=True):
    """Convoy: this seat escorts, the other intercepts (WAS-SCEN-21)."""

    NAME: ClassVar[str] = "escort-chosen"
    seat: Seat


class FleetLocked(Event, frozen=True, kw_only=True):
    """A fleet is built and locked; the list itself is its owner's secret (WAS-SETUP-23)."""

    NAME: ClassVar[str] = "fleet-locked"
    seat: Seat
    cards: Known[str] | Hidden


class DiceAwaited(events.DiceAwaited[Purpose], frozen=True, kw_only=True):
    """The chance seat is asked for dice."""


class DiceThrown(events.DiceThrown, frozen=True, kw_only=True):
    """Chance has answered."""

    SCHEMA: ClassVar[int] = 2


class ZoneSelected(Event, frozen=True, kw_only=True):
    """The battle zone is laid out with its objective markers (WAS-SETUP-07, -08)."""

    NAME: ClassVar[str] = "zone-selected"
    zone: int
    objectives: tuple[SectorId, ...]


class LightSet(Event, frozen=True, kw_only=True):
    """The light of the battle is settled (WAS-DARK-13 to -15)."""

    NAME: ClassVar[str] = "light-set"
    light: Light


class WeatherRolled(Event, frozen=True, kw_only=True):
    """The die for the weather, and how many squalls there are (WAS-WEATH-02)."""

    NAME: ClassVar[str] = "weather-rolled"
    face: int
    squalls: int


class DeployerChosen(Event, frozen=True, kw_only=True):
    """The winner of the coin deploys first (WAS-SETUP-10)."""

    NAME: ClassVar[str] = "deployer-chosen"
    seat: Seat


class EdgesChosen(Event, frozen=True, kw_only=True):
    """The first deployer has taken a side of the map; the other gets the opposite one."""

    NAME: ClassVar[str] = "edges-chosen"
    edges: dict[Seat, Edge]


class UnitDeployed(Event, frozen=True, kw_only=True):
    """A unit is revealed and put into play, in a sector or at a base."""

    NAME: ClassVar[str] = "unit-deployed"
    unit: UnitId
    card: CardId
    seat: Seat
    sector: SectorId = ""
    base: BaseId = ""


class FleetDeployed(Event, frozen=True, kw_only=True):
    """The whole fleet is in play: nothing of it is hidden any more (WAS-SETUP-25)."""

    NAME: ClassVar[str] = "fleet-deployed"
    seat: Seat
