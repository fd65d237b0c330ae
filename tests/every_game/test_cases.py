"""Every numbered conformance case, played by our engines (tests/cases/README.md)."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_cases_are_numbered_once_and_name_rules(suite: Suite) -> None:
    listed = CASES[suite.folder]
    names = [case["id"] for case in listed]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(rf"{suite.cases}-\d{{3,4}}", name) for name in names)
    assert all(case["rules"] and case["title"] for case in listed)
