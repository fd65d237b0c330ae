"""Only book-keeping is struck from what a case expects."""

from __future__ import annotations

import pytest

from tests.support.case_records import kept

STEP = {"type": "step-began", "step": {"phase": "b", "part": ""}}
ENDED = {"type": "phase-ended", "phase": "a"}
MOVED = {"type": "unit-moved", "unit": "p1-1"}
LATER = {"type": "step-began", "step": {"phase": "d", "part": ""}, "rules": []}


def test_what_is_on_record_stays() -> None:
    assert kept([MOVED, STEP], [MOVED, STEP, LATER]) == [MOVED, STEP]


def test_book_keeping_that_is_not_on_record_is_struck() -> None:
    assert kept([STEP, MOVED], [MOVED, LATER]) == [MOVED]


def test_the_next_step_on_record_takes_the_place_of_the_last() -> None:
    assert kept([MOVED, ENDED], [STEP, MOVED, LATER]) == [
        MOVED,
        {"type": "step-began", "step": {"phase": "d", "part": ""}},
    ]


def test_nothing_else_is_struck() -> None:
    with pytest.raises(ValueError, match="unit-moved"):
        kept([MOVED], [STEP, LATER])
