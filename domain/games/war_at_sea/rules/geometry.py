"""Exact plane geometry in whole numbers: does a sight line run through a polygon?"""

from __future__ import annotations

from itertools import pairwise

from ....kernel.rules import rule

Point = tuple[int, int]
Line = tuple[Point, Point]
Polygon = tuple[Point, ...]


@rule("WAS-LOS-04", "RUL-57")
def crosses(line: Line, polygon: Polygon) -> bool:
    """Whether a part of positive length of the segment lies strictly inside the polygon.

    Touching a corner or running along a side is not crossing. The polygon may be concave: the
    segment is cut where it meets the outline, and the middle of every piece is tested.
    """
    cuts, scale = _cuts(line, polygon)
    (ax, ay), (bx, by) = line
    twice = 2 * scale
    for t in (near + far for near, far in pairwise(cuts)):
        middle = ax * twice + (bx - ax) * t, ay * twice + (by - ay) * t
        if _inside(middle, polygon, twice):
            return True
    return False


def _cuts(line: Line, polygon: Polygon) -> tuple[list[int], int]:
    """Where the outline's lines meet the segment, as numerators over one common denominator."""
    (ax, ay), (bx, by) = line
    dx, dy = bx - ax, by - ay
    fractions = []
    scale = 1
    for (px, py), (qx, qy) in _sides(polygon):
        ex, ey = qx - px, qy - py
        den = dx * ey - dy * ex
        if den:  # a side parallel to the line adds no cut: its ends are ends of other sides too
            num = (px - ax) * ey - (py - ay) * ex
            fractions.append((num, den))
            scale *= abs(den)
    inner = {num * (scale // den) for num, den in fractions}
    return sorted({0, scale} | {t for t in inner if 0 < t < scale}), scale


def _inside(point: Point, polygon: Polygon, scale: int) -> bool:
    """Strictly inside, by counting the sides east of the point; all integers, scaled alike."""
    x, y = point
    odd = False
    for (px, py), (qx, qy) in _sides(polygon):
        near, far = py * scale, qy * scale
        turn = (qx - px) * (y - near) - (qy - py) * (x - px * scale)
        if turn == 0 and _spans(px * scale, x, qx * scale) and _spans(near, y, far):
            return False
        if (near > y) != (far > y) and (turn > 0) == (far > near):
            odd = not odd
    return odd


def _sides(polygon: Polygon) -> tuple[Line, ...]:
    return tuple(zip(polygon, (*polygon[1:], polygon[0]), strict=True))


def _spans(a: int, value: int, b: int) -> bool:
    return min(a, b) <= value <= max(a, b)
