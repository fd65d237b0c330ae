"""The odds of an attack as the rules tell them: their form, and what they come to in short."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ....kernel.shown.odds_summary import OddsSummary, thousandths
from ....kernel.values import Value

NOTHING = frozenset({"miss", "no-effect"})
"""Outcomes by which nothing happens to the target."""


class ExactChance(Value, frozen=True):
    """A chance, or a number on average: exact as a fraction, and rounded to thousandths."""

    exact: str
    per_mille: int


class OutcomeChance(ExactChance, frozen=True):
    """The chance of one outcome."""

    outcome: str


class CountWays(Value, frozen=True):
    """In how many ways the dice come to so many successes."""

    count: int
    ways: str


class AttackOdds(Value, frozen=True):
    """The odds of an attack.

    dice, each_die        number of dice, and what is added to each
    armor, vital_armor    numbers to be reached; left out for torpedoes, of which each 6 hits
    of                    all ways that the dice can fall
    rolls                 ways to get each number of successes (torpedoes: hits)
    outcomes              chance of each result, automatic abilities and concealment included
    lost                  chance that the target leaves play at the end of the phase, by whatever:
                          of one that is doomed already too
    expected_hull_points  hull points that it costs on average
    bad_luck              where the attacker has it: the chance that its own roll brings Bad Luck
    """

    dice: int
    each_die: int
    of: str
    rolls: tuple[CountWays, ...]
    outcomes: tuple[OutcomeChance, ...]
    lost: ExactChance
    expected_hull_points: ExactChance
    armor: int | UnsetType = UNSET
    vital_armor: int | UnsetType = UNSET
    bad_luck: ExactChance | UnsetType = UNSET


def in_short(odds: Mapping[str, Any]) -> OddsSummary:
    """The odds of guns, bombs and torpedoes in one shape."""
    told = msgspec.convert(odds, AttackOdds)
    parts = (Fraction(each.exact) for each in told.outcomes if each.outcome not in NOTHING)
    hit = sum(parts, Fraction(0))
    return OddsSummary(
        hit=thousandths(hit),
        destroyed=told.lost.per_mille,
        expected=told.expected_hull_points.per_mille,
        hopeless="" if hit or Fraction(told.lost.exact) else _hopeless(told),
    )


def _hopeless(told: AttackOdds) -> str:
    """Why there is no chance at all; of a target that is lost already that is no reason."""
    most = max(each.count for each in told.rolls if int(each.ways))
    if told.armor is not UNSET and most < told.armor:
        return f"armor {told.armor}: its dice come to {most} at most (WAS-ATK-04)"
    return "never a hit: whatever its dice show, nothing happens to its target (WAS-ATK-04)"
