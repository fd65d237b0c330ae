"""Events of movement: orders, turns and klicks, evasion, groundings, collisions, wind and drift."""

from __future__ import annotations

from typing import ClassVar

from .....kernel.event import Event
from ..geometry.pose import Pose
from ..state import Impact, Order, PointOfTable


class MoveOrdered(Event, frozen=True, kw_only=True):
    """A unit's whole move of this turn is ordered and legal (CT-MOVE-21).

    settled  the duty to leave the obstacle that it ran into is over with this order: done, or
             lapsed (CT-AMB-32)
    """

    NAME: ClassVar[str] = "move-ordered"
    order: Order
    settled: bool = False


class EvasionRolled(Event, frozen=True, kw_only=True):
    """Evasive maneuvers: from ``needed`` up one torpedo marker is shaken off (CT-EVA-02).

    place  of which attack, among those inbound: 0 is the oldest (CT-AMB-09)
    """

    NAME: ClassVar[str] = "evasion-rolled"
    unit: str
    face: int
    needed: int
    evaded: bool
    place: int = 0


class UnitMoved(Event, frozen=True, kw_only=True):
    """A unit has moved on its order until something stopped it.

    track   its poses: after each turn and each klick, and where it is now
    ahead, astern  klicks that it has completed this turn
    turned  whether it has altered its heading this turn
    order   the rest of the order
    freed   it has gone far enough from the obstacle of its collision (CT-COLL-09)
    """

    NAME: ClassVar[str] = "unit-moved"
    unit: str
    track: tuple[Pose, ...]
    ahead: int
    astern: int
    turned: bool
    order: Order
    freed: bool = False


class GroundingTested(Event, frozen=True, kw_only=True):
    """A test in treacherous waters: up to ``grounds_on`` the unit runs aground (CT-TERR-06)."""

    NAME: ClassVar[str] = "grounding-tested"
    unit: str
    face: int
    grounds_on: int
    aground: bool
    hazard: str


class RanAground(Event, frozen=True, kw_only=True):
    """A unit is stopped by land or shallows (CT-TERR-08); damage is rolled for unless it is spared.

    impacts  the damage roll; none for a draft shallow enough
    """

    NAME: ClassVar[str] = "ran-aground"
    unit: str
    land: str
    hardness: str
    impacts: tuple[Impact, ...]


class UnitsCollided(Event, frozen=True, kw_only=True):
    """A moving unit has run into another, and has to leave it in its next move (CT-COLL-01, -08).

    ahead     the obstacle lies astern: the unit leaves by going ahead (CT-AMB-93)
    impacts   the two damage rolls, the moving unit's first
    drifting  a derelict: dice are not halved, and it need not reverse (CT-EOT-06)
    """

    NAME: ClassVar[str] = "units-collided"
    unit: str
    other: str
    impacts: tuple[Impact, Impact]
    drifting: bool = False
    ahead: bool = False


class ImpactRolled(Event, frozen=True, kw_only=True):
    """The dice of an impact are read: hits against the unit's ratings, hull points lost."""

    NAME: ClassVar[str] = "impact-rolled"
    unit: str
    by: str
    rounds: tuple[tuple[int, ...], ...]
    hits: int
    armor: int
    critical: int
    hull: int


class MoveEnded(Event, frozen=True, kw_only=True):
    """A unit's move, or drift, is over; ``stopped``: it has a STOPPED marker now."""

    NAME: ClassVar[str] = "move-ended"
    unit: str
    stopped: bool


class WindDrawn(Event, frozen=True, kw_only=True):
    """The wind of this turn blows toward ``direction`` (ticks) (CT-WEA-08)."""

    NAME: ClassVar[str] = "wind-drawn"
    direction: int


class StormsMoved(Event, frozen=True, kw_only=True):
    """All storms have moved so many klicks downwind; ``gone`` have left the table (CT-WEA-06)."""

    NAME: ClassVar[str] = "storms-moved"
    klicks: int
    at: dict[str, PointOfTable]
    gone: tuple[str, ...] = ()


class DriftBegan(Event, frozen=True, kw_only=True):
    """A derelict is carried downwind (CT-EOT-06); ``order`` stands for the rest of it."""

    NAME: ClassVar[str] = "drift-began"
    order: Order


MovementEvent = (
    MoveOrdered
    | EvasionRolled
    | UnitMoved
    | GroundingTested
    | RanAground
    | UnitsCollided
    | ImpactRolled
    | MoveEnded
    | WindDrawn
    | StormsMoved
    | DriftBegan
)
"""Every event of this module."""
