"""Every numbered conformance case, played by our engines (tests/cases/README.md)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support import cases
from tests.support.suites import Suite, suites

CASES = {name: cases.load(name) for name in suites()}


@pytest.mark.parametrize(
    ("game", "case"),
    [
        pytest.param(game, case, id=case["id"], marks=pytest.mark.rule(*case["rules"]))
        for game, listed in CASES.items()
        for case in listed
    ],
)
def test_case(game: str, case: dict[str, Any]) -> None:
    cases.run(suites()[game], case)


HALFWAY = {
    "id": "WAS-C-000",
    "title": "Nothing sinks",
    "rules": [],
    "edition": "2009",
    "setup": {
        "step": "surface-attack.first",
        "units": [
            {"id": "p1-1", "card": "naka", "sector": "5.4"},
            {"id": "p2-1", "card": "uss-fletcher-dd-445", "sector": "5.4"},
        ],
    },
    "script": [
        {
            "seat": "p1",
            "command": {"type": "attack", "unit": "p1-1", "weapon": "main", "target": "p2-1"},
        }
    ],
}
"""It stops where the dice are awaited that decide."""


@pytest.mark.parametrize(
    "key", [{"never": [{"type": "unit-removed"}]}, {"withholds": {"p2": [{}]}}]
)
def test_a_case_that_says_only_what_is_not_does_not_end_on_dice(key: dict[str, Any]) -> None:
    suite = suites()["war_at_sea"]
    with pytest.raises(AssertionError, match="it ends on dice that nobody expected"):
        cases.run(suite, {**HALFWAY, "expect": key})
    cases.run(suite, {**HALFWAY, "expect": {**key, "events": [{"type": "attack-declared"}]}})


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_cases_are_numbered_once_and_name_rules(suite: Suite) -> None:
    listed = CASES[suite.folder]
    names = [case["id"] for case in listed]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(rf"{suite.cases}-\d{{3,4}}", name) for name in names)
    assert all(case["rules"] and case["title"] for case in listed)


def test_two_cases_of_one_number_are_both_named(tmp_path: Path) -> None:
    folder = tmp_path / "war_at_sea"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"id":"WAS-C-007","title":"One"}\n\n', "utf-8")
    (folder / "b.jsonl").write_text('\n{"id":"WAS-C-007","title":"Another"}\n', "utf-8")
    said = (
        "WAS-C-007 is the number of two cases: 'One' (a.jsonl:1) and 'Another' (b.jsonl:2). "
        "Free: python -m tests.support.cases --next war_at_sea"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        cases.load("war_at_sea", tmp_path)


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_the_next_number_is_free_and_the_one_before_is_not(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["cases", "--next", suite.folder])
    assert cases.main() == 0
    free = capsys.readouterr().out.strip()
    taken = {case["id"] for case in CASES[suite.folder]}
    game, _, number = free.rpartition("-")
    assert game == suite.cases
    assert free not in taken
    assert f"{game}-{int(number) - 1:03}" in taken
