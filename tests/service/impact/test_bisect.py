"""Halving finds where it begins, with few trials, around what cannot be tried."""

from __future__ import annotations

import pytest

from service.impact.bisect import first

MANY = 100


@pytest.mark.parametrize("start", range(MANY))
def test_it_finds_where_it_begins(start: int) -> None:
    found = first(range(MANY), lambda at: at >= start)
    assert (found.first, found.before) == (start, start - 1 if start else None)
    assert (found.between, found.tried <= 9) == ((), True)


def test_what_never_differs() -> None:
    found = first(range(MANY), lambda at: False)
    assert (found.first, found.before, found.tried) == (None, MANY - 1, 1)
    assert first([], lambda at: True).first is None


def test_what_cannot_be_tried_is_gone_round_and_named() -> None:
    lost = {49, 50, 51, 60, MANY - 1}
    found = first(range(MANY), lambda at: None if at in lost else at >= 52)
    assert (found.first, found.before, found.between) == (52, 48, (49, 50, 51))
    assert first([1, 2], lambda at: None).first is None
