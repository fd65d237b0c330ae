"""Each threat has something in its way, and a test that fails when that is broken."""

from __future__ import annotations

import pytest

from tests.spec.guards import Guard, guards, unnoticed
from tests.spec.test_threats import ROWS

WITHOUT = {19, 23}
"""Rows that nothing here can prevent: each says so under "open"."""


def test_each_row_has_a_guard_or_is_out_of_scope() -> None:
    assert {each.threat for each in guards()} == {row["number"] for row in ROWS} - WITHOUT
    assert all("open" in row and "tests" not in row for row in ROWS if row["number"] in WITHOUT)


@pytest.mark.parametrize("guard", guards(), ids=lambda each: f"{each.threat}-{each.file}")
def test_a_guard_is_there_once_and_its_test_is_the_rows(guard: Guard) -> None:
    """Else what is broken is not what the book says."""
    assert guard.source.count(guard.text) == 1
    assert guard.test in ROWS[guard.threat - 1]["tests"]


@pytest.mark.slow("specification")
@pytest.mark.timeout(1_800)
def test_each_is_noticed_when_it_is_broken() -> None:
    assert [f"{each.threat}: {each.file}" for each in unnoticed(guards())] == []


@pytest.mark.slow("specification")
@pytest.mark.timeout(300)
def test_what_is_broken_and_hurts_nobody_is_told() -> None:
    """Else nothing is ever found unnoticed."""
    first = guards()[0]
    idle = Guard(first.threat, first.file, first.text, first.text, first.test)
    assert unnoticed([idle]) == [idle]
