"""Distances between closed shapes: compared exactly, never computed as a number (CT-GEOM-13)."""

from __future__ import annotations

from typing import NamedTuple

from .....kernel.rules import rule
from .polygons import Polygon, Segment, meets
from .pose import Point

BAND = 8
"""Klicks in a range band."""


class Squared(NamedTuple):
    """A squared distance in wu², exact: ``num / den``, with ``den`` positive."""

    num: int
    den: int

    def at_most(self, reach: int) -> bool:
        """Whether the distance is ``reach`` wu or less."""
        return self.num <= reach * reach * self.den

    def nearer_than(self, other: Squared) -> bool:
        return self.num * other.den < other.num * self.den


NOTHING = Squared(0, 1)


@rule("CT-GEOM-13", "CT-MOVE-02")
def squared_distance(a: Polygon, b: Polygon) -> Squared:
    """The exact squared distance of the closest points of two closed shapes; 0 if they meet."""
    return NOTHING if meets(a, b) else _gap(a, b)


def _gap(a: Polygon, b: Polygon) -> Squared:
    """The squared distance of two shapes that do not meet: one end of it is a corner."""
    best = point_to_segment(a[0], (b[0], b[0]))
    for corners, edges in ((a, b), (b, a)):
        before = edges[-1]
        for after in edges:
            for corner in corners:
                found = point_to_segment(corner, (before, after))
                if found.nearer_than(best):
                    best = found
            before = after
    return best


def point_to_segment(point: Point, segment: Segment) -> Squared:
    """The exact squared distance of a point from a closed segment (which may be a point)."""
    (ax, ay), (bx, by) = segment
    px, py = point[0] - ax, point[1] - ay
    dx, dy = bx - ax, by - ay
    along, length = px * dx + py * dy, dx * dx + dy * dy
    if along <= 0:
        return Squared(px * px + py * py, 1)
    if along >= length:
        qx, qy = point[0] - bx, point[1] - by
        return Squared(qx * qx + qy * qy, 1)
    across = px * dy - py * dx
    return Squared(across * across, length)


@rule("CT-RNGE-03")
def within(a: Polygon, b: Polygon, reach: int) -> bool:
    """Whether the closest points of two shapes are ``reach`` wu apart or less."""
    return not _boxes_apart(a, b, reach) and squared_distance(a, b).at_most(reach)


def _boxes_apart(a: Polygon, b: Polygon, reach: int) -> bool:
    """Whether already the upright boxes around two shapes are more than ``reach`` apart."""
    for axis in (0, 1):
        of_a, of_b = [p[axis] for p in a], [p[axis] for p in b]
        if min(of_a) - max(of_b) > reach or min(of_b) - max(of_a) > reach:
            return True
    return False


@rule("CT-GEOM-14", "CT-RNGE-01", "CT-AMB-24")
def band(a: Polygon, b: Polygon, klick: int) -> int:
    """The range band of two shapes: the least one, from 1, whose 8 klicks each reach that far."""
    distance = squared_distance(a, b)
    found = 1
    while not distance.at_most(found * BAND * klick):
        found += 1
    return found
