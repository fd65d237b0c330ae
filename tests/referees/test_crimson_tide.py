"""Crimson Tide before its referee: agreement on games as they are, a finding in each spoilt one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.referees import plants_crimson_tide as plants
from tests.referees.crimson_tide import game, judge, recorded
from tests.referees.verdict import Stored

SEEDS = (10, 14, 19, 39)
"""Between them these games have an event for every planted bug."""
RECORDED = sorted((Path(__file__).parents[1] / "games/crimson_tide").glob("*.jsonl"))


@cache
def played(seed: int) -> list[Stored]:
    return game(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_referee_agrees_with_a_random_game(seed: int) -> None:
    verdict = judge(played(seed))
    assert verdict.judged.total() > 1_000
    assert [str(finding) for finding in verdict.findings] == []


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_referee_agrees_with_a_recorded_game(path: Path) -> None:
    assert [str(finding) for finding in judge(recorded(path)).findings] == []


def test_every_planted_bug_is_caught() -> None:
    caught, names = set(), set()
    for seed in SEEDS:
        for name, events in plants.every(played(seed)):
            names.add(name)
            if events is not None and name not in caught:
                assert judge(events).findings, f"{name} in game {seed}"
                caught.add(name)
    assert len(names) >= 20
    assert names - caught == set()
