"""Whole battles on a mirrored or turned table are the same battles."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.commands import AnyCommand
from domain.games.crimson_tide.rules.edges import HOMES
from domain.games.crimson_tide.rules.state import State
from domain.kernel.chance import Faces
from domain.kernel.conformance import Played, play
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE
from tests.crimson_tide.reflections import TURNINGS, Reflection, Turning, check_reflection
from tests.crimson_tide.suite import SUITE
from tests.support import recorded


def order(state: State, line: dict[str, Any]) -> tuple[str, Any]:
    """Who did what: a line of a recorded battle."""
    if "faces" in line:
        assert state.awaiting is not None
        return CHANCE, Faces(state.awaiting.label, tuple(map(tuple, line["faces"])))
    return line["seat"], msgspec.convert(line["command"], AnyCommand)


def replayed(path: Path) -> Played:
    """A recorded battle, command by command."""
    lines = recorded.read(path)
    played = Played(msgspec.convert(lines[0]["setup"], Setup))
    played.events.extend(GAME.opening(played.setup))
    state = GAME.fold(played.events)
    for line in lines[1:-1]:
        if "turn" in line:
            continue
        seat, command = order(state, line)
        events = GAME.decide(state, seat, command)
        played.turns.append((seat, command, len(events)))
        played.events.extend(events)
        state = GAME.fold(events, state)
    return played


# Quarter turns and the mirror make all eight; the change of seats is a matter of its own.
SHOWN = (Turning(1), Turning(3), Turning(1, True), Turning(3, True), Turning(0, True),
         Turning(2, changed=True))  # fmt: skip
turned = pytest.mark.parametrize("turning", SHOWN, ids=str)


@cache
def battle(path: Path) -> Played:
    return replayed(path)


@turned
@pytest.mark.parametrize("path", recorded.files(SUITE), ids=lambda path: path.stem)
def test_a_recorded_battle_is_the_same_on_the_other_table(path: Path, turning: Turning) -> None:
    check_reflection(battle(path), turning, every=25)


@pytest.mark.parametrize("turning", TURNINGS, ids=str)
def test_land_and_weather_turn_too(turning: Turning) -> None:
    setup = Setup("crimson-tide", "1", "standard", ("p1", "p2"), {"turns": 3, "chart": "squalls"})
    *_, played = play(GAME, setup, random.Random(f"reflection {turning}").randrange)
    check_reflection(played, turning, every=5)


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("chart", ["beach", "strait", "squalls"])
def test_a_battle_set_up_on_a_turned_table_is_the_turned_battle(chart: str, home: str) -> None:
    options = {"chart": chart}
    south, there = (
        GAME.opening(Setup("crimson-tide", "1", "standard", ("p1", "p2"), options | other))
        for other in ({}, {"home": home})
    )
    turning = Reflection.of(Turning(HOMES.index(home)), GAME.fold(south))
    assert [turning.of_value(event) for event in south] == list(there)


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.rule("CT-SETUP-07")
def test_ready_places_turn_with_the_edges(home: str) -> None:
    """A ready battle, played on a table whose edges lie elsewhere, is the same battle, turned."""
    begun = []
    for options in ({}, {"home": home}):
        setup = Setup("crimson-tide", "1", "sea-control", ("p1", "p2"), {"turns": 1, **options})
        *_, played = play(GAME, setup, random.Random("places").randrange, limit=60)
        begun.append(played.state)
    turning = Reflection.of(Turning(HOMES.index(home)), begun[0])
    poses = {name: unit.pose for name, unit in turning.of_value(begun[0]).units.items()}
    assert poses == {name: unit.pose for name, unit in begun[1].units.items()}
    assert any(poses.values())
