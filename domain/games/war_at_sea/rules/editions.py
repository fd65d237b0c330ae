"""Where the two editions differ: one record, and its two values. No rule compares an edition."""

from __future__ import annotations

from typing import Literal

from ....kernel.values import Value

Edition = Literal["2007", "2009"]


class Rulebook(Value, frozen=True, kw_only=True):
    """What one edition says where the other says something else.

    corrected_cards      cards have the figures of the update, not those that they print
                         (WAS-FLEET-44, WAS-FLEET-45, WAS-FLEET-47)
    local_island_attacks inside one island sector attacks are possible (WAS-LOS-15, WAS-LOS-16)
    small_ship_evasion   Destroyers and Torpedo Boats evade (WAS-SURF-12, WAS-SURF-13, WAS-SURF-16)
    guns_and_torpedoes   a Ship fires guns and torpedoes in the Surface Attack phase (WAS-SURF-08,
                         WAS-TORP-01), and the Submarine Attack phase takes the place of the
                         Torpedo Attack phase (WAS-SUBA-01)
    attack_classes       the rule by which ASW excludes a Ship's other attacks (WAS-SURF-03, -09)
    local_asw            a Ship's ASW attack is local (WAS-SURF-11)
    asw_threat           ASW near a Submarine costs it torpedo dice (WAS-SUBA-03 to -10)
    one_air_attack       an Aircraft attacks once a turn (WAS-AIRA-09)
    strafing_announced   strafing is announced at placement (WAS-AIRA-06, WAS-AIRA-07, WAS-AIRM-12)
    passing_through      only the last sector of a move needs room (WAS-STACK-05, WAS-STACK-06)
    stacking             the rule by which a sector is full
    cards_stacked        cards of based Aircraft lie under their Carrier's (WAS-AIR-14)
    carrier_loss         the rule for Aircraft that go down with a Carrier (WAS-AIR-10, WAS-AIR-14)
    survivors_anywhere   Aircraft of a lost Carrier land at any base (WAS-AIR-13, WAS-AIR-16)
    airbase_mission      the land airbase is a mission (WAS-AIRM-06 to -09, WAS-RETN-10)
    ships_bonus          points for an enemy without Ships (WAS-VP-08)
    phase_elimination    who has no units left loses at the end of the phase (WAS-VP-05)
    squalls_drift        squalls move at the end of a turn (RUL-109)
    """

    corrected_cards: bool
    local_island_attacks: bool
    small_ship_evasion: bool
    guns_and_torpedoes: bool
    attack_classes: str
    local_asw: bool
    asw_threat: bool
    one_air_attack: bool
    strafing_announced: bool
    passing_through: bool
    stacking: str
    cards_stacked: bool
    carrier_loss: str
    survivors_anywhere: bool
    airbase_mission: bool
    ships_bonus: bool
    phase_elimination: bool
    squalls_drift: bool


RULEBOOKS: dict[Edition, Rulebook] = {
    "2007": Rulebook(
        corrected_cards=False,
        local_island_attacks=False,
        small_ship_evasion=False,
        guns_and_torpedoes=False,
        attack_classes="WAS-SURF-03",
        local_asw=False,
        asw_threat=False,
        one_air_attack=False,
        strafing_announced=False,
        passing_through=False,
        stacking="WAS-STACK-05",
        cards_stacked=False,
        carrier_loss="WAS-AIR-10",
        survivors_anywhere=False,
        airbase_mission=False,
        ships_bonus=False,
        phase_elimination=True,
        squalls_drift=False,
    ),
    "2009": Rulebook(
        corrected_cards=True,
        local_island_attacks=True,
        small_ship_evasion=True,
        guns_and_torpedoes=True,
        attack_classes="WAS-SURF-09",
        local_asw=True,
        asw_threat=True,
        one_air_attack=True,
        strafing_announced=True,
        passing_through=True,
        stacking="WAS-STACK-06",
        cards_stacked=True,
        carrier_loss="WAS-AIR-14",
        survivors_anywhere=True,
        airbase_mission=True,
        ships_bonus=True,
        phase_elimination=False,
        squalls_drift=True,
    ),
}

EDITIONS: tuple[Edition, ...] = tuple(RULEBOOKS)
