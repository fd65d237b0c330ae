"""COLL, TERR: running into ships and land, treacherous waters, and getting free again."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules import geography, voyage
from domain.games.crimson_tide.rules.commands import Move
from domain.games.crimson_tide.rules.criticals import ENGINE, ENGINE_HIT
from domain.games.crimson_tide.rules.evolve import evolve
from domain.games.crimson_tide.rules.facts import hull_left, size_of
from domain.games.crimson_tide.rules.geometry.hull import Size, base
from domain.games.crimson_tide.rules.geometry.polygons import overlap
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.crimson_tide.rules.state import Hardness, Land, State, Unit
from domain.kernel.flow import Flow
from tests.crimson_tide.table import (
    CAPITAL,
    ISLAND,
    LARGE,
    MEDIUM,
    SMALL,
    SUBMARINE,
    BattleFlow,
    K,
    carried_out,
    carry_on,
    happened,
    last,
    refusal,
    table,
    unit,
)

LST = "uss-lst-325"
SOFT_BAR = Land("bar", ((0, 600_000), (900_000, 600_000), (900_000, 620_000)), "soft", blocks=False)
SHALLOWS = Land(
    "shallows",
    ((300_000, 600_000), (700_000, 600_000), (700_000, 900_000), (300_000, 900_000)),
    "hard",
    blocks=False,
    shallow=True,
)


def order(*path: int, **flags: bool) -> Move:
    return Move("p1-1", path, **flags)


def crossing(card: str = CAPITAL, other: str = MEDIUM, **fields: Any) -> State:
    """The figure of CT-COLL-09, moved onto the table: the other lies athwart, 6 klicks ahead."""
    return table(
        unit("p1-1", card, 500_000, 500_000, **fields),
        unit("p2-1", other, 500_000, 650_000, 180),
    )


# --- collisions ----------------------------------------------------------------------------------


@pytest.mark.rule("CT-COLL-01", "CT-COLL-08")
def test_a_ship_stops_short_of_another() -> None:
    flow = carried_out(crossing(), order(0, 0, 0, 0), (1,) * 6, (1,) * 3)
    mover, other = flow.state.units["p1-1"], flow.state.units["p2-1"]
    assert mover.pose == Pose(500_000, 590_000, 0)
    assert (mover.stopped, mover.must_reverse, mover.collided, mover.ahead) == (True, True, True, 3)
    assert (other.stopped, other.must_reverse, other.collided) == (False, False, True)
    assert happened(flow) == [
        "move-ordered", "unit-moved", "units-collided", "impact-rolled", "impact-rolled",
        "move-ended",
    ]  # fmt: skip


@pytest.mark.rule("CT-COLL-01")
def test_friends_collide_too() -> None:
    state = crossing()
    friend = unit("p1-2", MEDIUM, 500_000, 650_000, 180)
    flow = carried_out(table(state.units["p1-1"], friend), order(0, 0, 0, 0), (1,) * 6, (1,) * 3)
    assert last(flow, ev.UnitsCollided).other == "p1-2"


@pytest.mark.rule("CT-COLL-04", "CT-COLL-03", "CT-COLL-12", "CT-COLL-05", "CT-COLL-06")
def test_the_booklets_example() -> None:
    """Battleship and cruiser: 3 hits cost the cruiser a hull point, 4 do the battleship nothing."""
    state = crossing(LARGE)
    flow = carried_out(state, order(0, 0, 0, 0), (1, 1, 2, 4, 6), (3,), (3, 4, 6), (5,))
    first, second = (e for e in flow.events if isinstance(e, ev.ImpactRolled))
    assert (first.unit, first.by, first.hits, first.hull) == ("p2-1", "p1-1", 3, 1)
    assert (second.unit, second.by, second.hits, second.hull) == ("p1-1", "p2-1", 4, 0)
    assert flow.state.units["p2-1"].pending == 1
    assert flow.state.units["p2-1"].hull_lost == 0
    assert flow.state.units["p1-1"].pending == 0


@pytest.mark.rule("CT-COLL-03")
def test_above_the_critical_rating_two_hull_points_and_no_table() -> None:
    """Exeter: armor 2, critical 7."""
    flow = carried_out(crossing(), order(0, 0, 0, 0), (5, 5, 6, 6, 4, 4), (1, 1), (1,) * 3)
    assert last(flow, ev.UnitsCollided).impacts[0].dice == 6
    assert flow.state.units["p2-1"].pending == 2
    assert "critical-rolled" not in happened(flow)


@pytest.mark.rule("CT-COLL-05", "CT-AMB-29")
def test_dice_are_the_hull_points_left_and_pending_losses_do_not_count() -> None:
    flow = carried_out(crossing(hull_lost=2, pending=3), order(0, 0, 0, 0), (1,) * 4, (1,) * 3)
    assert [i.dice for i in last(flow, ev.UnitsCollided).impacts] == [4, 3]


@pytest.mark.rule("CT-COLL-06", "CT-AMB-30", "CT-COLL-11")
def test_a_second_collision_is_rolled_for_in_full() -> None:
    flow = carried_out(crossing(collided=True), order(0, 0, 0, 0), (1,) * 6, (1,) * 3)
    assert last(flow, ev.UnitsCollided).impacts[0].dice == 6


@pytest.mark.rule("CT-COLL-10")
def test_two_at_once_are_resolved_one_after_the_other() -> None:
    """Side by side, both touched by the same sub-step: in the engine's order."""
    state = table(
        unit("p1-1", CAPITAL, 500_000, 500_000),
        unit("p2-1", SMALL, 510_000, 650_000),
        unit("p1-2", SMALL, 488_000, 650_000),
    )
    flow = carried_out(state, order(0, 0, 0, 0, 0), (1,) * 6, (1,) * 2, (1,) * 6, (1,) * 2)
    met = [e.other for e in flow.events if isinstance(e, ev.UnitsCollided)]
    assert met == ["p1-2", "p2-1"]


