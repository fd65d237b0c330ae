"""Sentences of the booklet's chapters on cards, air attacks and submarines, each played once.

Worked out from the booklet itself, not from the inventory; the comment names the section.
"""

from __future__ import annotations

import pytest

from domain.games.naval_battles.rules import commands as c
from domain.kernel.values import StepKey

from ..tables import Battle, Prepared, given, ship
from .test_attack import fire

YAMATO = ship("p1", "jp-yamato")
BISMARCK = ship("p2", "de-bismarck")
SALVO = fire("main-14-18-4", "jp-yamato", "main-18", "de-bismarck")


def raided(*fleet: object, hand: tuple[str, ...] = (), **more: object) -> Battle:
    """p1 raids p2's Bismarck from the land, once."""
    hands = {"p1": ["land-air-x1"], "p2": list(hand)}
    battle = given(YAMATO, BISMARCK, *fleet, hands=hands, **more)  # type: ignore[arg-type]
    return battle.does("p1", c.LandRaid("land-air-x1", "de-bismarck")).ends("p1")


# --- 11.6 to 11.10: cards of defense -------------------------------------------------------------


def test_a_near_miss_from_the_hand_stops_one_salvo_and_not_the_other() -> None:
    hands = {"p1": ["main-14-18-4", "main-14-18-3"], "p2": ["near-miss"]}
    battle = given(YAMATO, BISMARCK, hands=hands)
    battle.does("p1", SALVO, fire("main-14-18-3", "jp-yamato", "main-18", "de-bismarck"))
    battle.ends("p1").does("p2", c.Defend("near-miss", 2)).ends("p2")
    assert battle.state.ships["de-bismarck"].damage == ("main-14-18-4",)
    assert set(battle.state.discards) >= {"near-miss", "main-14-18-3"}


def test_a_prepared_card_works_once_in_the_turn_and_stays() -> None:
    hands = {"p1": ["main-14-18-4", "main-14-18-3"]}
    lying = {"p2": (Prepared("near-miss", "de-bismarck"),)}
    battle = given(YAMATO, BISMARCK, hands=hands, prepared=lying)
    battle.does("p1", SALVO, fire("main-14-18-3", "jp-yamato", "main-18", "de-bismarck"))
    battle.ends("p1").does("p2", c.Defend("near-miss", 1, prepared=True))
    again = c.Defend("near-miss", 2, prepared=True)
    battle.refused("p2", again, "defense.not-prepared", "NB-PREP-05")
    assert [each.card for each in battle.state.prepared["p2"]] == ["near-miss"]


@pytest.mark.parametrize("card", ["near-miss", "armor-plating"])
def test_neither_stops_an_air_raid(card: str) -> None:
    battle = raided(hand=(card, "evasive-action"))
    assert battle.refusal("p2", c.Defend(card, 1)) is not None
    battle.does("p2", c.Defend("evasive-action", 1))
    assert "de-bismarck" in battle.state.ships


def test_an_escort_takes_a_raid_with_its_own_number() -> None:
    """The Bismarck's guns help the Bismarck only."""
    battle = raided(ship("p2", "de-t13"), hand=("escort-ship",))
    guarded = battle.state.attacks[0].needed
    battle.does("p2", c.Defend("escort-ship", 1, to="de-t13"))
    assert battle.saw("attack-moved").needed == guarded - 1


def test_no_escort_from_another_row_nor_for_a_submarine() -> None:
    fleet = (ship("p2", "de-t13", 2), ship("p2", "de-u-47"))
    battle = raided(*fleet, hand=("escort-ship", "evasive-action"))
    for other in ("de-t13", "de-u-47"):
        assert battle.refusal("p2", c.Defend("escort-ship", 1, to=other)) is not None


def test_small_target_looks_at_the_printed_hull() -> None:
    """Nine of ten points of damage make no battleship small."""
    hurt = ship("p2", "de-bismarck", damage=("main-14-18-5", "main-14-18-3"))
    battle = given(
        YAMATO, hurt, hands={"p1": ["main-14-18-2"], "p2": ["small-target", "near-miss"]}
    )
    battle.does("p1", fire("main-14-18-2", "jp-yamato", "main-18", "de-bismarck")).ends("p1")
    battle.refused("p2", c.Defend("small-target", 1), "defense.too-large", "NB-ST-02")


