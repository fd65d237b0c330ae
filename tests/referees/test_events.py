"""Each referee agrees with whole games, and notices every planted change of their events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import pytest

from service.referees.verdict import Events, Verdict
from tests.referees import plants_crimson_tide, plants_naval_battles, plants_war_at_sea
from tests.referees.games import game, judge, recorded

Plant = Callable[[Events], Events | None]
"""A game with something wrong in it; None where the game has nothing that can be wrong so."""

SEEDS = {
    "crimson_tide": (1, 10, 11, 13, 14, 19, 46, 55),
    "naval_battles": (1, 3),
    "war_at_sea": (0, 1, 3, 8, 10, 13),
}
"""Random games: with the recorded ones they have an event for every planted bug."""

PLANTS: dict[str, Mapping[str, Plant]] = {
    "crimson_tide": plants_crimson_tide.PLANTS,
    "naval_battles": plants_naval_battles.PLANTS,
    "war_at_sea": plants_war_at_sea.PLANTS,
}


@cache
def stories(name: str) -> dict[str, Events]:
    """Every recorded game and some random ones."""
    return recorded(name) | {f"random {seed}": game(name, seed) for seed in SEEDS[name]}


@cache
def verdicts(name: str) -> dict[str, Verdict]:
    return {title: judge(name, events) for title, events in stories(name).items()}


@pytest.mark.parametrize("name", SEEDS)
def test_no_disagreement_with_whole_games(name: str) -> None:
    found = {title: [str(f) for f in each.findings] for title, each in verdicts(name).items()}
    assert {title: each for title, each in found.items() if each} == {}


@pytest.mark.parametrize("name", SEEDS)
def test_most_of_each_game_is_judged(name: str) -> None:
    for title, verdict in verdicts(name).items():
        assert verdict.judged.total() > 2 * verdict.unjudged.total(), title


@pytest.mark.parametrize("name", SEEDS)
def test_there_are_twenty_plants(name: str) -> None:
    assert len(PLANTS[name]) >= 20


@pytest.mark.parametrize(("name", "bug"), [(name, bug) for name in SEEDS for bug in PLANTS[name]])
def test_a_planted_bug_is_noticed(name: str, bug: str) -> None:
    """In the first game that has an event for it; the plants say which change is one."""
    changed = (PLANTS[name][bug](events) for events in stories(name).values())
    assert any(judge(name, story).findings for story in changed if story is not None)
