"""Charts as data: the form of every file in ``maps`` and of one that players bring."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta

from ....kernel.data import ShownKeys, list_files, load_toml
from ....kernel.rules import rule
from ....kernel.values import Seat, Value
from .cards import PACKAGE
from .edges import on_table, pose_on_table
from .geometry.pose import Pose
from .options import Options
from .state import Hardness, Land, Objective, PointOfTable, Storm, Unit

MILLI = 1_000
"""Charts are drawn in thousandths of a klick."""

STORM_RADIUS = 6
"""Radius of a storm in klicks (CT-GEOM-23)."""

Side = Literal["first", "second"]
"""A side of a scenario: the first has the edge at the bottom of the chart."""


def figure(least: int, most: int, description: str) -> Any:
    return Meta(ge=least, le=most, description=description)


Slug = Annotated[
    str,
    Meta(
        pattern="^[a-z0-9]+(?:-[a-z0-9]+)*$",
        max_length=40,
        description="A name in small letters, digits and hyphens.",
    ),
]
Title = Annotated[str, Meta(min_length=1, max_length=60, description="For people.")]
Text = Annotated[str, Meta(max_length=600, description="Its subject, in a sentence or two.")]
SHOWN_KEYS: ShownKeys = {"maps/*.toml": {"text": None}, "maps/examples/*.json": None}
"""What a map is about, and the examples for whoever draws one."""

Length = Annotated[int, figure(0, 80_000, "Thousandths of a klick.")]
Point = Annotated[
    tuple[Length, Length],
    Meta(description="The distance from the left edge, and from the first side's edge."),
]


class LandForm(Value, frozen=True):
    """A convex piece of land or of shallow water."""

    id: Slug
    corners: Annotated[
        tuple[Point, ...],
        Meta(min_length=3, max_length=16, description="In order round the piece, either way."),
    ]
    hardness: Annotated[Hardness, Meta(description="How many dice it rolls: 4, 8 or 12.")]
    blocks: Annotated[bool, Meta(description="Whether it blocks lines of sight.")] = True
    shallow: Annotated[bool, Meta(description="Shallow water: a base may be in it.")] = False


class StormForm(Value, frozen=True):
    """A storm at the start."""

    id: Slug
    at: Point
    radius: Annotated[int, figure(500, 20_000, "Thousandths of a klick.")] = STORM_RADIUS * MILLI


class ObjectiveForm(Value, frozen=True):
    """A marker at the start."""

    id: Slug
    at: Point
    points: Annotated[int, figure(0, 1_000, "What it is worth.")]
    kind: Annotated[
        Literal["control", "landing"],
        Meta(description="control: held for two turns; landing: troops go ashore there."),
    ] = "control"


class TargetForm(Value, frozen=True):
    """A land target: something ashore that one side holds and the other may destroy (CT-AMB-76)."""

    card: Annotated[Slug, Meta(description="One of the cards of the kind land.")]
    at: Point
    side: Annotated[Side, Meta(description="Whose it is.")]
    heading: Annotated[int, figure(0, 719, "Half degrees, clockwise from the far edge.")] = 0


class Chart(Value, frozen=True):
    """What lies on a table of ``width`` by ``length`` klicks.

    Everything is drawn as the first side sees it, its own edge at the bottom.
    """

    id: Slug
    name: Title
    text: Text = ""
    width: Annotated[int, figure(16, 60, "Klicks along the players' edges.")] = 40
    length: Annotated[int, figure(20, 80, "Klicks between the players' edges.")] = 60
    land: Annotated[
        tuple[LandForm, ...],
        Meta(max_length=40, description="Land and shallows. Pieces of one island overlap."),
    ] = ()
    storm: Annotated[tuple[StormForm, ...], Meta(max_length=12, description="Storms.")] = ()
    objective: Annotated[
        tuple[ObjectiveForm, ...], Meta(max_length=20, description="Markers worth points.")
    ] = ()
    target: Annotated[
        tuple[TargetForm, ...], Meta(max_length=20, description="What can be destroyed ashore.")
    ] = ()

    @property
    def bare(self) -> bool:
        """Whether it is open sea, of any size."""
        return not (self.land or self.storm or self.objective or self.target)


@cache
def charts() -> dict[str, Chart]:
    """Every chart that ships, by ID."""
    files = list_files(PACKAGE, "maps", ".toml")
    return {found.id: found for found in (load_toml(PACKAGE, f, Chart) for f in files)}


@rule("CT-GEOM-22")
def land(laid_out: Chart, options: Options) -> tuple[Land, ...]:
    """The chart's land and shallows in wu."""
    return tuple(
        Land(
            piece.id,
            tuple(_at(corner, options) for corner in piece.corners),
            piece.hardness,
            piece.blocks and not piece.shallow,
            piece.shallow,
        )
        for piece in laid_out.land
    )


def storms(laid_out: Chart, options: Options) -> tuple[Storm, ...]:
    """The chart's storms in wu."""
    return tuple(
        Storm(each.id, _at(each.at, options), each.radius * options.klick // MILLI)
        for each in laid_out.storm
    )


@rule("CT-WIN-03")
def objectives(laid_out: Chart, options: Options) -> tuple[Objective, ...]:
    """The chart's objectives in wu."""
    return tuple(
        Objective(each.id, _at(each.at, options), each.points, each.kind)
        for each in laid_out.objective
    )


def targets(laid_out: Chart, options: Options, seats: tuple[Seat, ...]) -> tuple[Unit, ...]:
    """The chart's land targets as units: the first of either side's first seat."""
    found: list[Unit] = []
    for each in laid_out.target:
        seat = seats[each.side == "second"]
        number = 1 + sum(unit.seat == seat for unit in found)
        pose = pose_of(each.at, each.heading, options)
        found.append(Unit(f"{seat}-{number}", each.card, seat, pose=pose))
    return tuple(found)


def pose_of(point: PointOfTable, heading: int, options: Options) -> Pose:
    """Where a base stands on the table that a chart or scenario puts at a point."""
    return pose_on_table(options, Pose(*_scaled(point, options), heading))


def _at(point: PointOfTable, options: Options) -> PointOfTable:
    """A point of the chart on the table; the chart turns along with the players' edges."""
    return on_table(options, _scaled(point, options))


def _scaled(point: PointOfTable, options: Options) -> PointOfTable:
    return point[0] * options.klick // MILLI, point[1] * options.klick // MILLI
