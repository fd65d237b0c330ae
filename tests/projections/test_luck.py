"""Luck is measured exactly; a loaded die is exposed, fair dice are not."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from projections.luck import UNIT, RolledPools, calibration, chi_square_tail, grouped, luck

WORTH = (0, 0, 0, 1, 1, 2)
DICE = 6_000


def roll(faces: tuple[int, ...], seat: str = "p1", weapon: str = "guns") -> RolledPools:
    return RolledPools(1, seat, (WORTH,), (faces,), "battle", weapon)


def test_how_rare_a_total_is_agrees_with_counting_every_way() -> None:
    rolls = [roll((6, 5)), roll((1, 4, 2))]
    found = luck(rolls)
    totals = [sum(WORTH[face] for face in ways) for ways in product(range(6), repeat=5)]
    assert (found.rolls, found.dice, found.actual) == (2, 5, 4)
    assert found.expected == Fraction(sum(totals), len(totals))
    below = Fraction(sum(total < 4 for total in totals), len(totals))
    equal = Fraction(sum(total == 4 for total in totals), len(totals))
    assert abs(Fraction(found.below, UNIT) - below) < Fraction(1, 1 << 80)
    assert abs(Fraction(found.equal, UNIT) - equal) < Fraction(1, 1 << 80)
    assert found.per_mille == round((below + equal / 2) * 1000)


def test_what_counts_against_a_seat_is_worth_less_than_nothing() -> None:
    up = (1, 2, 3, 4, 5, 6)
    initiative = RolledPools(1, "p1", (up, tuple(-face for face in up)), ((6,), (1,)))
    found = luck([initiative])
    assert (found.actual, found.expected) == (5, Fraction(0))
    assert found.per_mille == round(Fraction(35 * 2 + 1, 72) * 1000)


def test_groups_are_apart() -> None:
    found = grouped([roll((6,)), roll((1,), "p2"), roll((4, 4))], lambda each: each.seat)
    assert {seat: group.actual for seat, group in found.items()} == {"p1": 4, "p2": 0}
    assert luck([]).per_mille == 500


@pytest.mark.parametrize("seed", range(20))
def test_fair_dice_are_not_called_loaded(seed: int) -> None:
    dice = Random(seed)
    rolls = [(sides, [dice.randint(1, sides) for _ in range(DICE)]) for sides in (6, 2, 10)]
    trials = calibration(rolls)
    assert [trial.what for trial in trials][:2] == ["faces of d2", "d2 after d2"]
    assert len(trials) == 6
    assert all(trial.verdict != "loaded" for trial in trials)


@pytest.mark.parametrize("seed", range(5))
def test_a_loaded_die_is_exposed(seed: int) -> None:
    """A six comes a fifth of the time in place of a sixth."""
    dice = Random(seed)
    faces = [dice.choice((1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 6, 6, 6)) for _ in range(DICE)]
    assert [t.verdict for t in calibration([(6, faces)]) if t.what == "faces of d6"] == ["loaded"]


@pytest.mark.parametrize("seed", range(5))
def test_dice_that_remember_are_exposed(seed: int) -> None:
    """Every face as often as any, but a face seldom comes twice."""
    dice, faces = Random(seed), [1]
    while len(faces) < DICE:
        face = dice.randint(1, 6)
        faces += [face] if face != faces[-1] or dice.random() < 0.5 else []
    found = {trial.what: trial.verdict for trial in calibration([(6, faces)])}
    assert found["d6 after d6"] == "loaded"


def test_too_few_dice_are_not_judged() -> None:
    assert calibration([(6, [6] * 29)]) == []
    assert calibration([]) == []


@pytest.mark.parametrize(
    ("value", "freedom", "chance"),
    [(3.8415, 1, 50), (5.9915, 2, 50), (11.0705, 5, 50), (20.5150, 5, 1), (49.8018, 35, 50)],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(
    value: float, freedom: int, chance: int
) -> None:
    assert round(1000 * chi_square_tail(value, freedom)) == chance
    assert chi_square_tail(0.0, freedom) == 1.0
