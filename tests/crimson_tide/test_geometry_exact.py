"""The geometry agrees with exact fractions, and turns and mirrors with the table.

A short tier of what tests/campaigns/crimson_tide.py does at length.
"""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from domain.games.crimson_tide.rules.geometry.arcs import arcs, channel
from domain.games.crimson_tide.rules.geometry.distance import squared_distance
from domain.games.crimson_tide.rules.geometry.hull import (
    Side,
    Size,
    base,
    middle_of,
    targeting_points,
)
from domain.games.crimson_tide.rules.geometry.polygons import overlap
from domain.games.crimson_tide.rules.geometry.pose import Pose, carried, substeps
from domain.games.crimson_tide.rules.geometry.sight import Blocker, sight
from domain.games.crimson_tide.rules.geometry.track import (
    Stretch,
    Table,
    Waters,
    hazard,
    obstacle,
    sail,
    swing,
)
from tests.crimson_tide import agreement
from tests.crimson_tide.configurations import SIZES, pair, small_polygon
from tests.crimson_tide.symmetry import SYMMETRIES, Symmetry

TABLE = Table(1_000_000, 1_500_000)


@pytest.mark.parametrize("batch", range(6))
def test_every_predicate_agrees_with_exact_fractions(batch: int) -> None:
    for number in range(60):
        agreement.check(f"geometry {batch} {number}")


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_turned_or_mirrored_table_is_the_same_table(symmetry: Symmetry) -> None:
    for number in range(150):
        _same_on(symmetry, Random(f"symmetry {number}"))


def _same_on(symmetry: Symmetry, chance: Random) -> None:
    p = pair(chance)
    a, b = symmetry.pose(p.a), symmetry.pose(p.b)
    here = base(p.a, p.a_size), base(p.b, p.b_size)
    there = base(a, p.a_size), base(b, p.b_size)
    assert [set(symmetry.polygon(shape)) for shape in here] == [set(shape) for shape in there]
    assert overlap(*here) == overlap(*there)
    assert squared_distance(*here) == squared_distance(*there)
    found = {symmetry.side(arc) for arc in arcs(p.a, p.a_size, p.point)}
    assert found == set(arcs(a, p.a_size, symmetry.point(p.point)))
    for side in agreement.SIDES:
        turned = cast("Side", symmetry.side(side))
        assert symmetry.point(middle_of(p.a, p.a_size, side)) == middle_of(a, p.a_size, turned)
        strip = symmetry.polygon(channel(p.a, p.a_size, side))
        assert set(strip) == set(channel(a, p.a_size, turned))
    run = carried(p.a, p.b.heading, p.klick)
    assert symmetry.pose(run) == carried(a, b.heading, p.klick)
    for length in (p.klick, -p.klick):
        passed = tuple(symmetry.pose(pose) for pose in substeps(p.a, p.b.heading, length))
        assert passed == substeps(a, b.heading, length)
    in_the_way = [Blocker("it", here[0])]
    seen = sight(p.point, targeting_points(p.b, p.b_size), in_the_way)
    mirrored = [Blocker("it", there[0])]
    assert seen == sight(symmetry.point(p.point), targeting_points(b, p.b_size), mirrored)


# --- following a move ----------------------------------------------------------------------------


def _harbour(chance: Random) -> tuple[Pose, Waters]:
    """A crowded corner of the table: ships, an islet, treacherous waters, the edge near."""

    def pose() -> Pose:
        return Pose(chance.randint(0, 160_000), chance.randint(0, 160_000), chance.randrange(720))

    ships = [obstacle(f"ship {n}", base(pose(), chance.choice(SIZES))) for n in range(4)]
    corners = tuple((9_000 * x + 70_000, 9_000 * y + 40_000) for x, y in small_polygon(chance))
    reach = chance.choice((0, 20_000))
    hazards = (hazard("islet", corners, reach),) if chance.random() < 0.5 else ()
    return pose(), Waters(TABLE, (*ships, obstacle("islet", corners)), hazards)


