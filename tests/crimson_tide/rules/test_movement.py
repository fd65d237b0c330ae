"""MOVE, STEER, EVA: how far, how sharp, how an order is judged and carried out."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.crimson_tide.rules import criticals, helm, movement, steering, voyage
from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules.cards import cards
from domain.games.crimson_tide.rules.commands import Move
from domain.games.crimson_tide.rules.evolve import evolve
from domain.games.crimson_tide.rules.geometry.hull import Size
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.crimson_tide.rules.state import Inbound, State, Unit
from domain.kernel.flow import Flow
from tests.crimson_tide.table import (
    CAPITAL,
    LARGE,
    MEDIUM,
    SMALL,
    SUBMARINE,
    BattleFlow,
    carried_out,
    carry_on,
    happened,
    last,
    refusal,
    table,
    unit,
)

BY_SIZE = {"capital": CAPITAL, "large": LARGE, "medium": MEDIUM, "small": SMALL}
ENGINE, ENGINE_HIT, STEERING = (
    row.number for row in (criticals.ENGINE, criticals.ENGINE_HIT, criticals.STEERING)
)
MIDDLE = (500_000, 500_000)


def one(card: str = MEDIUM, x: int = MIDDLE[0], y: int = MIDDLE[1], **fields: Any) -> State:
    """A table with one unit on it."""
    return table(unit("p1-1", card, x, y, **fields))


def order(*path: int, astern: bool = False, evade: bool = False, stop: bool = False) -> Move:
    return Move("p1-1", path, astern, evade, stop)


def hurt(card: str, hull_left: int) -> int:
    """Hull points lost, so that so many are left."""
    return cards()[card].hull_points - hull_left


# --- how far -------------------------------------------------------------------------------------


@pytest.mark.rule("CT-MOVE-01", "CT-CARD-09", "CT-MOVE-19", "CT-MOVE-20", "CT-MOVE-18")
@pytest.mark.parametrize(
    ("card", "fields", "klicks"),
    [
        (SMALL, {}, 9),
        (SMALL, {"hull_lost": 1}, 4),
        (SMALL, {"criticals": (ENGINE_HIT,)}, 4),
        (SMALL, {"hull_lost": 1, "criticals": (ENGINE_HIT,)}, 2),
        (SMALL, {"criticals": (ENGINE,)}, 0),
        ("ss-jeremiah-o-brien", {"hull_lost": hurt("ss-jeremiah-o-brien", 1)}, 1),
        ("ss-jeremiah-o-brien", {"hull_lost": 2, "criticals": (ENGINE_HIT,)}, 0),
        (SUBMARINE, {}, 4),
        (SUBMARINE, {"submerged": True}, 2),
    ],
)
def test_klicks_of_a_turn(card: str, fields: dict[str, Any], klicks: int) -> None:
    """The figures of CT-MOVE-19 and -20; what has only been recorded as pending slows nobody."""
    state = one(card, **fields)
    assert movement.allowance(state, state.units["p1-1"]).total == klicks


@pytest.mark.rule("CT-MOVE-19")
def test_pending_damage_slows_nobody_yet() -> None:
    state = one(SMALL, pending=1, pending_criticals=(ENGINE,))
    assert movement.allowance(state, state.units["p1-1"]).total == 9


@pytest.mark.rule("CT-MOVE-11", "CT-MOVE-12", "CT-EVA-04")
@pytest.mark.parametrize(
    ("klicks", "evading", "most"),
    [(7, False, 3), (1, False, 1), (0, False, 0), (7, True, 3), (2, True, 1), (3, True, 1)],
)
def test_half_of_it_astern(klicks: int, evading: bool, most: int) -> None:
    assert movement.astern_most(klicks, evading) == most


@pytest.mark.rule("CT-MOVE-01", "CT-MOVE-07", "CT-MOVE-04")
def test_a_ship_moves_from_one_klick_to_its_movement() -> None:
    state = one(MEDIUM)
    klicks = cards()[MEDIUM].movement
    assert [refusal(state, order(*(0,) * n)) is None for n in range(klicks + 2)] == [
        False, *(True,) * klicks, False,
    ]  # fmt: skip
    assert refusal(state, order()) == ("move.must-move", "CT-MOVE-04")
    assert refusal(state, order(*(0,) * (klicks + 1))) == ("move.too-far", "CT-MOVE-01")


@pytest.mark.rule("CT-MOVE-05", "CT-STEER-05")
def test_three_klicks_ahead() -> None:
    flow = carried_out(one(), order(0, 0, 0))
    moved = flow.state.units["p1-1"]
    assert moved.pose == Pose(500_000, 575_000, 0)
    assert (moved.moved, moved.ahead, moved.astern, moved.turned) == (True, 3, 0, False)
    assert happened(flow) == ["move-ordered", "unit-moved", "move-ended"]


@pytest.mark.rule("CT-MOVE-21")
def test_one_order_a_turn() -> None:
    state = carried_out(one(), order(0)).state
    assert refusal(state, order(0)) == ("move.already-moved", "CT-MOVE-21")


@pytest.mark.rule("CT-MOVE-21")
def test_only_ships_and_submarines_are_ordered() -> None:
    state = table(Unit("p1-1", "f4f-4-wildcat", "p1", base="land-base"))
    assert refusal(state, order(0)) == ("move.no-vessel", "CT-MOVE-23")


# --- turning -------------------------------------------------------------------------------------


@pytest.mark.rule("CT-STEER-01", "CT-STEER-02", "CT-STEER-03", "CT-UNIT-02")
@pytest.mark.parametrize(
    ("size", "klicks"), [("capital", 9), ("large", 7), ("medium", 6), ("small", 5)]
)
def test_klicks_for_turning_about(size: Size, klicks: int) -> None:
    assert steering.template_angle(size) * (klicks - 1) == 360


@pytest.mark.rule("CT-STEER-06")
@pytest.mark.parametrize(
    ("size", "klicks", "end"),
    [
        ("capital", 9, Pose(875_684, 500_000, 360)),
        ("large", 7, Pose(843_302, 500_000, 360)),
        ("medium", 6, Pose(826_942, 500_000, 360)),
        ("small", 5, Pose(810_356, 500_000, 360)),
    ],
)
def test_turning_about(size: Size, klicks: int, end: Pose) -> None:
    """Over two turns where the movement is not enough for one: the track is what counts."""
    state = table(unit("p1-1", BY_SIZE[size], 750_000, 500_000))
    hard, left = steering.template_angle(size), klicks - 1
    first = min(left, cards()[BY_SIZE[size]].movement - 1)
    flow = carried_out(state, order(0, *(hard,) * first))
    track = list(last(flow, ev.UnitMoved).track)
    pose = track[-1]
    for _ in range(left - first):
        pose = _turned_and_run(pose, hard)
    assert pose == end
    if size == "capital":
        assert track[:5] == [
            Pose(750_000, 525_000, 0),
            Pose(750_000, 525_000, 45), Pose(759_567, 548_097, 45),
            Pose(759_567, 548_097, 90), Pose(777_245, 565_775, 90),
        ]  # fmt: skip


def _turned_and_run(pose: Pose, ticks: int) -> Pose:
    """One more turning klick on an empty table, from a start that is stopped as it is."""
    state = table(unit("p1-1", SMALL, pose.x, pose.y, (pose.heading + ticks) % 720))
    end = carried_out(state, order(0)).state.units["p1-1"].pose
    assert end is not None
    return end


@pytest.mark.rule("CT-STEER-07")
def test_turns_both_ways_in_one_move() -> None:
    flow = carried_out(one(MEDIUM), order(0, 72, -72, -30))
    pose = flow.state.units["p1-1"].pose
    assert pose is not None
    assert (pose.heading, flow.state.units["p1-1"].turned) == (690, True)


@pytest.mark.rule("CT-STEER-07")
def test_a_turn_undone_is_still_a_turn() -> None:
    """For the carrier that has to steam dead ahead (CT-CV-02)."""
    moved = carried_out(one(MEDIUM), order(0, 30, -30)).state.units["p1-1"]
    assert moved.pose is not None
    assert (moved.pose.heading, moved.turned) == (0, True)


@pytest.mark.rule("CT-STEER-04", "CT-STEER-06", "CT-STEER-09", "CT-MOVE-06", "CT-AMB-35")
@pytest.mark.parametrize("size", BY_SIZE)
def test_how_sharp_and_when(size: Size) -> None:
    state, angle = one(BY_SIZE[size]), steering.template_angle(size)
    assert refusal(state, order(0, angle)) is None
    assert refusal(state, order(0, -angle)) is None
    assert refusal(state, order(0, angle + 1)) == ("move.turn-too-sharp", "CT-STEER-04")
    assert refusal(state, order(0, 0, -angle - 1)) == ("move.turn-too-sharp", "CT-STEER-04")
    assert refusal(state, order(1, 0)) == ("move.first-klick", "CT-STEER-06")
    stopped = one(BY_SIZE[size], stopped=True)
    assert refusal(stopped, order(1)) == ("move.first-klick", "CT-STEER-06")


@pytest.mark.rule("CT-STEER-04")
def test_the_hint_points_at_the_turn() -> None:
    state = one(SMALL)
    no = steering.why_not_move(state, state.units["p1-1"], order(0, 10, 91))
    assert no is not None
    assert no.pointer == "/path/2"


@pytest.mark.rule("CT-MOVE-17", "CT-CRIT-04")
@pytest.mark.parametrize("astern", [False, True])
def test_without_a_rudder_a_unit_runs_straight(astern: bool) -> None:
    state = one(SMALL, criticals=(STEERING,), stopped=astern)
    assert refusal(state, order(0, 0, astern=astern)) is None
    turned = refusal(state, order(0, 1, astern=astern))
    assert turned == ("move.steering-breakdown", "CT-MOVE-17")


# --- stopping, staying, going astern -------------------------------------------------------------


@pytest.mark.rule("CT-MOVE-08")
@pytest.mark.parametrize("klicks", [1, 3])
def test_a_stop_comes_after_a_klick_ahead(klicks: int) -> None:
    moved = carried_out(one(), order(*(0,) * klicks, stop=True)).state.units["p1-1"]
    assert (moved.stopped, moved.ahead) == (True, klicks)


@pytest.mark.rule("CT-MOVE-09")
def test_a_stopped_ship_stays_or_goes() -> None:
    state = one(stopped=True)
    assert carried_out(state, order()).state.units["p1-1"].stopped
    assert not carried_out(state, order(0)).state.units["p1-1"].stopped
    assert carried_out(state, order(0, astern=True)).state.units["p1-1"].stopped


@pytest.mark.rule("CT-MOVE-09", "CT-AMB-85")
def test_a_ship_that_cannot_move_stays_unstopped_or_stops() -> None:
    state = one(criticals=(ENGINE,))
    assert refusal(state, order(0)) == ("move.too-far", "CT-MOVE-01")
    assert not carried_out(state, order()).state.units["p1-1"].stopped
    assert carried_out(state, order(stop=True)).state.units["p1-1"].stopped


@pytest.mark.rule("CT-MOVE-10")
def test_astern_only_from_a_stop() -> None:
    assert refusal(one(), order(0, astern=True)) == ("move.not-stopped", "CT-MOVE-10")


@pytest.mark.rule("CT-MOVE-11", "CT-MOVE-12", "CT-MOVE-10")
def test_how_far_astern() -> None:
    state = one(CAPITAL, stopped=True)
    assert refusal(state, order(0, 0, 0, astern=True)) is None
    assert refusal(state, order(0, 0, 0, 0, astern=True)) == ("move.too-far", "CT-MOVE-11")
    assert refusal(state, order(astern=True)) == ("move.nothing-astern", "CT-MOVE-12")


@pytest.mark.rule("CT-MOVE-13", "CT-MOVE-14", "CT-AMB-33")
def test_a_quarter_turn_astern() -> None:
    state = table(unit("p1-1", SMALL, 500_000, 500_000, stopped=True))
    moved = carried_out(state, order(180, astern=True)).state.units["p1-1"]
    assert moved.pose == Pose(475_000, 500_000, 180)
    assert (moved.stopped, moved.astern) == (True, 1)
    assert refusal(state, order(90, -90, astern=True)) is None
    assert refusal(state, order(90, -91, astern=True)) == ("move.turn-too-sharp", "CT-MOVE-14")


@pytest.mark.rule("CT-MOVE-15", "CT-AMB-34")
def test_after_going_astern_any_way_is_open() -> None:
    state = carried_out(one(CAPITAL, stopped=True), order(0, astern=True)).state
    again = evolve(state, ev.TurnEnded(turn=2))
    for move in (order(), order(0), order(0, astern=True)):
        assert refusal(again, move) is None


@pytest.mark.rule("CT-MOVE-22")
def test_owed_moves_are_made_straight_ahead() -> None:
    state = table(
        unit("p1-1", CAPITAL, 500_000, 300_000),
        unit("p1-2", SMALL, 300_000, 300_000, stopped=True),
        unit("p1-3", SMALL, 200_000, 300_000, criticals=(ENGINE,)),
        unit("p1-4", SMALL, 100_000, 300_000, 180, moved=True),
        unit("p1-5", SUBMARINE, 700_000, 300_000, 180, submerged=True),
        unit("p2-1", SMALL, 500_000, 900_000),
    )
    flow: BattleFlow = Flow(state, evolve)
    while voyage.finish(flow):
        carry_on(flow)
    gone = {u.id: u.pose for u in flow.state.units.values() if u.pose != state.units[u.id].pose}
    assert gone == {"p1-1": Pose(500_000, 325_000, 0), "p1-5": Pose(725_000, 300_000, 180)}


# --- evasion -------------------------------------------------------------------------------------


def chased(card: str, *markers: int, evaded_on: int = 4, **fields: Any) -> State:
    """A unit with torpedoes inbound: so many markers from each attack, the oldest first."""
    inbound = tuple(Inbound(f"p2-{n}", 1, number, evaded_on) for n, number in enumerate(markers))
    return one(card, inbound=inbound, **fields)


@pytest.mark.rule("CT-EVA-03", "CT-EVA-01", "CT-AMB-10")
@pytest.mark.parametrize(("klicks", "left"), [(7, 4), (9, 5), (2, 1), (8, 4)])
def test_evading_costs_half_rounded_down(klicks: int, left: int) -> None:
    assert movement.after_evading(klicks) == left


@pytest.mark.rule("CT-EVA-03")
def test_what_is_left_is_for_moving() -> None:
    state = chased(CAPITAL, 1)
    assert refusal(state, order(0, 0, 0, 0, evade=True)) is None
    assert refusal(state, order(0, 0, 0, 0, 0, evade=True)) == ("move.too-far", "CT-MOVE-01")


@pytest.mark.rule("CT-EVA-02", "CT-EVA-01", "CT-AMB-09")
@pytest.mark.parametrize(("face", "left"), [(1, [1, 2]), (3, [1, 2]), (4, [2]), (6, [2])])
def test_one_roll_for_one_marker_the_oldest(face: int, left: list[int]) -> None:
    flow = carried_out(chased(MEDIUM, 1, 2), order(0, evade=True), (face,))
    inbound = flow.state.units["p1-1"].inbound
    assert [each.number for each in inbound] == left
    assert flow.state.units["p1-1"].evaded
    assert happened(flow)[:2] == ["move-ordered", "evasion-rolled"]


@pytest.mark.rule("CT-EVA-02")
def test_three_markers_less_one() -> None:
    flow = carried_out(chased(MEDIUM, 3), order(0, evade=True), (5,))
    assert [each.number for each in flow.state.units["p1-1"].inbound] == [2]


@pytest.mark.rule("CT-EVA-02")
@pytest.mark.parametrize(("face", "left"), [(4, 3), (5, 2)])
def test_long_lances_are_harder_to_evade(face: int, left: int) -> None:
    flow = carried_out(chased(MEDIUM, 3, evaded_on=5), order(0, evade=True), (face,))
    assert [each.number for each in flow.state.units["p1-1"].inbound] == [left]


@pytest.mark.rule("CT-EVA-05", "CT-EVA-03")
def test_who_may_not_evade() -> None:
    assert refusal(one(), order(0, evade=True)) == ("move.nothing-to-evade", "CT-EVA-01")
    slow = chased("ss-jeremiah-o-brien", 1, criticals=(ENGINE_HIT,))
    assert refusal(slow, order(0, evade=True)) == ("move.too-slow-to-evade", "CT-EVA-03")
    dead = chased(MEDIUM, 1, criticals=(ENGINE,))
    assert refusal(dead, order(evade=True)) == ("move.too-slow-to-evade", "CT-EVA-03")
    below = chased(SUBMARINE, 1, submerged=True)
    assert refusal(below, order(0, evade=True)) is None


@pytest.mark.rule("CT-EVA-04")
def test_a_stopped_unit_may_evade_where_it_lies() -> None:
    state = chased(MEDIUM, 1, stopped=True)
    assert carried_out(state, order(evade=True), (6,)).state.units["p1-1"].inbound == ()
    assert refusal(state, order(0, 0, 0, 0, astern=True, evade=True)) is None
    too_far = refusal(state, order(0, 0, 0, 0, 0, astern=True, evade=True))
    assert too_far == ("move.too-far", "CT-MOVE-11")


# --- submarines and the lists --------------------------------------------------------------------


@pytest.mark.rule("CT-SUB-08", "CT-MOVE-04")
@pytest.mark.parametrize("submerged", [False, True])
def test_submarines_obey_the_same_rules_above_and_below(submerged: bool) -> None:
    state = one(SUBMARINE, submerged=submerged)
    assert refusal(state, order()) == ("move.must-move", "CT-MOVE-04")
    assert refusal(state, order(0, 91)) == ("move.turn-too-sharp", "CT-STEER-04")
    assert carried_out(state, order(0, stop=True)).state.units["p1-1"].stopped


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"stopped": True}, {"stopped": True, "must_reverse": True}, {"criticals": (STEERING,)},
        {"criticals": (ENGINE,)}, {"criticals": (ENGINE_HIT,), "stopped": True},
        {"inbound": (Inbound("p2-1", 1, 2),)},
    ],
)  # fmt: skip
@pytest.mark.parametrize("card", [*BY_SIZE.values(), SUBMARINE, "hms-upholder"])
def test_every_ready_order_is_legal_and_none_comes_twice(card: str, fields: dict[str, Any]) -> None:
    state = one(card, **fields)
    moves = list(helm.ready(state, state.units["p1-1"]))
    assert moves
    assert len(set(moves)) == len(moves)
    assert [refusal(state, move) for move in moves] == [None] * len(moves)


def test_a_unit_that_has_moved_has_no_ready_orders() -> None:
    state = one(moved=True)
    assert list(helm.ready(state, state.units["p1-1"])) == []
    assert not helm.may_be_ordered(state, state.units["p1-1"])
