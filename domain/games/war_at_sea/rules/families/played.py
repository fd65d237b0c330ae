"""What the engine plays: the one place to extend when a word or a mechanism lands."""

from __future__ import annotations

from functools import cache

from .vocabulary import Family, families
from .words import Effect, Mechanism

WORDS = frozenset(
    {
        "dice",
        "die",
        "arm",
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
        "air-raid",
        "airfield-strike",
        "alternate-payload",
        "asw-pinpointer",
        "avoid-mines",
        "bad-luck",
        "bad-weather-fighter",
        "bombard",
        "chase",
        "coastal-deployment",
        "coastal-tactics",
        "combat-air-patrol",
        "covering-fire",
        "crippling-salvo",
        "damage-control",
        "dangerous-quarry",
        "declared-reach",
        "defective-torpedoes",
        "determination",
        "determined-attack",
        "disguise",
        "divide-the-defense",
        "draw-the-cap",
        "drive-off",
        "early-deployment",
        "elusive-quarry",
        "embark-b-25",
        "escort",
        "establish-screen",
        "evacuate",
        "evade-bombs",
        "evade-torpedoes",
        "excellent-endurance",
        "expert-strafer",
        "extra-among",
        "extra-dice",
        "fast",
        "fighter-bomber",
        "fighter-cover",
        "fighter-director",
        "fighter-umbrella",
        "fighting-instinct",
        "first-use",
        "flank-speed",
        "fly-off-strike",
        "general-pursuit",
        "guard-ship",
        "guard-the-convoy",
        "harass-from-a-distance",
        "heavy-raider",
        "hunter-killer-group",
        "ignore-escorts",
        "improved-radar",
        "incomplete",
        "infiltrator",
        "inspire-to-victory",
        "inspiring-example",
        "jammed-mount",
        "kamikaze-attack",
        "killer-instinct",
        "lay-smoke-screen",
        "lead-the-attack",
        "limited-asw-threat",
        "loiter",
        "long-cruise",
        "lucky-hit",
        "mines",
        "night-specialist",
        "no-dogfighter",
        "no-sea-control",
        "overstack",
        "poor-facilities",
        "press-the-attack",
        "pursuit-ship",
        "radar-picket",
        "radar-solution",
        "ram",
        "repair",
        "replenish-aircraft",
        "rescue-operations",
        "risky-attack",
        "scoutplane-attack",
        "sea-basing",
        "seaplane-detachments",
        "secret-breakout",
        "shadow-battleship",
        "sharpshooter",
        "shore-support",
        "skilled-search",
        "slow",
        "spend-in-defence",
        "split-fire",
        "sprint",
        "stalwart",
        "stealthy",
        "straddle",
        "sub-hunter",
        "submerged-shot",
        "suicide-attack",
        "surprise-raid",
        "swarm-tactics",
        "sweep-mines",
        "tokyo-express",
        "torpedo-protection",
        "torpedo-run",
        "uncertain-arrival",
        "uniquely-tough",
        "very-slow",
        "vital-cargo",
        "worn-out-boat",
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
