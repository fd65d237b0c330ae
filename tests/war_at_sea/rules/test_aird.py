"""AIRD and AIRA: antiair fire at every number of successes, and the order of counters."""

from __future__ import annotations

from itertools import permutations

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, bare, cards_where, given, unit

HERE = "5.4"


def faces_for(successes: int, dice: int) -> tuple[int, ...]:
    """Faces of ``dice`` dice that come to so many successes."""
    sixes, one = divmod(successes, 2)
    return ((6,) * sixes + (4,) * one + (1,) * dice)[:dice]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-AIRD-11", "WAS-AIRD-12", "WAS-FLEET-22", "WAS-DMG-14")
def test_every_aircraft_is_missed_aborted_or_destroyed_by_its_own_armor(edition: str) -> None:
    for card in cards_where(edition, type="Aircraft"):
        for successes in range(card.vital_armor + 1):
            battle = given(
                edition,
                unit("p1-1", bare("uss-iowa-bb-61"), HERE),
                unit("p2-1", bare(card.id), HERE),
                step=StepKey("air-defense", "first"),
                turn=3,
            )
            battle.fire("p1", "p1-1", "antiair", "p2-1", faces_for(successes, 9))
            found = battle.saw("attack-resolved")
            wanted = "miss" if successes < card.armor else "aborted"
            if successes >= card.vital_armor:
                wanted = "destroyed"
            assert (found.outcome, found.damage) == (wanted, 0), (card.id, successes)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("order", list(permutations((2, 4, 8))))
@pytest.mark.rule("WAS-AIRD-13", "RUL-34", "WAS-AIRD-16")
def test_the_first_counter_is_the_last(edition: str, order: tuple[int, ...]) -> None:
    """Attacks of 2, 4 and 8 successes at a Swordfish of 3 and 6, in every order."""
    ships = [unit(f"p1-{n}", bare("tone"), HERE) for n in (1, 2, 3)]
    battle = given(
        edition,
        *ships,
        unit("p2-1", bare("swordfish-mk-ii"), HERE),
        unit("p2-2", "hmas-canberra", "11.7"),
        step=StepKey("air-defense", "first"),
        turn=3,
    )
    for ship, successes in zip(ships, order, strict=True):
        battle.fire("p1", ship.id, "antiair", "p2-1", faces_for(successes, 7))
    aborted = order.index(4) < order.index(8)
    assert ("p2-1" in battle.state.units) == aborted
    assert battle.state.scores["p1"] == (0 if aborted else 10)


@pytest.mark.parametrize(
    ("guard", "attacker", "target", "penalty"),
    [
        ("f4f-wildcat", "a6m2-zeke", "sbd-dauntless", -1),
        ("f4f-wildcat", "a6m2-zeke", "swordfish-mk-ii", -1),
        ("f4f-wildcat", "a6m2-zeke", "pby-catalina", -1),
        ("f4f-wildcat", "a6m2-zeke", "martlet-mk-ii", 0),
        ("f4f-wildcat", "tone", "sbd-dauntless", 0),
        ("d-520", "a6m2-zeke", "sbd-dauntless", 0),
    ],
)
@pytest.mark.rule("WAS-AIRD-06", "WAS-AIRD-08", "RUL-32", "WAS-ABIL-20")
def test_who_escorts_whom_against_whom(
    guard: str, attacker: str, target: str, penalty: int
) -> None:
    for edition in EDITIONS:
        battle = given(
            edition,
            unit("p1-1", attacker, HERE),
            unit("p2-1", target, HERE),
            unit("p2-2", guard, HERE),
            step=StepKey("air-defense", "first"),
            turn=3,
        )
        battle.act("p1", c.Fire("p1-1", "antiair", "p2-1"))
        assert battle.saw("attack-declared").attack.die.total == penalty


@pytest.mark.rule("WAS-AIRD-06", "WAS-AIRD-08")
def test_an_escort_in_the_next_sector_is_none() -> None:
    battle = given(
        "2009",
        unit("p1-1", "a6m2-zeke", HERE),
        unit("p2-1", "sbd-dauntless", HERE),
        unit("p2-2", "f4f-wildcat", "5.5"),
        step=StepKey("air-defense", "first"),
        turn=3,
    )
    battle.act("p1", c.Fire("p1-1", "antiair", "p2-1"))
    assert battle.saw("attack-declared").attack.die.reasons == ()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-AIRD-19", "WAS-AIRD-20", "WAS-AIRA-06", "WAS-AIRA-09", "RUL-30")
def test_antiair_and_an_attack_in_the_same_turn_are_of_2007(edition: str) -> None:
    new = edition == "2009"
    battle = given(
        edition,
        unit("p1-1", "a6m2-zeke", HERE, strafing=new),
        unit("p1-2", "d3a-val", HERE),
        unit("p2-1", bare("swordfish-mk-ii"), HERE),
        unit("p2-2", bare("uss-fletcher-dd-445"), HERE),
        step=StepKey("air-defense", "first"),
        turn=3,
    )
    battle.fire("p1", "p1-1", "antiair", "p2-1", (1,) * 7).passes("p2")
    strafe = c.Fire("p1-1", "strafe", "p2-2")
    assert battle.state.step == StepKey("air-attack", "first")
    assert (strafe in battle.offers("p1")) != new
    if new:
        battle.refused("p1", strafe, "attack.once-a-turn", "WAS-AIRA-09")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-AIRA-10", "WAS-TORP-11", "WAS-DMG-17")
def test_what_aircraft_do_to_each_side_takes_effect_together_before_the_guns(edition: str) -> None:
    battle = given(
        edition,
        unit("p1-1", "hatsukaze", HERE),
        unit("p1-2", "d3a-val", HERE),
        unit("p2-1", "uss-fletcher-dd-445", HERE),
        unit("p2-2", "sbd-dauntless", HERE),
        unit("p1-9", "duca-d-aosta", "1.1"),
        unit("p2-9", "hmas-canberra", "11.7"),
        step=StepKey("air-attack", "first"),
        turn=3,
    )
    battle.fire("p1", "p1-2", "bomb", "p2-1", (6,) * 4 + (1,) * 4)
    battle.fire("p2", "p2-2", "bomb", "p1-1", (6,) * 4 + (1,) * 6)
    assert not {"p1-1", "p2-1"} & set(battle.state.units)
    assert battle.state.step.phase == "air-return"
    assert battle.state.scores == {"p1": 7, "p2": 12}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-AIRD-13", "RUL-36")
def test_an_immune_aircraft_uses_nothing_up_in_its_defence(edition: str) -> None:
    """Nimble works once a game; it was spent on an attack that could do nothing anyway."""
    battle = given(
        edition,
        unit("p1-1", bare("tone"), HERE),
        unit("p1-2", bare("a6m2-zeke"), HERE),
        unit("p2-1", "d-520", HERE),
        step=StepKey("air-defense", "first"),
        turn=3,
        smoke={HERE: 9},
    )
    battle.fire("p1", "p1-1", "antiair", "p2-1", faces_for(6, 7)).roll((1,))
    assert battle.unit("p2-1").aborted
    battle.fire("p1", "p1-2", "antiair", "p2-1", faces_for(8, 7))
    assert battle.saw("attack-resolved", attacker="p1-2").outcome == "no-effect"
    assert battle.unit("p2-1").spent == ()
