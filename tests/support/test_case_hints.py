"""A refusal of a case gets its hint once, and what is written is what is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import cases
from tests.support.case_hints import hinted
from tests.support.suites import suites

SUITE = suites()["naval_battles"]


def refused() -> dict[str, Any]:
    """A case whose last order is refused."""
    return next(each for each in cases.load(SUITE.folder) if "refused" in each["expect"])


def line(case: Any, **changes: str) -> str:
    """The case as a file has it, with some of its refusal changed; "" leaves a key out."""
    named = {**case["expect"]["refused"], **changes}
    kept = {key: text for key, text in named.items() if text}
    expect = {**case["expect"], "refused": kept}
    return json.dumps({**case, "expect": expect}, ensure_ascii=False, separators=(",", ":"))


def test_a_hint_that_lacks_is_written_as_it_is_given() -> None:
    case = refused()
    assert hinted(SUITE, line(case, hint="")) == line(case)


def test_another_hint_stays_until_it_is_asked_for_by_number() -> None:
    case = refused()
    wrong = line(case, hint="Ask somebody.")
    assert hinted(SUITE, wrong) == wrong
    assert hinted(SUITE, wrong, [case["id"]]) == line(case)


def test_a_case_that_is_refused_for_something_else_is_not_written() -> None:
    case = refused()
    with pytest.raises(ValueError, match=f"^{case['id']} is refused by "):
        hinted(SUITE, line(case, hint="", code="card.unheard-of"))