@pytest.mark.rule("CT-COLL-11")
def test_who_was_hit_moves_on_as_usual() -> None:
    state = carried_out(crossing(), order(0, 0, 0, 0), (1,) * 6, (1,) * 3).state
    flow = carried_out(state, Move("p2-1", (0, 72)))
    assert flow.state.units["p2-1"].ahead == 2


@pytest.mark.rule("CT-STEER-08")
def test_a_turn_may_end_in_a_collision() -> None:
    state = table(unit("p1-1", SMALL, 500_000, 500_000), unit("p2-1", SMALL, 530_000, 525_000, 0))
    flow = carried_out(state, order(0, 90), (1, 1), (1, 1))
    moved = flow.state.units["p1-1"]
    assert moved.pose is not None
    assert 0 < moved.pose.heading < 90
    assert (moved.ahead, moved.turned, moved.stopped) == (1, True, True)


@pytest.mark.rule("CT-SUB-09", "CT-COLL-02")
@pytest.mark.parametrize("below", ["p1-1", "p2-1"])
def test_what_is_submerged_is_out_of_the_way(below: str) -> None:
    units = [unit("p1-1", SUBMARINE, 500_000, 500_000), unit("p2-1", SUBMARINE, 500_000, 540_000)]
    state = table(*(_dived(u) if u.id == below else u for u in units))
    flow = carried_out(state, order(0, 0))
    assert flow.state.units["p1-1"].ahead == 2


def _dived(one: Unit) -> Unit:
    return Unit(one.id, one.card, one.seat, pose=one.pose, submerged=True)


@pytest.mark.rule("CT-SUB-09")
def test_surfaced_submarines_collide() -> None:
    state = table(
        unit("p1-1", SUBMARINE, 500_000, 500_000), unit("p2-1", SUBMARINE, 500_000, 560_000)
    )
    flow = carried_out(state, order(0, 0), (1, 1), (1, 1))
    assert flow.state.units["p1-1"].must_reverse


@pytest.mark.rule("CT-COLL-09", "CT-AMB-32", "CT-MOVE-16")
def test_it_has_to_go_astern_next() -> None:
    state = crossing(stopped=True, must_reverse=True)
    assert refusal(state, order()) == ("move.must-reverse", "CT-COLL-09")
    assert refusal(state, order(0)) == ("move.must-reverse", "CT-COLL-09")
    freed = carried_out(state, order(0, astern=True)).state.units["p1-1"]
    assert (freed.must_reverse, freed.stopped, freed.astern) == (False, True, 1)


@pytest.mark.rule("CT-COLL-09")
@pytest.mark.parametrize(
    "fields", [{"criticals": (ENGINE.number,)}, {"hull_lost": 2, "criticals": (ENGINE_HIT.number,)}]
)
@pytest.mark.parametrize("waits", [False, True])
def test_the_duty_of_whoever_cannot_move(fields: dict[str, Any], waits: bool) -> None:
    """With ENGINE BREAKDOWN, or with no klick left of two: it lapses, or waits by agreement."""
    state = crossing("ss-jeremiah-o-brien", stopped=True, must_reverse=True, **fields)
    state = waiting(state) if waits else state
    still = carried_out(state, order()).state.units["p1-1"]
    assert still.must_reverse is waits


