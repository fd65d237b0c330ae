"""The referee of War at Sea: no disagreement with whole games, and every planted bug is noticed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from tests.referees.plants_war_at_sea import PLANTS
from tests.referees.verdict import Events
from tests.referees.war_at_sea import game, judge

RECORDED = Path(__file__).resolve().parents[1] / "games" / "war_at_sea" / "history"
RANDOM = (0, 1, 3, 8, 10, 13)


def recorded(path: Path) -> Events:
    """A recorded game's events; the last line is the digest of its state."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(line["type"], line["data"]) for line in lines if "type" in line]


@cache
def stories() -> dict[str, Events]:
    """Every recorded game and some random ones."""
    told = {path.stem: recorded(path) for path in sorted(RECORDED.glob("*.jsonl"))}
    return told | {f"random {seed}": game(seed) for seed in RANDOM}


def test_no_disagreement_with_whole_games() -> None:
    found = {name: judge(events).findings for name, events in stories().items()}
    assert {name: list(map(str, each)) for name, each in found.items() if each} == {}


def test_most_of_each_game_is_judged() -> None:
    for events in stories().values():
        verdict = judge(events)
        assert verdict.judged.total() > 3 * verdict.unjudged.total()


@pytest.mark.parametrize("bug", PLANTS)
def test_a_planted_bug_is_noticed(bug: str) -> None:
    changed = (PLANTS[bug](events) for events in stories().values())
    assert any(judge(story).findings for story in changed if story is not None)
