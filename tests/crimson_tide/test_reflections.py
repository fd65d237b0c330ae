"""Whole battles on a mirrored or turned table are the same battles."""

from __future__ import annotations

import random

import pytest

from domain.games.crimson_tide.game import GAME
from domain.kernel.conformance import Played, play
from domain.kernel.game import Setup
from tests.crimson_tide.reflections import check_reflection

SCENARIOS = ("standard", "sea-control", "amphibious", "convoy", "night")


def battle(scenario: str, seed: int, **options: str) -> Played:
    choose = random.Random(f"{scenario} {seed}")
    setup = Setup("crimson-tide", "1", scenario, ("p1", "p2"), {"turns": 4} | options)
    *_, played = play(GAME, setup, choose.randrange)
    return played


@pytest.mark.parametrize("half_turn", [False, True], ids=["mirror", "half-turn"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_battle_is_the_same_on_the_other_table(scenario: str, half_turn: bool) -> None:
    check_reflection(battle(scenario, 1), half_turn, every=5)


@pytest.mark.parametrize("half_turn", [False, True], ids=["mirror", "half-turn"])
@pytest.mark.parametrize("chart", ["squalls", "strait"])
def test_land_and_weather_turn_too(chart: str, half_turn: bool) -> None:
    check_reflection(battle("standard", 2, chart=chart), half_turn, every=5)
