"""SETUP: what the numbered cases (tests/cases/war_at_sea/setup.jsonl) cannot say."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board, deployment
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.sea_movement import reachable
from domain.kernel.values import Hidden, Known, StepKey
from tests.support.battle import EDITIONS, Battle, given, opened, unit

SHIP, ENEMY = "duca-d-aosta", "hmas-canberra"


def deploying(*cards: str, zone: int = 1) -> Battle:
    """p1 sets up this fleet; p2 has one Cruiser to follow."""
    fleets = {"p1": Known(cards), "p2": Known((ENEMY,))}
    return given(
        "2009", step=StepKey("deployment", "first"), turn=0, first="", zone=zone, fleets=fleets
    )


@pytest.mark.rule("WAS-SETUP-15", "WAS-SETUP-16")
def test_islands_and_shoals_of_every_zone_are_closed_to_set_up() -> None:
    for number in range(1, 7):
        chart = board.zone(number)
        state = deploying("u-552", zone=number).state
        found = {sector for sector in board.SECTORS if deployment.closed(state, sector)}
        assert found == {*chart.islands, *chart.shoals}


@pytest.mark.rule("WAS-SETUP-15", "WAS-SETUP-16", "WAS-SETUP-14")
def test_the_legal_list_of_a_submarine_is_the_open_water_of_its_half() -> None:
    for number in range(1, 7):
        chart = board.zone(number)
        offered = {
            command.at
            for command in deploying("u-552", zone=number).offers("p1")
            if isinstance(command, c.Deploy)
        }
        assert offered == set(board.half("south")) - {*chart.islands, *chart.shoals}


@pytest.mark.rule("WAS-SETUP-21", "WAS-MAP-01", "WAS-MAP-06")
def test_every_whole_sector_is_ordinary_wherever_map_sections_join() -> None:
    state = given("2009", unit("p1-1", SHIP, "1.1"), unit("p2-1", ENEMY, "11.7")).state
    land = {*board.zone(1).islands, *board.zone(1).shoals}
    for sector in set(board.SECTORS) - land:
        ship = unit("p1-1", SHIP, sector)
        assert set(reachable(state, ship, 1)) == set(board.NEIGHBOURS[sector]) - land


@pytest.mark.rule("RUL-06")
def test_fifteen_ships_overstack_evenly_and_no_sector_gets_a_third_too_early() -> None:
    battle = deploying(*["type-13-subchaser"] * 15)
    for column in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7):
        battle.act("p1", c.Deploy("type-13-subchaser", f"1.{column}"))
    third = c.Deploy("type-13-subchaser", "1.1")
    battle.refused("p1", third, "deploy.overstacked", "WAS-SETUP-24")
    battle.act("p1", c.Deploy("type-13-subchaser", "1.7"), third)
    stacks = Counter(ship.sector for ship in battle.state.units.values())
    assert sorted(stacks.values()) == [2, 2, 2, 2, 2, 2, 3]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("RUL-06")
def test_an_overfull_set_up_is_put_right_before_the_first_step_ends(edition: str) -> None:
    three = [unit(f"p1-{n}", SHIP, "1.1") for n in (1, 2, 3)]
    battle = given(edition, *three, unit("p2-1", ENEMY, "11.7"))
    battle.refused("p1", c.Pass(), "move.overstacked", "RUL-06")
    battle.act("p1", c.Move("p1-2", "2.1")).passes("p1")
    assert battle.state.step == StepKey("sea-movement", "second")
    assert not battle.state.lost


@pytest.mark.rule("RUL-87")
def test_ships_for_which_no_room_can_be_made_leave_play_and_score() -> None:
    """Very Slow Ships do not move on turn 1, so the third one of a sector has to go."""
    three = [unit(f"p1-{n}", "lst", "1.1") for n in (1, 2, 3)]
    others = unit("p1-4", SHIP, "1.5"), unit("p2-1", ENEMY, "11.7")
    alliances = {"p1": "Allies", "p2": "Axis"}
    battle = given("2009", *three, *others, alliances=alliances).passes("p1")
    gone = battle.saw("unit-removed", cause="no-room")
    assert (gone.unit, gone.scorer, gone.points) == ("p1-3", "p2", 4)
    assert battle.state.step == StepKey("sea-movement", "second")


@pytest.mark.rule("WAS-SETUP-23")
def test_a_fleet_is_its_owners_secret_until_it_is_deployed() -> None:
    battle = opened("2009").act("p1", c.SubmitFleet((SHIP, "u-552")))
    locked = battle.saw("fleet-locked")
    assert GAME.seen(locked, "p1") == locked
    assert locked.cards == Known((SHIP, "u-552"))
    sealed = msgspec.structs.replace(locked, cards=Hidden(1))
    assert GAME.seen(locked, "p2") == GAME.seen(locked, "public") == sealed
    assert GAME.secrets(battle.state)


@pytest.mark.rule("WAS-SETUP-28", "WAS-SETUP-29", "RUL-13")
def test_the_agreed_options_are_on_the_table_before_fleets_are_built() -> None:
    battle = opened("2007", {"axis": "p2", "battleZone": 3, "claims": "asked"})
    shown = battle.saw("game-opened").options
    assert (shown.axis, shown.battle_zone, shown.claims) == ("p2", 3, "asked")
    assert battle.state.step == StepKey("fleets")
    assert battle.state.alliances == {"p2": "Axis", "p1": "Allies"}
    assert battle.state.smoke == {}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SETUP-02")
def test_set_up_goes_from_fleets_to_zone_to_coin_to_deploying_one_after_the_other(
    edition: str,
) -> None:
    battle = opened(edition, {"axis": "p1"})
    battle.act("p1", c.SubmitFleet((SHIP,))).act("p2", c.SubmitFleet((ENEMY,)))
    battle.roll([3]).roll([1])
    assert battle.state.first_deployer == "p1"
    while battle.state.step != StepKey("deployment", "first"):
        battle.act("p1", battle.offers("p1")[0])
    assert not battle.state.units
    battle.act("p1", c.Deploy(SHIP, "1.2")).act("p2", c.Deploy(ENEMY, "11.2"))
    told = [event for event in battle.events if event.NAME != "task-done"]
    order = [getattr(event, "step", event.NAME) for event in told]
    wanted = [
        "sides-set", StepKey("fleets"), "fleet-locked", "fleet-locked",
        StepKey("battle-zone"), "zone-selected", StepKey("first-deployer"), "deployer-chosen",
        StepKey("deployment", "first"), "unit-deployed", "fleet-deployed",
        StepKey("deployment", "second"), "unit-deployed", "fleet-deployed", "turn-began",
        StepKey("initiative"),
    ]  # fmt: skip
    assert [name for name in order if name in wanted] == wanted
