"""Every fault that play has found, as a test named after it, so that it does not come back."""

from __future__ import annotations

from domain.games.war_at_sea import commands as c
from tests.support.battle import given, unit


def test_no_unit_moves_in_the_sub_hunters_step() -> None:
    """Seed 1001: a Destroyer that had not moved could still move after both Sea Movement steps."""
    hunter = unit("p2-2", "type-13-subchaser", "9.5")
    battle = given(
        "2009",
        unit("p1-1", "s-13", "9.4"),
        hunter,
        step="sea-movement.hunt",
        alliances={"p1": "Allies", "p2": "Axis"},
    )
    assert battle.asked() == ("p2",)
    battle.refused("p2", c.Move("p2-2", "9.6"), "turn.wrong-phase", "WAS-SEA-01")


def test_an_aircraft_kept_home_in_2007_is_not_placed_among_the_patrols() -> None:
    carrier = unit("p1-1", "shokaku", "1.4")
    patrol = unit("p1-2", "a6m2-zeke", "1.4", base="p1-1")
    kept = unit("p1-3", "a6m2-zeke")
    enemies = unit("p2-1", "hmas-canberra", "11.7"), unit("p2-2", "sbd-dauntless", "3.4")
    battle = given("2007", carrier, patrol, kept, *enemies, step="air-mission.patrol")
    assert battle.asked() == ("p1",)
    battle.refused("p1", c.Place("p1-3", "3.4"), "turn.wrong-phase", "WAS-AIRM-01")
