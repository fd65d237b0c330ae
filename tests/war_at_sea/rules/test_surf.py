"""SURF, TORP, SUBA: what a Ship may do in one step, and what ASW Threat comes to."""

from __future__ import annotations

from itertools import product

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.dice import torpedo_minimum
from domain.kernel.tally import Reason, Tally
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, Battle, bare, given, unit

HERE = "5.4"


def weapons(battle: Battle, name: str) -> set[str]:
    offers = battle.offers("p1") if "p1" in battle.asked() else ()
    return {o.weapon for o in offers if isinstance(o, c.Fire) and o.unit == name}


@pytest.mark.parametrize(
    ("edition", "first", "left"),
    [
        ("2007", "main", set()),
        ("2007", "asw", set()),
        ("2009", "main", {"torpedo"}),
        ("2009", "torpedo", {"main"}),
        ("2009", "asw", set()),
    ],
)
@pytest.mark.rule("WAS-SURF-03", "WAS-SURF-09", "WAS-SURF-10", "RUL-65")
def test_what_a_destroyer_has_left_after_its_first_attack(
    edition: str, first: str, left: set[str]
) -> None:
    battle = given(
        edition,
        unit("p1-1", bare("z32"), HERE),
        unit("p1-2", bare("z32"), HERE),
        unit("p2-1", "hmas-canberra", HERE),
        unit("p2-2", "s-13", HERE),
        step=StepKey("surface-attack", "first"),
        turn=3,
    )
    guns = {"main", "asw"} | ({"torpedo"} if edition == "2009" else set())
    assert weapons(battle, "p1-1") == guns
    dice = {"main": 6, "asw": 4, "torpedo": 2}[first]
    battle.fire("p1", "p1-1", first, "p2-2" if first == "asw" else "p2-1", (1,) * dice)
    assert weapons(battle, "p1-1") == left
    assert weapons(battle, "p1-2") == guns


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SURF-04", "WAS-SURF-05", "WAS-FLEET-24", "RUL-38")
def test_batteries_fire_in_any_order_each_once(edition: str) -> None:
    dice = {"main": 18, "secondary": 8, "tertiary": 5}
    for order in (("tertiary", "main", "secondary"), ("secondary", "tertiary", "main")):
        battle = given(
            edition,
            unit("p1-1", bare("yamato"), HERE),
            unit("p2-1", bare("uss-iowa-bb-61"), HERE),
            step=StepKey("surface-attack", "first"),
            turn=3,
        )
        for number, battery in enumerate(order):
            assert weapons(battle, "p1-1") == set(order[number:])
            battle.fire("p1", "p1-1", battery, "p2-1", (1,) * dice[battery])
        assert battle.asked() == ("p2",)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SURF-19", "WAS-ABIL-30")
def test_a_layer_of_smoke_keeps_the_torpedoes_of_the_2007_torpedo_phase(edition: str) -> None:
    battle = given(
        edition,
        unit("p1-1", "ascari", HERE),
        unit("p2-1", "hmas-canberra", "5.5"),
        step=StepKey("surface-attack", "first"),
        turn=3,
    )
    battle.act("p1", c.Use("p1-1", "lay-smoke-screen")).passes("p2")
    if edition == "2007":
        assert battle.state.step == StepKey("torpedo-attack", "first")
        assert weapons(battle, "p1-1") == {"torpedo"}
    else:
        battle.not_saw("attack-declared")
        assert battle.state.step == StepKey("initiative")


@pytest.mark.parametrize(("aircraft", "near", "crippled"), [*product(range(3), range(4), (0, 1))])
@pytest.mark.rule("WAS-SUBA-05", "WAS-SUBA-06", "WAS-SUBA-07", "RUL-51", "WAS-TORP-10")
def test_asw_threat_in_every_sum(aircraft: int, near: int, crippled: int) -> None:
    """Three dice less one for each Aircraft's ASW attack, each Destroyer near, and crippled."""
    planes = [unit(f"p2-1{n}", bare("swordfish-mk-ii"), HERE) for n in range(aircraft)]
    ships = [
        unit(f"p2-2{n}", bare("uss-fletcher-dd-445"), at)
        for n, at in enumerate((HERE, "5.5", "6.4")[:near])
    ]
    battle = given(
        "2009",
        unit("p1-1", bare("i-25"), HERE, damage=crippled),
        *planes,
        *ships,
        unit("p2-1", "hmas-canberra", HERE),
        step=StepKey("air-attack", "first"),
        first="p2",
        turn=3,
    )
    for plane in planes:
        battle.fire("p2", plane.id, "asw", "p1-1", (1, 1, 1))
    battle.on_to("submarine-attack").act("p1", c.Fire("p1-1", "torpedo", "p2-1"))
    attack = battle.events[-2].attack
    assert attack.dice.total == max(1, 3 - aircraft - near - crippled)
    counted = [reason.rule for reason in attack.dice.reasons]
    assert counted.count("WAS-SUBA-03") == aircraft
    assert counted.count("WAS-SUBA-04") == near
    assert counted.count("WAS-TORP-09") == crippled


@pytest.mark.rule("WAS-TORP-10", "RUL-49", "WAS-SUBA-06")
def test_at_least_one_torpedo_die_and_never_more_for_it() -> None:
    for value in range(-4, 6):
        tally = torpedo_minimum(Tally.of(Reason(value, "WAS-ATK-02", "printed")))
        assert tally.total == max(1, value)
        assert sum(reason.value for reason in tally.reasons) == tally.total


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SURF-12", "WAS-SURF-13", "WAS-SURF-16", "RUL-67", "RUL-68")
def test_small_ships_by_range_and_weapon(edition: str) -> None:
    """Every battery of a Battleship at a Destroyer, a Torpedo Boat and a Cruiser, range 0 to 4."""
    new = edition == "2009"
    small = ("uss-fletcher-dd-445", "pt-boat")
    column = ("3.4", "4.4", "5.4", "6.4", "7.4")
    for reach, card in product(range(5), (*small, "hmas-canberra")):
        battle = given(
            edition,
            unit("p1-1", "scharnhorst", "3.4"),
            unit("p2-1", bare(card), column[reach]),
            unit("p2-2", "hmas-canberra", "3.4"),
            step=StepKey("surface-attack", "first"),
            turn=3,
        )
        shot = c.Fire("p1-1", "main", "p2-1")
        if reach == 4 and card in small and new:
            battle.refused("p1", shot, "attack.small-ship", "WAS-SURF-12")
            continue
        battle.act("p1", shot)
        penalty = -2 if new and card in small else 0
        assert battle.saw("attack-declared").attack.die.total == penalty, (reach, card)
