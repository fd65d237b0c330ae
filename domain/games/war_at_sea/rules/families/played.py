"""What the engine plays: every word of the vocabulary, so each family that has effects."""

from __future__ import annotations

from functools import cache

from .vocabulary import Family, families


@cache
def implemented() -> frozenset[str]:
    """Ability families of which the engine plays everything."""
    return frozenset(slug for slug, family in families().items() if played(family))


def played(family: Family) -> bool:
    """Whether the family is played. One without effects is not: its file says nothing to play."""
    return bool(family.effects)
