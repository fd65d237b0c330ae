"""The geometry again, in exact fractions and by other methods: what the engine is checked against.

Clipping instead of separating axes, clamped projections instead of cross products. Slow, plain, and
written from the rule inventory, not from the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from domain.games.crimson_tide.rules.geometry.sines import SINES

Exact = tuple[Fraction, Fraction]
Corners = Sequence[tuple[int, int]]

HALF = Fraction(1, 2)
ONE = 2**24


def to_nearest(value: Fraction) -> int:
    """Halves away from zero."""
    size = abs(value)
    whole = size.numerator // size.denominator
    whole += size - whole >= HALF
    return whole if value >= 0 else -whole


def unit(heading: int) -> Exact:
    """The table's unit vector of a heading."""
    return Fraction(SINES[heading], ONE), Fraction(SINES[(heading + 180) % 720], ONE)


def run(heading: int, length: int) -> tuple[int, int]:
    x, y = unit(heading)
    return to_nearest(length * x), to_nearest(length * y)


def corners(x: int, y: int, heading: int, length: int, width: int) -> tuple[tuple[int, int], ...]:
    """Bow port, bow starboard, stern starboard, stern port; half length and half width."""
    (ux, uy), (fx, fy) = unit(heading), run(heading, length)
    sx, sy = to_nearest(width * uy), to_nearest(-width * ux)
    return (
        (x + fx - sx, y + fy - sy),
        (x + fx + sx, y + fy + sy),
        (x - fx + sx, y - fy + sy),
        (x - fx - sx, y - fy - sy),
    )


def _points(polygon: Corners) -> list[Exact]:
    return [(Fraction(x), Fraction(y)) for x, y in polygon]


def _area(polygon: Sequence[Exact]) -> Fraction:
    return sum(
        (a[0] * b[1] - a[1] * b[0] for a, b in _edges(polygon)),
        start=Fraction(0),
    )


def _edges(polygon: Sequence[Exact]) -> Iterator[tuple[Exact, Exact]]:
    for number, corner in enumerate(polygon):
        yield polygon[number - 1], corner


def _leftward(polygon: Corners) -> list[Exact]:
    """The corners so that the inside is to the left of every edge."""
    exact = _points(polygon)
    return exact if _area(exact) >= 0 else exact[::-1]


def _left_of(edge: tuple[Exact, Exact], point: Exact) -> Fraction:
    (ax, ay), (bx, by) = edge
    return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)


def common_area(a: Corners, b: Corners) -> Fraction:
    """Twice the area that two convex polygons share: one clipped by the other, edge by edge."""
    left = _leftward(a)
    for edge in _edges(_leftward(b)):
        kept: list[Exact] = []
        for before, after in _edges(left):
            inside_before, inside_after = _left_of(edge, before), _left_of(edge, after)
            if (inside_before < 0) != (inside_after < 0):
                share = inside_before / (inside_before - inside_after)
                kept.append(_between(before, after, share))
            if inside_after >= 0:
                kept.append(after)
        left = kept
        if not left:
            return Fraction(0)
    return _area(left)


def _between(a: Exact, b: Exact, share: Fraction) -> Exact:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def inside(point: Exact, polygon: Corners) -> bool:
    """Whether a point is in the closed polygon, which has room inside."""
    return all(_left_of(edge, point) >= 0 for edge in _edges(_leftward(polygon)))


def squared_distance(a: Corners, b: Corners) -> Fraction:
    """Of the closest points of two closed convex polygons (or points, or segments)."""
    one, two = _points(a), _points(b)
    if (len(b) > 2 and inside(one[0], b)) or (len(a) > 2 and inside(two[0], a)):
        return Fraction(0)
    if any(_meet(e, f) for e in _edges(one) for f in _edges(two)):
        return Fraction(0)
    ways = ((one, two), (two, one))
    return min(from_edge(p, e) for some, others in ways for p in some for e in _edges(others))


def from_edge(point: Exact, edge: tuple[Exact, Exact]) -> Fraction:
    """Squared distance of a point from a closed segment: the clamped projection."""
    start, end = edge
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = Fraction(0)
    if length:
        share = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length
    nearest = _between(start, end, min(max(share, Fraction(0)), Fraction(1)))
    return (point[0] - nearest[0]) ** 2 + (point[1] - nearest[1]) ** 2


def _meet(e: tuple[Exact, Exact], f: tuple[Exact, Exact]) -> bool:
    """Whether two closed segments that are not parallel have a point in common.

    Of parallel ones that touch, an end of one lies on the other: the distances tell.
    """
    (ax, ay), (bx, by) = e
    (cx, cy), (dx, dy) = f
    turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if turn == 0:
        return False
    along_e = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
    along_f = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
    return 0 <= along_e <= 1 and 0 <= along_f <= 1


def crosses(start: tuple[int, int], end: tuple[int, int], polygon: Corners) -> bool:
    """Whether a part of the segment lies strictly inside: it is cut by every edge's line."""
    if start == end:
        return False
    (p, q), near, far = _points((start, end)), Fraction(0), Fraction(1)
    edges = list(_edges(_leftward(polygon)))
    for edge in edges:
        at_start, at_end = _left_of(edge, p), _left_of(edge, q)
        if at_start == at_end:
            if at_start < 0:
                return False
            continue
        share = at_start / (at_start - at_end)
        if at_start < at_end:
            near = max(near, share)
        else:
            far = min(far, share)
    if near >= far:
        return False
    middle = _between(p, q, (near + far) / 2)
    return all(_left_of(edge, middle) > 0 for edge in edges)


def arcs(
    x: int, y: int, heading: int, length: int, width: int, target: tuple[int, int]
) -> set[str]:
    """By which sides of the four 45-degree lines through the corners the point lies on."""
    ux, uy = unit(heading)
    dx, dy = target[0] - x, target[1] - y
    ahead, abeam = dx * ux + dy * uy, dx * uy - dy * ux
    over_bow_starboard = (ahead - length) - (abeam - width)
    over_bow_port = (ahead - length) + (abeam + width)
    under_stern_starboard = -(ahead + length) - (abeam - width)
    under_stern_port = -(ahead + length) + (abeam + width)
    found = set()
    if over_bow_starboard >= 0 and over_bow_port >= 0:
        found.add("forward")
    if under_stern_starboard >= 0 and under_stern_port >= 0:
        found.add("aft")
    if abeam > 0 and over_bow_starboard <= 0 and under_stern_starboard <= 0:
        found.add("starboard")
    if abeam < 0 and over_bow_port <= 0 and under_stern_port <= 0:
        found.add("port")
    return found