def test_a_submarine_is_small() -> None:
    hands = {"p1": ["depth-1"], "p2": ["small-target"]}
    battle = given(ship("p1", "jp-kagero"), ship("p2", "de-u-47", active=True), hands=hands)
    battle.does("p1", fire("depth-1", "jp-kagero", "torpedo", "de-u-47")).ends("p1")
    battle.does("p2", c.Defend("small-target", 1))
    assert battle.state.ships["de-u-47"].damage == ()


# --- 11.11: Retreat ------------------------------------------------------------------------------


def retreating(*damage: str, hand: tuple[str, ...] = ("retreat",)) -> Battle:
    hurt = ship("p1", "jp-yamato", damage=damage)
    return given(hurt, BISMARCK, step=StepKey("reorganize"), hands={"p1": list(hand)})


def test_a_retreat_removes_three_cards_of_four() -> None:
    battle = retreating("main-14-18-2", "main-14-18-2", "secondary-4-5-1", "secondary-4-5-1")
    battle.does("p1", c.Retreat("retreat"))
    for card in ("main-14-18-2", "main-14-18-2", "secondary-4-5-1"):
        battle.does("p1", c.RemoveDamage("jp-yamato", card))
    assert battle.state.ships["jp-yamato"].damage == ("secondary-4-5-1",)
    more = c.RemoveDamage("jp-yamato", "secondary-4-5-1")
    assert battle.refusal("p1", more) is not None


def test_who_retreats_prepares_but_does_not_attack() -> None:
    battle = retreating(hand=("retreat", "near-miss", "main-14-18-4"))
    battle.does("p1", c.Retreat("retreat")).ends("p1")
    battle.does("p1", c.Prepare("near-miss", "jp-yamato"))
    assert battle.state.step == StepKey("discard")


def test_a_retreated_fleet_is_no_target_until_its_next_turn() -> None:
    hands = {"p1": ["main-14-18-4", "surprise-attack"]}
    battle = given(YAMATO, BISMARCK, hands=hands, retreats={"p2": ("retreat",)})
    battle.refused("p1", SALVO, "attack.retreated", "NB-RET-04")
    battle.does("p1", c.SurpriseAttack("surprise-attack", "p2"), SALVO)  # 11.13
    assert "retreat" in battle.state.discards


# --- 11.12: Reinforcements -----------------------------------------------------------------------


def reinforcing(*cards: str) -> Battle:
    return given(YAMATO, BISMARCK, step=StepKey("reorganize"), hands={"p1": list(cards)})


def test_cards_together_bring_what_none_brings_alone() -> None:
    battle = reinforcing("reinforcements-3", "reinforcements-2")
    new = (c.Posting("jp-taiyo", 1),)
    battle.refused("p1", c.Reinforce(("reinforcements-3",), new), "reinforce.points", "NB-REIN-02")
    battle.does("p1", c.Reinforce(("reinforcements-3", "reinforcements-2"), new))
    assert "jp-taiyo" in battle.state.ships
    assert battle.hand("p1") == ()


def test_points_not_used_are_lost() -> None:
    battle = reinforcing("reinforcements-3")
    battle.does("p1", c.Reinforce(("reinforcements-3",), (c.Posting("jp-shimakaze", 1),)))
    assert battle.saw("reinforcements-played").lost == 1


def test_the_fleet_is_arranged_again_after_new_ships() -> None:
    battle = reinforcing("reinforcements-3")
    battle.does("p1", c.Reinforce(("reinforcements-3",), (c.Posting("jp-i-174"),)))
    battle.does("p1", c.Arrange((("jp-yamato",),), ("jp-i-174",)))
    assert battle.state.ships["jp-i-174"].active


# --- 11.5, 12: air raids and air cover -----------------------------------------------------------


@pytest.mark.parametrize(("face", "sunk"), [(4, False), (5, True)])
def test_guns_against_aircraft_raise_the_number(face: int, sunk: bool) -> None:
    """Section 10.2: what would need a 4 needs a 5 against a rating of -1; and 15: row 2."""
    second = ship("p2", "de-bismarck", 2)
    battle = given(YAMATO, ship("p2", "de-t13"), second, hands={"p1": ["land-air-x2"]})
    battle.does("p1", c.LandRaid("land-air-x2", "de-bismarck"), c.Pass()).ends("p1").ends("p2")
    battle.roll([face])
    assert ("de-bismarck" not in battle.state.ships) == sunk


