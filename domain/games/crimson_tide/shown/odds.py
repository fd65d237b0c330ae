"""The form of the odds of a declared attack, as the rules tell them before its dice fall."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from ....kernel.values import Value


class ExactChance(Value, frozen=True):
    """A chance, or a number on average: exact as a fraction, and rounded to thousandths."""

    exact: str
    per_mille: int


class OutcomeChance(ExactChance, frozen=True):
    """The chance of one outcome."""

    outcome: str


class HitsChance(ExactChance, frozen=True):
    """The chance of so many hits; the last one: so many or more."""

    count: int


class ShotOdds(Value, frozen=True):
    """The odds of an attack that is declared and measured.

    dice, least         dice of the next throw, and the least face of them that hits
    armor, critical     ratings that hits have to overcome; left out for torpedoes
    thrown              hits of the rounds that are thrown already
    hits                chance of each number of hits
    outcomes            chance of each result, all rounds of sixes and open checks included
    expected_hull_points  hull points that it costs on average, the critical table left out
    """

    dice: int
    least: int
    thrown: int
    hits: tuple[HitsChance, ...]
    outcomes: tuple[OutcomeChance, ...]
    expected_hull_points: ExactChance
    armor: int | UnsetType = UNSET
    critical: int | UnsetType = UNSET
