"""Which events a difference comes from, on plain values."""

from __future__ import annotations

from itertools import pairwise

from domain.kernel.codec import full
from projections.differences import Causes, PlainStates, changes
from tests.support import pennant


def test_a_part_comes_from_what_changed_it_its_parts_and_the_whole() -> None:
    causes = Causes()
    states = [
        {"row": (1, 2), "other": 0},
        {"row": (3, 1, 2), "other": 0},
        {"row": (3, 1, 5), "other": 0},
        {"row": (3, 1, 5), "other": 9},
    ]
    for seq, (before, after) in enumerate(pairwise(states), 1):
        causes.note(seq, before, after)
    assert causes.of(("row", 2)) == [1, 2], "the row was made anew, then its last place changed"
    assert causes.of(("row", 0)) == [1]
    assert causes.of(("row",)) == [1, 2]
    assert causes.of(("other",)) == [3]
    assert causes.of(()) == [1, 2, 3]
    assert causes.of(("nothing",)) == []


def test_a_place_touched_after_a_question_is_told_too() -> None:
    causes = Causes()
    causes.note(1, {"row": (1, 2)}, {"row": (1, 3)})
    assert causes.of(("row",)) == [1]
    causes.note(2, {"row": (1, 3)}, {"row": (4, 3)})
    causes.note(3, {"row": (4, 3)}, {"row": (4, 5)})
    assert causes.of(("row",)) == [1, 2, 3]


def test_parts_that_are_one_are_passed_over_and_others_found() -> None:
    """Also where a name moves, comes or goes, and where nothing takes the place of something."""
    one = {"a": 1, "b": (1, 2), "gone": 0, "none": None}
    two = {"none": 0, "b": (1, 3), "new": None, "a": 1}
    found = [
        (change.pointer, change.kind, change.before, change.after) for change in changes(one, two)
    ]
    assert found == [
        ("/gone", "removed", 0, None),
        ("/none", "changed", None, 0),
        ("/b/1", "changed", 2, 3),
        ("/new", "added", None, None),
    ]


def test_values_told_together_are_what_each_is_by_itself() -> None:
    plainly = PlainStates()
    states = [pennant.State(("p1", "p2"), left, (None, None)) for left in range(5)]
    for state in (*states, *states):
        for value in (state, {"x": state, "y": (state, 1)}, [states], 3, None):
            assert plainly.of(value) == full(value)
    assert plainly.of(states[0]) is plainly.of({"x": states[0]})["x"]
