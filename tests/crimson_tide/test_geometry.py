"""Every figure of the geometry's chapter, and the cases on the edge of each definition."""

from __future__ import annotations

import hashlib

import pytest

from domain.games.crimson_tide.rules.geometry.arcs import arcs, channel
from domain.games.crimson_tide.rules.geometry.discs import Disc, cuts, holds
from domain.games.crimson_tide.rules.geometry.distance import band, squared_distance, within
from domain.games.crimson_tide.rules.geometry.fixed import rdiv
from domain.games.crimson_tide.rules.geometry.hull import (
    Size,
    base,
    halves,
    middle_of,
    radius,
    targeting_points,
)
from domain.games.crimson_tide.rules.geometry.polygons import convex, crosses, meets, overlap
from domain.games.crimson_tide.rules.geometry.pose import (
    SUBSTEPS,
    Point,
    Pose,
    carried,
    substeps,
    ticks_of_turn,
    turned,
)
from domain.games.crimson_tide.rules.geometry.sight import Blocker, sight
from domain.games.crimson_tide.rules.geometry.sines import SINES, direction
from domain.games.crimson_tide.rules.geometry.track import (
    Table,
    Waters,
    obstacle,
    off_table,
    sail,
    swing,
)
from tests.crimson_tide.configurations import SIZES

K = 25_000
BLOCK = ((0, 200_000), (40_000, 200_000), (40_000, 240_000), (0, 240_000))
SHA = "cea04d3a4426b0fce6320bdc6b8a34ea90a91d94b3363b61aeab94c112ebdd87"


# --- numbers and poses ---------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-04")
@pytest.mark.parametrize(
    ("heading", "sine"),
    [
        (0, 0), (1, 146407), (45, 6420363), (60, 8388608), (72, 9861400), (90, 11863283),
        (135, 15500126), (180, 16777216),
    ],
)  # fmt: skip
def test_sines_of_the_inventory(heading: int, sine: int) -> None:
    assert direction(heading)[0] == SINES[heading] == sine


def test_the_whole_table_of_sines_is_frozen() -> None:
    assert len(SINES) == 720
    assert hashlib.sha256(",".join(map(str, SINES)).encode()).hexdigest() == SHA


@pytest.mark.rule("CT-GEOM-05")
@pytest.mark.parametrize(
    ("a", "b", "nearest"),
    [(5, 2, 3), (-5, 2, -3), (4, 3, 1), (-4, 3, -1), (5, 3, 2), (0, 7, 0), (1, 2, 1), (-1, 2, -1)],
)
def test_rounding_is_to_nearest_with_halves_away_from_zero(a: int, b: int, nearest: int) -> None:
    assert rdiv(a, b) == nearest


@pytest.mark.rule("CT-GEOM-03")
def test_headings_are_half_degrees_and_go_round() -> None:
    assert turned(Pose(1, 2, 700), 45) == Pose(1, 2, 25)
    assert turned(Pose(1, 2, 10), -45) == Pose(1, 2, 685)


@pytest.mark.rule("CT-GEOM-10")
def test_klicks_are_taken_one_at_a_time() -> None:
    first = carried(Pose(0, 0, 60), 60, K)
    second = carried(first, 60, K)
    third = carried(second, 60, K)
    assert [first.position, second.position, third.position] == [
        (12500, 21651),
        (25000, 43302),
        (37500, 64953),
    ]
    assert rdiv(3 * K * SINES[240], 2**24) == 64952


@pytest.mark.rule("CT-MOVE-05")
def test_three_klicks_ahead() -> None:
    pose = Pose(500_000, 500_000, 0)
    for _ in range(3):
        pose = carried(pose, 0, K)
    assert pose == Pose(500_000, 575_000, 0)


@pytest.mark.rule("CT-GEOM-11")
@pytest.mark.parametrize("astern", [False, True])
def test_a_klick_has_a_hundred_substeps_and_the_last_is_its_end(astern: bool) -> None:
    for heading in range(0, 720, 7):
        start = Pose(3, -5, heading)
        passed = substeps(start, heading, -31_000 if astern else 31_000)
        assert len(passed) == SUBSTEPS
        assert passed[-1] == carried(start, heading, -31_000 if astern else 31_000)


def test_a_turn_is_followed_tick_by_tick() -> None:
    assert [p.heading for p in ticks_of_turn(Pose(0, 0, 719), 3)] == [0, 1, 2]
    assert [p.heading for p in ticks_of_turn(Pose(0, 0, 1), -3)] == [0, 719, 718]
    assert ticks_of_turn(Pose(0, 0, 1), 0) == ()


