"""Following a move sub-step by sub-step until something stops it (CT-GEOM-11, -24).

A stretch is one klick or one turn on the spot. Whatever the base already overlaps when the stretch
begins is not run into: a contact is where bases begin to overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from .....kernel.rules import rule
from .distance import within
from .hull import Size, base, radius
from .polygons import Polygon, clearance, overlap
from .pose import SUBSTEPS, Point, Pose, carried, offset, substeps, ticks_of_turn, turned

Box = tuple[int, int, int, int]

ROUNDING = 4
"""More wu than rounding adds to the way of a corner in one sub-step."""

TICKS_IN_A_RADIAN = 114
"""Rounded down: a turn of one tick moves no point farther than its radius through this."""

FAR = 1 << 40
"""Farther than anything on a table."""


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
    if close.obstacles and course == pose.heading:
        lane = _lane(end, begin, size) if length < 0 else _lane(begin, end, size)
        close = close._replace(obstacles=_in_lane(lane, close.obstacles))
    if not (close.obstacles or close.hazards or off_table(end.position, waters.table)):
        return Stretch(end, SUBSTEPS - done)
    pace = abs(length) // SUBSTEPS + ROUNDING
    return _follow(pose, substeps(begin, course, length)[done:], size, close, pace)


def swing(pose: Pose, size: Size, ticks: int, waters: Waters) -> Stretch:
    """A turn about the middle by so many ticks (starboard positive), as far as it gets."""
    reach = radius(size)
    area = (pose.x - reach, pose.y - reach, pose.x + reach, pose.y + reach)
    close = _close(waters, area)
    if not (close.obstacles or close.hazards):
        return Stretch(turned(pose, ticks), abs(ticks))
    pace = reach // TICKS_IN_A_RADIAN + 1 + ROUNDING
    return _follow(pose, ticks_of_turn(pose, ticks), size, close, pace)


Way = Literal["ahead", "astern", "port", "starboard"]

_TICKS: dict[Way, int] = {"port": -1, "starboard": 1}


@lru_cache(maxsize=4096)
def begun(pose: Pose, size: Size, klick: int, way: Way, waters: Waters) -> Stretch:
    """One klick straight, or one tick of a turn: enough to see whether an order can begin.

    Remembered, since one order moves one base, and most of the others have the same around them.
    """
    if way in _TICKS:
        return swing(pose, size, _TICKS[way], waters)
    return sail(pose, size, klick, way == "astern", waters)


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


def _lane(stern_at: Pose, bow_at: Pose, size: Size) -> Polygon:
    """What a base sweeps on a run along its heading: the base, longer by the run."""
    return *base(bow_at, size)[:2], *base(stern_at, size)[2:]


def _in_lane(lane: Polygon, obstacles: Sequence[Obstacle]) -> tuple[Obstacle, ...]:
    """Without those beside the lane, farther off than rounding can shift a base on its way."""
    return tuple(o for o in obstacles if clearance(lane, o.shape) < ROUNDING)


@rule("CT-STEER-08", "CT-AMB-83")
def _follow(start: Pose, poses: Sequence[Pose], size: Size, waters: Waters, pace: int) -> Stretch:
    """Sub-step by sub-step; it stays at the last one without overlap.

    No part of the base goes farther than ``pace`` wu in a sub-step, so obstacles need no test for
    as many sub-steps as it takes to come up to the nearest one.
    """
    shape = base(start, size)
    ahead = tuple(o for o in waters.obstacles if not overlap(shape, o.shape))
    before, clear = start, 0
    for number, pose in enumerate(poses, 1):
        clear -= pace
        if clear < 0:
            shape = base(pose, size)
            room = [clearance(shape, o.shape) for o in ahead]
            met = tuple(o.id for o, gap in zip(ahead, room, strict=True) if gap < 0)
            if met:
                return Stretch(before, number - 1, met)
            clear = min(room, default=FAR)
        if off_table(pose.position, waters.table):
            return Stretch(pose, number, left=True)
        if waters.hazards and in_hazard(base(pose, size), waters.hazards):
            return Stretch(pose, number, hazard=True)
        before = pose
    return Stretch(before, len(poses))
