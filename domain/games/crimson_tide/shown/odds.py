"""The odds of a declared attack as the rules tell them: their form, and in short."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ....kernel.shown.odds_summary import OddsSummary, thousandths
from ....kernel.values import Value

NOTHING = frozenset({"miss", "wasted"})
"""Outcomes by which nothing happens to the target: it was not hit, or not seen or found first."""
AT_AIRCRAFT = frozenset({"aborted", "destroyed"})
"""Outcomes of fire at aircraft, which have no hull."""


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
    expected_hull_points  hull points that it costs on average, the critical table left out;
                        evasive maneuvers against torpedoes that are under way are left out too
    destroyed           chance that the target gets its DESTROYED counter by it, by the critical
                        table too; left out by engines that do not tell it
    """

    dice: int
    least: int
    thrown: int
    hits: tuple[HitsChance, ...]
    outcomes: tuple[OutcomeChance, ...]
    expected_hull_points: ExactChance
    armor: int | UnsetType = UNSET
    critical: int | UnsetType = UNSET
    destroyed: ExactChance | UnsetType = UNSET


def in_short(odds: Mapping[str, Any]) -> OddsSummary:
    """The odds of an attack in one shape, checks that are still to come included.

    Fire at aircraft costs no hull. Engines of before do not say whether any other target is lost.
    """
    told = msgspec.convert(odds, ShotOdds)
    shares = {each.outcome: Fraction(each.exact) for each in told.outcomes}
    hit = sum((share for name, share in shares.items() if name not in NOTHING), Fraction(0))
    if AT_AIRCRAFT & shares.keys():
        down = thousandths(shares.get("destroyed", Fraction(0)))
        return OddsSummary(thousandths(hit), down, hopeless=_hopeless(hit))
    hull = Fraction(told.expected_hull_points.exact)
    lost = None if told.destroyed is UNSET else told.destroyed.per_mille
    return OddsSummary(thousandths(hit), lost, thousandths(hull), _hopeless(hit))


def _hopeless(hit: Fraction) -> str:
    """Sixes are thrown again without end, so that hardly anything is."""
    return "" if hit else "never a hit, whatever its dice show (CT-COMB-02)"
