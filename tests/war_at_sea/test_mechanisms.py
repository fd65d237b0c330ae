"""Abilities that are steps of the engine: used up, refused, and counted where they should be."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from tests.support.battle import Battle, given, unit

SURFACE = {"step": StepKey("surface-attack", "first")}


def dice_of(battle: Battle) -> int:
    attack = battle.state.attack
    assert attack is not None
    return attack.dice.total


def test_a_second_secondary_attack_may_be_at_the_main_batterys_target() -> None:
    battle = given(
        "2009",
        unit("p2-1", "uss-washington-bb-56", "5.4"),
        unit("p1-1", "bismarck", "6.4"),
        unit("p1-2", "tone", "6.4"),
        first="p2",
        **SURFACE,
    )
    misses = [1] * 17
    battle.fire("p2", "p2-1", "main", "p1-1", misses)
    battle.fire("p2", "p2-1", "secondary", "p1-2", [1] * 6)
    battle.refused("p2", c.Fire("p2-1", "secondary", "p1-2"), "attack.same-target", "WAS-ATK-14")
    battle.fire("p2", "p2-1", "secondary", "p1-1", [1] * 6)
    battle.saw("attack-resolved", weapon="secondary", target="p1-1", outcome="miss")


def test_opening_salvo_counts_in_the_first_gunnery_attack_only() -> None:
    battle = given(
        "2009",
        unit("p2-1", "hms-prince-of-wales", "5.4"),
        unit("p1-1", "bismarck", "6.4"),
        first="p2",
        **SURFACE,
    )
    printed = battle.act("p2", c.Fire("p2-1", "secondary", "p1-1"))
    first = dice_of(printed)
    assert printed.state.attack is not None
    assert printed.state.attack.dice.reasons[0].label == "printed"
    assert first == printed.state.attack.dice.reasons[0].value + 1
    battle.roll([1] * first)
    assert battle.unit("p2-1").spent == ("opening-salvo-gunnery",)
    battle.act("p2", c.Fire("p2-1", "main", "p1-1"))
    attack = battle.state.attack
    assert attack is not None
    assert attack.dice.total == attack.dice.reasons[0].value


def test_near_miss_rolls_for_the_first_hit_only() -> None:
    battle = given(
        "2009",
        unit("p1-1", "bismarck", "5.4"),
        unit("p2-1", "uss-san-diego-cl-53", "6.4"),
        **SURFACE,
    )
    battle.act("p1", c.Fire("p1-1", "secondary", "p2-1")).roll([6, 6, 1, 1, 1, 1, 1])
    battle.roll([4])
    battle.saw("attack-resolved", outcome="no-effect", because="near-miss")
    assert battle.unit("p2-1").spent == ("near-miss",)
    battle.fire("p1", "p1-1", "tertiary", "p2-1", [6, 6, 1, 1, 1])
    battle.saw("attack-resolved", weapon="tertiary", outcome="hit", damage=1)


@pytest.mark.parametrize(("face", "outcome"), [(3, "hit"), (4, "no-effect")])
def test_near_miss_needs_four(face: int, outcome: str) -> None:
    battle = given(
        "2009",
        unit("p1-1", "bismarck", "5.4"),
        unit("p2-1", "uss-san-diego-cl-53", "6.4"),
        **SURFACE,
    )
    battle.act("p1", c.Fire("p1-1", "secondary", "p2-1")).roll([6, 6, 1, 1, 1, 1, 1])
    battle.roll([face])
    battle.saw("attack-resolved", outcome=outcome)


def test_antiair_barrage_adds_an_attack_of_five_dice_on_another_target() -> None:
    battle = given(
        "2009",
        unit("p1-1", "musashi", "5.4"),
        unit("p2-1", "sbd-dauntless", "5.4"),
        unit("p2-2", "sbd-dauntless", "5.4"),
        step=StepKey("air-defense", "first"),
    )
    battle.act("p1", c.Fire("p1-1", "antiair", "p2-1"))
    battle.roll([1] * dice_of(battle))
    battle.refused("p1", c.Fire("p1-1", "antiair", "p2-1"), "attack.same-target", "WAS-ATK-14")
    battle.act("p1", c.Fire("p1-1", "antiair", "p2-2"))
    assert dice_of(battle) == 5


def test_escort_killer_needs_a_destroyer_among_its_two_targets() -> None:
    battle = given(
        "2009",
        unit("p2-1", "hms-kent", "5.4"),
        unit("p1-1", "tone", "6.4"),
        unit("p1-2", "myoko", "6.4"),
        unit("p1-3", "yukikaze", "6.3"),
        first="p2",
        **SURFACE,
    )
    battle.act("p2", c.Fire("p2-1", "main", "p1-1"))
    battle.roll([1] * dice_of(battle))
    battle.refused("p2", c.Fire("p2-1", "main", "p1-2"), "attack.already-made", "WAS-ATK-14")
    battle.act("p2", c.Fire("p2-1", "main", "p1-3"))
    assert battle.state.attack is not None


def test_determination_keeps_a_sinking_ship_afloat_with_one_point() -> None:
    for face, alive in ((5, True), (4, False)):
        battle = given(
            "2009",
            unit("p1-1", "bismarck", "5.4"),
            unit("p2-1", "hms-exeter", "6.4", damage=2),
            unit("p2-2", "uss-fletcher-dd-445", "1.1"),
            **SURFACE,
        )
        battle.fire("p1", "p1-1", "tertiary", "p2-1", [6, 6, 1, 1, 1])
        while battle.state.awaiting is None and battle.asked():
            battle.act(battle.asked()[0], c.Pass())
        battle.roll([face])
        assert ("p2-1" in battle.state.units) is alive
        if alive:
            assert battle.unit("p2-1").damage == 2


def test_fatal_flaw_sinks_hood_on_four_sixes_of_a_battleship() -> None:
    battle = given(
        "2009",
        unit("p1-1", "bismarck", "5.4"),
        unit("p2-1", "hms-hood", "6.4"),
        **SURFACE,
    )
    battle.act("p1", c.Fire("p1-1", "secondary", "p2-1")).roll([6, 6, 6, 6, 1, 1, 1])
    battle.saw("attack-resolved", outcome="destroyed", because="fatal-flaw")


def test_vital_cargo_leaves_the_game_for_its_points() -> None:
    battle = given(
        "2009",
        unit("p1-1", "kinai-maru", "9.2"),
        unit("p1-2", "duca-d-aosta", "1.1"),
        unit("p2-1", "uss-fletcher-dd-445", "11.7"),
        step=StepKey("end-of-turn"),
        zone=1,
    )
    battle.act("p1", c.Use("p1-1", "vital-cargo"))
    assert "p1-1" not in battle.state.units
    assert battle.state.scores == {"p1": 8, "p2": 0}


def test_pursuit_ship_joins_its_quarry() -> None:
    battle = given(
        "2009",
        unit("p2-1", "hms-ajax", "5.4"),
        unit("p1-1", "admiral-graf-spee", "5.4"),
        first="p2",
    )
    battle.act("p2", c.Use("p2-1", "pursuit-ship", "p1-1"))
    battle.act("p1", c.Move("p1-1", "7.4"))
    battle.saw("unit-shifted", unit="p2-1", sector="7.4")


@pytest.mark.rule("RUL-48")
def test_an_attack_with_no_dice_left_cannot_be_made() -> None:
    jammed = {"word": "dice", "unit": "p1-1", "dice": -30, "source": "p1-1", "rule": "RUL-48"}
    battle = given(
        "2009",
        unit("p1-1", "bismarck", "5.4"),
        unit("p2-1", "hmas-sydney", "6.4"),
        effects=[jammed | {"attack": "main", "until": 9}],
        **SURFACE,
    )
    battle.refused("p1", c.Fire("p1-1", "main", "p2-1"), "attack.no-dice", "RUL-48")
    assert c.Fire("p1-1", "main", "p2-1") not in battle.offers("p1")
    assert c.Fire("p1-1", "secondary", "p2-1") in battle.offers("p1")