def waiting(state: State) -> State:
    return replace(state, options=replace(state.options, reverse_duty="until-done"))


@pytest.mark.rule("CT-COLL-09", "CT-AMB-32")
def test_the_duty_while_the_way_astern_is_blocked() -> None:
    state = table(
        unit("p1-1", SMALL, 500_000, 500_000, stopped=True, must_reverse=True),
        unit("p1-2", SMALL, 500_000, 450_000),
    )
    assert refusal(state, order()) is None
    assert refusal(state, order(0)) is None
    assert refusal(waiting(state), order()) is None
    assert refusal(waiting(state), order(0)) == ("move.must-reverse", "CT-COLL-09")


@pytest.mark.rule("CT-COLL-09", "CT-AMB-32")
def test_a_duty_that_waits_is_done_after_a_whole_klick_astern_only() -> None:
    """Land half a klick astern cuts the order short: it has to try again."""
    rock = Land("rock", ((450_000, 440_000), (550_000, 440_000), (550_000, 465_000),
                         (450_000, 465_000)), "soft", blocks=False)  # fmt: skip
    state = table(
        unit("p1-1", SMALL, 500_000, 500_000, stopped=True, must_reverse=True), land=(rock,)
    )
    assert refusal(state, order()) is None
    state = waiting(state)
    assert refusal(state, order()) == ("move.must-reverse", "CT-COLL-09")
    still = carried_out(state, order(0, astern=True), (1, 1, 1, 1)).state.units["p1-1"]
    assert still.pose is not None
    assert 475_000 < still.pose.y < 500_000
    assert (still.must_reverse, still.astern) == (True, 0)


@pytest.mark.rule("CT-MOVE-22", "CT-COLL-09", "CT-AMB-80")
def test_an_owed_move_of_such_a_unit_is_astern() -> None:
    flow: BattleFlow = Flow(crossing(stopped=True, must_reverse=True), evolve)
    assert voyage.finish(flow)
    carry_on(flow)
    assert flow.state.units["p1-1"].pose == Pose(500_000, 475_000, 0)
    assert not flow.state.units["p1-1"].must_reverse


@pytest.mark.parametrize("card", [CAPITAL, LARGE, MEDIUM, SMALL])
@pytest.mark.parametrize("heading", range(0, 720, 53))
def test_no_two_bases_overlap_after_a_move(card: str, heading: int) -> None:
    """Whatever the heading; the ring of ships around is run into somewhere."""
    ring = [
        unit(f"p2-{n}", MEDIUM, 500_000 + x, 500_000 + y, 31 * n)
        for n, (x, y) in enumerate(
            [(-95_000, -90_000), (0, -105_000), (95_000, -90_000), (105_000, 0),
             (95_000, 90_000), (0, 105_000), (-95_000, 90_000), (-105_000, 0)]
        )
    ]  # fmt: skip
    state = table(unit("p1-1", card, 500_000, 500_000, heading), *ring)
    flow: BattleFlow = Flow(state, evolve)
    voyage.order(flow, state.units["p1-1"], order(0, 30, -45, 0, 20))
    while flow.state.order is not None and flow.state.awaiting is None:
        voyage.tend(flow)
    shapes = [base(u.pose, size_of(flow.state, u)) for u in flow.state.units.values() if u.pose]
    assert len(shapes) == 9
    assert not any(overlap(shapes[0], other) for other in shapes[1:])


# --- leaving the table ---------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-24", "CT-MOVE-03")
def test_a_unit_whose_middle_leaves_the_table_is_lost() -> None:
    state = table(unit("p1-1", SMALL, 10_000, 500_000, 540), unit("p2-1", SMALL, 500_000, 500_000))
    flow = carried_out(state, order(0))
    assert "p1-1" not in flow.state.units
    assert flow.state.scores == {"p1": 0, "p2": 10}
    assert happened(flow)[-2:] == ["move-ended", "unit-removed"]


@pytest.mark.rule("CT-GEOM-24")
def test_it_may_hang_over_the_edge() -> None:
    flow = carried_out(table(unit("p1-1", SMALL, 25_000, 500_000, 540)), order(0))
    assert flow.state.units["p1-1"].pose == Pose(0, 500_000, 540)


