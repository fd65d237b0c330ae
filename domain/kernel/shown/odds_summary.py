"""The odds of an offer in one shape for every game: enough to compare offers by."""

from __future__ import annotations

from fractions import Fraction

from ..values import Value


class OddsSummary(Value, frozen=True):
    """The odds of a command in short, in thousandths, rounded; the ruleset's own account says more.
    They are of what the command itself does: nothing of a target that is lost without it.

    hit        chance that its dice have any effect on its target
    destroyed  chance that its target, which is not lost yet, is lost by it; null where its dice do
               not decide that
    expected   damage that its dice do on average, in thousandths of a point; null where they do
               not decide that
    hopeless   the reason why no faces of its dice have any effect, or why none are thrown, with the
               ID of a rule: that of `pointless` for an offer with one. Then the others are 0 or
               null. Empty where some have, however seldom
    """

    hit: int
    destroyed: int | None = None
    expected: int | None = None
    hopeless: str = ""


def thousandths(share: Fraction) -> int:
    """A share without floats, rounded to the nearest thousandth."""
    return (share.numerator * 2000 + share.denominator) // (2 * share.denominator)
