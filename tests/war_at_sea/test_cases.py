"""Every numbered conformance case, played by our engine (tests/cases/README.md)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.support import cases

CASES = cases.load("war_at_sea")


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case["id"], marks=pytest.mark.rule(*case["rules"])) for case in CASES],
)
def test_case(case: dict[str, Any]) -> None:
    cases.run(case)


def test_cases_are_numbered_once_and_name_rules() -> None:
    names = [case["id"] for case in CASES]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"WAS-C-\d{3,4}", name) for name in names)
    assert all(case["rules"] and case["title"] for case in CASES)