@pytest.mark.rule("CT-SCN-17")
@pytest.mark.parametrize(("y", "heading", "points"), [(1_490_000, 0, 0), (10_000, 360, 0)])
def test_a_convoy_ship_is_safe_beyond_the_far_edge_only(y: int, heading: int, points: int) -> None:
    state = table(unit("p1-1", "convoy-ship", 500_000, y, heading), escort="p1")
    flow = carried_out(state, order(0))
    assert last(flow, ev.UnitRemoved).cause == ("exit" if heading == 0 else "left-table")


# --- land and treacherous waters -----------------------------------------------------------------


@pytest.mark.rule("CT-TERR-08", "CT-TERR-09", "CT-TERR-05", "CT-TERR-10", "CT-TERR-11")
def test_a_destroyer_runs_into_an_island() -> None:
    """Small ships are spared the test, not the rock: 12 dice against armor 1, critical 5."""
    state = table(unit("p1-1", SMALL, 550_000, 600_000), land=(ISLAND,))
    flow = carried_out(state, order(0, 0, 0, 0), (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 5))
    ship = flow.state.units["p1-1"]
    assert ship.pose == Pose(550_000, 675_000, 0)
    assert (ship.stopped, ship.must_reverse, ship.pending, ship.collided) == (True, False, 1, False)
    assert last(flow, ev.RanAground).hardness == "impassable"


@pytest.mark.rule("CT-TERR-11", "CT-TERR-10")
@pytest.mark.parametrize(("hardness", "dice"), [("soft", 4), ("hard", 8), ("impassable", 12)])
def test_dice_by_hardness(hardness: Hardness, dice: int) -> None:
    assert geography.grounding_dice(hardness) == dice
    rock = Land("rock", ISLAND.corners, hardness)
    state = table(unit("p1-1", SMALL, 550_000, 650_000), land=(rock,))
    faces = (1, 3, 4, 5, *(1,) * (dice - 4))
    flow = carried_out(state, order(0, 0), faces)
    assert last(flow, ev.ImpactRolled).hits == 2
    assert flow.state.units["p1-1"].pending == 1


@pytest.mark.rule("CT-TERR-08", "CT-SUB-09")
def test_submerged_submarines_run_aground() -> None:
    state = table(unit("p1-1", SUBMARINE, 550_000, 650_000, submerged=True), land=(ISLAND,))
    flow = carried_out(state, order(0, 0), (1,) * 12)
    assert flow.state.units["p1-1"].stopped


@pytest.mark.rule("CT-TERR-05")
def test_a_shallow_draft_rides_soft_ground_unhurt() -> None:
    state = table(unit("p1-1", LST, 500_000, 540_000), land=(SOFT_BAR,))
    flow = carried_out(state, order(0, 0))
    assert flow.state.units["p1-1"].stopped
    assert "impact-rolled" not in happened(flow)
    hard = table(unit("p1-1", LST, 550_000, 640_000), land=(ISLAND,))
    assert "impact-rolled" in happened(carried_out(hard, order(0, 0), (1,) * 12))


@pytest.mark.rule("CT-TERR-02", "CT-TERR-03", "CT-TERR-04", "CT-TERR-07", "CT-AMB-26")
@pytest.mark.parametrize(
    ("card", "klicks", "allowed", "tested"),
    [
        (MEDIUM, 3, 8, False), (MEDIUM, 4, 8, True), (CAPITAL, 3, 7, False), (CAPITAL, 4, 7, True),
        (CAPITAL, 1, 3, False), (CAPITAL, 2, 3, True), (MEDIUM, 1, 2, True), (MEDIUM, 1, 1, True),
        (MEDIUM, 0, 8, False), (SMALL, 9, 9, False), (LST, 3, 3, False),
    ],
)  # fmt: skip
def test_who_is_tested(card: str, klicks: int, allowed: int, tested: bool) -> None:
    """Half of an odd number is compared as it is: neither 3 klicks of 7 nor 1 of 3 come to it."""
    ship = unit("p1-1", card, 500_000, 500_000)
    assert geography.must_test(table(ship), ship, klicks, allowed) is tested


