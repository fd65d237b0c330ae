"""A list of orders does not look at the table once for every course that it offers.

What an order begins with, and what lies near enough to be run into, is the same for dozens of
courses: calls are counted, since times depend on the machine. What is left out could not have
been met: the short way is held to following every klick against everything on the table.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules import geography, steering
from domain.games.crimson_tide.rules.decide import legal
from domain.games.crimson_tide.rules.facts import size_of
from domain.games.crimson_tide.rules.geometry import track
from domain.games.crimson_tide.rules.geometry.pose import Pose, substeps, ticks_of_turn
from domain.games.crimson_tide.rules.geometry.track import Stretch, Way
from domain.games.crimson_tide.rules.state import Land, State, Unit
from tests.crimson_tide.table import CAPITAL, LARGE, MEDIUM, SMALL, SUBMARINE, K, table, unit

SHIPS = 12
"""Of the seat that is asked; the other one has as many."""
WAYS: tuple[Way, ...] = ("ahead", "astern", "port", "starboard")
COUNTED = {track.__file__, geography.__file__}


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Calls of the functions that follow a course or gather what it may meet, by name."""
    calls: Counter[str] = Counter()

    def heard(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename in COUNTED:
            calls[frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(heard)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def line(apart: int, **fields: Any) -> State:
    """Both sides in line ahead, a ship every so many wu."""
    ours = [unit(f"p1-{n}", SMALL, apart * n, 300_000, **fields) for n in range(1, SHIPS + 1)]
    theirs = [unit(f"p2-{n}", SMALL, apart * n, 900_000, 360) for n in range(1, SHIPS + 1)]
    return table(*ours, *theirs, width=80, length=60)


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("apart", [70_000, 21_000])
def test_each_unit_is_followed_once_a_way(apart: int, stopped: bool) -> None:
    """However many courses are offered, in the open as in a crowd."""
    state = line(apart, stopped=stopped)
    with counted() as calls:
        offered = legal(state, "p1").commands
    assert len(offered) > SHIPS * 2 * len(WAYS)
    assert calls["sail"] + calls["swing"] + calls["glide"] <= SHIPS * 2 * len(WAYS)
    assert calls["waters"] + calls["waters_around"] <= SHIPS * len(WAYS)


def test_asking_again_costs_nothing() -> None:
    state = line(21_000)
    first = legal(state, "p1")
    with counted() as calls:
        assert legal(state, "p1") == first
    assert not calls


def test_open_water_costs_no_step_and_no_footprint() -> None:
    """Nothing near: nobody's base is laid out, and nobody is followed step by step."""
    with counted() as calls:
        legal(line(150_000), "p1")
    assert not calls["_follow"]
    assert not calls["obstacle"]


def test_after_an_order_only_those_near_it_are_followed_anew() -> None:
    state = line(70_000)
    legal(state, "p1")
    mine = state.units["p1-1"]
    assert mine.pose is not None
    gone = replace(mine, pose=Pose(mine.pose.x, mine.pose.y + K), moved=True)
    after = replace(state, units={**state.units, "p1-1": gone})
    with counted() as calls:
        legal(after, "p1")
    assert calls["glide"] < SHIPS // 2


# --- what is left out ----------------------------------------------------------------------------


def crowd(seed: int) -> State:
    """Bases and a rock laid out close together, at random, some of them submerged."""
    dice = random.Random(seed)

    def at() -> int:
        return 400_000 + dice.randrange(-7 * K, 7 * K)

    cards = (SMALL, MEDIUM, LARGE, CAPITAL, SUBMARINE)
    units = []
    for number in range(1, 9):
        card = dice.choice(cards)
        deep = card == SUBMARINE and dice.random() < 0.5
        where = at(), at(), dice.randrange(720)
        units.append(unit(f"p{1 + number % 2}-{number}", card, *where, submerged=deep))
    x, y = at(), at()
    rock = Land("rock", ((x - K, y - K), (x + K, y - K), (x + K, y + K), (x - K, y + K)), "hard")
    return table(*units, land=(rock,))


def plainly(state: State, each: Unit, way: Way, ram: bool) -> Stretch:
    """Step by step against all there is, wherever it lies."""
    assert each.pose is not None
    sea, size = geography.waters(state, each, tested=False, ram=ram), size_of(state, each)
    klick = state.options.klick
    if way in ("port", "starboard"):
        poses = ticks_of_turn(each.pose, 1 if way == "starboard" else -1)
        return track._follow(each.pose, poses, size, sea, klick)
    run = klick if way == "ahead" else -klick
    return track._follow(
        each.pose, substeps(each.pose, each.pose.heading, run), size, sea, klick // 100 + 4
    )


def test_the_short_way_comes_to_the_same() -> None:
    """Also from where it was met: right at what it ran into, or clear of it the other way."""
    ends: Counter[tuple[bool, bool]] = Counter()

    def check(state: State, name: str, *, again: bool) -> None:
        each = state.units[name]
        for way, ram in product(WAYS, (False, True)):
            found = steering._try(state, each, way, ram)
            assert found == plainly(state, each, way, ram)
            ends[bool(found.met), found.steps > 0] += 1
            if found.met and again:
                met = {**state.units, name: replace(each, pose=found.pose)}
                check(replace(state, units=met), name, again=False)

    for seed in range(40):
        state = crowd(seed)
        for name in state.units:
            check(state, name, again=True)
    assert min(ends[True, True], ends[True, False], ends[False, True]) > 20, ends


def test_a_unit_that_is_not_the_state_s_own_is_worked_out_by_itself() -> None:
    """A position that is supposed, such as a unit turned or moved, gets no remembered answer."""
    state = table(unit("p1-1", SMALL, 500_000, 500_000), unit("p2-1", SMALL, 500_000, 556_000))
    mine = state.units["p1-1"]
    assert steering.barred(state, mine)
    assert not steering.barred(state, replace(mine, pose=Pose(500_000, 400_000)))
    assert steering.barred(state, mine)
