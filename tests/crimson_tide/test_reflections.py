"""Whole battles on a mirrored or turned table are the same battles."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.crimson_tide.commands import AnyCommand
from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.state import State
from domain.kernel.chance import Faces
from domain.kernel.conformance import Played, play
from domain.kernel.game import Setup
from domain.kernel.values import CHANCE
from tests.crimson_tide.reflections import check_reflection
from tests.crimson_tide.suite import SUITE
from tests.support import recorded

turned = pytest.mark.parametrize("half_turn", [False, True], ids=["mirror", "half-turn"])


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


@turned
@pytest.mark.parametrize("path", recorded.files(SUITE), ids=lambda path: path.stem)
def test_a_recorded_battle_is_the_same_on_the_other_table(path: Path, half_turn: bool) -> None:
    check_reflection(replayed(path), half_turn, every=25)


@turned
@pytest.mark.parametrize("chart", ["squalls", "strait"])
def test_land_and_weather_turn_too(chart: str, half_turn: bool) -> None:
    choose = random.Random(f"reflection {chart}")
    setup = Setup("crimson-tide", "1", "standard", ("p1", "p2"), {"turns": 4, "chart": chart})
    *_, played = play(GAME, setup, choose.randrange)
    check_reflection(played, half_turn, every=5)
