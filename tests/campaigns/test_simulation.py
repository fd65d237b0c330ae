"""The campaign of simulated worlds goes on where it stopped, and says what it has run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns import simulation
from tests.campaigns.simulation import ran, row, run, wish_of
from tests.simulation.run import Found, Wish


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    first = run(file, 20, 1, size=10)
    with file.open("ab") as out:
        out.write(b'{"seed": 3, "level"')  # a stop in the middle of a line
    done = sum(each.commands for each in first)
    more = run(file, done + 20, 1, size=10)
    assert more[: len(first)] == first
    assert [each.seed for each in more] == [*range(1, len(more) + 1)]
    assert len(more) > len(first)
    assert ran(file) == more


def test_a_failure_is_kept_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bad(wish: Wish) -> Found:
        return Found(wish.seed, 10, 1, 0.1, "d", ("lost 1",), ("here#1",), {})

    monkeypatch.setattr(simulation, "_apart", bad)
    found = run(tmp_path / "kept.jsonl", 20, 2)
    assert [each.faults for each in found] == [("lost 1",)] * 2
    assert "seed 1, desk, pennant: lost 1" in capsys.readouterr().out
    assert row(found, "abc").endswith("| 2 |")


def test_a_tenth_goes_over_asgi_and_three_tenths_are_real_games() -> None:
    wishes = [wish_of(seed) for seed in range(1, 1001)]
    assert sum(each.level == "app" for each in wishes) == 100
    assert sum(each.ruleset != "pennant" for each in wishes) == 300
    assert sum(each.level == "app" and each.ruleset != "pennant" for each in wishes) == 30
