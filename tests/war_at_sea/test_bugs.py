"""Every fault that play has found, as a test named after it, so that it does not come back."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, given, unit


def test_no_unit_moves_in_the_sub_hunters_step() -> None:
    """Seed 1001: a Destroyer that had not moved could still move after both Sea Movement steps."""
    hunter = unit("p2-2", "type-13-subchaser", "9.5")
    battle = given(
        "2009",
        unit("p1-1", "s-13", "9.4"),
        hunter,
        step=StepKey("sea-movement", "hunt"),
        alliances={"p1": "Allies", "p2": "Axis"},
    )
    assert battle.asked() == ("p2",)
    battle.refused("p2", c.Move("p2-2", "9.6"), "turn.wrong-phase", "WAS-SEA-01")


def test_an_aircraft_kept_home_in_2007_is_not_placed_among_the_patrols() -> None:
    carrier = unit("p1-1", "shokaku", "1.4")
    patrol = unit("p1-2", "a6m2-zeke", "1.4", base="p1-1")
    kept = unit("p1-3", "a6m2-zeke")
    enemies = unit("p2-1", "hmas-canberra", "11.7"), unit("p2-2", "sbd-dauntless", "3.4")
    battle = given("2007", carrier, patrol, kept, *enemies, step=StepKey("air-mission", "patrol"))
    assert battle.asked() == ("p1",)
    battle.refused("p1", c.Place("p1-3", "3.4"), "turn.wrong-phase", "WAS-AIRM-01")


def test_two_auxiliaries_that_guard_do_not_make_each_other_safe_for_ever() -> None:
    """Guard the Convoy: each had to be attacked before the other, so neither ever could be."""
    guards = unit("p1-1", "m1", "5.4"), unit("p1-2", "m1", "5.4")
    convoyed = unit("p1-3", "kinai-maru", "5.4")
    enemy = unit("p2-1", "hmas-canberra", "5.4")
    battle = given(
        "2009",
        *guards,
        convoyed,
        enemy,
        step=StepKey("surface-attack", "first"),
        turn=2,
        first="p2",
    )
    behind = c.Fire("p2-1", "main", "p1-3")
    battle.refused("p2", behind, "attack.guarded", "WAS-CARD-guard-the-convoy")
    offered = {o.target for o in battle.offers("p2") if isinstance(o, c.Fire)}
    assert offered == {"p1-1", "p1-2"}


def test_a_guard_that_is_no_auxiliary_still_guards_one_that_is() -> None:
    convoy = unit("p2-1", "hms-halcyon", "5.4"), unit("p2-2", "hmcs-sackville", "5.4")
    battle = given(
        "2009",
        *convoy,
        unit("p1-1", "tone", "5.4"),
        step=StepKey("surface-attack", "first"),
        turn=2,
    )
    barred = c.Fire("p1-1", "main", "p2-1")
    battle.refused("p1", barred, "attack.guarded", "WAS-CARD-guard-the-convoy")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fighter_bomber_strafes_as_a_fighter(edition: str) -> None:
    """Its card has a Gunnery value, which it could use in no role."""
    corsair = unit("p2-1", "f4u-1d-corsair")
    ships = unit("p2-2", "hmas-canberra", "11.4"), unit("p1-1", "tone", "5.4")
    battle = given(edition, corsair, *ships, step=StepKey("air-mission"), turn=2, first="p2")
    low = edition == "2009"
    bombing = c.Place("p2-1", "5.4", strafing=True, role="Dive Bomber")
    code, rule = ("no-gunnery", "RUL-29") if low else ("no-strafing", "WAS-AIRA-06")
    battle.refused("p2", bombing, f"place.{code}", rule)
    battle.act("p2", c.Place("p2-1", "5.4", strafing=low, role="Fighter")).on_to(
        "air-attack", "first"
    )
    assert c.Fire("p2-1", "strafe", "p1-1") in battle.offers("p2")
    assert c.Fire("p2-1", "bomb", "p1-1") not in battle.offers("p2")


@pytest.mark.parametrize("held", ["p1-1", "p1-2"])
def test_a_torpedo_run_takes_along_nobody_who_may_not_move(held: str) -> None:
    """What forbids wins: a Destroyer tied up in a repair ran with the rest."""
    runners = unit("p1-1", "oi", "5.4"), unit("p1-2", "pegaso", "5.4")
    tied = {"word": "no-move", "unit": held, "source": "p1-9",
            "rule": "WAS-CARD-repair", "until": 2}  # fmt: skip
    enemy = unit("p2-1", "hms-ajax", "6.3")
    battle = given(
        "2009", *runners, enemy, step=StepKey("sea-movement", "hunt"), turn=2, effects=[tied]
    )
    runs = [o.on for o in battle.offers("p1") if isinstance(o, c.Use)]
    assert runs
    assert all(on.startswith("p1-2@") == (held == "p1-1") for on in runs)
