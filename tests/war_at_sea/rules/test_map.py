"""MAP: what the proofs of tests/war_at_sea/board and the cases leave open."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import air_missions, board
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.cards import card
from domain.games.war_at_sea.rules.scenarios import scenarios
from domain.games.war_at_sea.rules.sea_movement import barred_sectors
from domain.games.war_at_sea.rules.weather import obscured
from domain.kernel.values import StepKey
from tests.support.battle import given, unit

SHIPS = unit("p1-1", "duca-d-aosta", "1.1"), unit("p2-1", "hmas-canberra", "11.7")


@pytest.mark.rule("WAS-GLOSS-02", "WAS-MAP-02")
def test_adjacent_is_one_sector_away_in_any_direction() -> None:
    assert {s for s in board.SECTORS if board.adjacent("5.4", s)} == {
        "5.3", "5.5", "4.3", "4.4", "6.3", "6.4",
    }  # fmt: skip
    assert not board.adjacent("5.4", "5.4")
    assert not board.adjacent("5.4", "7.4")


@pytest.mark.rule("WAS-MAP-15", "WAS-MAP-16", "WAS-MAP-18")
def test_the_terrain_of_each_zone_closes_its_sectors() -> None:
    boat, cruiser = card("pt-boat", "2009"), card("duca-d-aosta", "2009")
    for number in range(1, 7):
        chart, state = board.zone(number), given("2009", *SHIPS, zone=number).state
        assert barred_sectors(state, cruiser) == {*chart.islands, *chart.shoals}
        assert barred_sectors(state, boat) == frozenset()


@pytest.mark.rule("WAS-MAP-21", "WAS-MAP-20")
def test_no_zone_of_any_scenario_starts_with_weather() -> None:
    for name in scenarios():
        for number in range(1, 7):
            state = given("2009", *SHIPS, zone=number, scenario=name).state
            assert obscured(state) == frozenset()
    assert obscured(given("2009", *SHIPS, smoke={"5.4": 2}).state) == {"5.4"}


@pytest.mark.rule("WAS-MAP-24")
def test_a_marker_is_claimed_once() -> None:
    battle = given(
        "2009", unit("p1-1", "duca-d-aosta", "6.3"), SHIPS[1], step=StepKey("end-of-turn")
    )
    assert battle.saw("objective-claimed").sector == "6.3"
    battle.roll((1, 1), (6, 6)).passes("p1", "p2")
    assert [event.NAME for event in battle.events].count("objective-claimed") == 1
    assert battle.state.scores == {"p1": 50, "p2": 0}


@pytest.mark.rule("WAS-MAP-23", "WAS-AIRM-02")
def test_aircraft_are_placed_anywhere() -> None:
    flyer = unit("p1-2", "a6m2-zeke")
    battle = given("2007", *SHIPS, flyer, zone=4, step=StepKey("air-mission"))
    offered = {cmd.sector for cmd in battle.offers("p1") if isinstance(cmd, c.Place)}
    assert offered == set(board.SECTORS)
    for sector in offered:
        assert air_missions.why_not_there(battle.state, flyer, sector) is None
