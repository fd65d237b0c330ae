"""Which events a difference comes from, on plain values."""

from __future__ import annotations

from itertools import pairwise

from projections.differences import Causes


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