# --- bases ---------------------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-07", "CT-UNIT-03")
@pytest.mark.parametrize(
    ("size", "tenths_of_a_klick"),
    [("capital", (40, 12)), ("large", (36, 10)), ("medium", (32, 8)), ("small", (20, 8))],
)
def test_bases_in_klicks(size: Size, tenths_of_a_klick: Point) -> None:
    length, width = halves(size)
    assert (2 * length * 10, 2 * width * 10) == tuple(K * tenths for tenths in tenths_of_a_klick)


@pytest.mark.rule("CT-GEOM-08")
def test_corners_of_the_inventory() -> None:
    assert base(Pose(0, 0, 45), "capital") == (
        (5276, 51934), (32992, 40454), (-5276, -51934), (-32992, -40454),
    )  # fmt: skip
    assert base(Pose(0, 0, 90), "small") == (
        (10607, 24749), (24749, 10607), (-10607, -24749), (-24749, -10607),
    )  # fmt: skip


@pytest.mark.rule("CT-GEOM-09")
def test_middles_of_the_sides() -> None:
    pose = Pose(0, 400_000, 180)
    assert middle_of(pose, "capital", "bow") == (50_000, 400_000)
    assert middle_of(pose, "capital", "stern") == (-50_000, 400_000)
    assert middle_of(pose, "capital", "starboard") == (0, 385_000)
    assert middle_of(pose, "capital", "port") == (0, 415_000)


@pytest.mark.rule("CT-GEOM-06", "CT-LOS-09")
def test_the_three_points_that_a_firer_looks_for() -> None:
    points = targeting_points(Pose(0, 400_000, 180), "capital")
    assert points == ((0, 400_000), (50_000, 400_000), (-50_000, 400_000))


@pytest.mark.parametrize("size", SIZES)
def test_no_corner_is_beyond_the_radius(size: Size) -> None:
    for heading in range(720):
        reach = radius(size) ** 2
        assert all(x * x + y * y <= reach for x, y in base(Pose(0, 0, heading), size))


# --- overlap, distance, range --------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-12")
@pytest.mark.parametrize(
    ("x", "y", "overlaps"),
    [
        (0, 0, True), (19_999, 0, True), (20_000, 0, False), (20_001, 0, False),
        (0, 49_999, True), (0, 50_000, False), (20_000, 50_000, False), (19_999, 49_999, True),
    ],
)  # fmt: skip
def test_touching_is_not_overlapping(x: int, y: int, overlaps: bool) -> None:
    here, there = base(Pose(0, 0, 0), "small"), base(Pose(x, y, 0), "small")
    assert overlap(here, there) is overlap(there, here) is overlaps


@pytest.mark.parametrize(("x", "touch"), [(20_000, True), (20_001, False)])
def test_touching_is_meeting(x: int, touch: bool) -> None:
    assert meets(base(Pose(0, 0, 0), "small"), base(Pose(x, 50_000, 0), "small")) is touch


def _in_line_ahead(gap: int) -> int:
    return band(base(Pose(0, 0, 0), "small"), base(Pose(0, 50_000 + gap, 0), "small"), K)


@pytest.mark.rule("CT-GEOM-14", "CT-RNGE-01", "CT-AMB-24")
@pytest.mark.parametrize(
    ("gap", "found"),
    [
        (-50_000, 1), (0, 1), (200_000, 1), (200_001, 2), (400_000, 2), (400_001, 3),
        (800_000, 4), (800_001, 5),
    ],
)  # fmt: skip
def test_a_band_ends_on_its_last_klick(gap: int, found: int) -> None:
    assert _in_line_ahead(gap) == found


@pytest.mark.rule("CT-GEOM-13", "CT-MOVE-02")
def test_the_distance_is_that_of_the_closest_points() -> None:
    here = base(Pose(0, 0, 0), "small")
    there = base(Pose(20_000 + 160_000, 50_000 + 120_000, 0), "small")
    assert squared_distance(here, there) == (200_000**2, 1)
    assert band(here, there, K) == 1
    slanted = base(Pose(0, 0, 45), "capital"), base(Pose(300_000, 100_000, 100), "small")
    assert squared_distance(*slanted) == (60_902_852_537, 1)
    assert band(*slanted, K) == 2


@pytest.mark.rule("CT-RNGE-03")
@pytest.mark.parametrize(("gap", "near"), [(200_000, True), (200_001, False)])
def test_within_range_one_is_eight_klicks_or_less(gap: int, near: bool) -> None:
    here, token = base(Pose(0, 0, 0), "small"), ((0, 25_000 + gap),)
    assert within(here, token, 8 * K) is within(token, here, 8 * K) is near


