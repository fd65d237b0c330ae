"""ATK: which attack is offered to whom, and how every face of a die is read."""

from __future__ import annotations

from itertools import product

import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.dice import reads, torpedo_hits
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, Battle, bare, given, unit

HERE = "5.4"
GUNS = ("main", "secondary", "tertiary")

TARGETS = {"p2-1": "Ship", "p2-2": "Submarine", "p2-3": "Aircraft", "p2-4": "Torpedo Boat"}

MATRIX_2007 = {
    "air-defense": {("Ship", "antiair", "Aircraft"), ("Destroyer", "antiair", "Aircraft"),
                    ("Fighter", "antiair", "Aircraft")},
    "air-attack": {("Aircraft", "torpedo", "Ship"), ("Aircraft", "torpedo", "Torpedo Boat"),
                   ("Aircraft", "asw", "Submarine"), ("Fighter", "strafe", "Ship"),
                   ("Fighter", "strafe", "Torpedo Boat"), ("Dive Bomber", "bomb", "Ship"),
                   ("Dive Bomber", "bomb", "Torpedo Boat")},
    "surface-attack": {*product(("Ship",), GUNS, ("Ship", "Torpedo Boat")),
                       *product(("Destroyer",), ("main",), ("Ship", "Torpedo Boat")),
                       ("Destroyer", "asw", "Submarine")},
    "torpedo-attack": {*product(("Destroyer", "Submarine"), ("torpedo",),
                                ("Ship", "Torpedo Boat")),
                       ("Submarine", "torpedo", "Submarine")},
}  # fmt: skip
"""Section 1.26 of the inventory for one unit of each sort: attacker, attack, target."""

NO_TORPEDO_BOATS = {("Aircraft", "torpedo", "Torpedo Boat"), ("Submarine", "torpedo",
                     "Torpedo Boat"), ("Destroyer", "torpedo", "Torpedo Boat")}  # fmt: skip
MATRIX_2009 = {
    "air-defense": MATRIX_2007["air-defense"],
    "air-attack": MATRIX_2007["air-attack"] - NO_TORPEDO_BOATS,
    "surface-attack": MATRIX_2007["surface-attack"] | {("Destroyer", "torpedo", "Ship")},
    "submarine-attack": {
        ("Submarine", "torpedo", "Ship"),
        ("Submarine", "torpedo", "Submarine"),
    },
}


def everybody(edition: str, phase: str) -> Battle:
    """One attacker and one target of each sort in one sector, the abilities of most left out."""
    mine = {
        "Ship": bare("yamato"),
        "Destroyer": bare("z32"),
        "Submarine": "i-25",
        "Aircraft": bare("b5n2-kate"),
        "Fighter": bare("a6m2-zeke"),
        "Dive Bomber": bare("d3a-val"),
    }
    low = edition == "2009"
    own = [
        unit(f"p1-{number}", card, HERE, strafing=low and sort == "Fighter")
        for number, (sort, card) in enumerate(mine.items(), 1)
    ]
    enemies = [
        unit("p2-1", "hmas-canberra", HERE),
        unit("p2-2", "s-13", HERE),
        unit("p2-3", bare("sbd-dauntless"), HERE),
        unit("p2-4", bare("pt-boat"), HERE),
    ]
    return given(edition, *own, *enemies, step=StepKey(phase, "first"), turn=3)


SORTS = ("Ship", "Destroyer", "Submarine", "Aircraft", "Fighter", "Dive Bomber")


def offered(battle: Battle) -> set[tuple[str, str, str]]:
    return {
        (SORTS[int(cmd.unit.removeprefix("p1-")) - 1], cmd.weapon, TARGETS[cmd.target])
        for cmd in battle.offers("p1")
        if isinstance(cmd, c.Fire)
    }


@pytest.mark.parametrize(
    ("edition", "phase"), [*product(("2007",), MATRIX_2007), *product(("2009",), MATRIX_2009)]
)
@pytest.mark.rule("WAS-ATK-01", "WAS-ATK-08", "WAS-ATK-09", "WAS-ATK-10", "WAS-ATK-24")
def test_the_matrix_of_targets_and_phases_holds_to_the_letter(edition: str, phase: str) -> None:
    wanted = (MATRIX_2007 if edition == "2007" else MATRIX_2009)[phase]
    assert offered(everybody(edition, phase)) == wanted


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-ATK-01")
def test_every_attack_outside_the_matrix_is_refused(edition: str) -> None:
    matrix = MATRIX_2007 if edition == "2007" else MATRIX_2009
    for phase, wanted in matrix.items():
        battle = everybody(edition, phase)
        kinds = (*GUNS, "antiair", "asw", "bomb", "torpedo", "strafe")
        for (number, sort), kind, target in product(enumerate(SORTS, 1), kinds, TARGETS):
            command = c.Fire(f"p1-{number}", kind, target)
            allowed = (sort, kind, TARGETS[target]) in wanted
            assert (command in battle.offers("p1")) == allowed, (phase, command)


