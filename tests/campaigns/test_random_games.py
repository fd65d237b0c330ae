"""The short tier of the campaign of random games (make fuzz plays more)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from tests.campaigns.random_games import Job, main, play
from tests.support.suites import suites

BATCH, THOROUGH = 10, 5
ALWAYS = BATCH
"""So many games of each ruleset are played whatever changed."""


def batches() -> Iterator[ParameterSet]:
    """Rulesets and first seeds; all but the first batches are of the slow tier."""
    for name, suite in suites().items():
        for first in range(0, suite.short, BATCH):
            marks = pytest.mark.slow("games") if first >= ALWAYS else ()
            yield pytest.param(name, first, marks=marks)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("game", "first"), list(batches()))
def test_random_games_end_and_break_nothing(game: str, first: int) -> None:
    for seed in range(first, first + BATCH):
        done = play(Job(game, seed, seed % THOROUGH == 0))
        assert not done.failure, f"{game}, seed {seed}: {done.failure}"
        assert done.commands


def test_a_game_that_breaks_is_reported_by_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Job("no-such-game", 7, thorough=False)
    assert "no-such-game" in play(broken).failure
    monkeypatch.setattr("tests.campaigns.random_games.play", _fails_once)
    game = next(iter(suites()))
    assert main(["--game", game, "--games", "3", "--first", "5", "--jobs", "1"]) == 1
    assert '"failed": [6]' in capsys.readouterr().out


def _fails_once(job: Job) -> object:
    from tests.campaigns.random_games import Done

    return Done(job, "a kind", 1, "it broke" if job.seed == 6 else "")