def test_two_tokens_are_points() -> None:
    assert squared_distance(((0, 0),), ((3, 4),)) == (25, 1)
    assert squared_distance(((3, 4),), ((3, 4),)) == (0, 1)


# --- arcs and channels ---------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-16", "CT-ARC-01", "CT-ARC-02", "CT-ARC-03", "CT-AMB-20", "CT-AMB-82")
@pytest.mark.parametrize(
    ("target", "found"),
    [
        ((0, 100_000), {"forward"}),
        ((65_000, 100_000), {"forward", "starboard"}),
        ((65_001, 100_000), {"starboard"}),
        ((-65_000, 100_000), {"forward", "port"}),
        ((100_000, 0), {"starboard"}),
        ((-100_000, 10_000), {"port"}),
        ((64_999, -100_000), {"aft"}),
        ((-65_000, -100_000), {"aft", "port"}),
        ((0, 35_000), {"forward"}),
        ((0, 34_999), set()),
    ],
)
def test_arcs_open_at_45_degrees_through_the_corners(target: Point, found: set[str]) -> None:
    assert set(arcs(Pose(0, 0, 0), "capital", target)) == found


@pytest.mark.rule("CT-GEOM-18", "CT-ARC-05")
@pytest.mark.parametrize(("y", "hit"), [(35_000, True), (35_001, False), (-35_000, True)])
def test_a_ships_channel_is_as_wide_as_its_side(y: int, hit: bool) -> None:
    strip = channel(Pose(0, 0, 0), "small", "starboard")
    assert meets(strip, base(Pose(150_000, y, 180), "small")) is hit


@pytest.mark.rule("CT-GEOM-18")
@pytest.mark.parametrize(("x", "hit"), [(20_000, True), (20_001, False)])
def test_a_submarines_channel_is_as_wide_as_its_bow(x: int, hit: bool) -> None:
    strip = channel(Pose(0, 0, 0), "small", "bow")
    assert meets(strip, base(Pose(x, 200_000, 0), "small")) is hit


@pytest.mark.rule("CT-GEOM-18")
def test_a_channel_runs_one_way_only() -> None:
    strip = channel(Pose(0, 0, 0), "small", "starboard")
    assert not meets(strip, base(Pose(-150_000, 0, 180), "small"))


# --- lines of sight ------------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-20", "CT-AMB-21")
@pytest.mark.parametrize(
    ("line", "cut"),
    [
        (((0, 50_000), (0, 400_000)), False),
        (((0, 50_000), (50_000, 400_000)), True),
        (((0, 50_000), (-50_000, 400_000)), False),
        (((-20_000, 220_000), (0, 200_000)), False),
        (((-20_000, 180_000), (20_000, 220_000)), True),
        (((-20_000, 220_000), (20_000, 260_000)), False),
        (((10_000, 210_000), (20_000, 220_000)), True),
        (((10_000, 0), (10_000, 200_000)), False),
        (((10_000, 0), (10_000, 200_001)), True),
        (((10_000, 210_000), (10_000, 210_000)), False),
    ],
)
def test_what_cuts_a_line(line: tuple[Point, Point], cut: bool) -> None:
    """Along an edge, through a corner, up to an edge: not cut. Inside, even only just: cut."""
    assert crosses(line, BLOCK) is cut


@pytest.mark.rule("CT-LOS-04", "CT-TERR-13")
def test_a_line_along_the_edge_of_land_is_clear() -> None:
    points = targeting_points(Pose(0, 400_000, 180), "capital")
    seen = sight((0, 50_000), points, [Blocker("island", BLOCK)])
    assert (seen.kind, seen.center, seen.bow, seen.stern) == ("clear", "", "island", "")


@pytest.mark.rule("CT-LOS-01", "CT-LOS-04", "CT-LOS-05", "CT-LOS-06", "CT-LOS-07")
@pytest.mark.parametrize(
    ("ships", "kind", "hidden"),
    [
        ([(150_000, 30_000, 0)], "clear", ("", "a", "")),
        ([(150_000, 34_000, 0), (150_000, -34_000, 0)], "impeded", ("", "a", "b")),
        ([(260_000, 0, 180)], "partially-blocked", ("a", "", "")),
        ([(150_000, 0, 0)], "blocked", ("a", "a", "a")),
        ([], "clear", ("", "", "")),
        ([(150_000, 200_000, 0)], "clear", ("", "", "")),
    ],
)
def test_the_four_classes(
    ships: list[tuple[int, int, int]], kind: str, hidden: tuple[str, str, str]
) -> None:
    points = targeting_points(Pose(300_000, 0, 0), "medium")
    blockers = [
        Blocker(name, base(Pose(*at), "small")) for name, at in zip("ab", ships, strict=False)
    ]
    seen = sight((15_000, 0), points, blockers)
    assert (seen.kind, (seen.center, seen.bow, seen.stern)) == (kind, hidden)


