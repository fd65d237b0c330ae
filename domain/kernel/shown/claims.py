"""What everybody may say of things that are hidden: a hand's size, a card that was shown to all.

A game claims field by field (:attr:`~domain.kernel.shown.insight.Insight.claims`), so that a new
field of the state is in no list until somebody has said what follows from it for what nobody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Claim:
    """Something that is known of the hidden without seeing it.

    text   in words: ``p2 holds the card that was shown``
    rule   what makes it known to all
    holds  (a whole position) -> whether it is so there
    """

    text: str
    rule: str
    holds: Callable[[Any], bool]


Claims = Callable[[Any], Iterable[Claim]]
"""(view) -> what the viewer may claim of all that the view leaves open."""

ClaimsByField = Mapping[str, Claims | str]
"""Field of the state to what it claims of the hidden, or in words why it claims nothing."""


def claims_of(by_field: ClaimsByField, view: Any) -> Iterable[Claim]:
    """Everything that is claimed of a view."""
    for claims in by_field.values():
        if not isinstance(claims, str):
            yield from claims(view)