@pytest.mark.rule("CT-AMB-26")
@pytest.mark.parametrize(
    ("klicks", "allowed", "tested"),
    [(2, 7, False), (3, 7, True), (1, 3, True), (3, 8, False), (4, 8, True)],
)
def test_half_speed_is_rounded_down_by_agreement(klicks: int, allowed: int, tested: bool) -> None:
    ship = unit("p1-1", CAPITAL, 500_000, 500_000)
    state = table(ship, half_speed="rounded")
    assert geography.must_test(state, ship, klicks, allowed) is tested


@pytest.mark.rule("CT-TERR-01", "CT-TERR-06", "CT-TERR-07")
@pytest.mark.parametrize(("gap", "tested"), [(4 * K, True), (4 * K + 1, False)])
def test_four_klicks_from_land_are_treacherous(gap: int, tested: bool) -> None:
    """A cruiser passing along the island's side, its own side exactly so far from it."""
    state = table(unit("p1-1", MEDIUM, 600_000 + gap + 10_000, 700_000), land=(ISLAND,))
    flow = carried_out(state, order(0, 0, 0, 0), *([(2,)] if tested else []))
    assert ("grounding-tested" in happened(flow)) is tested
    assert flow.state.units["p1-1"].ahead == 4


@pytest.mark.rule("CT-TERR-06")
@pytest.mark.parametrize(
    ("size", "faces"), [("capital", 3), ("large", 2), ("medium", 1), ("small", 0)]
)
def test_faces_that_ground(size: Size, faces: int) -> None:
    assert geography.grounds_on(size) == faces


@pytest.mark.rule("CT-TERR-07", "CT-TERR-12", "CT-AMB-25", "CT-AMB-27")
@pytest.mark.parametrize(("face", "aground"), [(2, True), (3, False)])
def test_the_test_is_made_at_the_first_spot_and_once(face: int, aground: bool) -> None:
    """A battleship comes within 4 klicks of the island during its third klick."""
    state = table(unit("p1-1", LARGE, 550_000, 500_000), land=(ISLAND,))
    flow = carried_out(state, order(0, 0, 0, 0), (face,), *([(1,) * 12] if aground else []))
    ship = flow.state.units["p1-1"]
    assert (ship.tested, ship.stopped) == (True, aground)
    assert ship.pose == Pose(550_000, 555_000 if aground else 600_000, 0)
    assert ship.ahead == (2 if aground else 4)
    assert last(flow, ev.GroundingTested).hazard == "island"


@pytest.mark.rule("CT-TERR-07")
def test_a_move_that_begins_in_treacherous_waters_is_tested_at_once() -> None:
    state = table(unit("p1-1", LARGE, 550_000, 620_000, 540), land=(ISLAND,))
    flow = carried_out(state, order(0, 0, 0, 0), (1,), (1,) * 12)
    assert flow.state.units["p1-1"].pose == Pose(550_000, 620_000, 540)


@pytest.mark.rule("CT-TERR-07")
def test_a_turn_may_bring_a_ship_into_treacherous_waters() -> None:
    """Its bow swings over the line of 4 klicks; after the test it turns and runs on."""
    state = table(unit("p1-1", CAPITAL, 730_000, 725_000), land=(ISLAND,))
    flow = carried_out(state, order(0, -45, 0, 0), (6,))
    track = [e.track for e in flow.events if isinstance(e, ev.UnitMoved)]
    assert len(track) == 2
    first, ship = track[0][-1], flow.state.units["p1-1"]
    assert 675 < first.heading < 720
    assert ship.pose is not None
    assert (ship.pose.heading, ship.ahead) == (675, 4)


@pytest.mark.rule("CT-TERR-12", "CT-TERR-01")
def test_shallows_come_before_land_and_nearer_land_before_farther() -> None:
    """Soft bar or hard shallows: what the base is in counts, then what is nearest."""
    far = Land("far", ((0, 0), (1_000, 0), (0, 1_000)), "impassable")
    state = table(unit("p1-1", MEDIUM, 500_000, 650_000), land=(far, SOFT_BAR, SHALLOWS))
    assert geography.peril_at(state, base(Pose(500_000, 650_000), "medium")).id == "shallows"
    assert geography.peril_at(state, base(Pose(800_000, 560_000), "medium")).id == "bar"
    assert geography.peril_at(state, base(Pose(40_000, 60_000), "medium")).id == "far"
    flow = carried_out(state, order(0, 0, 0, 0), (1,), (1,) * 8)
    assert last(flow, ev.RanAground).hardness == "hard"


