"""Integer sight lines against a second, independent method: clipping in exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from domain.games.war_at_sea.rules import board, charts
from domain.games.war_at_sea.rules.editions import Edition

Shape = tuple[tuple[int, int], ...]
SQUARE: Shape = ((0, 0), (20, 0), (20, 20), (0, 20))
CONVEX: dict[str, tuple[Shape, ...]] = {
    "L": (((6, 2), (14, 2), (18, 6), (18, 14), (14, 18), (6, 18), (2, 14), (2, 6)),),
    "M": (((8, 5), (12, 5), (15, 8), (15, 12), (12, 15), (8, 15), (5, 12), (5, 8)),),
    "W": (((1, 10), (4, 7), (16, 7), (19, 10), (16, 13), (4, 13)),),
    "N": (((10, 1), (13, 4), (13, 16), (10, 19), (7, 16), (7, 4)),),
    # The atoll as overlapping convex parts whose interiors together are its interior.
    "C": (
        ((3, 3), (17, 3), (17, 7), (3, 7)),
        ((3, 13), (17, 13), (17, 17), (3, 17)),
        ((3, 3), (7, 3), (7, 17), (3, 17)),
        ((3, 3), (8, 3), (8, 7), (7, 10), (3, 10)),
        ((3, 10), (7, 10), (8, 13), (8, 17), (3, 17)),
    ),
    "S": (
        ((3, 8), (6, 8), (6, 12), (3, 12)),
        ((12, 3), (15, 3), (15, 6), (12, 6)),
        ((12, 14), (15, 14), (15, 17), (12, 17)),
    ),
}


def origin(sector: str) -> tuple[Fraction, Fraction]:
    """South-west corner in sector sides."""
    r, c = map(int, sector.split("."))
    return Fraction(2 * c - r % 2 - 1, 2), Fraction(r - 1)


def clipped(a: str, b: str, sector: str, shape: Shape) -> bool:
    """Cut the segment down by one side after the other; is a piece of positive length left?"""
    half = Fraction(1, 2)
    (ax, ay), (bx, by), (ox, oy) = origin(a), origin(b), origin(sector)
    px, py, dx, dy = ax + half, ay + half, bx - ax, by - ay
    enter, leave = Fraction(0), Fraction(1)
    corners = [(ox + Fraction(x, 20), oy + Fraction(y, 20)) for x, y in shape]
    for (sx, sy), (tx, ty) in zip(corners, corners[1:] + corners[:1], strict=True):
        ex, ey = tx - sx, ty - sy
        inward = ex * (py - sy) - ey * (px - sx)
        change = ex * dy - ey * dx
        if change == 0:
            if inward <= 0:
                return False
        elif change > 0:
            enter = max(enter, -inward / change)
        else:
            leave = min(leave, -inward / change)
    return enter < leave


def expected(chart: charts.Chart, obscured: frozenset[str], a: str, b: str) -> tuple[str, str]:
    """Kind and sector of the first obstacle by fractions, in the 2009 edition."""
    if a == b:
        return "", ""
    for sector in board.SECTORS:
        if sector in chart.islands and sector in (a, b):
            return "island-sector", sector
    others = [s for s in board.SECTORS if s not in (a, b)]
    for sector in others:
        art = chart.islands.get(sector, "")
        if any(clipped(a, b, sector, shape) for shape in CONVEX.get(art, ())):
            return "island-art", sector
    for sector in others:
        if sector in obscured and clipped(a, b, sector, SQUARE):
            return "weather", sector
    return "", ""


@pytest.mark.rule("WAS-LOS-02", "WAS-LOS-04", "WAS-LOS-05", "WAS-LOS-24")
def test_integers_and_fractions_agree_on_random_seas() -> None:
    chance = random.Random(20091006)
    arts: tuple[charts.Art, ...] = ("L", "M", "W", "N", "C", "S")
    kinds = set()
    for _ in range(300):
        picked = chance.sample(board.SECTORS, 18)
        chart = charts.Chart("any", "Any", {s: chance.choice(arts) for s in picked[:9]})
        obscured = frozenset(picked[6 : chance.randrange(6, 14)])
        for _ in range(4):
            a, b = chance.choice(board.SECTORS), chance.choice(board.SECTORS)
            seen = board.sight(chart, obscured, a, b, "2009")
            assert (seen.kind, seen.blocker) == expected(chart, obscured, a, b), (chart, a, b)
            kinds.add(seen.kind)
    assert kinds == {"", "island-art", "island-sector", "weather"}


@pytest.mark.rule("WAS-LOS-06")
@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_sight_is_mutual_everywhere(edition: Edition) -> None:
    chance = random.Random(7)
    for chart in charts.charts().values():
        obscured = frozenset(chance.sample(board.SECTORS, 6))
        for i, a in enumerate(board.SECTORS):
            for b in board.SECTORS[i:]:
                there = board.sight(chart, obscured, a, b, edition)
                assert there == board.sight(chart, obscured, b, a, edition), (chart.id, a, b)
