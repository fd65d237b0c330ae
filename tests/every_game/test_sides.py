"""Who plays with whom follows from the set-up alone, and whoever wins, wins with his side."""

from __future__ import annotations

import msgspec
import pytest

from domain.kernel.setup import Setup
from tests.support.recorded import read, replay
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

SEEDS = 12
"""Set-ups looked at: of every number of seats that random games have."""

TEAMS = {
    "crimson_tide": ("teams",),
    "naval_battles": ("pairs-6", "resignation-trios"),
}
"""Recorded games of teams."""


@pytest.mark.parametrize("suite", suites().values(), ids=suites())
def test_each_seat_is_of_one_side(suite: Suite) -> None:
    for seed in range(SEEDS):
        setup, game = suite.random(seed)
        sides = game.sides(setup)
        assert sorted(seat for side in sides for seat in side) == sorted(setup.seats)
        assert [side[0] for side in sides] == list(setup.seats[: len(sides)])
        assert all(side == tuple(sorted(side, key=setup.seats.index)) for side in sides)


@pytest.mark.parametrize(
    ("name", "recorded"), [(n, r) for n, found in TEAMS.items() for r in found]
)
def test_a_side_of_a_team_game_wins_whole(name: str, recorded: str) -> None:
    suite = suites()[name]
    lines = read(suite.recorded / f"{recorded}.jsonl")
    played = replay(suite, lines)
    result = suite.game.result(played.state)
    sides = suite.game.sides(msgspec.convert(lines[0]["setup"], Setup))
    assert result is not None
    assert result.winners in sides
    assert all(len(side) > 1 for side in sides)


def test_a_team_of_naval_battles_scores_what_its_members_sank() -> None:
    suite = suites()["naval_battles"]
    lines = read(suite.recorded / "pairs-6.jsonl")
    state = replay(suite, lines).state
    scores = suite.game.scores(state)
    sides = suite.game.sides(msgspec.convert(lines[0]["setup"], Setup))
    assert any(scores.values())
    assert [suite.game.score_of(state, side) for side in sides] == [
        sum(scores[seat] for seat in side) for side in sides
    ]
