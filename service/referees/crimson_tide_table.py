"""Bases, distances, arcs and lines of sight of Crimson Tide in plain floats (003, 2.1 to 3.5).

Lengths are world units. The record is in whole numbers that were rounded, so nothing is decided
within ``NEAR`` of a limit: such a question has the answer ``None``, and the referee leaves it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

XY = tuple[float, float]
Shape = Sequence[XY]
NEAR = 4.0
HALVES = {  # half length, half width (lines 205 to 211)
    "capital": (50_000, 15_000),
    "large": (45_000, 12_500),
    "medium": (40_000, 10_000),
    "small": (25_000, 10_000),
}


class Pose(NamedTuple):
    """The middle of a base and its heading, in half degrees clockwise from the top."""

    x: float
    y: float
    heading: int


def ahead(heading: int) -> XY:
    """The unit vector of a heading."""
    angle = math.radians(heading / 2)
    return math.sin(angle), math.cos(angle)


def along(pose: Pose, forward: float, right: float = 0.0) -> XY:
    """The point so far ahead of the middle and so far to starboard."""
    x, y = ahead(pose.heading)
    return pose.x + forward * x + right * y, pose.y + forward * y - right * x


def base(pose: Pose, size: str) -> list[XY]:
    """The corners of a base."""
    length, width = HALVES[size]
    ways = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    return [along(pose, a * length, b * width) for a, b in ways]


def side(pose: Pose, size: str, name: str) -> XY:
    """The middle of a side: bow, stern, port or starboard."""
    length, width = HALVES[size]
    if name in ("bow", "forward"):
        return along(pose, length)
    if name in ("stern", "aft"):
        return along(pose, -length)
    return along(pose, 0, width if name == "starboard" else -width)


def aims(pose: Pose, size: str) -> list[XY]:
    """The three targeting points: middle, bow, stern (lines 426 and 497 to 512)."""
    return [(pose.x, pose.y), side(pose, size, "bow"), side(pose, size, "stern")]


def edges(shape: Shape) -> list[tuple[XY, XY]]:
    """The sides of a polygon."""
    return [(shape[n - 1], shape[n]) for n in range(len(shape))]


def outward(shape: Shape) -> list[tuple[XY, float]]:
    """For each side its unit normal to the outside, and how far out the side lies."""
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(shape))
    turn = 1 if area > 0 else -1
    found = []
    for a, b in edges(shape):
        length = math.dist(a, b)
        if length:
            normal = (turn * (b[1] - a[1]) / length, turn * (a[0] - b[0]) / length)
            found.append((normal, normal[0] * a[0] + normal[1] * a[1]))
    return found


def depth(one: Shape, other: Shape) -> float:
    """How deep two convex shapes overlap; below 0 if something separates them."""
    gaps = []
    for first, second in ((one, other), (other, one)):
        for (x, y), limit in outward(first) if len(first) > 2 else ():
            gaps.append(limit - min(x * p[0] + y * p[1] for p in second))
    return min(gaps, default=-1.0)


def distance(one: Shape, other: Shape) -> float:
    """The least distance between two shapes: points or convex polygons (lines 297 to 299)."""
    if depth(one, other) > 0:
        return 0.0
    pairs = [(p, e) for p in one for e in edges(other)] + [
        (p, e) for p in other for e in edges(one)
    ]
    return min(_to_edge(p, *e) for p, e in pairs)


def _to_edge(point: XY, a: XY, b: XY) -> float:
    x, y = b[0] - a[0], b[1] - a[1]
    long = x * x + y * y
    part = ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / long if long else 0.0
    part = min(1.0, max(0.0, part))
    return math.dist(point, (a[0] + part * x, a[1] + part * y))


def within(far: float, limit: float) -> bool | None:
    """Whether a distance is at most a limit; nobody knows when it is right at it."""
    return None if abs(far - limit) <= NEAR else far < limit


def band(far: float, klick: int) -> int | None:
    """The range band of 8 klicks (lines 619 to 622)."""
    number = max(1, math.ceil(far / (8 * klick)))
    beside = min(abs(far - 8 * klick * n) for n in (number - 1, number))
    return None if beside <= NEAR and far > NEAR else number


def in_arc(pose: Pose, size: str, arc: str, point: XY) -> bool | None:
    """Whether a point lies in a gunnery arc of 90 degrees (lines 570 to 577)."""
    length, width = HALVES[size]
    dx, dy = point[0] - pose.x, point[1] - pose.y
    x, y = ahead(pose.heading)
    front, right = dx * x + dy * y, dx * y - dy * x
    fore, aft = front - abs(right) - (length - width), -front - abs(right) - (length - width)
    if min(abs(fore), abs(aft)) <= NEAR or abs(right) <= NEAR:
        return None
    if fore > 0:
        return arc == "forward"
    if aft > 0:
        return arc == "aft"
    return arc == ("starboard" if right > 0 else "port")


def channel(pose: Pose, size: str, name: str) -> list[XY]:
    """The strip that torpedoes leave through: from the bow, or from a long side (588 to 595)."""
    length, width, far = *HALVES[size], 4_500_000
    if name == "bow":
        ways = ((length, -width), (length, width), (length + far, width), (length + far, -width))
    else:
        out = 1 if name == "starboard" else -1
        near, end = out * width, out * (width + far)
        ways = ((-length, near), (length, near), (length, end), (-length, end))
    return [along(pose, *way) for way in ways]


def hidden(start: XY, end: XY, shape: Shape) -> bool | None:
    """Whether a convex shape cuts the line between two points."""
    if _inside(start, end, shape, -NEAR):
        return True
    return None if _inside(start, end, shape, NEAR) else False


def _inside(start: XY, end: XY, shape: Shape, more: float) -> bool:
    low, high = 0.0, 1.0
    for (x, y), limit in outward(shape):
        at = x * start[0] + y * start[1] - limit - more
        to = x * end[0] + y * end[1] - limit - more
        if at >= 0 and to >= 0:
            return False
        if at > 0:
            low = max(low, at / (at - to))
        elif to > 0:
            high = min(high, at / (at - to))
    return low < high


def sight(points: Sequence[bool | None]) -> str | None:
    """Clear, impeded, partial or blocked, by which of the three points are hidden (495 to 512)."""
    if None in points:
        return None
    middle, bow, stern = points
    if not middle:
        return "impeded" if bow and stern else "clear"
    return "blocked" if bow and stern else "partially-blocked"
