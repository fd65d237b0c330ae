"""Faults that a reviewer found by playing; each position is the one that showed it."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from tests.support.battle import given, opened, unit


@pytest.mark.rule("WAS-AIR-13", "RUL-71")
def test_2007_aircraft_left_aboard_a_lost_carrier_go_ashore_and_rearm() -> None:
    battle = given(
        "2007",
        unit("p1-1", "shokaku", "6.2", damage=3),
        unit("p1-2", "b5n2-kate", base="p1-1"),
        unit("p1-3", "tone", "1.1"),
        unit("p2-1", "hms-hood", "6.3"),
        step=StepKey("surface-attack", "second"),
    )
    battle.fire("p2", "p2-1", "main", "p1-1", [6] * 8 + [1] * 7)
    battle.on_to("surface-attack", "end")
    battle.roll([4])
    battle.on_to("air-return")
    battle.refused("p1", c.Pass(), "turn.must-act", "WAS-RETN-01")
    battle.act("p1", c.Return("p1-2", "airbase"))
    kate = battle.unit("p1-2")
    assert (kate.base, kate.rearming) == ("airbase", True)


@pytest.mark.rule("RUL-73", "RUL-74")
def test_2009_nobody_is_given_up_while_another_can_leave_the_airbase() -> None:
    zekes = [unit(f"p1-{n}", "a6m2-zeke", placed=True) for n in range(3, 8)]
    battle = given(
        "2009",
        unit("p1-1", "shokaku", "6.2"),
        unit("p1-2", "g4m-betty", "6.2"),
        *zekes,
        unit("p2-1", "hms-hood", "11.1"),
        step=StepKey("air-return", "first"),
    )
    battle.refused("p1", c.Eliminate("p1-2"), "return.has-room", "RUL-73")
    battle.refused("p1", c.Return("p1-2", "airbase"), "return.base-full", "WAS-RETN-08")
    battle.act("p1", c.Return("p1-3", "p1-1"), c.Return("p1-2", "airbase"))
    assert battle.unit("p1-2").base == "airbase"


@pytest.mark.rule("WAS-AIRD-06")
def test_an_aircraft_with_mission_selection_counts_as_what_it_flies_as() -> None:
    battle = given(
        "2009",
        unit("p1-1", "re-2001-cb", "6.2", role="Dive Bomber"),
        unit("p1-2", "a6m2-zeke", "6.2"),
        unit("p2-1", "f4f-wildcat", "6.2"),
        step=StepKey("air-defense", "first"),
        first="p2",
    )
    battle.act("p2", c.Fire("p2-1", "antiair", "p1-1"))
    assert battle.state.attack is not None
    assert battle.state.attack.die.total == -1


@pytest.mark.rule("WAS-INIT-08")
def test_a_crippled_leader_still_leads() -> None:
    battle = given(
        "2009",
        unit("p1-1", "yahagi", "1.1", damage=2),
        unit("p1-2", "yukikaze", "1.2"),
        unit("p2-1", "hmas-canberra", "11.1"),
        step=StepKey("initiative"),
        first="",
    )
    battle.roll([1, 1], [1, 1])
    totals = battle.saw("initiative-rolled").totals
    assert [r.label for r in totals["p1"].reasons] == ["die", "die", "Flotilla Leader"]


def test_two_leaders_of_one_name_do_not_add_up() -> None:
    battle = given(
        "2009",
        unit("p1-1", "yahagi", "1.1"),
        unit("p1-2", "naka", "1.3"),
        unit("p1-3", "yukikaze", "1.2"),
        unit("p2-1", "hmas-canberra", "11.1"),
        step=StepKey("initiative"),
        first="",
    )
    battle.roll([1, 1], [1, 1])
    labels = [r.label for r in battle.saw("initiative-rolled").totals["p1"].reasons]
    assert labels.count("Flotilla Leader") == 1


@pytest.mark.rule("WAS-SETUP-03")
@pytest.mark.parametrize(("face", "winner"), [(1, "p1"), (2, "p2")])
def test_the_winner_of_the_coin_picks_a_side(face: int, winner: str) -> None:
    battle = opened("2009", {"axis": "coin"}).roll([face])
    loser = "p2" if winner == "p1" else "p1"
    battle.refused(loser, c.ChooseSide("Axis"), "turn.not-yours", "WAS-SETUP-03")
    battle.act(winner, c.ChooseSide("Allies"))
    assert battle.state.alliances == {winner: "Allies", loser: "Axis"}


@pytest.mark.rule("WAS-ABIL-13")
def test_expert_bomber_is_not_offered_for_an_aircraft_that_cannot_bomb_any_more() -> None:
    battle = given(
        "2009",
        unit("p1-1", "shokaku", "1.1"),
        unit("p1-2", "d3a-val", "6.2", attacked=True),
        unit("p1-3", "d3a-val", "6.2"),
        unit("p2-1", "hms-hood", "6.2"),
        step=StepKey("air-attack", "first"),
    )
    grants = [x.on for x in battle.offers("p1") if isinstance(x, c.Use)]
    assert grants == ["p1-3"]