def _plain(start: Pose, poses: tuple[Pose, ...], size: Size, waters: Waters) -> Stretch:
    """The definition, word by word: no bounding boxes, every sub-step, every obstacle."""
    shape = base(start, size)
    free = [o for o in waters.obstacles if not overlap(shape, o.shape)]
    before = start
    for number, pose in enumerate(poses, 1):
        shape = base(pose, size)
        met = tuple(o.id for o in free if overlap(shape, o.shape))
        if met:
            return Stretch(before, number - 1, met)
        if not (0 <= pose.x <= TABLE.width and 0 <= pose.y <= TABLE.length):
            return Stretch(pose, number, left=True)
        if any(squared_distance(shape, h.shape).at_most(h.reach) for h in waters.hazards):
            return Stretch(pose, number, hazard=True)
        before = pose
    return Stretch(before, len(poses))


def test_a_move_is_followed_as_the_definition_says() -> None:
    """A klick and a turn, in waters where most of them end early, each in its own way."""
    ends = set()
    for number in range(120):
        chance = Random(f"harbour {number}")
        start, waters = _harbour(chance)
        size, astern = chance.choice(SIZES), chance.random() < 0.5
        ticks = chance.choice((-90, -31, 45, 90))
        gone = sail(start, size, 25_000, astern, waters)
        assert gone == _plain(
            start, substeps(start, start.heading, -25_000 if astern else 25_000), size, waters
        )
        way = 1 if ticks > 0 else -1
        turns = tuple(
            Pose(start.x, start.y, (start.heading + way * tick) % 720)
            for tick in range(1, abs(ticks) + 1)
        )
        assert swing(start, size, ticks, waters) == _plain(start, turns, size, waters)
        ends.add((bool(gone.met), gone.hazard, gone.left, gone.cut))
    assert ends == {
        (True, False, False, True),
        (False, True, False, True),
        (False, False, True, True),
        (False, False, False, False),
    }


def test_a_klick_taken_up_again_ends_where_it_would_have_ended() -> None:
    """After a grounding test in the middle of it."""
    for number in range(60):
        chance = Random(f"again {number}")
        start, waters = _harbour(chance)
        size, astern, done = chance.choice(SIZES), chance.random() < 0.5, chance.randint(1, 99)
        length = -25_000 if astern else 25_000
        passed = substeps(start, start.heading, length)
        at = passed[done - 1]
        rest = sail(at, size, 25_000, astern, waters, done)
        assert rest == _plain(at, passed[done:], size, waters)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_move_turns_and_mirrors_with_its_waters(symmetry: Symmetry) -> None:
    """The table's edge is left out of this: it does not turn about the origin."""
    wide = Table(10_000_000, 10_000_000)
    middle = 5_000_000

    def moved(pose: Pose) -> Pose:
        return Pose(pose.x + middle, pose.y + middle, pose.heading)

    def waters(real: Waters, how: Symmetry) -> Waters:
        def put(shape: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
            return tuple((x + middle, y + middle) for x, y in how.polygon(shape))

        return Waters(
            wide,
            tuple(obstacle(o.id, put(o.shape)) for o in real.obstacles),
            tuple(hazard(h.id, put(h.shape), h.reach) for h in real.hazards),
        )

    same = Symmetry(0, False)
    for number in range(40):
        chance = Random(f"mirror {number}")
        start, real = _harbour(chance)
        size, ticks = chance.choice(SIZES), chance.randint(-90, 90)
        here = sail(moved(start), size, 25_000, False, waters(real, same))
        there = sail(moved(symmetry.pose(start)), size, 25_000, False, waters(real, symmetry))
        _same_end(here, there, symmetry, middle)
        here = swing(moved(start), size, ticks, waters(real, same))
        there = swing(
            moved(symmetry.pose(start)), size, symmetry.ticks(ticks), waters(real, symmetry)
        )
        _same_end(here, there, symmetry, middle)


def _same_end(here: Stretch, there: Stretch, symmetry: Symmetry, middle: int) -> None:
    inward = Pose(here.pose.x - middle, here.pose.y - middle, here.pose.heading)
    outward = Pose(there.pose.x - middle, there.pose.y - middle, there.pose.heading)
    assert symmetry.pose(inward) == outward
    assert here[1:] == there[1:]
