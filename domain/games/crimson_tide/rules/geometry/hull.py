"""A unit's base: how large it is, its four corners, and the points that matter on it."""

from __future__ import annotations

from functools import cache, lru_cache
from math import isqrt
from typing import Literal

from .....kernel.rules import rule
from .fixed import TURN
from .polygons import Polygon
from .pose import Point, Pose, offset

Size = Literal["capital", "large", "medium", "small"]
Side = Literal["bow", "stern", "starboard", "port"]

HALVES: dict[Size, Point] = {
    "capital": (50_000, 15_000),
    "large": (45_000, 12_500),
    "medium": (40_000, 10_000),
    "small": (25_000, 10_000),
}
"""Half length and half width of each size's base in wu (CT-GEOM-07)."""


@rule("CT-GEOM-07", "CT-UNIT-03")
def halves(size: Size) -> Point:
    """Half the length and half the width of a base, in wu."""
    return HALVES[size]


@cache
def _reach(size: Size, heading: int) -> tuple[Point, Point]:
    """From the middle to the middle of the bow, and to the middle of the starboard side."""
    length, width = halves(size)
    return offset(heading, length), offset((heading + TURN // 4) % TURN, width)


@cache
def outline(size: Size, heading: int) -> Polygon:
    """The corners of a base whose middle is the origin."""
    (fx, fy), (sx, sy) = _reach(size, heading)
    return (fx - sx, fy - sy), (fx + sx, fy + sy), (sx - fx, sy - fy), (-fx - sx, -fy - sy)


@lru_cache(maxsize=4096)
@rule("CT-GEOM-08")
def base(pose: Pose, size: Size) -> Polygon:
    """The corners: bow port, bow starboard, stern starboard, stern port. A closed parallelogram."""
    x, y = pose.x, pose.y
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = outline(size, pose.heading)
    return (x + ax, y + ay), (x + bx, y + by), (x + cx, y + cy), (x + dx, y + dy)


@rule("CT-GEOM-09")
def middle_of(pose: Pose, size: Size, side: Side) -> Point:
    """The middle of one side of the base."""
    (fx, fy), (sx, sy) = _reach(size, pose.heading)
    match side:
        case "bow":
            return pose.x + fx, pose.y + fy
        case "stern":
            return pose.x - fx, pose.y - fy
        case "starboard":
            return pose.x + sx, pose.y + sy
        case "port":
            return pose.x - sx, pose.y - sy


@rule("CT-GEOM-06", "CT-LOS-09", "CT-LOS-08")
def targeting_points(pose: Pose, size: Size) -> tuple[Point, Point, Point]:
    """Center, middle of the bow, middle of the stern: what a firer must see of it."""
    return pose.position, middle_of(pose, size, "bow"), middle_of(pose, size, "stern")


@cache
def radius(size: Size) -> int:
    """A whole number of wu that no part of a base is farther from its middle than."""
    length, width = halves(size)
    return isqrt(length * length + width * width) + 2


LARGEST = max(map(radius, HALVES))
"""No part of any base is farther from its middle."""
