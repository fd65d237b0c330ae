"""Crimson Tide's part in the tests that every ruleset must pass."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from domain.games.crimson_tide.game import GAME
from domain.kernel.conformance import play
from domain.kernel.testing.table import Table
from tests.support.suites import Suite

from .random_battles import check_battle, game_of, setup_of
from .rare import RARE
from .recipes import RECIPES
from .seas import begun, passing_cards

NEVER = 10**9


def begin(case: Mapping[str, Any]) -> Table:
    """The battle of a case: with ``units`` in the middle of things, else from its opening."""
    return begun(case.get("setup", {}))


def sample(seed: int) -> tuple[Any, ...]:
    """The events of a random battle."""
    dice = random.Random(f"frozen {seed}")
    *_, played = play(game_of(seed), setup_of(seed), dice.randrange)
    return tuple(played.events)


def check(seed: int, thorough: bool) -> tuple[str, int]:
    """A random battle, checked."""
    played = check_battle(seed, 60 if thorough else NEVER, whole=thorough)
    setup, result = played.setup, GAME.result(played.state)
    assert result is not None
    return f"{setup.scenario} {result.reason}", len(played.turns)


SUITE = Suite(
    folder="crimson_tide",
    game=GAME,
    cases="CT-C",
    begin=begin,
    turn=lambda state: state.turn,
    sample=sample,
    check=check,
    random=lambda seed: (setup_of(seed), game_of(seed)),
    recipes=RECIPES,
    rare=RARE,
    around=passing_cards,
    teams=lambda setup: len(setup.seats) > 2,
    short=100,
)
