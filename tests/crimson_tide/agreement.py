"""Every predicate of the engine against exact fractions, on one random configuration at a time."""

from __future__ import annotations

from random import Random

from domain.games.crimson_tide.rules.geometry.arcs import CHANNEL_LENGTH, arcs, channel
from domain.games.crimson_tide.rules.geometry.discs import Disc, cuts, holds
from domain.games.crimson_tide.rules.geometry.distance import BAND, band, squared_distance, within
from domain.games.crimson_tide.rules.geometry.hull import (
    Side,
    base,
    halves,
    middle_of,
    targeting_points,
)
from domain.games.crimson_tide.rules.geometry.polygons import clearance, crosses, meets, overlap
from domain.games.crimson_tide.rules.geometry.pose import Point, Pose, carried, substeps
from domain.games.crimson_tide.rules.geometry.sight import Blocker, sight
from tests.crimson_tide import exact
from tests.crimson_tide.configurations import Pair, pair, small_polygon

KINDS = {
    (True, True): "clear",
    (True, False): "impeded",
    (False, True): "partially-blocked",
    (False, False): "blocked",
}
"""By whether the center is seen, and whether an end is."""

SIDES: tuple[Side, ...] = ("bow", "starboard", "stern", "port")


def check(seed: str) -> None:
    """Raises AssertionError if anything differs; the seed names the configuration."""
    chance = Random(seed)
    bases = pair(chance)
    for found in (
        _bases, _distances, _arcs, _channels, _steps, _discs, _sights, _awkward
    ):  # fmt: skip
        found(bases, chance)


def _bases(p: Pair, chance: Random) -> None:
    for pose, size in ((p.a, p.a_size), (p.b, p.b_size)):
        assert base(pose, size) == exact.corners(pose.x, pose.y, pose.heading, *halves(size))
    area = exact.common_area(base(p.a, p.a_size), base(p.b, p.b_size))
    assert overlap(base(p.a, p.a_size), base(p.b, p.b_size)) == (area > 0)


def _distances(p: Pair, chance: Random) -> None:
    a, b = base(p.a, p.a_size), base(p.b, p.b_size)
    found, true = squared_distance(a, b), exact.squared_distance(a, b)
    assert found.num == true * found.den
    assert meets(a, b) == (true == 0)
    bands = band(a, b, p.klick)
    assert true <= (bands * BAND * p.klick) ** 2
    assert bands == 1 or true > ((bands - 1) * BAND * p.klick) ** 2
    reach = chance.randint(0, 12 * p.klick)
    assert within(a, b, reach) == (true <= reach**2)
    gap = clearance(a, b)
    assert gap < 0 or gap**2 <= true
    to_point = squared_distance(a, (p.point,))
    assert to_point.num == exact.squared_distance(a, (p.point,)) * to_point.den


def _arcs(p: Pair, chance: Random) -> None:
    pose = p.a
    true = exact.arcs(pose.x, pose.y, pose.heading, *halves(p.a_size), p.point)
    assert set(arcs(pose, p.a_size, p.point)) == true


def _channels(p: Pair, chance: Random) -> None:
    number = chance.randrange(4)
    near, out, far_out, far = channel(p.a, p.a_size, SIDES[number])
    around = exact.corners(p.a.x, p.a.y, p.a.heading, *halves(p.a_size))
    assert (near, far) == (around[number], around[(number + 1) % 4])
    outward = exact.run((p.a.heading + 180 * number) % 720, CHANNEL_LENGTH)
    for inner, outer in ((near, out), (far, far_out)):
        assert (outer[0] - inner[0], outer[1] - inner[1]) == outward
    target = base(p.b, p.b_size)
    strip = (near, out, far_out, far)
    assert meets(strip, target) == (exact.squared_distance(strip, target) == 0)


def _steps(p: Pair, chance: Random) -> None:
    astern = chance.random() < 0.5
    length = -p.klick if astern else p.klick
    x, y = exact.run(p.a.heading, length)
    end = Pose(p.a.x + x, p.a.y + y, p.a.heading)
    assert carried(p.a, p.a.heading, length) == end
    passed = substeps(p.a, p.a.heading, length)
    step = chance.randint(1, 100)
    x, y = exact.run(p.a.heading, step * (length // 100))
    assert passed[step - 1] == Pose(p.a.x + x, p.a.y + y, p.a.heading)
    assert passed[-1] == end


def _discs(p: Pair, chance: Random) -> None:
    true = exact.squared_distance(((p.a.x, p.a.y),), (p.point,))
    reach = chance.choice((6 * p.klick, 0, abs(p.a.x - p.point[0]) + abs(p.a.y - p.point[1])))
    storm = Disc(p.a.x, p.a.y, reach)
    assert holds(storm, p.point) == (true <= reach**2)
    line = (p.point, p.b.position)
    away = exact.squared_distance(((p.a.x, p.a.y),), line)
    assert cuts(storm, line) == (away < reach**2)


def _sights(p: Pair, chance: Random) -> None:
    """From the point, at the second base, with the first and a lattice polygon in the way."""
    grown = tuple((7_000 * x + p.a.x, 7_000 * y + p.a.y) for x, y in small_polygon(chance))
    shapes = {"ship": base(p.a, p.a_size), "land": grown}
    points = targeting_points(p.b, p.b_size)
    ends = (middle_of(p.b, p.b_size, "bow"), middle_of(p.b, p.b_size, "stern"))
    assert points == (p.b.position, *ends)
    seen = sight(p.point, points, [Blocker(*named) for named in shapes.items()])
    hidden = [
        next((name for name, shape in shapes.items() if exact.crosses(p.point, q, shape)), "")
        for q in points
    ]
    assert [seen.center, seen.bow, seen.stern] == hidden
    assert seen.kind == KINDS[hidden[0] == "", hidden[1:].count("") > 0]


def _dot(chance: Random) -> Point:
    return chance.randint(0, 6), chance.randint(0, 6)


def _awkward(p: Pair, chance: Random) -> None:
    a, b = small_polygon(chance), small_polygon(chance)
    assert overlap(a, b) == (exact.common_area(a, b) > 0)
    assert (clearance(a, b) < 0) == overlap(a, b)
    true = exact.squared_distance(a, b)
    found = squared_distance(a, b)
    assert found.num == true * found.den
    assert meets(a, b) == (true == 0)
    line = (_dot(chance), _dot(chance))
    assert crosses(line, a) == exact.crosses(*line, a)
    true = exact.squared_distance(line, a)
    found = squared_distance(line, a)
    assert found.num == true * found.den
    assert meets(line, a) == (true == 0)
