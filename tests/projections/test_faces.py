"""Each face against its own distribution: held against sums of fractions, and seen to notice."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from projections.faces import as_far, trials
from projections.luck import UNIT


def exact(count: int, many: int, sides: int) -> Fraction:
    """The definition, term by term."""
    far = abs(count * sides - many)
    ways = sum(
        comb(many, k) * (sides - 1) ** (many - k)
        for k in range(many + 1)
        if abs(k * sides - many) >= far
    )
    return Fraction(ways, sides**many)


@pytest.mark.parametrize(("many", "sides"), [(1, 6), (7, 6), (60, 6), (90, 20), (30, 100), (9, 2)])
def test_the_chance_is_that_of_the_definition(many: int, sides: int) -> None:
    for count in range(many + 1):
        found = Fraction(as_far(count, many, sides), UNIT)
        assert abs(found - exact(count, many, sides)) < Fraction(1, 10**20)


def test_a_share_that_is_met_is_as_likely_as_anything() -> None:
    assert as_far(10, 60, 6) == UNIT
    assert [trial.millionths for trial in trials({6: [10] * 6})] == [1_000_000]


def test_loaded_dice_are_named_though_they_are_few() -> None:
    """Chi-square wants thirty dice: of 24 it says nothing."""
    (sixes,) = trials({6: [0, 1, 1, 1, 1, 20]})
    assert (sixes.verdict, sixes.many, sixes.what) == ("loaded", 24, "each face of d6")
    assert [t.verdict for t in trials({6: [3, 4, 5, 4, 4, 4], 20: [1] * 20})] == ["fair"] * 2


def test_a_million_dice_are_counted_by_their_middle_alone() -> None:
    even = [166_667] * 4 + [166_666] * 2
    (fair,) = trials({6: even})
    assert fair.verdict == "fair"
    (skewed,) = trials({6: [even[0] + 3_000, *even[1:5], even[5] - 3_000]})
    assert skewed.verdict == "loaded"


def test_nothing_thrown_is_no_trial() -> None:
    assert trials({}) == []
    assert trials({6: [0] * 6}) == []
