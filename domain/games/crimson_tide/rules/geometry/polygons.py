"""Convex polygons with whole corners: overlap, contact, and segments that run through them.

A polygon is its corners in order, either way round; a single corner is a point, two a segment.
All tests separate: two convex shapes stay apart exactly if one of their edges' normals keeps them
apart, and with whole corners that is decided without rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from .....kernel.rules import rule
from .pose import Point

Polygon = tuple[Point, ...]
Segment = tuple[Point, Point]


@rule("CT-GEOM-12")
def overlap(a: Polygon, b: Polygon) -> bool:
    """Whether the interiors of two polygons meet; touching edges or corners do not.

    The upright boxes are asked first: nearly always they are apart already.
    """
    return not _boxes_beside(a, b) and clearance(a, b) < 0


def _boxes_beside(a: Polygon, b: Polygon) -> bool:
    """Whether the upright boxes around two polygons are apart, or touch."""
    xs, of_x = [p[0] for p in a], [p[0] for p in b]
    if max(xs) <= min(of_x) or max(of_x) <= min(xs):
        return True
    ys, of_y = [p[1] for p in a], [p[1] for p in b]
    return max(ys) <= min(of_y) or max(of_y) <= min(ys)


def clearance(a: Polygon, b: Polygon) -> int:
    """Whole wu by which two polygons are at least apart; 0 for touching, -1 if they overlap.

    The widest gap along an edge's normal, rounded down: never more than the distance.
    """
    return max(_gap_beyond(a, b), _gap_beyond(b, a))


def _gap_beyond(a: Polygon, b: Polygon) -> int:
    """The widest gap along the normals of ``a``; -1 when none of them separates."""
    best = -1
    for nx, ny in _normals(a):
        of_a = [nx * x + ny * y for x, y in a]
        of_b = [nx * x + ny * y for x, y in b]
        gap = max(min(of_b) - max(of_a), min(of_a) - max(of_b))
        if gap >= 0:
            best = max(best, gap // (isqrt(nx * nx + ny * ny) + 1))
    return best


def meets(a: Polygon, b: Polygon) -> bool:
    """Whether two closed polygons have a point in common; touching is enough."""
    return not any(_clear_of(a, b, normal) for normal in (*_axes(a), *_axes(b), *_between(a, b)))


def _clear_of(a: Polygon, b: Polygon, normal: Point) -> bool:
    nx, ny = normal
    of_a = [nx * x + ny * y for x, y in a]
    of_b = [nx * x + ny * y for x, y in b]
    return max(of_a) < min(of_b) or max(of_b) < min(of_a)


def _axes(polygon: Polygon) -> Iterator[Point]:
    """The edges' normals; a segment can also be passed by at its ends."""
    yield from _normals(polygon)
    if len(polygon) == 2:
        (ax, ay), (bx, by) = polygon
        yield bx - ax, by - ay


def _between(a: Polygon, b: Polygon) -> Iterator[Point]:
    """Points have no edges: two of them are told apart along the axes."""
    if len(a) == 1 and len(b) == 1:
        yield from ((1, 0), (0, 1))


def _normals(polygon: Polygon) -> Iterator[Point]:
    ax, ay = polygon[-1]
    for bx, by in polygon:
        if (ax, ay) != (bx, by):
            yield ay - by, bx - ax
        ax, ay = bx, by


@rule("CT-GEOM-20", "CT-AMB-21")
def crosses(segment: Segment, polygon: Polygon) -> bool:
    """Whether the open segment meets the interior of the polygon.

    Running along an edge or through a corner is not crossing. A segment of no length crosses
    nothing.
    """
    (ax, ay), (bx, by) = segment
    if _one_side(segment, polygon):
        return False
    for nx, ny in _normals(polygon):
        near, far = nx * ax + ny * ay, nx * bx + ny * by
        if near > far:
            near, far = far, near
        of_polygon = [nx * x + ny * y for x, y in polygon]
        if far <= min(of_polygon) or max(of_polygon) <= near:
            return False
    return True


def _one_side(segment: Segment, polygon: Polygon) -> bool:
    """Whether the whole polygon lies on one side of the segment's line (or touches it)."""
    (ax, ay), (bx, by) = segment
    nx, ny = ay - by, bx - ax
    level = nx * ax + ny * ay
    sides = [nx * x + ny * y for x, y in polygon]
    return max(sides) <= level or level <= min(sides)


def convex(polygon: Polygon) -> bool:
    """Whether the corners, in order, go round a convex polygon once, with room inside.

    Then every corner lies on the same side of every edge. Corners in the middle of a straight edge
    are allowed, doubled corners are not.
    """
    if len(polygon) < 3 or len(set(polygon)) != len(polygon):
        return False
    edges = zip((polygon[-1], *polygon), polygon, strict=False)
    sides = [_left_of(a, b, corner) for a, b in edges for corner in polygon]
    return any(sides) and (min(sides) >= 0 or max(sides) <= 0)


def _left_of(a: Point, b: Point, point: Point) -> int:
    """Positive if the point lies to the left of the line from ``a`` to ``b``, 0 if on it."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
