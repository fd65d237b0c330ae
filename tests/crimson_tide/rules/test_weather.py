"""WEA, EOT: the wind, storms on the move, derelicts adrift."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules import weather
from domain.games.crimson_tide.rules.criticals import ENGINE
from domain.games.crimson_tide.rules.evolve import evolve
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.crimson_tide.rules.state import Land, State, Storm
from domain.kernel.flow import Flow
from domain.kernel.values import StepKey
from tests.crimson_tide.table import (
    CAPITAL,
    ISLAND,
    MEDIUM,
    SMALL,
    SUBMARINE,
    BattleFlow,
    K,
    carry_on,
    happened,
    last,
    table,
    throw,
    unit,
)

SQUALL = Storm("squall", (500_000, 750_000), 6 * K)
DEAD: dict[str, Any] = {"criticals": (ENGINE.number,)}


def derelict(card: str = MEDIUM, x: int = 500_000, y: int = 500_000, **fields: Any) -> State:
    return table(unit("p1-1", card, x, y, **(DEAD | fields)), step=StepKey("end-of-turn"))


def blown(state: State, wind: int, *throws: tuple[int, ...]) -> BattleFlow:
    """The wind of the turn drifts all derelicts, one by one."""
    flow: BattleFlow = Flow(state, evolve)
    flow.emit(ev.WindDrawn(direction=wind))
    left = list(throws)
    while weather.drift(flow):
        carry_on(flow, *left)
        left = []
    return flow


@pytest.mark.rule("CT-WEA-08", "CT-WEA-06", "CT-WEA-07", "CT-AMB-61")
def test_all_storms_move_downwind_by_one_die() -> None:
    """Tick 444 of the check vectors: the die with 720 faces shows 445."""
    other = Storm("gale", (200_000, 300_000), 6 * K)
    flow: BattleFlow = Flow(table(storms=(SQUALL, other), step=StepKey("end-of-turn")), evolve)
    assert weather.draw_wind(flow)
    assert flow.state.awaiting is not None
    assert [(pool.count, pool.sides) for pool in flow.state.awaiting.pools] == [(1, 720), (1, 6)]
    throw(flow, (445,), (2,))
    assert flow.state.wind == 444
    away = [(s.at[0] - b.at[0], s.at[1] - b.at[1]) for s, b in
            zip(flow.state.storms, (SQUALL, other), strict=True)]  # fmt: skip
    assert away == [(-33_456, -37_158)] * 2
    assert not weather.draw_wind(flow)


@pytest.mark.rule("CT-WEA-06", "CT-WEA-08")
@pytest.mark.parametrize(("y", "left"), [(1_475_000, 1), (1_475_001, 0)])
def test_a_storm_disappears_when_its_center_leaves_the_table(y: int, left: int) -> None:
    flow: BattleFlow = Flow(table(storms=(Storm("squall", (0, y), 6 * K),)), evolve)
    weather.draw_wind(flow)
    throw(flow, (1,), (1,))
    assert len(flow.state.storms) == left


@pytest.mark.rule("CT-WEA-07")
@pytest.mark.parametrize(
    ("fields", "drawn"),
    [({}, False), (DEAD, True), (DEAD | {"submerged": True}, False)],
)
def test_nothing_is_drawn_when_nothing_needs_it(fields: dict[str, Any], drawn: bool) -> None:
    state = table(unit("p1-1", SUBMARINE, 500_000, 500_000, **fields), step=StepKey("end-of-turn"))
    flow: BattleFlow = Flow(state, evolve)
    assert weather.draw_wind(flow) is drawn
    if drawn:
        assert flow.state.awaiting is not None
        assert [pool.sides for pool in flow.state.awaiting.pools] == [720]


@pytest.mark.rule("CT-EOT-06")
def test_a_derelict_drifts_one_klick() -> None:
    """The figure of the inventory; its heading stays."""
    flow = blown(derelict(y=500_000, x=500_000), 100)
    ship = flow.state.units["p1-1"]
    assert ship.pose == Pose(519_151, 516_070, 0)
    assert (ship.ahead, ship.moved, ship.stopped) == (0, False, False)
    assert happened(flow)[-2:] == ["unit-moved", "move-ended"]


@pytest.mark.rule("CT-EOT-06")
def test_each_derelict_drifts_once_and_nobody_else() -> None:
    state = table(
        unit("p1-1", SMALL, 300_000, 300_000, **DEAD),
        unit("p1-2", SMALL, 400_000, 400_000),
        unit("p2-1", SUBMARINE, 500_000, 500_000, submerged=True, **DEAD),
        unit("p2-2", SUBMARINE, 600_000, 600_000, **DEAD),
        step=StepKey("end-of-turn"),
    )
    flow = blown(state, 0)
    moved = [u.id for u in flow.state.units.values() if u.pose != state.units[u.id].pose]
    assert moved == ["p1-1", "p2-2"]


@pytest.mark.rule("CT-EOT-06", "CT-COLL-01")
def test_what_it_drifts_into_is_hurt_at_once() -> None:
    """No halving and no duty to reverse; damage is not pending. Destroyer: armor 1, critical 5."""
    state = derelict(CAPITAL)
    other = unit("p2-1", SMALL, 500_000, 580_000)
    state = table(state.units["p1-1"], other, step=StepKey("end-of-turn"))
    flow = blown(state, 0, (4, 5, 1, 1, 1, 1), (1, 1))
    capital, small = flow.state.units["p1-1"], flow.state.units["p2-1"]
    assert capital.pose == Pose(500_000, 505_000, 0)
    assert (capital.collided, capital.must_reverse, capital.stopped) == (False, False, False)
    assert (small.hull_lost, small.pending, small.collided) == (1, 0, False)


@pytest.mark.rule("CT-EOT-06")
def test_what_it_sinks_is_gone_at_once() -> None:
    state = table(
        derelict(CAPITAL).units["p1-1"],
        unit("p2-1", SMALL, 500_000, 580_000, hull_lost=1),
        step=StepKey("end-of-turn"),
    )
    flow = blown(state, 0, (4, 5, 1, 1, 1, 1), (1,))
    assert "p2-1" not in flow.state.units
    assert flow.state.scores["p1"] == 10


@pytest.mark.rule("CT-EOT-06", "CT-TERR-08")
def test_it_may_be_cast_on_a_shore() -> None:
    state = derelict(MEDIUM, 550_000, 655_000)
    state = table(state.units["p1-1"], land=(ISLAND,), step=StepKey("end-of-turn"))
    flow = blown(state, 0, (4, 4, 4, *(1,) * 9))
    ship = flow.state.units["p1-1"]
    assert ship.pose == Pose(550_000, 660_000, 0)
    assert (ship.hull_lost, ship.pending, ship.stopped) == (1, 0, False)
    assert last(flow, ev.RanAground).land == "island"


@pytest.mark.rule("CT-EOT-06")
def test_it_makes_no_grounding_test() -> None:
    shoal = Land("shoal", ((0, 0), (900_000, 0), (900_000, 900_000)), "hard", False, True)
    state = table(derelict(CAPITAL).units["p1-1"], land=(shoal,), step=StepKey("end-of-turn"))
    assert "grounding-tested" not in happened(blown(state, 0))


@pytest.mark.rule("CT-EOT-06")
def test_it_may_drift_off_the_table() -> None:
    flow = blown(derelict(MEDIUM, 500_000, 10_000), 360)
    assert "p1-1" not in flow.state.units
    assert last(flow, ev.UnitRemoved).cause == "left-table"