@pytest.mark.rule("CT-GEOM-23", "CT-WEA-01")
def test_storms_are_discs() -> None:
    storm = Disc(0, 0, 5)
    assert holds(storm, (3, 4))
    assert not holds(storm, (4, 4))
    assert not cuts(storm, ((-10, 5), (10, 5)))
    assert cuts(storm, ((-10, 4), (10, 4)))
    assert cuts(storm, ((0, 4), (100, 4)))
    assert not cuts(storm, ((5, 0), (100, 0)))
    points = ((0, 100), (1, 100), (-1, 100))
    assert sight((0, -100), points, [Blocker("squall", storm)]).kind == "blocked"


# --- land and moves ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corners", "good"),
    [
        (((0, 0), (4, 0), (4, 4), (0, 4)), True),
        (((0, 4), (4, 4), (4, 0), (0, 0)), True),
        (((0, 0), (2, 0), (4, 0), (4, 4)), True),
        (((0, 0), (4, 0), (2, 0), (2, 4)), False),
        (((0, 0), (4, 0), (1, 1), (0, 4)), False),
        (((0, 0), (4, 4), (4, 0), (0, 4)), False),
        (((0, 0), (2, 2), (4, 4)), False),
        (((0, 0), (4, 0)), False),
        (((0, 0), (4, 0), (4, 0), (0, 4)), False),
        (((0, 3), (2, -3), (-3, 1), (3, 1), (-2, -3)), False),
        (((0, 0),), False),
        ((), False),
    ],
)
def test_land_is_convex(corners: tuple[Point, ...], good: bool) -> None:
    """Also bad: a spur, a dent, a bow tie, no room inside, a doubled corner, a star."""
    assert convex(corners) is good


@pytest.mark.rule("CT-GEOM-02", "CT-GEOM-24", "CT-AMB-66")
@pytest.mark.parametrize(
    ("point", "off"),
    [((0, 0), False), ((10, 20), False), ((11, 20), True), ((10, 21), True), ((-1, 5), True)],
)
def test_the_edge_belongs_to_the_table(point: Point, off: bool) -> None:
    assert off_table(point, Table(10, 20)) is off


@pytest.mark.rule("CT-STEER-08")
def test_a_klick_ends_where_bases_would_overlap() -> None:
    """The capital of CT-COLL-09, in its fourth klick."""
    other = base(Pose(100_000, 250_000, 180), "medium")
    waters = Waters(Table(1_000_000, 1_500_000), (obstacle("medium", other),))
    pose, klicks = Pose(100_000, 100_000, 0), 0
    while not (stretch := sail(pose, "capital", K, False, waters)).cut:
        pose, klicks = stretch.pose, klicks + 1
    assert (klicks, stretch.pose, stretch.met) == (3, Pose(100_000, 190_000, 0), ("medium",))


@pytest.mark.rule("CT-STEER-08")
def test_a_turn_ends_on_the_last_tick_without_overlap() -> None:
    other = base(Pose(228_000, 200_000, 0), "small")
    waters = Waters(Table(1_000_000, 1_500_000), (obstacle("small", other),))
    stretch = swing(Pose(200_000, 200_000, 0), "small", 90, waters)
    assert stretch.met == ("small",)
    assert not overlap(base(stretch.pose, "small"), other)
    assert overlap(base(turned(stretch.pose, 1), "small"), other)
    assert stretch.steps == stretch.pose.heading


@pytest.mark.rule("CT-STEER-08", "CT-AMB-83")
def test_what_was_overlapped_before_is_not_run_into() -> None:
    """As after surfacing under a ship: it gets clear without a collision."""
    above = obstacle("above", base(Pose(200_000, 210_000, 0), "small"))
    waters = Waters(Table(1_000_000, 1_500_000), (above,))
    stretch = sail(Pose(200_000, 200_000, 360), "small", K, False, waters)
    assert stretch == (Pose(200_000, 175_000, 360), SUBSTEPS, (), False, False)
