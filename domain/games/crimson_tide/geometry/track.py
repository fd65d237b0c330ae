"""Following a move sub-step by sub-step until something stops it (CT-GEOM-11, -24).

A stretch is one klick or one turn on the spot. Whatever the base already overlaps when the stretch
begins is not run into: a contact is where bases begin to overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....kernel.rules import rule
from .distance import within
from .hull import Size, base, radius
from .polygons import Polygon, overlap
from .pose import SUBSTEPS, Point, Pose, carried, offset, substeps, ticks_of_turn, turned

Box = tuple[int, int, int, int]


class Obstacle(NamedTuple):
    """What can be run into: a base or a piece of land, with the upright box around it."""

    id: str
    shape: Polygon
    box: Box


class Hazard(NamedTuple):
    """Waters that are treacherous: every spot within ``reach`` wu of a shape."""

    id: str
    shape: Polygon
    reach: int
    box: Box


class Table(NamedTuple):
    """The playing surface: the closed rectangle from (0, 0) to (width, length), in wu."""

    width: int
    length: int


class Waters(NamedTuple):
    """All that a move has to heed."""

    table: Table
    obstacles: tuple[Obstacle, ...] = ()
    hazards: tuple[Hazard, ...] = ()


class Stretch(NamedTuple):
    """How a stretch went.

    pose    where the unit is now
    steps   sub-steps (of a klick) or ticks (of a turn) that it took to get there
    met     obstacles that the next sub-step would have overlapped
    hazard  whether its base is now in treacherous waters, which ended the stretch
    left    whether its position is now off the table, which ended the stretch
    """

    pose: Pose
    steps: int
    met: tuple[str, ...] = ()
    hazard: bool = False
    left: bool = False

    @property
    def cut(self) -> bool:
        """Whether something ended it early."""
        return bool(self.met) or self.hazard or self.left


def box_of(shape: Polygon) -> Box:
    """The upright box around a shape: least x and y, greatest x and y."""
    xs, ys = [p[0] for p in shape], [p[1] for p in shape]
    return min(xs), min(ys), max(xs), max(ys)


def obstacle(id: str, shape: Polygon) -> Obstacle:
    return Obstacle(id, shape, box_of(shape))


def hazard(id: str, shape: Polygon, reach: int) -> Hazard:
    return Hazard(id, shape, reach, box_of(shape))


@rule("CT-GEOM-02", "CT-GEOM-24", "CT-AMB-66")
def off_table(point: Point, table: Table) -> bool:
    """Whether a position is outside the table; one on the edge is still on it."""
    return not (0 <= point[0] <= table.width and 0 <= point[1] <= table.length)


def in_hazard(shape: Polygon, hazards: Sequence[Hazard]) -> bool:
    """Whether any part of a base is in treacherous waters."""
    return any(touches(shape, danger) for danger in hazards)


def touches(shape: Polygon, danger: Hazard) -> bool:
    """Whether any part of a base is within reach of the hazard."""
    return within(shape, danger.shape, danger.reach)


def sail(
    pose: Pose, size: Size, klick: int, astern: bool, waters: Waters, done: int = 0
) -> Stretch:
    """One klick straight ahead or astern, as far as it gets; ``done`` sub-steps are behind it."""
    return glide(pose, size, pose.heading, -klick if astern else klick, waters, done)


def glide(
    pose: Pose, size: Size, course: int, length: int, waters: Waters, done: int = 0
) -> Stretch:
    """A run of one klick along a course, whatever the heading; a negative length runs backwards."""
    x, y = offset(course, done * (length // SUBSTEPS))
    begin = Pose(pose.x - x, pose.y - y, pose.heading)
    end = carried(begin, course, length)
    reach = radius(size)
    area = (
        min(pose.x, end.x) - reach,
        min(pose.y, end.y) - reach,
        max(pose.x, end.x) + reach,
        max(pose.y, end.y) + reach,
    )
    close = _close(waters, area)
    if not (close.obstacles or close.hazards or off_table(end.position, waters.table)):
        return Stretch(end, SUBSTEPS - done)
    return _follow(pose, substeps(begin, course, length)[done:], size, close)


def swing(pose: Pose, size: Size, ticks: int, waters: Waters) -> Stretch:
    """A turn about the middle by so many ticks (starboard positive), as far as it gets."""
    reach = radius(size)
    area = (pose.x - reach, pose.y - reach, pose.x + reach, pose.y + reach)
    close = _close(waters, area)
    if not (close.obstacles or close.hazards):
        return Stretch(turned(pose, ticks), abs(ticks))
    return _follow(pose, ticks_of_turn(pose, ticks), size, close)


def _close(waters: Waters, area: Box) -> Waters:
    """Only what the upright box around a stretch comes near; nearly always nothing."""
    west, south, east, north = area

    def near(box: Box, reach: int) -> bool:
        return (
            box[0] - reach <= east
            and west <= box[2] + reach
            and box[1] - reach <= north
            and south <= box[3] + reach
        )

    return Waters(
        waters.table,
        tuple(o for o in waters.obstacles if near(o.box, 0)),
        tuple(h for h in waters.hazards if near(h.box, h.reach)),
    )


@rule("CT-STEER-08")
def _follow(start: Pose, poses: Sequence[Pose], size: Size, waters: Waters) -> Stretch:
    """Sub-step by sub-step; it stays at the last one without overlap."""
    shape = base(start, size)
    ahead = tuple(o for o in waters.obstacles if not overlap(shape, o.shape))
    before = start
    for number, pose in enumerate(poses, 1):
        shape = base(pose, size)
        met = tuple(o.id for o in ahead if overlap(shape, o.shape))
        if met:
            return Stretch(before, number - 1, met)
        if off_table(pose.position, waters.table):
            return Stretch(pose, number, left=True)
        if in_hazard(shape, waters.hazards):
            return Stretch(pose, number, hazard=True)
        before = pose
    return Stretch(before, len(poses))
