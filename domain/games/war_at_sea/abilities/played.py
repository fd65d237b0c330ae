"""What the engine plays: the one place to extend when a word or a mechanism lands."""

from __future__ import annotations

from functools import cache

from .vocabulary import Family, families
from .words import Effect, Mechanism

WORDS = frozenset(
    {
        "dice",
        "die",
        "armor",
        "torpedo-hit",
        "reach",
        "only-sixes",
        "six-counts",
        "forbid-target",
        "negate",
        "save",
        "doom",
        "initiative",
        "ashore",
        "bases",
        "aboard-nations",
        "enter",
        "printed",
        "extra-attacks",
        "grant",
        "mark",
        "reroll",
        "roles",
        "speed",
        "points",
        "room",
    }
)
"""Words that the engine asks for."""

MECHANISMS = frozenset(
    {
        "alternate-payload",
        "bad-weather-fighter",
        "combat-air-patrol",
        "determination",
        "determined-attack",
        "draw-the-cap",
        "elusive-quarry",
        "escort",
        "expert-strafer",
        "extra-among",
        "extra-dice",
        "fast",
        "first-use",
        "flank-speed",
        "ignore-escorts",
        "incomplete",
        "lay-smoke-screen",
        "limited-asw-threat",
        "loiter",
        "lucky-hit",
        "no-dogfighter",
        "no-sea-control",
        "press-the-attack",
        "pursuit-ship",
        "sharpshooter",
        "slow",
        "spend-in-defence",
        "stalwart",
        "sub-hunter",
        "submerged-shot",
        "very-slow",
        "vital-cargo",
    }
)
"""Steps that the engine has, by the name in the ability files."""


@cache
def implemented() -> frozenset[str]:
    """Ability families of which the engine plays everything."""
    return frozenset(slug for slug, family in families().items() if played(family))


def played(family: Family) -> bool:
    """Whether every effect of the family is played. A family without effects is not."""
    return bool(family.effects) and all(_played(effect) for effect in family.effects)


def _played(effect: Effect) -> bool:
    if isinstance(effect, Mechanism):
        return effect.name in MECHANISMS
    return effect.__struct_config__.tag in WORDS
