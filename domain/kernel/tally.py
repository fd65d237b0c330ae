"""A number travels with its reasons: base, modifiers, limits, each with its rule and its source."""

from __future__ import annotations

from .values import Value


class Reason(Value, frozen=True):
    """One line of a tally.

    value    its share (negative: takes away)
    rule     rule ID
    source   the unit or card it comes from; empty when it is a general rule
    label    its name, in a word or two: ``"printed"``, ``"crippled"``
    counted  false for a penalty that a worse one overlaps: shown, not added
    """

    value: int
    rule: str
    label: str
    source: str = ""
    counted: bool = True


class Tally(Value, frozen=True):
    """Reasons and their total. The counted values always sum to ``total``."""

    total: int
    reasons: tuple[Reason, ...]

    @staticmethod
    def of(*reasons: Reason) -> Tally:
        return Tally(sum([r.value for r in reasons if r.counted]), reasons)

    def plus(self, *more: Reason) -> Tally:
        """The tally with further reasons; the same tally when there are none."""
        return Tally.of(*self.reasons, *more) if more else self

    def at_least(self, floor: int, rule: str) -> Tally:
        """The tally raised to ``floor`` by a reason of its own if it is below."""
        short = floor - self.total
        return self.plus(Reason(short, rule, f"at least {floor}")) if short > 0 else self


def worst(reasons: tuple[Reason, ...]) -> Tally:
    """Only the worst (lowest) reason counts, the first one of equals; the others are shown."""
    if not reasons:
        return Tally(0, ())
    chosen = min(range(len(reasons)), key=lambda i: (reasons[i].value, i))
    return Tally.of(
        *(
            r if i == chosen else Reason(r.value, r.rule, r.label, r.source, counted=False)
            for i, r in enumerate(reasons)
        )
    )
