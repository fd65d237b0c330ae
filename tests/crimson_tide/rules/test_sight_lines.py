"""LOS, ARC, RNGE, WEA over a table of units: what is seen, what bears, what is in reach."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules import arcs, ranges, sight_lines
from domain.games.crimson_tide.rules.geometry.hull import Side
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.crimson_tide.rules.state import Arc, Land, Seen, State, Storm, Unit
from tests.crimson_tide.table import (
    CAPITAL,
    MEDIUM,
    SMALL,
    SUBMARINE,
    aircraft,
    table,
    unit,
)

X, Y = 300_000, 300_000


def pair(*others: Unit, firer: str = MEDIUM, **options: Any) -> State:
    """The pair of CT-LOS-04 to -07: the firing point is that of the starboard side, 10,000 off."""
    ours = unit("p1-1", firer, X + 5_000, Y)
    return table(ours, unit("p2-1", MEDIUM, X + 300_000, Y), *others, **options)


def between(x: int, y: int, heading: int = 0, card: str = SMALL, **fields: Any) -> Unit:
    return unit(fields.pop("name", "p2-2"), card, X + x, Y + y, heading, **fields)


def seen(state: State, arc: Arc | Side = "starboard") -> Seen:
    return sight_lines.view(state, state.units["p1-1"], state.units["p2-1"], arc)


@pytest.mark.rule("CT-GEOM-21", "CT-GEOM-19", "CT-AMB-22", "CT-AMB-18")
@pytest.mark.parametrize(
    ("others", "sight", "blockers"),
    [
        ([], "clear", ("", "", "")),
        ([between(150_000, 30_000)], "clear", ("", "p2-2", "")),
        (
            [between(150_000, 34_000), between(150_000, -34_000, name="p1-2")],
            "impeded",
            ("", "p2-2", "p1-2"),
        ),
        ([between(260_000, 0, 180)], "partially-blocked", ("p2-2", "", "")),
        ([between(150_000, 0)], "blocked", ("p2-2",) * 3),
    ],
)
def test_the_four_classes_name_their_blockers(
    others: list[Unit], sight: str, blockers: tuple[str, str, str]
) -> None:
    """Friends block like enemies."""
    assert seen(pair(*others)) == Seen(sight, blockers)  # type: ignore[arg-type]


@pytest.mark.rule("CT-GEOM-21", "CT-AMB-23")
@pytest.mark.parametrize(("submerged", "sight"), [(False, "blocked"), (True, "clear")])
def test_submarines_block_on_the_surface_only(submerged: bool, sight: str) -> None:
    found = seen(pair(between(150_000, 0, card=SUBMARINE, submerged=submerged)))
    assert found.sight == sight


@pytest.mark.rule("CT-GEOM-21")
def test_aircraft_block_nothing_and_wrecks_do() -> None:
    token = aircraft("p2-9", "a6m2-zero", (X + 150_000, Y))
    assert seen(pair(token)).sight == "clear"
    assert seen(pair(between(150_000, 0, pending=9))).sight == "blocked"


@pytest.mark.rule("CT-GEOM-21")
def test_between_submerged_units_only_land_blocks() -> None:
    island = Land("rock", ((450_000, 200_000), (460_000, 200_000), (455_000, 400_000)), "hard")
    storm = Storm("squall", (450_000, 300_000), 50_000)
    below = [unit("p1-1", SUBMARINE, X, Y, submerged=True),
             unit("p2-1", SUBMARINE, X + 300_000, Y, submerged=True)]  # fmt: skip
    assert seen(table(*below, between(150_000, 0), storms=(storm,))).sight == "clear"
    assert seen(table(*below, land=(island,))).blockers == ("rock",) * 3


@pytest.mark.rule("CT-GEOM-21")
@pytest.mark.parametrize(("blocks", "sight"), [(True, "blocked"), (False, "clear")])
def test_the_map_says_which_land_blocks(blocks: bool, sight: str) -> None:
    corners = ((450_000, 200_000), (460_000, 200_000), (460_000, 400_000), (450_000, 400_000))
    assert seen(pair(land=(Land("reef", corners, "soft", blocks),))).sight == sight


@pytest.mark.rule("CT-AMB-18")
@pytest.mark.parametrize(("setting", "hidden"), [("side", ""), ("center", "rock")])
def test_lines_over_land_begin_at_the_middle_by_agreement_at_the_side(
    setting: str, hidden: str
) -> None:
    """From the bow one sees past the land; from the middle of the ship one does not."""
    rock = Land("rock", ((305_000, 310_000), (400_000, 310_000), (400_000, 340_000)), "hard")
    state = table(
        unit("p1-1", CAPITAL, 300_000, 300_000),
        unit("p2-1", MEDIUM, 500_000, 360_000, 180),
        land=(rock,),
        terrain_sight_from=setting,
    )
    found = seen(state, "forward")
    assert found.blockers == (hidden,) * 3
    assert found.sight == ("blocked" if hidden else "clear")


@pytest.mark.rule("CT-AMB-18")
def test_what_is_afloat_is_seen_from_the_side() -> None:
    """Land seen from the middle hides the bow, a ship seen from the side hides the center."""
    rock = Land("rock", ((400_000, 310_000), (420_000, 310_000), (420_000, 400_000)), "hard")
    state = pair(between(260_000, 0, 180), land=(rock,), terrain_sight_from="center")
    state = replace(state, options=replace(state.options, land_sight="point-by-point"))
    assert seen(state) == Seen("partially-blocked", ("p2-2", "rock", ""))


@pytest.mark.rule("CT-WEA-05", "CT-GEOM-23")
@pytest.mark.parametrize(("x", "sight"), [(150_000, "blocked"), (0, "clear"), (300_000, "clear")])
def test_a_storm_blocks_what_is_on_its_far_side(x: int, sight: str) -> None:
    """Not if it holds firer or target: then other rules weaken the shot."""
    assert seen(pair(storms=(Storm("squall", (X + x, Y), 100_000),))).sight == sight


@pytest.mark.rule("CT-GEOM-23")
def test_who_is_in_a_storm() -> None:
    state = pair(storms=(Storm("squall", (X, Y), 5_000), Storm("gale", (X, Y), 90_000)))
    ours, theirs = state.units["p1-1"], state.units["p2-1"]
    assert sight_lines.storm_of(state, ours) == state.storms[0]
    assert sight_lines.storm_of(state, theirs) is None
    token = aircraft("p1-9", "f4f-4-wildcat", (X, Y + 90_000))
    assert sight_lines.storm_of(state, token) == state.storms[1]


@pytest.mark.rule("CT-GEOM-19")
@pytest.mark.parametrize(
    ("arc", "point"),
    [
        ("forward", (300_000, 350_000)), ("aft", (300_000, 250_000)), ("bow", (300_000, 350_000)),
        ("starboard", (315_000, 300_000)), ("port", (285_000, 300_000)),
    ],
)  # fmt: skip
def test_lines_begin_at_the_middle_of_the_side_that_fires(
    arc: Arc | Side, point: tuple[int, int]
) -> None:
    ship = unit("p1-1", CAPITAL, 300_000, 300_000)
    assert sight_lines.firing_point(table(ship), ship, arc) == point


# --- arcs and channels ---------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-17", "CT-GEOM-16", "CT-AMB-19")
@pytest.mark.parametrize(
    ("at", "bearing"),
    [
        ((0, 100_000), ["forward"]),
        ((65_000, 100_000), ["forward", "starboard"]),
        ((100_000, 0), ["starboard"]),
        ((-100_000, 10_000), ["port"]),
        ((64_999, -100_000), ["aft"]),
    ],
)
def test_a_target_bears_where_its_middle_is(at: tuple[int, int], bearing: list[str]) -> None:
    firer, target = unit("p1-1", CAPITAL, X, Y), unit("p2-1", SMALL, X + at[0], Y + at[1])
    state = table(firer, target)
    sides: tuple[Arc, ...] = ("forward", "aft", "starboard", "port")
    assert [arc for arc in sides if arcs.in_arc(state, firer, target, arc)] == bearing


@pytest.mark.rule("CT-AMB-19")
@pytest.mark.parametrize(("setting", "bears"), [("center", False), ("any-targeting-point", True)])
def test_by_agreement_an_end_of_the_target_is_enough(setting: str, bears: bool) -> None:
    """Its bow is abaft the 45-degree line, its middle is not."""
    firer, target = unit("p1-1", CAPITAL, X, Y), unit("p2-1", SMALL, X + 60_000, Y + 100_000, 180)
    state = table(firer, target, arc_test=setting)
    assert arcs.in_arc(state, firer, target, "starboard") is bears
    assert arcs.in_arc(state, firer, target, "forward")


@pytest.mark.rule("CT-GEOM-18", "CT-ARC-05")
@pytest.mark.parametrize(
    ("side", "pose", "bears"),
    [
        ("starboard", Pose(X + 150_000, Y + 35_000, 180), True),
        ("starboard", Pose(X + 150_000, Y + 35_001, 180), False),
        ("port", Pose(X + 150_000, Y, 180), False),
        ("port", Pose(X - 150_000, Y, 180), True),
        ("bow", Pose(X + 20_000, Y + 200_000), True),
        ("bow", Pose(X + 20_001, Y + 200_000), False),
    ],
)
def test_any_part_of_the_target_in_the_channel(side: Side, pose: Pose, bears: bool) -> None:
    firer = unit("p1-1", SMALL, X, Y)
    target = Unit("p2-1", SMALL, "p2", pose=pose)
    assert arcs.in_channel(table(firer, target), firer, target, side) is bears


# --- ranges --------------------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-14", "CT-GEN-03")
@pytest.mark.parametrize("klick", [25_000, 40_000, 50_000])
def test_bands_follow_the_klick(klick: int) -> None:
    """A band is 8 klicks, however long the table's klick is."""
    for bands in range(1, 6):
        gap = 50_000 + 8 * bands * klick
        near, far = unit("p1-1", SMALL, X, Y), unit("p2-1", SMALL, X, Y + gap)
        beyond = unit("p2-2", SMALL, X, Y + gap + 1)
        state = table(near, far, beyond, klick=klick, length=80)
        assert ranges.band(state, near, far) == ranges.band(state, far, near) == bands
        assert ranges.band(state, near, beyond) == bands + 1


@pytest.mark.rule("CT-RNGE-03")
def test_distances_to_tokens_are_to_their_points() -> None:
    ship, token = unit("p1-1", SMALL, X, Y), aircraft("p2-1", "a6m2-zero", (X, Y + 225_000))
    state = table(ship, token)
    assert ranges.near(state, ship, token, 8)
    assert ranges.near(state, token, ship, 8)
    assert ranges.near(state, ship, (X, Y + 225_000), 8)
    assert not ranges.near(state, ship, (X, Y + 225_001), 8)
    other = aircraft("p1-2", "f4f-4-wildcat", (X, Y + 425_000))
    assert ranges.near(state, token, other, 8)
    assert ranges.band(state, ship, other) == 2
