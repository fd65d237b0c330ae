"""Events of the course of a turn: initiative, dives, steps, and where aircraft fly."""

from __future__ import annotations

from typing import ClassVar

from .....kernel.event import Event
from .....kernel.tally import Tally
from .....kernel.values import Hidden, Known, Seat
from ..state import Mission, Place, PointOfTable


class TurnBegan(Event, frozen=True, kw_only=True):
    """A new turn."""

    NAME: ClassVar[str] = "turn-began"
    turn: int


class InitiativeRolled(Event, frozen=True, kw_only=True):
    """Both totals; ``first`` is the loser, empty on a full tie (CT-INIT-01, -04)."""

    NAME: ClassVar[str] = "initiative-rolled"
    totals: dict[Seat, Tally]
    first: Seat = ""


class StepBegan(Event, frozen=True, kw_only=True):
    """The next step."""

    NAME: ClassVar[str] = "step-began"
    step: str


class TaskDone(Event, frozen=True, kw_only=True):
    """An automatic task of the step is dealt with."""

    NAME: ClassVar[str] = "task-done"
    task: str


class Passed(Event, frozen=True, kw_only=True):
    """A seat does no more in this step."""

    NAME: ClassVar[str] = "passed"
    seat: Seat


class DivesChosen(Event, frozen=True, kw_only=True):
    """A seat has settled which of its submarines are submerged: a secret until both have."""

    NAME: ClassVar[str] = "dives-chosen"
    seat: Seat
    submerged: Known[str] | Hidden


class DivesRevealed(Event, frozen=True, kw_only=True):
    """The submarines of these seats are submerged or surfaced for the whole turn (CT-SUB-02).

    vanished  those that dive from the surface: they are detected no more (CT-DET-03)
    """

    NAME: ClassVar[str] = "dives-revealed"
    seats: tuple[Seat, ...]
    submerged: tuple[str, ...]
    vanished: tuple[str, ...] = ()


class AircraftDeployed(Event, frozen=True, kw_only=True):
    """An aircraft is placed with its mission (CT-AIRD-03, -04); ``carrier`` launched it."""

    NAME: ClassVar[str] = "aircraft-deployed"
    unit: str
    seat: Seat
    mission: Mission
    at: PointOfTable
    beside: str = ""
    side: Place | str = ""
    carrier: str = ""


class SpottingRolled(Event, frozen=True, kw_only=True):
    """At night: whether an aircraft finds its way; if not it is aborted (CT-NIGHT-02)."""

    NAME: ClassVar[str] = "spotting-rolled"
    unit: str
    face: int
    needed: int
    found: bool


class Rearmed(Event, frozen=True, kw_only=True):
    """The air deployment is over: each of these loses one rearming marker (CT-AIRD-07)."""

    NAME: ClassVar[str] = "rearmed"
    units: tuple[str, ...]


class AircraftLanded(Event, frozen=True, kw_only=True):
    """An aircraft is at a base again, with its rearming markers (CT-TRANS-02)."""

    NAME: ClassVar[str] = "aircraft-landed"
    unit: str
    base: str
    rearming: int


class RecoveryRolled(Event, frozen=True, kw_only=True):
    """At night on a carrier: crash, damage or a safe landing (CT-NIGHT-06)."""

    NAME: ClassVar[str] = "recovery-rolled"
    unit: str
    base: str
    face: int
    outcome: str


class TransitEnded(Event, frozen=True, kw_only=True):
    """A seat's aircraft are based; ABORTED markers come off (CT-TRANS-05)."""

    NAME: ClassVar[str] = "transit-ended"
    seat: Seat