@pytest.mark.parametrize("penalty", [0, 1, 2])
@pytest.mark.rule("WAS-ATK-03", "WAS-ATK-18", "WAS-ATK-19", "RUL-52", "WAS-ABIL-04")
def test_every_face_under_every_penalty(penalty: int) -> None:
    """A sound, a crippled and a main battery at a small ship: 0, -1 and -2 on each die."""
    crippled = penalty == 1
    target = "uss-fletcher-dd-445" if penalty == 2 else "hmas-canberra"
    counted = []
    for face in range(1, 7):
        gun = unit("p1-1", bare("scharnhorst"), HERE, damage=4 if crippled else 0)
        battle = given(
            "2009",
            gun,
            unit("p2-1", bare(target), "5.5"),
            step=StepKey("surface-attack", "first"),
            turn=3,
        )
        battle.fire("p1", "p1-1", "main", "p2-1", (face,) + (1,) * 12)
        counted.append(battle.saw("attack-rolled").successes)
    assert counted == {0: [0, 0, 0, 1, 1, 2], 1: [0, 0, 0, 0, 1, 2], 2: [0, 0, 0, 0, 0, 2]}[penalty]


@pytest.mark.rule("WAS-ATK-04", "WAS-ATK-05", "WAS-ATK-06")
def test_successes_meet_armor_and_vital_armor_at_the_number_itself() -> None:
    for armor, vital in product(range(1, 11), range(2, 18)):
        if armor < vital:
            results = [reads(number, armor, vital) for number in range(vital + 3)]
            assert results.index("hit") == armor
            assert results.index("destroyed") == vital
            assert results == sorted(results, key=["miss", "hit", "destroyed"].index)


@pytest.mark.rule("WAS-TORP-04", "WAS-TORP-08", "WAS-ATK-25")
def test_only_natural_sixes_are_torpedo_hits_whatever_the_penalty() -> None:
    for penalty in (-3, -2, -1, 0):
        assert [torpedo_hits((face,), penalty) for face in range(1, 7)] == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(("overlap", "total", "successes"), [(True, -1, 3), (False, -2, 2)])
@pytest.mark.rule("RUL-50", "WAS-ATK-18")
def test_die_penalties_overlap_unless_the_players_agree_otherwise(
    overlap: bool, total: int, successes: int
) -> None:
    """A crippled Ship fires at the Swordfish Mk. I, whose card takes one off each die too."""
    battle = given(
        "2009",
        unit("p1-1", bare("tone"), HERE, damage=2),
        unit("p2-1", "swordfish-mk-i", HERE),
        step=StepKey("air-defense", "first"),
        turn=3,
        options={"diePenaltiesOverlap": overlap},
    )
    battle.fire("p1", "p1-1", "antiair", "p2-1", (4, 5, 6, 1, 1, 1, 1))
    attack = battle.saw("attack-declared").attack
    assert attack.die.total == total
    assert len(attack.die.reasons) == 2, "both penalties are shown"
    assert battle.saw("attack-rolled").successes == successes


@pytest.mark.rule("WAS-ATK-17")
@pytest.mark.parametrize("viewer", ["p1", "p2", "public"])
def test_allocation_dice_and_results_are_open_to_all(viewer: str) -> None:
    battle = given(
        "2009", unit("p1-1", "duca-d-aosta", HERE), unit("p2-1", "hmas-sydney", "5.6"),
        step=StepKey("surface-attack", "first"), turn=3,
    )  # fmt: skip
    battle.fire("p1", "p1-1", "main", "p2-1", (6, 6, 1, 1, 1, 1))
    assert battle.asked() == ("p2",), "who is second has all of it before he acts"
    told = [event for event in battle.events if event.NAME.startswith("attack-")]
    names = ["attack-declared", "attack-rolled", "attack-resolved"]
    assert [event.NAME for event in told][:3] == names
    assert [GAME.redact(event, viewer) for event in told] == told


@pytest.mark.rule("RUL-45", "WAS-ATK-21")
def test_the_second_player_sees_counters_before_acting() -> None:
    battle = given(
        "2009",
        unit("p1-1", "duca-d-aosta", HERE),
        unit("p2-1", "hmas-sydney", "5.6"),
        step=StepKey("surface-attack", "first"),
        turn=3,
    )
    battle.fire("p1", "p1-1", "main", "p2-1", (6, 6, 1, 1, 1, 1))
    assert battle.asked() == ("p2",)
    assert battle.unit("p2-1").pending == 1
    assert battle.unit("p2-1").damage == 0
    battle.passes("p2")
    assert battle.saw("damage-applied", unit="p2-1").damage == 1
    assert battle.unit("p2-1").pending == 0
