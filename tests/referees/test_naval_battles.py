"""The referee of Naval Battles agrees with the recorded games and notices every planted bug."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from .naval_battles import game, judge
from .plants_naval_battles import PLANTS, Plant, planted
from .verdict import Events

RECORDED = sorted(
    (Path(__file__).parents[1] / "games" / "naval_battles" / "history").glob("*.jsonl")
)


@cache
def recorded(file: Path) -> Events:
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [(line["type"], line["data"]) for line in lines if "type" in line]


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_no_disagreement_in_a_recorded_game(file: Path) -> None:
    verdict = judge(recorded(file))
    assert verdict.findings == []
    assert verdict.judged.total() > len(recorded(file))


@pytest.mark.parametrize("seed", [1, 3])
def test_no_disagreement_in_a_random_game(seed: int) -> None:
    assert judge(game(seed)).findings == []


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_planted_bug_is_caught(plant: Plant) -> None:
    games = (planted(plant, recorded(file)) for file in RECORDED)
    wrong = next(events for events in games if events is not None)
    assert judge(wrong).findings