def test_two_raids_of_a_card_may_aim_at_one_ship() -> None:
    battle = given(YAMATO, BISMARCK, hands={"p1": ["land-air-x2"]})
    battle.does("p1", c.LandRaid("land-air-x2", "de-bismarck"), c.AimRaid("de-bismarck"))
    assert [each.target for each in battle.state.attacks] == ["de-bismarck"] * 2


def test_a_carrier_raids_once_a_turn_without_a_card() -> None:
    battle = given(ship("p1", "jp-shoho"), BISMARCK)
    battle.does("p1", c.AirRaid("jp-shoho", "de-bismarck"))
    again = c.AirRaid("jp-shoho", "de-bismarck")
    assert battle.refusal("p1", again) is not None


def test_air_cover_sees_its_result_before_the_next_try() -> None:
    """One raid may be met twice; each symbol flies once in the turn."""
    akagi = ship("p1", "jp-akagi")
    battle = given(
        ship("p2", "de-graf-zeppelin"), akagi, active="p2", last="p2", first="p2",
        hands={"p2": ["land-air-x1"]},
    )  # fmt: skip
    battle.does("p2", c.LandRaid("land-air-x1", "jp-akagi")).ends("p2")
    battle.does("p1", c.AirCover("jp-akagi", 1)).roll([4])
    battle.does("p1", c.AirCover("jp-akagi", 1)).roll([5])
    battle.saw("attack-stopped", by="air-cover")
    assert battle.state.ships["jp-akagi"].covered == 2


# --- 11.3, 11.4, 13: torpedoes, depth charges, submarines ----------------------------------------


def test_a_submarine_fires_at_any_row_when_active_only() -> None:
    third = (ship("p2", "de-t13"), ship("p2", "de-koln", 2), ship("p2", "de-bismarck", 3))
    shot = fire("torpedo-4", "jp-i-174", "torpedo", "de-bismarck")
    passive = given(ship("p1", "jp-i-174"), *third, hands={"p1": ["torpedo-4"]})
    assert passive.refusal("p1", shot) is not None
    active = given(ship("p1", "jp-i-174", active=True), *third, hands={"p1": ["torpedo-4"]})
    active.does("p1", shot).ends("p1").ends("p2").roll([2])  # 2 and a guidance of 3 make 5
    assert active.state.ships["de-bismarck"].damage == ("torpedo-4",)


def test_no_torpedo_at_a_submarine_and_no_depth_charge_at_a_ship() -> None:
    fleet = (ship("p1", "jp-kagero"), BISMARCK, ship("p2", "de-u-47"))
    battle = given(*fleet, hands={"p1": ["torpedo-4", "depth-1"]})
    for card, target in (("torpedo-4", "de-u-47"), ("depth-1", "de-bismarck")):
        shot = fire(card, "jp-kagero", "torpedo", target)
        battle.refused("p1", shot, "attack.out-of-reach", "NB-ATK-06")


def test_a_passive_submarine_rolls_once_for_each_attack() -> None:
    fleet = (ship("p1", "jp-kagero"), ship("p1", "jp-kashii"), ship("p2", "de-u-47"))
    battle = given(*fleet, hands={"p1": ["depth-1", "depth-2"]})
    battle.does("p1", fire("depth-1", "jp-kagero", "torpedo", "de-u-47"))
    battle.does("p1", fire("depth-2", "jp-kashii", "torpedo", "de-u-47")).ends("p1")
    battle.does("p2", c.RunSilent(2)).roll([3])
    battle.does("p2", c.RunSilent(1)).roll([2]).ends("p2")
    assert battle.state.ships["de-u-47"].damage == ("depth-1",)


# --- 11.14: Planning -----------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "hit"), [(1, False), (2, True)])
def test_two_planning_cards_may_help_one_roll(cards: int, hit: bool) -> None:
    lying = {"p1": (Prepared("planning", "jp-yamato"), Prepared("planning", "jp-yamato"))}
    battle = given(ship("p1", "jp-kagero"), BISMARCK, prepared=lying, hands={"p1": ["torpedo-4"]})
    battle.does("p1", fire("torpedo-4", "jp-kagero", "torpedo", "de-bismarck")).ends("p1")
    battle.ends("p2").does("p1", c.Plan(cards)).roll([1])  # 1 and a guidance of 2
    assert bool(battle.state.ships["de-bismarck"].damage) == hit