@pytest.mark.rule("CT-MOVE-09")
def test_aground_it_may_stay_go_astern_or_go_ahead() -> None:
    state = table(unit("p1-1", LARGE, 550_000, 555_000, stopped=True), land=(ISLAND,))
    assert refusal(state, order()) is None
    assert refusal(state, order(0)) is None
    assert refusal(state, order(0, astern=True)) is None


@pytest.mark.rule("CT-TERR-04")
def test_a_destroyer_passes_an_island_at_full_speed() -> None:
    state = table(unit("p1-1", SMALL, 600_000 + K + 10_000, 650_000), land=(ISLAND,))
    flow = carried_out(state, order(*(0,) * 9))
    assert flow.state.units["p1-1"].ahead == 9


@pytest.mark.rule("CT-AMB-81", "CT-COLL-10")
def test_ships_come_before_land_and_land_is_rolled_by_ones_own_side() -> None:
    """A destroyer and a rock side by side, both touched in one sub-step."""
    rock = Land("rock", ((450_000, 625_000), (480_000, 625_000), (480_000, 640_000)), "soft")
    state = table(
        unit("p1-1", CAPITAL, 490_000, 500_000, tested=True),
        unit("p2-1", SMALL, 510_000, 650_000),
        land=(rock,),
    )
    flow: BattleFlow = Flow(state, evolve)
    voyage.order(flow, state.units["p1-1"], order(0, 0, 0, 0))
    carry_on(flow, (1,) * 6, (1,) * 2, (1,) * 4)
    met = [e.NAME for e in flow.events if isinstance(e, ev.UnitsCollided | ev.RanAground)]
    assert met == ["units-collided", "ran-aground"]
    owners = [e.owner for e in flow.events if isinstance(e, ev.DiceThrown)]
    assert owners == ["p1", "p2", "p1"]


@pytest.mark.rule("CT-AMB-84", "CT-TERR-01")
@pytest.mark.parametrize(("x", "tested"), [(690_000, True), (710_000, True), (710_001, False)])
def test_shallows_begin_at_their_edge(x: int, tested: bool) -> None:
    """A cruiser runs along the eastern edge of the shallows, in them, touching them, or clear."""
    state = table(unit("p1-1", MEDIUM, x, 650_000), land=(SHALLOWS,))
    flow = carried_out(state, order(0, 0, 0, 0), *([(6,)] if tested else []))
    assert ("grounding-tested" in happened(flow)) is tested


# --- setting up ----------------------------------------------------------------------------------


@pytest.mark.rule("CT-SETUP-01", "CT-SETUP-02", "CT-SETUP-06")
@pytest.mark.parametrize(
    ("seat", "pose", "submarine", "code"),
    [
        ("p1", Pose(500_000, 225_000), False, None),
        ("p1", Pose(500_000, 225_001), False, "place.outside-zone"),
        ("p1", Pose(500_000, 25_000), False, None),
        ("p1", Pose(500_000, 24_999), False, "place.off-table"),
        ("p1", Pose(9_999, 100_000), False, "place.off-table"),
        ("p2", Pose(500_000, 1_275_000), False, None),
        ("p2", Pose(500_000, 1_274_999), False, "place.outside-zone"),
        ("p1", Pose(500_000, 750_000), True, None),
        ("p1", Pose(500_000, 750_001), True, "place.outside-zone"),
        ("p2", Pose(500_000, 750_000), True, None),
        ("p2", Pose(500_000, 749_999), True, "place.outside-zone"),
        ("p1", Pose(300_000, 100_000), False, "place.overlap"),
        ("p1", Pose(320_000, 100_000), False, None),
        ("p1", Pose(800_000, 100_000), False, "place.on-land"),
    ],
)
def test_where_a_base_may_stand(seat: str, pose: Pose, submarine: bool, code: str | None) -> None:
    rock = Land("rock", ((790_000, 90_000), (810_000, 90_000), (800_000, 130_000)), "hard")
    state = table(unit("p1-1", SMALL, 300_000, 100_000), land=(rock,))
    no = geography.why_not_stand(state, seat, "small", pose, submarine)
    assert (no.code if no else None) == code


@pytest.mark.rule("CT-DMG-04")
def test_collisions_sink_nobody_before_the_turn_ends() -> None:
    flow = carried_out(
        crossing(CAPITAL, SMALL), order(0, 0, 0, 0), (5, 5, 6, 6, 4, 4), (1, 1), (1, 1)
    )
    other = flow.state.units["p2-1"]
    assert other.pending == 2
    assert hull_left(flow.state, other) == 2
