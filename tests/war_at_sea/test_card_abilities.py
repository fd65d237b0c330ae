"""Abilities of single cards that are about places, hiding, and what lasts; the rest is in cases."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.effects import OnUnit, Wreck, word_of
from domain.games.war_at_sea.rules.odds import odds
from domain.games.war_at_sea.rules.purposes import Concealment
from domain.games.war_at_sea.shown.words import describe, says
from domain.kernel.values import Known, StepKey
from tests.support.battle import Battle, given, unit

SHIP = "hmas-canberra"
SURFACE = {"step": StepKey("surface-attack", "first"), "turn": 2}


def deploying(*cards: str) -> Battle:
    """p1 (south, zone 1) sets these cards up."""
    fleets = {"p1": msgspec.to_builtins(Known(cards)), "p2": msgspec.to_builtins(Known(()))}
    return given("2009", step=StepKey("deployment", "first"), turn=0, first="", fleets=fleets)


def effects(battle: Battle) -> list[tuple[str, str, int]]:
    return [(word_of(e), e.unit, e.until) for e in battle.state.effects if isinstance(e, OnUnit)]


def test_infiltrator_in_the_enemy_half_may_not_attack_on_turn_1() -> None:
    battle = deploying("u-47", "u-47", "tone")
    battle.act("p1", c.Deploy("u-47", "10.3"), c.Deploy("u-47", "5.4"))
    assert effects(battle) == [("no-attack", "p1-1", 1)]
    battle.refused("p1", c.Deploy("tone", "10.3"), "deploy.outside-area", "WAS-SETUP-13")


@pytest.mark.parametrize(("turn", "barred"), [(1, True), (2, False)])
def test_infiltrator_attacks_from_turn_2(turn: int, barred: bool) -> None:
    held = {"word": "no-attack", "unit": "p1-1", "source": "p1-1",
            "rule": "WAS-CARD-infiltrator", "until": 1}  # fmt: skip
    battle = given(
        "2009", unit("p1-1", "u-47", "9.3"), unit("p1-2", "u-47", "9.3"),
        unit("p2-1", SHIP, "9.3"),
        step=StepKey("submarine-attack", "first"), turn=turn, effects=[held] if barred else [],
    )  # fmt: skip
    if barred:
        battle.refused(
            "p1", c.Fire("p1-1", "torpedo", "p2-1"), "attack.barred", "WAS-CARD-infiltrator"
        )
    else:
        battle.act("p1", c.Fire("p1-1", "torpedo", "p2-1"))


def test_long_cruise_begins_anywhere_at_sea_but_not_on_land() -> None:
    battle = deploying("atlantis")
    battle.refused("p1", c.Deploy("atlantis", "8.2"), "deploy.terrain", "WAS-SETUP-15")
    battle.act("p1", c.Deploy("atlantis", "10.3"))
    assert effects(battle) == []


def test_coastal_deployment_beside_an_own_island_claims_nothing_on_turns_1_and_2() -> None:
    battle = deploying("vainamoinen", "vainamoinen")
    battle.refused("p1", c.Deploy("vainamoinen", "5.4"), "deploy.outside-area", "WAS-SETUP-13")
    battle.act("p1", c.Deploy("vainamoinen", "4.3"), c.Deploy("vainamoinen", "1.3"))
    assert effects(battle) == [("no-claim", "p1-1", 2)]


@pytest.mark.parametrize("held", [True, False])
def test_a_unit_that_may_not_claim_does_not(held: bool) -> None:
    bar = {"word": "no-claim", "unit": "p1-1", "source": "p1-1",
           "rule": "WAS-CARD-coastal-deployment", "until": 2}  # fmt: skip
    battle = given(
        "2009", unit("p1-1", SHIP, "6.1"), unit("p2-1", "tone", "11.7"),
        step=StepKey("end-of-turn"), turn=1, effects=[bar] if held else [],
    )  # fmt: skip
    claimed = "objective-claimed" in battle.names()
    assert claimed != held


def test_early_deployment_takes_one_cruiser_or_destroyer_along() -> None:
    battle = deploying("schleswig-holstein", "naka", "naka", "bismarck")
    battle.refused("p1", c.Deploy("naka", "4.4"), "deploy.outside-area", "WAS-SETUP-13")
    battle.act("p1", c.Deploy("schleswig-holstein", "4.4"))
    battle.refused("p1", c.Deploy("bismarck", "4.4"), "deploy.outside-area", "WAS-SETUP-13")
    battle.act("p1", c.Deploy("naka", "4.4"))
    battle.refused("p1", c.Deploy("naka", "4.4"), "deploy.outside-area", "WAS-SETUP-13")
    assert effects(battle) == [("no-claim", "p1-1", 2), ("no-claim", "p1-2", 2)]


def test_a_guard_ship_stays_until_it_is_attacked() -> None:
    battle = deploying("san-giorgio", "tone")
    battle.act("p1", c.Deploy("san-giorgio", "4.3"))
    assert [e[:2] for e in effects(battle)] == [("no-move", "p1-1")]
    held = [
        {"word": "no-move", "unit": "p1-1", "source": "p1-1",
         "rule": "WAS-CARD-guard-ship", "until": 9999}
    ]  # fmt: skip
    later = given(
        "2009", unit("p2-1", SHIP, "4.4"), unit("p1-1", "san-giorgio", "4.3"),
        first="p2", effects=held, **SURFACE,
    )  # fmt: skip
    later.act("p2", c.Fire("p2-1", "main", "p1-1"))
    later.saw("effect-ended", word="no-move", unit="p1-1")
    assert effects(later) == []


def test_a_guard_ship_in_the_usual_row_may_move() -> None:
    battle = deploying("san-giorgio", "tone")
    battle.act("p1", c.Deploy("san-giorgio", "1.3"))
    assert effects(battle) == []


@pytest.mark.parametrize(("sector", "hidden"), [("7.3", True), ("5.4", False)])
def test_coastal_tactics_hides_beside_an_island(sector: str, hidden: bool) -> None:
    target = unit("p2-1", "hms-gustav-v", sector)
    at = {"7.3": "7.4", "5.4": "5.5"}[sector]
    battle = given("2009", unit("p1-1", "bismarck", at), target, **SURFACE)
    battle.act("p1", c.Fire("p1-1", "main", "p2-1")).roll([6] * 15)
    assert (type(battle.state.purpose) is Concealment) == hidden


def test_coastal_tactics_does_not_hide_in_the_same_sector() -> None:
    battle = given(
        "2009", unit("p1-1", "bismarck", "7.3"), unit("p2-1", "hms-gustav-v", "7.3"), **SURFACE
    )
    battle.act("p1", c.Fire("p1-1", "main", "p2-1")).roll([6] * 15)
    battle.saw("attack-resolved", outcome="destroyed")


@pytest.mark.parametrize(("face", "hidden"), [(5, True), (4, False)])
def test_stealthy_is_hidden_in_an_island_sector_with_one_more_on_the_die(
    face: int, hidden: bool
) -> None:
    boat = unit("p2-1", "daihatsu-landing-craft", "8.2")
    battle = given(
        "2009", unit("p1-1", "fw-200-kondor", "8.2"), boat, step=StepKey("air-attack", "first")
    )
    battle.act("p1", c.Fire("p1-1", "bomb", "p2-1")).roll([6] * 9).roll([face])
    assert battle.saw("concealment-rolled").concealed == hidden


def test_stealthy_is_seen_at_sea() -> None:
    boat = unit("p2-1", "daihatsu-landing-craft", "5.4")
    battle = given(
        "2009", unit("p1-1", "fw-200-kondor", "5.4"), boat, step=StepKey("air-attack", "first")
    )
    battle.act("p1", c.Fire("p1-1", "bomb", "p2-1")).roll([6] * 9)
    battle.saw("attack-resolved", outcome="destroyed")


def test_straddle_aims_better_once_and_only_at_that_target() -> None:
    aim = [
        {"word": "aimed", "unit": name, "dice": 1, "source": "p1-1",
         "rule": "WAS-CARD-straddle", "until": 9999, "attack": "main"}
        for name in ("p2-1", "p2-9")
    ]  # fmt: skip
    battle = given(
        "2009", unit("p1-1", "giovanni-delle-bande-nere", "5.5"), unit("p2-1", "naka", "5.4"),
        effects=aim, **SURFACE,
    )  # fmt: skip
    battle.act("p1", c.Fire("p1-1", "main", "p2-1")).roll([6] * 7)
    battle.saw("effect-ended", word="aimed", unit="p2-1")
    assert effects(battle) == [("aimed", "p2-9", 9999)]


@pytest.mark.parametrize("extra", [(), ("p1-2",)])
def test_crippled_by_a_salvo_counts_from_the_next_phase(extra: tuple[str, ...]) -> None:
    mark = {"word": "crippled", "unit": "p2-1", "source": "p1-1",
            "rule": "WAS-CARD-crippling-salvo", "until": 3,
            "placedTurn": 2,
            "placedPhase": "surface-attack" if extra else "air-attack"}  # fmt: skip
    battle = given(
        "2009", unit("p1-1", "tone", "5.5"), unit("p2-1", "naka", "5.4"), effects=[mark], **SURFACE
    )
    battle.act("p1", c.Fire("p1-1", "main", "p2-1"))
    assert battle.state.attack is not None
    assert battle.state.attack.armor.total == (3 if extra else 2)


def test_risky_attack_costs_armor() -> None:
    weak = {"word": "armor", "unit": "p2-1", "armor": -1, "source": "p2-1",
            "rule": "WAS-CARD-risky-attack", "until": 3}  # fmt: skip
    battle = given(
        "2009", unit("p1-1", "pegaso", "5.4"), unit("p2-1", "proteus", "5.4"), effects=[weak],
        **SURFACE,
    )  # fmt: skip
    battle.act("p1", c.Fire("p1-1", "asw", "p2-1"))
    assert battle.state.attack is not None
    assert battle.state.attack.armor.total == 2


def test_a_disguised_unit_beside_another_ship_is_known_after_sea_movement() -> None:
    battle = given(
        "2009", unit("p1-1", "atlantis", "5.4"), unit("p1-2", "atlantis", "3.3"),
        unit("p2-1", SHIP, "5.4"), step=StepKey("sea-movement", "hunt"), turn=2,
    )  # fmt: skip
    assert effects(battle) == [("exposed", "p1-1", 9999)]


def test_one_aircraft_alone_lands_on_poor_facilities_without_a_counter() -> None:
    battle = given(
        "2009", unit("p1-1", "bearn", "1.4"), unit("p1-2", "f4f-wildcat", "5.4", base="p1-1"),
        unit("p2-1", "tone", "11.1"), step=StepKey("air-return", "first"), turn=2,
    )  # fmt: skip
    battle.act("p1", c.Return("p1-2", "p1-1"))
    assert not battle.unit("p1-2").rearming


def test_odds_know_of_duds_and_of_torpedo_protection() -> None:
    def lost(attacker: str, target: str) -> Any:
        battle = given(
            "2009", unit("p1-1", attacker, "5.4"), unit("p2-1", target, "5.4"), **SURFACE
        )
        answer = odds(battle.state, c.Fire("p1-1", "torpedo", "p2-1"))
        assert answer is not None
        return {o["outcome"]: o["exact"] for o in answer["outcomes"]}, answer["expectedHullPoints"]

    # Two dice: a hit with 11/36, if the torpedoes run (4 of 6).
    outcomes, _ = lost("uss-bagley-dd-386", "tone")
    assert outcomes["hit"] == "11/54"
    # One hull point less with half of all hits.
    _, plain = lost("uss-atlanta-cl-51", "nurnberg")
    _, softer = lost("uss-atlanta-cl-51", "moltke")
    assert plain["exact"] != softer["exact"]


def under_cover(**fields: Any) -> Battle:
    return given(
        "2009", unit("p1-1", "hms-fencer", "5.4", **fields), unit("p2-1", "d3a-val", "5.4"),
        unit("p2-2", "d3a-val", "7.4"), unit("p2-3", "a6m2-zeke", "7.4"),
        step=StepKey("air-defense", "first"), turn=2,
    )  # fmt: skip


def test_fighter_cover_is_one_attack_more_up_to_range_3_and_escorts_hinder_it() -> None:
    battle = under_cover()
    battle.refused("p1", c.Fire("p1-1", "antiair", "p2-2"), "attack.out-of-range", "WAS-FLEET-30")
    battle.act("p1", c.Fire("p1-1", "antiair", "p2-2", ("fighter-cover",)))
    attack = battle.state.attack
    assert attack is not None
    assert (attack.dice.total, attack.die.total) == (5, -1)
    battle.roll([1] * 5).fire("p1", "p1-1", "antiair", "p2-1", [1] * 5)
    battle.saw("attack-resolved", target="p2-1", outcome="miss")


def test_fighter_cover_once_a_turn_also_after_the_ships_own_attack() -> None:
    battle = under_cover()
    cover = c.Fire("p1-1", "antiair", "p2-2", ("fighter-cover",))
    battle.fire("p1", "p1-1", "antiair", "p2-1", [1] * 5)
    battle.refused("p1", c.Fire("p1-1", "antiair", "p2-1"), "attack.already-made", "WAS-ATK-14")
    battle.act("p1", cover).roll([1] * 5)
    assert battle.state.step != StepKey("air-defense", "first")
    assert not any(o == cover for o in battle.offers("p1"))


@pytest.mark.parametrize(("base", "dice"), [("p1-1", 5), ("airbase", 4)])
def test_hunter_killer_group_helps_destroyers_after_its_own_aircraft(base: str, dice: int) -> None:
    battle = given(
        "2009", unit("p1-1", "uss-guadalcanal-cve-60", "1.4"),
        unit("p1-2", "swordfish-mk-ii", "5.4", base=base), unit("p1-3", "gromkiy", "5.4"),
        unit("p2-1", "u-47", "5.4"), step=StepKey("air-attack", "first"), turn=2,
    )  # fmt: skip
    battle.fire("p1", "p1-2", "asw", "p2-1", [1] * 3)
    battle.act("p1", c.Fire("p1-3", "asw", "p2-1"))
    assert battle.state.attack is not None
    assert battle.state.attack.dice.total == dice


def test_radar_picket_sends_one_fighter_from_a_quiet_sector_to_an_enemy_aircraft() -> None:
    battle = given(
        "2009", unit("p1-1", "uss-laffey-dd-724", "1.4"), unit("p1-2", "f4f-wildcat", "3.3"),
        unit("p1-3", "f4f-wildcat", "7.4"), unit("p2-1", "d3a-val", "7.4"),
        step=StepKey("air-mission", "patrol"), turn=2,
    )  # fmt: skip
    wrong = c.Use("p1-1", "radar-picket", "p1-3@7.4")
    battle.refused("p1", wrong, "ability.wrong-target", "WAS-CARD-radar-picket")
    battle.act("p1", c.Use("p1-1", "radar-picket", "p1-2@7.4"))
    assert battle.unit("p1-2").sector == "7.4"
    assert battle.unit("p1-1").spent == ("radar-picket",)


def test_radar_picket_is_spent() -> None:
    battle = given(
        "2009", unit("p1-1", "uss-laffey-dd-724", "1.4", spent=("radar-picket",)),
        unit("p1-2", "f4f-wildcat", "3.3"), unit("p2-1", "d3a-val", "7.4"),
        step=StepKey("air-mission", "patrol"), turn=2,
    )  # fmt: skip
    assert battle.state.step != StepKey("air-mission", "patrol")


def test_a_step_that_only_an_ability_needs_is_silent_and_may_be_passed() -> None:
    battle = given(
        "2009", unit("p1-1", "hms-kent", "5.4"), unit("p2-1", "haruna", "8.3"),
        step=StepKey("surface-attack", "before"), turn=2,
    )  # fmt: skip
    assert describe(battle.state, c.Pass()).text == "Use no ability now"
    assert says(battle.state, ev.StepBegan(step=StepKey("surface-attack", "before"))) == ""
    battle.passes("p1")
    assert battle.state.step == StepKey("surface-attack", "first")


def test_without_such_an_ability_there_is_no_such_step() -> None:
    battle = given(
        "2009", unit("p1-1", "tone", "5.4"), unit("p2-1", "haruna", "8.3"),
        step=StepKey("air-attack", "end"), turn=2,
    )  # fmt: skip
    assert battle.state.step == StepKey("surface-attack", "first")
    battle.not_saw("step-began", step=StepKey("surface-attack", "before"))


def test_a_ship_that_sinks_leaves_a_wreck_for_a_rescuer_of_its_own_side() -> None:
    battle = given(
        "2009", unit("p1-1", "hmcs-st-laurent", "5.3"), unit("p1-2", SHIP, "5.4", doomed=True),
        unit("p2-1", "tone", "9.4", doomed=True), unit("p2-2", "tone", "9.4"),
        step=StepKey("air-attack", "end"), turn=2,
    )  # fmt: skip
    assert [(w.seat, w.sector, w.source) for w in battle.state.lasting(Wreck)] == [
        ("p1", "5.4", "p1-2")
    ]
