"""Games for the referees, random ones by seed and the recorded ones: events in their full form."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from domain.kernel import conformance
from service.referees import referee, told
from service.referees.verdict import Events, Verdict
from tests.support.recorded import read, replay
from tests.support.suites import suites


def judge(name: str, events: Events, over: bool = True) -> Verdict:
    """The verdict of the game's referee."""
    found = referee(name)
    assert found is not None, f"{name} has no referee"
    return found(events, over)


def game(name: str, seed: int) -> Events:
    """The events of one random game, the same for a seed each time."""
    return told(suites()[name].codec, PLAYS[name](seed))


def recorded(name: str) -> dict[str, Events]:
    """The recorded games of a ruleset, played again by the rules of today."""
    suite = suites()[name]
    files = sorted(suite.recorded.glob("*.jsonl"))
    return {path.stem: told(suite.codec, replay(suite, read(path)).events) for path in files}


def _random(name: str, seed: int) -> list[Any]:
    """A game as the conformance suite plays it: whoever is asked chooses at random."""
    setup, ruleset = suites()[name].random(seed)
    *_, last = conformance.play(ruleset, setup, random.Random(f"play {seed}").randrange)
    return last.events


def _naval(seed: int) -> list[Any]:
    """Naval Battles; in every fourth game somebody may leave."""
    from tests.naval_battles.random_games import check_game

    leaving = 300 if seed % 4 == 3 else 0
    return check_game(seed, 0, whole=False, leaving=leaving).events


PLAYS: dict[str, Callable[[int], list[Any]]] = {
    "crimson_tide": lambda seed: _random("crimson_tide", seed),
    "naval_battles": _naval,
    "war_at_sea": lambda seed: _random("war_at_sea", seed),
}
