"""Events of the course of a turn: initiative, steps, moves and missions."""

from __future__ import annotations

from typing import ClassVar

from .....kernel import events
from .....kernel.event import Event
from .....kernel.tally import Tally
from .....kernel.values import Seat
from ..effects import Effect
from ..ids import AbilityId, BaseId, SectorId, UnitId
from ..state import Role


class TurnBegan(Event, frozen=True, kw_only=True):
    """A new turn."""

    NAME: ClassVar[str] = "turn-began"
    turn: int


class LightChanged(Event, frozen=True, kw_only=True):
    """Twilight has turned: it is dark from now on, or light (WAS-DARK-14)."""

    NAME: ClassVar[str] = "light-changed"
    dark: bool


class InitiativeRolled(Event, frozen=True, kw_only=True):
    """Both initiative totals; ``first`` is the loser, empty on a full tie (WAS-INIT-07 to -13)."""

    NAME: ClassVar[str] = "initiative-rolled"
    totals: dict[Seat, Tally]
    thrown: dict[Seat, int]
    first: Seat = ""


class StepBegan(events.StepBegan, frozen=True, kw_only=True):
    """The next step of the turn; ``last`` is the seat that counts as having acted before it."""

    last: Seat = ""


class TaskDone(Event, frozen=True, kw_only=True):
    """An automatic task of the step is dealt with."""

    NAME: ClassVar[str] = "task-done"
    task: str


class Passed(events.Passed, frozen=True, kw_only=True):
    """A seat does no more in this step."""


class UnitMoved(Event, frozen=True, kw_only=True):
    """A Ship or Submarine has moved along ``path``, the sectors entered in order."""

    NAME: ClassVar[str] = "unit-moved"
    unit: UnitId
    path: tuple[SectorId, ...]
    boost: str = ""


class UnitShifted(Event, frozen=True, kw_only=True):
    """An ability has relocated a unit outside its normal move."""

    NAME: ClassVar[str] = "unit-shifted"
    unit: UnitId
    sector: SectorId
    ability: AbilityId
    seat: Seat


class AircraftPlaced(Event, frozen=True, kw_only=True):
    """An Aircraft flies to a sector as its mission (WAS-AIRM-02)."""

    NAME: ClassVar[str] = "aircraft-placed"
    unit: UnitId
    seat: Seat
    sector: SectorId
    strafing: bool = False
    role: Role = ""


class AircraftSentHome(Event, frozen=True, kw_only=True):
    """2009: these Aircraft have the land airbase as their mission (WAS-AIRM-07, -08)."""

    NAME: ClassVar[str] = "aircraft-sent-home"
    seat: Seat
    units: tuple[UnitId, ...]


class SearchRolled(Event, frozen=True, kw_only=True):
    """In the dark: whether an Aircraft finds its sector; if not, it is aborted (WAS-DARK-02)."""

    NAME: ClassVar[str] = "search-rolled"
    unit: UnitId
    face: int
    needed: int
    found: bool
    effects: tuple[Effect, ...] = ()


class RecoveryRolled(Event, frozen=True, kw_only=True):
    """In the dark: one die for each Aircraft that comes back; those on 1 are lost."""

    NAME: ClassVar[str] = "recovery-rolled"
    units: tuple[UnitId, ...]
    faces: tuple[int, ...]
    lost: tuple[UnitId, ...]


class ReturnBegan(Event, frozen=True, kw_only=True):
    """An Air Return step begins: these Aircraft have rearmed; the Carriers' stacks are cleared."""

    NAME: ClassVar[str] = "return-began"
    seat: Seat
    rearmed: tuple[UnitId, ...]


class AircraftReturned(Event, frozen=True, kw_only=True):
    """An Aircraft is at a base again; ``rearming`` tells whether it got a Rearming counter."""

    NAME: ClassVar[str] = "aircraft-returned"
    unit: UnitId
    base: BaseId
    rearming: bool = False


class ReturnEnded(Event, frozen=True, kw_only=True):
    """All Aircraft of a seat are based; their Aborted counters come off (WAS-RETN-07)."""

    NAME: ClassVar[str] = "return-ended"
    seat: Seat
