"""Events of single cards' abilities: what they change on the table."""

from __future__ import annotations

from typing import ClassVar, Literal

from .....kernel.event import Event
from .....kernel.values import Seat
from ..cards import Kind
from ..effects import Effect, OnUnit, word_of
from ..ids import BaseId, CardId, SectorId, UnitId
from ..state import Attack


class AttackGivenUp(Event, frozen=True, kw_only=True):
    """A unit uses an ability instead of an attack of this kind, or of ``all`` its attacks."""

    NAME: ClassVar[str] = "attack-given-up"
    unit: UnitId
    weapon: Kind | Literal["all"]


class AttackAmended(Event, frozen=True, kw_only=True):
    """The numbers of the attack under way have changed before its dice are thrown."""

    NAME: ClassVar[str] = "attack-amended"
    attack: Attack


class EffectEnded(Event, frozen=True, kw_only=True):
    """Something lasting is over before its time."""

    NAME: ClassVar[str] = "effect-ended"
    word: str
    unit: UnitId
    source: UnitId


def ended(effect: OnUnit, rules: tuple[str, ...] = ()) -> EffectEnded:
    """The end of an effect before its time, by the rule of its own ability if no other is named."""
    return EffectEnded(
        word=word_of(effect), unit=effect.unit, source=effect.source, rules=rules or (effect.rule,)
    )


class MinesLaid(Event, frozen=True, kw_only=True):
    """A mine marker lies in a sector."""

    NAME: ClassVar[str] = "mines-laid"
    unit: UnitId
    sector: SectorId


class MinesSwept(Event, frozen=True, kw_only=True):
    """A mine marker is taken off a sector."""

    NAME: ClassVar[str] = "mines-swept"
    unit: UnitId
    sector: SectorId


class HullLost(Event, frozen=True, kw_only=True):
    """Hull points are lost by something other than an attack; they are pending (WAS-DMG-11).

    faces  the dice that were thrown for it
    """

    NAME: ClassVar[str] = "hull-lost"
    unit: UnitId
    points: int
    cause: str
    faces: tuple[int, ...] = ()


class HullRepaired(Event, frozen=True, kw_only=True):
    """Lost hull points are restored."""

    NAME: ClassVar[str] = "hull-repaired"
    unit: UnitId
    points: int
    cause: str


class RearmingEnded(Event, frozen=True, kw_only=True):
    """An ability takes a Rearming counter off an Aircraft."""

    NAME: ClassVar[str] = "rearming-ended"
    unit: UnitId


class AirbaseShelled(Event, frozen=True, kw_only=True):
    """Aircraft at a land airbase get more Rearming counters; ``effects`` say until when."""

    NAME: ClassVar[str] = "airbase-shelled"
    seat: Seat
    units: tuple[UnitId, ...]
    effects: tuple[Effect, ...]


class RearmingBegan(Event, frozen=True, kw_only=True):
    """An ability puts a Rearming counter on an Aircraft."""

    NAME: ClassVar[str] = "rearming-began"
    unit: UnitId


class AircraftStayed(Event, frozen=True, kw_only=True):
    """2009: while others go to the land airbase, these stay at a base of their own."""

    NAME: ClassVar[str] = "aircraft-stayed"
    seat: Seat
    units: tuple[UnitId, ...]


class StackKept(Event, frozen=True, kw_only=True):
    """2009: cards of Aircraft that have not left their Carrier stay stacked with it."""

    NAME: ClassVar[str] = "stack-kept"
    carrier: UnitId
    cards: tuple[CardId, ...]


class SquadronJoined(Event, frozen=True, kw_only=True):
    """An ability of the unit ``source`` brings an Aircraft into play, at a base or on a mission.

    sector  where its mission takes it; empty: it is at its base
    base    the unit that it is based on, or comes from
    """

    NAME: ClassVar[str] = "squadron-joined"
    unit: UnitId
    card: CardId
    seat: Seat
    source: UnitId
    sector: SectorId = ""
    base: BaseId = ""
