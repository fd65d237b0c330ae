"""Which placements of Aircraft are worth a look, and why: what might follow there this turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.state import State, Unit
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, bare, given, unit
from tests.support.stretches import Stretch, of_recorded
from tests.war_at_sea.suite import SUITE

MISSION = StepKey("air-mission")
SHIP = unit("p2-1", "hmas-canberra", "7.4")
OWN = unit("p1-1", "duca-d-aosta", "1.1")


def told(state: State, command: c.Place) -> list[tuple[str, str, str]]:
    """What each purpose of a placement does, on what, by which rule."""
    found = GAME.worthwhile(state, command) or {"purposes": []}
    return [(each["does"], each["on"], each["rule"]) for each in found["purposes"]]


def does(*units: Unit, to: str, edition: str = "2009", **how: Any) -> set[tuple[str, str]]:
    """What ``p1-2`` would be placed for."""
    battle = given(edition, *units, step=MISSION)
    return {(each, on) for each, on, _ in told(battle.state, c.Place("p1-2", to, **how))}


# --- attacks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bomber_is_for_the_sector_of_an_enemy_ship_and_for_no_other(edition: str) -> None:
    battle = given(edition, OWN, SHIP, unit("p1-2", "d3a-val"), step=MISSION)
    worth = {
        each.sector: told(battle.state, each)
        for each in battle.offers("p1")
        if isinstance(each, c.Place) and told(battle.state, each)
    }
    assert worth == {"7.4": [("attack", "p2-1", "WAS-AIRA-01")]}
    (purpose,) = (GAME.worthwhile(battle.state, c.Place("p1-2", "7.4")) or {})["purposes"]
    assert purpose["text"] == "bombs HMAS Canberra (p2-1)"
    battle.act("p1", c.Place("p1-2", "7.4")).on_to("air-attack", "first")
    assert c.Fire("p1-2", "bomb", "p2-1") in battle.offers("p1")


def test_bombs_are_no_use_over_a_submarine() -> None:
    submarine = unit("p2-1", "uss-barb-ss-220", "7.4")
    assert does(OWN, submarine, unit("p1-2", "d3a-val"), to="7.4") == set()
    assert does(OWN, submarine, unit("p1-2", "g4m-betty"), to="7.4") == {("attack", "p2-1")}


def test_who_strafes_says_so_when_he_is_placed() -> None:
    fighter = unit("p1-2", bare("a6m2-zeke"))
    assert does(OWN, SHIP, fighter, to="7.4") == set()
    assert does(OWN, SHIP, fighter, to="7.4", strafing=True) == {("attack", "p2-1")}


def test_a_role_decides_what_it_is_for() -> None:
    both = unit("p1-2", "re-2001-cb")
    assert does(OWN, SHIP, both, to="7.4", role="Dive Bomber") == {("attack", "p2-1")}
    assert does(OWN, SHIP, both, to="7.4", role="Fighter") == set()


def test_a_missile_reaches_the_next_sector_and_no_farther() -> None:
    missile = unit("p1-2", "fw-200-kondor")
    far = [does(OWN, SHIP, missile, to=to) for to in ("7.4", "8.4", "9.4")]
    assert ("attack", "p2-1") in far[0] & far[1]
    assert ("attack", "p2-1") not in far[2]


def test_a_fighter_is_for_the_sector_of_enemy_aircraft() -> None:
    enemy = unit("p2-2", "sbd-dauntless", "5.4")
    fighter = unit("p1-2", bare("a6m2-zeke"))
    assert does(OWN, SHIP, enemy, fighter, to="5.4") == {("intercept", "p2-2")}
    assert does(OWN, SHIP, enemy, fighter, to="5.3") == set()


# --- what may still come --------------------------------------------------------------------------


def test_a_fighter_guards_what_an_enemy_that_waits_may_come_to_attack() -> None:
    waits, fighter = unit("p2-2", "sbd-dauntless"), unit("p1-2", bare("a6m2-zeke"))
    assert does(OWN, SHIP, waits, fighter, to="1.1") == {("guard", "p1-1")}
    assert does(OWN, SHIP, waits, fighter, to="1.2") == set(), "nothing of its side is there"


@pytest.mark.parametrize(
    "enemy",
    [
        unit("p2-2", "sbd-dauntless", rearming=True),
        unit("p2-2", "sbd-dauntless", "9.4"),
        unit("p2-2", "swordfish-mk-ii", placed=True),
    ],
    ids=["it rearms", "it flies elsewhere", "it stays at home"],
)
def test_nothing_is_guarded_where_nobody_can_come(enemy: Unit) -> None:
    fighter = unit("p1-2", bare("a6m2-zeke"))
    assert does(OWN, SHIP, enemy, fighter, to="1.1") == set()


def test_a_submarine_is_guarded_from_who_attacks_submarines() -> None:
    own, fighter = unit("p1-1", "i-19", "1.1"), unit("p1-2", bare("a6m2-zeke"))
    assert does(own, SHIP, unit("p2-2", "sbd-dauntless"), fighter, to="1.1") == set()
    hunter = unit("p2-2", "swordfish-mk-ii")
    assert does(own, SHIP, hunter, fighter, to="1.1") == {("guard", "p1-1")}


def test_what_is_reached_from_the_next_sector_is_guarded_there() -> None:
    missile, fighter = unit("p2-2", "fw-200-kondor"), unit("p1-2", bare("a6m2-zeke"))
    for to in ("1.1", "1.2", "2.1"):
        assert does(OWN, SHIP, missile, fighter, to=to) == {("guard", "p1-1")}
    assert does(OWN, SHIP, missile, fighter, to="1.3") == set()


def test_a_bomber_guards_nothing() -> None:
    waits = unit("p2-2", "sbd-dauntless")
    assert does(OWN, SHIP, waits, unit("p1-2", "d3a-val"), to="1.1") == set()


def test_nobody_comes_to_a_full_sector() -> None:
    full = [unit(f"p2-{n}", "sbd-dauntless", "1.1") for n in range(2, 6)]
    waits, fighter = unit("p2-6", "sbd-dauntless"), unit("p1-2", bare("a6m2-zeke"))
    assert does(OWN, SHIP, *full, waits, fighter, to="1.1") == {
        ("intercept", each.id) for each in full
    }


def test_who_has_passed_in_2007_sends_nobody_any_more() -> None:
    waits, fighter = unit("p2-2", "sbd-dauntless"), unit("p1-2", bare("a6m2-zeke"))
    battle = given("2007", OWN, SHIP, waits, fighter, step=MISSION, passed=("p2",))
    assert told(battle.state, c.Place("p1-2", "1.1")) == []
    still = given("2007", OWN, SHIP, waits, fighter, step=MISSION)
    assert told(still.state, c.Place("p1-2", "1.1")) == [("guard", "p1-1", "WAS-AIRD-01")]


# --- abilities ------------------------------------------------------------------------------------


def test_an_escort_is_for_a_bomber_that_enemy_fighters_may_attack() -> None:
    bomber, escort = unit("p1-3", "d3a-val", "7.4"), unit("p1-2", "c-202-folgore")
    hunter = unit("p2-2", bare("f4f-wildcat"), "7.4")
    assert does(OWN, SHIP, bomber, escort, hunter, to="7.4") == {
        ("intercept", "p2-2"),
        ("escort", "p1-3"),
    }
    assert does(OWN, SHIP, bomber, escort, to="7.4") == set(), "no Fighter can come"
    low = does(OWN, SHIP, bomber, escort, hunter, to="7.4", strafing=True)
    assert ("escort", "p1-3") not in low, "a strafing one does not count"
    other = unit("p1-4", "c-202-folgore", "7.4")
    there = does(OWN, SHIP, bomber, escort, other, hunter, to="7.4")
    assert ("escort", "p1-3") not in there, "several do not add up"


def test_a_patrol_beside_its_carrier_is_for_enemy_aircraft_within_two() -> None:
    carrier, patrol = unit("p1-1", "shokaku", "1.4"), unit("p1-2", "a6m2-zeke", base="p1-1")
    enemy = unit("p2-2", "f4f-wildcat", "3.4")
    assert does(carrier, SHIP, patrol, enemy, to="1.4") == {("patrol", "3.4")}
    assert does(carrier, SHIP, patrol, enemy, to="1.3") == set(), "its Carrier is not there"
    away = unit("p2-2", "f4f-wildcat", "5.4")
    assert does(carrier, SHIP, patrol, away, to="1.4") == set()


def test_a_shadow_is_for_an_enemy_ship_within_two() -> None:
    shadow = unit("p1-2", "h8k1-type-2-emily")
    assert does(OWN, SHIP, shadow, to="9.4") == {("ability", "p2-1")}
    assert does(OWN, SHIP, shadow, to="10.4") == set()


def test_who_draws_the_cap_is_for_the_sector_of_an_enemy_fighter() -> None:
    drawn, fighter = unit("p1-2", "tbd-devastator"), unit("p2-2", "f4f-wildcat", "5.4")
    assert does(OWN, SHIP, fighter, drawn, to="5.4") == {("ability", "p2-2")}
    bomber = unit("p2-2", "sbd-dauntless", "5.4")
    assert does(OWN, SHIP, bomber, drawn, to="5.4") == set()


def test_who_divides_the_defense_is_for_the_sector_of_an_enemy_ship() -> None:
    divider = unit("p1-2", "ju-88a-4")
    assert ("ability", "") in does(OWN, SHIP, divider, to="7.4")
    assert does(OWN, SHIP, divider, to="7.3") == set()


def test_in_the_dark_it_is_supposed_to_find_its_sector() -> None:
    bomber = unit("p1-2", "d3a-val")
    battle = given("2009", OWN, SHIP, bomber, step=MISSION, light="night")
    assert told(battle.state, c.Place("p1-2", "7.4")) == [("attack", "p2-1", "WAS-AIRA-01")]


def test_mines_can_be_laid_everywhere_and_make_no_sector_better() -> None:
    assert does(OWN, SHIP, unit("p1-2", "sunderland-mk-i"), to="4.4") == set()


def test_nothing_but_a_placement_is_told_of() -> None:
    battle = given("2009", OWN, SHIP, unit("p1-2", "d3a-val"), step=MISSION)
    assert GAME.worthwhile(battle.state, c.SendToAirbase("p1-2")) is None
    assert GAME.worthwhile(battle.state, c.Place("p1-9", "7.4")) is None


# --- recorded games -------------------------------------------------------------------------------


def placements() -> Iterator[tuple[State, c.Place, tuple[Stretch, ...]]]:
    """Each placement of the recorded games, and what followed in its turn."""
    every = tuple(of_recorded(SUITE))
    for at, each in enumerate(every):
        if isinstance(each.order, c.Place):
            turn = each.before.turn
            rest = (s for s in every[at + 1 :] if s.name != each.name or s.before.turn != turn)
            end = next(rest, None)
            yield each.before, each.order, every[at + 1 : every.index(end) if end else None]


def attacked(order: c.Place, after: tuple[Stretch, ...]) -> Iterator[str]:
    """Whom the Aircraft attacked while it was where it had been placed."""
    for stretch in after:
        for event in stretch.events:
            if not isinstance(event, ev.AttackDeclared) or event.attack.attacker != order.unit:
                continue
            if stretch.before.units[order.unit].sector == order.sector:
                yield event.attack.target


def test_an_attack_that_followed_had_been_called_worthwhile() -> None:
    """On whom stood there already it names him; who came later might come to attack something."""
    followed = 0
    for state, order, after in placements():
        named = {on for what, on, _ in told(state, order) if what in ("attack", "intercept")}
        for target in attacked(order, after):
            if target in state.units and state.units[target].sector:
                followed += 1
                assert target in named, (order, target)
    assert followed > 30


def test_a_seat_sees_all_that_makes_a_placement_worthwhile() -> None:
    """Told from what the seat itself is shown it is the same as from the truth."""
    looked, name = 0, ""
    views: dict[str, Any] = {}
    for each in of_recorded(SUITE):
        views = {} if each.name != name else views
        name = each.name
        for seat in each.after.seats:
            seen = [GAME.seen(event, seat) for event in each.events]
            views[seat] = GAME.fold(seen, views.get(seat))
        if isinstance(each.order, c.Place) and GAME.awaiting(each.after) is None:
            for asked in {question.seat for question in GAME.pending(each.after)}:
                for command in GAME.legal(each.after, asked).commands[::3]:
                    found = GAME.worthwhile(views[asked], command)
                    assert found == GAME.worthwhile(each.after, command)
                    looked += found is not None
    assert looked > 30


def share() -> tuple[int, int]:
    """In all lists of the recorded games: placements worth a look, and all placements."""
    offered = worth = 0
    for state, _, _ in placements():
        for seat in (each.seat for each in GAME.pending(state)):
            found = [e for e in GAME.legal(state, seat).commands if isinstance(e, c.Place)]
            offered += len(found)
            worth += sum(GAME.worthwhile(state, each) is not None for each in found)
    return worth, offered


def test_few_of_the_placements_that_are_offered_are_worthwhile() -> None:
    worth, offered = share()
    assert 0 < worth < offered // 10
