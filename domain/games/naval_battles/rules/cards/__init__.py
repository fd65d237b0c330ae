"""The action cards, one file for each family; here they are found by name and by step."""

from __future__ import annotations

from .....kernel.rules import rule
from ..deck import Family
from . import (
    armor_plating,
    depth_charges,
    escort_ship,
    evasive_action,
    land_air_raid,
    main_salvo,
    near_miss,
    planning,
    reinforcements,
    retreat,
    secondary_salvo,
    secondary_salvo_double,
    small_target,
    surprise_attack,
    torpedo_spread,
)
from .vocabulary import Shield, Shot

_SHOTS = (main_salvo, secondary_salvo, secondary_salvo_double, torpedo_spread, depth_charges)
_SHIELDS = (near_miss, armor_plating, escort_ship, small_target, evasive_action)

SHOTS: dict[str, Shot] = {module.CARD.family: module.CARD for module in _SHOTS}
"""Attack cards that ships fire, by family."""

SHIELDS: dict[str, Shield] = {module.CARD.family: module.CARD for module in _SHIELDS}
"""Cards that answer an attack, by family."""

RAIDS = ("air-raid", land_air_raid.FAMILY)
"""Kinds of attack that air cover and anti-aircraft guns work against."""


@rule("NB-CARD-01", "NB-CARD-02", "NB-CARD-03", "NB-DECK-02")
def steps_of(family: Family) -> tuple[str, ...]:
    """The steps in which a card may be played; a defense card in another player's turn only."""
    if family in SHOTS or family in (land_air_raid.FAMILY, surprise_attack.FAMILY):
        return ("attack",)
    if family in SHIELDS:
        return ("prepare", "defense") if SHIELDS[family].prepared else ("defense",)
    return ("prepare",) if family == planning.FAMILY else ("reorganize",)


__all__ = [
    "RAIDS",
    "SHIELDS",
    "SHOTS",
    "escort_ship",
    "land_air_raid",
    "planning",
    "reinforcements",
    "retreat",
    "steps_of",
    "surprise_attack",
    "torpedo_spread",
]
