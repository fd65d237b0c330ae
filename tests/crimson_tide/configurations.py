"""Random and wicked configurations: free ones, crowded ones, and ones where everything touches."""

from __future__ import annotations

from random import Random
from typing import NamedTuple, get_args

from domain.games.crimson_tide.rules.geometry.hull import HALVES, Size
from domain.games.crimson_tide.rules.geometry.polygons import Polygon, convex
from domain.games.crimson_tide.rules.geometry.pose import Point, Pose

SIZES: tuple[Size, ...] = get_args(Size)


class Pair(NamedTuple):
    """Two bases and a point, on a table whose klick is ``klick`` wu."""

    a: Pose
    a_size: Size
    b: Pose
    b_size: Size
    point: Point
    klick: int


def pair(chance: Random) -> Pair:
    """One of the kinds below, each as often as the others."""
    kind = chance.choice([_free, _crowded, _squared, _on_a_band, _on_an_arc])
    return kind(chance)


def _klick(chance: Random) -> int:
    return 1_000 * chance.randint(25, 50)


def _somewhere(chance: Random, spread: int, grain: int, headings: int) -> Pose:
    x, y = (grain * chance.randint(-spread, spread) for _ in range(2))
    return Pose(x, y, chance.randrange(0, 720, headings))


def _free(chance: Random) -> Pair:
    """Anywhere on the table, any heading."""
    a, b, c = (_somewhere(chance, 1_500_000, 1, 1) for _ in range(3))
    return Pair(a, chance.choice(SIZES), b, chance.choice(SIZES), c.position, _klick(chance))


def _crowded(chance: Random) -> Pair:
    """So close that bases often overlap."""
    a, b, c = (_somewhere(chance, 60_000, 1, 1) for _ in range(3))
    return Pair(a, chance.choice(SIZES), b, chance.choice(SIZES), c.position, _klick(chance))


def _squared(chance: Random) -> Pair:
    """Whole grains and right angles: edges and corners touch all the time, bases coincide."""
    a, b, c = (_somewhere(chance, 8, 5_000, 180) for _ in range(3))
    return Pair(a, chance.choice(SIZES), b, chance.choice(SIZES), c.position, _klick(chance))


def _on_a_band(chance: Random) -> Pair:
    """In line ahead with a gap of whole bands, or one wu less or more."""
    klick, a_size, b_size = _klick(chance), chance.choice(SIZES), chance.choice(SIZES)
    gap = 8 * klick * chance.randint(0, 5) + chance.randint(-1, 1)
    heading = chance.randrange(0, 720, 180)
    away = HALVES[a_size][0] + HALVES[b_size][0] + gap
    x, y = ((0, away), (away, 0), (0, -away), (-away, 0))[heading // 180]
    return Pair(Pose(0, 0, heading), a_size, Pose(x, y, heading), b_size, (x, y), klick)


def _on_an_arc(chance: Random) -> Pair:
    """The point on a boundary between two arcs, or one wu beside it."""
    a = _somewhere(chance, 40, 1_000, 180)
    size = chance.choice(SIZES)
    length, width = HALVES[size]
    out = chance.randint(0, 400_000)
    ahead, abeam = length - width + out, out
    ahead, abeam = chance.choice((-1, 1)) * ahead, chance.choice((-1, 1)) * abeam
    ahead += chance.randint(-1, 1)
    x, y = ((abeam, ahead), (ahead, -abeam), (-abeam, -ahead), (-ahead, abeam))[a.heading // 180]
    point = (a.x + x, a.y + y)
    b = Pose(*point, chance.randrange(720))
    return Pair(a, size, b, chance.choice(SIZES), point, _klick(chance))


def small_polygon(chance: Random, span: int = 6) -> Polygon:
    """A convex polygon on a coarse lattice: two of them nearly always touch in some awkward way."""
    while True:
        points = {(chance.randint(0, span), chance.randint(0, span)) for _ in range(7)}
        hull = _hull(sorted(points))
        if convex(hull):
            return hull if chance.random() < 0.5 else hull[::-1]


def _hull(points: list[Point]) -> Polygon:
    """Andrew's chain of the points' convex hull."""

    def chain(way: list[Point]) -> list[Point]:
        kept: list[Point] = []
        for point in way:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return tuple(chain(points) + chain(points[::-1]))


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
