"""AIR, AIRM, RETN over several turns: how often Aircraft fly."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, Battle, bare, given, unit

AXIS = unit("p1-1", "duca-d-aosta", "1.1")
ALLIES = unit("p2-1", "hmas-canberra", "11.7")


def to_the_air(battle: Battle) -> Battle:
    """On to the Air Mission phase of the next turn, p1 First Player."""
    battle.roll((1, 1), (6, 6)).passes("p1", "p2")
    return battle


def may_fly(battle: Battle, name: str) -> bool:
    """Whether the unit is offered a mission."""
    return any(isinstance(cmd, c.Place) and cmd.unit == name for cmd in battle.offers("p1"))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-AIR-07", "WAS-AIR-23", "WAS-RETN-04", "RUL-74")
def test_from_the_airbase_one_flies_every_other_turn(edition: str) -> None:
    battle = given(edition, AXIS, ALLIES, unit("p1-2", "a6m2-zeke"), step=StepKey("air-mission"))
    for turn in (1, 3, 5):
        assert battle.state.turn == turn
        assert may_fly(battle, "p1-2")
        battle.act("p1", c.Place("p1-2", "6.2"), c.Return("p1-2", "airbase"))
        assert battle.unit("p1-2").rearming
        to_the_air(battle)
        assert battle.state.awaiting is not None, "nobody can fly, so the turn is over"
        assert battle.state.turn == turn + 2
        assert not battle.unit("p1-2").rearming
        to_the_air(battle)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-AIR-08", "WAS-RETN-05")
def test_from_a_carrier_one_flies_every_turn(edition: str) -> None:
    carrier = unit("p1-1", bare("shokaku"), "1.1")
    battle = given(
        edition,
        carrier,
        ALLIES,
        unit("p1-2", "a6m2-zeke", base="p1-1"),
        step=StepKey("air-mission"),
    )
    for turn in (1, 2, 3):
        assert battle.state.turn == turn
        battle.act("p1", c.Place("p1-2", "6.2"), c.Return("p1-2", "p1-1"))
        assert not battle.unit("p1-2").rearming
        to_the_air(battle)


@pytest.mark.rule("WAS-AIR-13")
def test_2007_a_carrier_sunk_on_turn_2_lets_its_aircraft_fly_again_on_turn_4() -> None:
    doomed = unit("p1-3", "shoho", "3.3", doomed=True)
    flyer = unit("p1-2", "a6m2-zeke", "6.2", base="p1-3")
    battle = given(
        "2007", AXIS, doomed, flyer, ALLIES, step=StepKey("torpedo-attack", "end"), turn=2
    )
    battle.roll((4,)).act("p1", c.Return("p1-2", "airbase"))
    to_the_air(battle)
    assert battle.state.turn == 4, "on turn 3 it rearms"
    to_the_air(battle)
    assert may_fly(battle, "p1-2")


@pytest.mark.rule("WAS-AIRM-14")
def test_patrols_wait_until_everything_is_placed() -> None:
    carrier = unit("p1-1", "shokaku", "1.4")
    patrol = unit("p1-2", "a6m2-zeke", base="p1-1")
    enemy = unit("p2-2", "f4f-wildcat", "3.4")
    battle = given("2009", carrier, patrol, ALLIES, enemy, step=StepKey("air-mission"))
    battle.act("p1", c.Place("p1-2", "1.4"))
    assert battle.state.step == StepKey("air-mission", "patrol")
    battle.act("p1", c.Use("p1-2", "combat-air-patrol", "3.4"))
    assert battle.unit("p1-2").sector == "3.4"
