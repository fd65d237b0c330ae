"""The odds of a die as the rules tell them: their form, and what they come to in short."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from ....kernel.shown.odds_summary import OddsSummary, thousandths
from ....kernel.values import Value


class DieShare(Value, frozen=True):
    """The chance that a die succeeds."""

    numerator: int
    denominator: int


class NeededReason(Value, frozen=True):
    """A part of what is needed, with its rule and the card that it comes from."""

    value: int
    label: str
    rule: str
    source: str


class DieOdds(Value, frozen=True):
    """The odds of the die that a command leads to.

    needed    sum that die and additions must reach
    reasons   the parts of that
    added     additions to the die
    success   the chance of that
    planning  the same with one Planning card more, up to those that lie unused
    """

    needed: int
    reasons: tuple[NeededReason, ...]
    added: int
    success: DieShare
    planning: tuple[DieShare, ...]


def in_short(odds: Mapping[str, Any]) -> OddsSummary:
    """Whether it succeeds; what it does then the points of the row say, and no die."""
    told = msgspec.convert(odds, DieOdds)
    share = told.success
    hit = thousandths(Fraction(share.numerator, share.denominator))
    return OddsSummary(hit, hopeless=_hopeless(told))


def _hopeless(told: DieOdds) -> str:
    """Why it never succeeds, not with every Planning card that lies unused either."""
    if any(share.numerator for share in (told.success, *told.planning)):
        return ""
    return f"needs {told.needed}: with all that may be added it stays below ({_rule(told)})"


def _rule(told: DieOdds) -> str:
    """The rule that asks for most of what is needed."""
    return max(told.reasons, key=lambda each: each.value).rule
