"""Contact is a state: whoever has run into something gets free of it, and nobody is sent into it.

Against an opponent who stays still, a ship with free water around is a klick away from what it ran
into after two of its turns at most, if its owner wants it to be; and what it has to do without an
order never collides.
"""

from __future__ import annotations

import random

import pytest

from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules import helm, voyage
from domain.games.crimson_tide.rules.commands import Move
from domain.games.crimson_tide.rules.evolve import evolve
from domain.games.crimson_tide.rules.facts import size_of
from domain.games.crimson_tide.rules.geometry.distance import within
from domain.games.crimson_tide.rules.geometry.hull import base
from domain.games.crimson_tide.rules.geometry.polygons import overlap
from domain.games.crimson_tide.rules.ranges import footprint
from domain.games.crimson_tide.rules.state import Land, State
from domain.kernel.flow import Flow
from tests.crimson_tide.table import (
    CAPITAL,
    LARGE,
    MEDIUM,
    SMALL,
    BattleFlow,
    K,
    carried_out,
    happened,
    table,
    throw,
    unit,
)

SIZES = (SMALL, MEDIUM, LARGE, CAPITAL)
TRIALS = 60


def played(flow: BattleFlow) -> BattleFlow:
    """What is under way goes on to its end; every die falls on 1, which harms nobody."""
    while flow.state.awaiting is not None or flow.state.order is not None:
        if flow.state.awaiting is None:
            voyage.tend(flow)
        else:
            throw(flow, *((1,) * pool.count for pool in flow.state.awaiting.pools))
    return flow


def ordered(state: State, move: Move) -> BattleFlow:
    flow: BattleFlow = Flow(state, evolve)
    voyage.order(flow, state.units[move.unit], move)
    return played(flow)


def next_turn(state: State) -> State:
    return evolve(state, ev.TurnEnded(turn=state.turn))


def collided(flow: BattleFlow) -> bool:
    return bool({"units-collided", "ran-aground"} & set(happened(flow)))


def free(state: State) -> bool:
    """A klick or more from what it was in contact with."""
    mine, klick = state.units["p1-1"], state.options.klick
    assert mine.pose is not None
    shape = base(mine.pose, size_of(state, mine))
    others = [footprint(state, each) for each in state.units.values() if each.id != "p1-1"]
    others += [piece.corners for piece in state.land]
    return not any(within(shape, other, klick) for other in others)


def accident(dice: random.Random, coast: bool) -> State:
    """A ship that has just run into a parked enemy or a coast: ahead, turning or going astern."""
    while True:
        astern = dice.random() < 0.4
        mine = unit(
            "p1-1", SMALL if coast else dice.choice(SIZES), 600_000, 600_000, dice.randrange(720),
            stopped=astern,
        )  # fmt: skip
        x, y = (600_000 + dice.randrange(-5 * K, 5 * K) for _ in range(2))
        rock = Land(
            "rock", ((x - K, y - K), (x + K, y - K), (x + K, y + K), (x - K, y + K)), "hard"
        )
        if coast:
            state = table(mine, land=(rock,))
        else:
            state = table(mine, unit("p2-1", dice.choice(SIZES), x, y, dice.randrange(720)))
        assert mine.pose is not None
        shape = base(mine.pose, size_of(state, mine))
        others = [footprint(state, each) for each in state.units.values() if each.id != "p1-1"]
        if any(overlap(shape, other) for other in (*others, *(p.corners for p in state.land))):
            continue
        flow = ordered(state, dice.choice(list(helm.ready(state, mine))))
        if collided(flow):
            return next_turn(flow.state)


def outcomes(state: State) -> list[State]:
    """Where the orders that touch nothing lead, and the state itself if it may stay."""
    flows = (ordered(state, move) for move in helm.ready(state, state.units["p1-1"]))
    return [next_turn(flow.state) for flow in flows if not collided(flow)]


@pytest.mark.rule("CT-AMB-32", "CT-COLL-09")
@pytest.mark.parametrize("coast", [False, True], ids=["enemy", "coast"])
def test_every_ship_gets_free_within_two_turns(coast: bool) -> None:
    for seed in range(TRIALS):
        state = accident(random.Random(f"contact {coast} {seed}"), coast)
        first = outcomes(state)
        assert first, seed
        found = any(map(free, first)) or any(free(then) for one in first for then in outcomes(one))
        assert found, seed


@pytest.mark.rule("CT-AMB-80", "CT-MOVE-22", "CT-AMB-95")
@pytest.mark.parametrize("coast", [False, True], ids=["enemy", "coast"])
def test_no_unit_is_sent_into_anything_for_want_of_an_order(coast: bool) -> None:
    for seed in range(TRIALS):
        state = accident(random.Random(f"forced {coast} {seed}"), coast)
        for _ in range(3):
            flow: BattleFlow = Flow(state, evolve)
            voyage.finish(flow)
            assert not collided(played(flow)), seed
            state = next_turn(flow.state)


@pytest.mark.rule("CT-AMB-94")
def test_no_collision_happens_without_way_made() -> None:
    for seed in range(TRIALS):
        state = accident(random.Random(f"again {seed}"), coast=False)
        for move in helm.ready(state, state.units["p1-1"]):
            names = happened(ordered(state, move))
            assert "units-collided" not in names or "unit-moved" in names, (seed, move)


@pytest.mark.rule("CT-AMB-93")
def test_backed_into_a_parked_enemy_it_goes_ahead() -> None:
    state = table(
        unit("p1-1", SMALL, 500_000, 500_000, stopped=True), unit("p2-1", SMALL, 500_000, 435_000)
    )
    state = next_turn(carried_out(state, Move("p1-1", (0, 0), astern=True), (1, 1), (1, 1)).state)
    assert all(not move.astern and move.path for move in helm.ready(state, state.units["p1-1"]))
    assert any(map(free, outcomes(state)))
