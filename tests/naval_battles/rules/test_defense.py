"""The defense: order, cards, air cover, run silent, Planning (DEF, NM, AP, ESC, ST, EA, COVER)."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.kernel.values import StepKey

from ..tables import Battle, Prepared, Ship, given, ship
from .test_attack import SALVO, fire

YAMATO = ship("p1", "jp-yamato")
BISMARCK = ship("p2", "de-bismarck")
ESSEX = ship("p1", "us-essex")


def defending(*fleet: Ship, attacks: tuple[Any, ...], hand: tuple[str, ...], **more: Any) -> Battle:
    """p1 declares these attacks at p2, who holds this hand."""
    cards = [card for each in attacks if (card := getattr(each, "card", ""))]
    hands = {"p1": cards, "p2": list(hand), **more.pop("hands", {})}
    battle = given(*fleet, hands=hands, **more)
    battle.does("p1", *attacks).ends("p1")
    assert battle.state.step == StepKey("defense")
    return battle


# --- order ---------------------------------------------------------------------------------------

THREE = (YAMATO, BISMARCK, ship("p3", "it-roma"), ship("p4", "fr-richelieu"))
AT_TWO = (
    fire("main-14-18-4", "jp-yamato", "main-18", "it-roma"),
    fire("main-14-18-3", "jp-yamato", "main-18", "de-bismarck"),
)


def two_attacked(**more: Any) -> Battle:
    """p1 fires at p3 (attack 1) and at p2 (attack 2); p4 is not attacked."""
    cards = ["near-miss", "near-miss"]
    more.setdefault("hands", {"p3": cards, "p4": ["evasive-action"]})
    return defending(*THREE, attacks=AT_TWO, hand=("evasive-action",), seats=4, **more)


@pytest.mark.rule("NB-DEF-03", "NB-DEF-05", "NB-DEF-06", "NB-AMB-05", "NB-DEF-01")
def test_one_defense_each_clockwise_until_all_pass_in_a_row() -> None:
    battle = two_attacked()
    assert battle.asked() == ("p2",), "clockwise from the attacker"
    battle.refused("p4", c.Defend("evasive-action", 1), "turn.not-yours", "NB-DEF-03")
    battle.does("p2", c.Pass())
    assert battle.asked() == ("p3",)
    more = given(
        *THREE, ship("p3", "it-littorio"), seats=4, attacks=battle.state.attacks,
        declared=2, step=StepKey("defense"), last="p2", passed=("p2",),
        hands={"p2": ["evasive-action"], "p3": ["escort-ship"]},
    )  # fmt: skip
    more.does("p3", c.Defend("escort-ship", 1, to="it-littorio"))
    assert more.asked() == ("p2",), "a pass is not final while somebody still acts"
    more.does("p2", c.Defend("evasive-action", 2))
    assert more.asked() == ("p3",), "against p2 nothing stands any more"
    more.does("p3", c.Pass())
    assert more.state.step != StepKey("defense")


@pytest.mark.rule("NB-DEF-05")
def test_each_player_finishes_before_the_next_by_agreement() -> None:
    battle = two_attacked(options={"defenseOrder": "whole-player"})
    battle.does("p2", c.Pass())
    assert battle.asked() == ("p3",)
    battle.does("p3", c.Defend("near-miss", 1))
    assert battle.state.step != StepKey("defense"), "p2 has finished"
    fleet = (YAMATO, BISMARCK, ship("p2", "de-tirpitz"), ship("p3", "it-roma"))
    more = defending(*fleet, attacks=AT_TWO, hand=("escort-ship", "evasive-action"), seats=3,
                     options={"defenseOrder": "whole-player"})  # fmt: skip
    more.does("p2", c.Defend("escort-ship", 2, to="de-tirpitz"))
    assert more.asked() == ("p2",), "he may defend again before p3 is asked"


@pytest.mark.rule("NB-DEF-06", "NB-DEF-03")
def test_the_question_does_not_depend_on_hands() -> None:
    held = two_attacked(hands={"p3": ["near-miss"]})
    empty = two_attacked(hands={"p3": []})
    for battle in (held, empty):
        battle.does("p2", c.Pass())
        assert battle.asked() == ("p3",)
        assert [q.question for q in GAME.pending(battle.state)] == ["defend"]
        assert all(not question.together for question in GAME.pending(battle.state))


# --- stopping cards ------------------------------------------------------------------------------

MAIN = SALVO
SECONDARY = fire("secondary-4-5-1", "jp-kagero", "secondary-5", "de-bismarck")
SPREAD = fire("torpedo-4", "jp-kagero", "torpedo", "de-bismarck")
RAID = c.AirRaid("jp-shoho", "de-bismarck")
KAGERO, SHOHO = ship("p1", "jp-kagero"), ship("p1", "jp-shoho")
ALL = (MAIN, SECONDARY, SPREAD, RAID)
"""Attacks 1 to 4 at Bismarck."""


def all_kinds(*hand: str, **more: Any) -> Battle:
    return defending(YAMATO, KAGERO, SHOHO, BISMARCK, attacks=ALL, hand=hand, **more)


@pytest.mark.rule("NB-NM-01", "NB-NM-02", "NB-NM-03", "NB-DEF-04", "NB-DEF-08", "NB-CARD-04")
def test_near_miss_stops_a_main_salvo() -> None:
    battle = all_kinds("near-miss")
    for number in (2, 3, 4):
        no = c.Defend("near-miss", number)
        battle.refused("p2", no, "defense.no-effect", "NB-NM-03")
    battle.does("p2", c.Defend("near-miss", 1))
    assert battle.saw("attack-stopped").discarded == ("main-14-18-4",)
    assert battle.state.discards == ("near-miss", "main-14-18-4")
    battle.refused("p2", c.Defend("near-miss", 2), "card.not-in-hand", "NB-RUL-03")
    gone = all_kinds("near-miss", "near-miss").does("p2", c.Defend("near-miss", 1))
    gone.refused("p2", c.Defend("near-miss", 1), "defense.no-attack", "NB-DEF-08")


@pytest.mark.rule("NB-AP-01", "NB-AP-02", "NB-AMB-32")
def test_armor_plating_stops_secondary_salvos_of_both_kinds() -> None:
    battle = all_kinds("armor-plating")
    for number in (1, 3, 4):
        no = c.Defend("armor-plating", number)
        battle.refused("p2", no, "defense.no-effect", "NB-AP-01")
    battle.does("p2", c.Defend("armor-plating", 2))
    assert battle.state.discards == ("armor-plating", "secondary-4-5-1")
    double = c.DeclareAttack(
        "double-secondary-4-5-4", ("jp-kagero", "jp-shimakaze"), ("secondary-5",) * 2, "de-bismarck"
    )
    fleet = (KAGERO, ship("p1", "jp-shimakaze"), BISMARCK)
    plated = defending(*fleet, attacks=(double,), hand=("armor-plating",))
    plated.does("p2", c.Defend("armor-plating", 1))
    assert plated.saw("attack-stopped").discarded == ("double-secondary-4-5-4",)
    evaded = defending(*fleet, attacks=(double,), hand=("evasive-action",))
    evaded.does("p2", c.Defend("evasive-action", 1))
    assert evaded.saw("attack-stopped").discarded == ("double-secondary-4-5-4",)


@pytest.mark.rule("NB-EA-01", "NB-EA-02", "NB-DEF-09", "NB-AMB-32")
def test_evasive_action_stops_anything() -> None:
    battle = all_kinds(*["evasive-action"] * 4)
    battle.does("p2", *(c.Defend("evasive-action", number) for number in (4, 3, 2, 1)))
    assert battle.state.attacks == ()
    raids = (c.LandRaid("land-air-x2", "de-u-47"), c.AimRaid("de-u-47"))
    under = ship("p2", "de-u-47", active=True)
    charge = fire("depth-1", "jp-kagero", "torpedo", "de-u-47")
    one = defending(KAGERO, under, attacks=(charge, *raids), hand=("evasive-action",) * 2)
    one.does("p2", c.Defend("evasive-action", 2), c.Defend("evasive-action", 1))
    assert [attack.number for attack in one.state.attacks] == [3], "one raid of the card is left"
    assert "land-air-x2" not in one.state.discards


@pytest.mark.rule("NB-ST-01", "NB-ST-02", "NB-AMB-11")
@pytest.mark.parametrize(
    ("name", "damage", "small"),
    [
        ("it-capitani-romani", ("main-11-13-3",), True),
        ("it-capitani-romani", (), True),
        ("it-duca-degli-abruzzi", ("main-11-13-3",), False),
    ],
)
def test_small_target_asks_the_printed_hull(
    name: str, damage: tuple[str, ...], small: bool
) -> None:
    """Printed hull 4 with 3 damage: allowed. Printed hull 5 with 3 damage: not."""
    attack = fire("main-14-18-4", "jp-yamato", "main-18", name)
    target = ship("p2", name, damage=damage)
    battle = defending(YAMATO, target, attacks=(attack,), hand=("small-target",))
    use = c.Defend("small-target", 1)
    if small:
        battle.does("p2", use)
        assert set(battle.state.discards) == {"small-target", "main-14-18-4"}
    else:
        battle.refused("p2", use, "defense.too-large", "NB-ST-02")
        assert use not in battle.offers("p2")


# --- Escort Ship ---------------------------------------------------------------------------------

ROW = (BISMARCK, ship("p2", "de-t13"), ship("p2", "de-z23"), ship("p2", "de-koln", 2))


@pytest.mark.rule("NB-ESC-01", "NB-ESC-02", "NB-ESC-04", "NB-ESC-06", "NB-AMB-08")
def test_escort_ship_moves_an_attack_in_its_row_and_again() -> None:
    """A to B to C, and back with a third card."""
    battle = defending(YAMATO, *ROW, attacks=(SALVO,), hand=("escort-ship",) * 4)
    for wrong in ("de-koln", "de-bismarck", "jp-yamato", ""):
        no = c.Defend("escort-ship", 1, to=wrong)
        battle.refused("p2", no, "defense.not-in-row", "NB-ESC-01")
    for to in ("de-t13", "de-z23", "de-bismarck"):
        battle.does("p2", c.Defend("escort-ship", 1, to=to))
        assert battle.state.attacks[0].target == to
    assert battle.state.discards == ("escort-ship",) * 3


@pytest.mark.rule("NB-ESC-01", "NB-PREP-05", "NB-ESC-06")
def test_a_prepared_escort_ship_moves_once_in_a_turn() -> None:
    lying = {"p2": [Prepared("escort-ship", "de-koln")]}
    battle = defending(YAMATO, *ROW, attacks=(SALVO,), hand=("near-miss",), prepared=lying)
    battle.does("p2", c.Defend("escort-ship", 1, prepared=True, to="de-t13"))
    back = c.Defend("escort-ship", 1, prepared=True, to="de-bismarck")
    battle.refused("p2", back, "defense.not-prepared", "NB-PREP-05")
    assert battle.state.discards == ()


@pytest.mark.rule("NB-ESC-05", "NB-AMB-09", "NB-DEF-02", "NB-AMB-27")
def test_a_moved_raid_is_reckoned_anew() -> None:
    """4 + 1 on Bismarck in row 2 becomes 4 on T13 beside it."""
    fleet = (ship("p2", "de-koln"), ship("p2", "de-bismarck", 2), ship("p2", "de-t13", 2))
    raid = c.LandRaid("land-air-x2", "de-bismarck")
    battle = defending(
        *fleet, attacks=(raid, c.Pass()), hand=("escort-ship",), nations={"p1": "japan"}
    )
    assert battle.state.attacks[0].needed == 5
    battle.does("p2", c.Defend("escort-ship", 1, to="de-t13"))
    assert battle.state.attacks[0].needed == 4
    assert battle.saw("attack-moved").needed == 4


@pytest.mark.rule("NB-ESC-03", "NB-ESC-07", "NB-AMB-10")
def test_escort_ship_and_submarines_and_lonely_ships() -> None:
    charge = fire("depth-1", "jp-kagero", "torpedo", "de-u-47")
    fleet = (KAGERO, ship("p2", "de-u-47"), ship("p2", "de-u-505"), ship("p2", "de-t13"))
    below = defending(*fleet, attacks=(charge,), hand=("escort-ship",))
    to_ship = c.Defend("escort-ship", 1, to="de-t13")
    below.refused("p2", to_ship, "defense.submarine", "NB-ESC-03")
    lonely = defending(YAMATO, BISMARCK, ship("p2", "de-u-47"), attacks=(SALVO,),
                       hand=("escort-ship",))  # fmt: skip
    to_submarine = c.Defend("escort-ship", 1, to="de-u-47")
    lonely.refused("p2", to_submarine, "defense.alone", "NB-ESC-07")
    spread = fire("torpedo-4", "jp-i-174", "torpedo", "it-littorio")
    third = (
        ship("p1", "jp-i-174", active=True), ship("p2", "it-zara"), ship("p2", "it-trento", 2),
        ship("p2", "it-littorio", 3), ship("p2", "it-roma", 3),
    )  # fmt: skip
    moved = defending(*third, attacks=(spread,), hand=("escort-ship",))
    moved.does("p2", c.Defend("escort-ship", 1, to="it-roma")).does("p2", c.Pass()).roll((2,))
    assert moved.saw("damage-scored", ship="it-roma")


@pytest.mark.rule("NB-CARD-01", "NB-ESC-01", "NB-RUL-03", "NB-PREP-05")
def test_cards_that_answer_nothing() -> None:
    battle = all_kinds("planning", "near-miss", "main-14-18-3",
                       prepared={"p2": [Prepared("planning", "de-bismarck")]})  # fmt: skip
    battle.refused("p2", c.Defend("planning", 1), "card.wrong-step", "NB-CARD-01")
    battle.refused("p2", c.Defend("main-14-18-3", 1), "card.wrong-step", "NB-CARD-01")
    lying = c.Defend("planning", 1, prepared=True)
    battle.refused("p2", lying, "defense.no-defense", "NB-CARD-01")
    none = c.Defend("near-miss", 1, prepared=True)
    battle.refused("p2", none, "defense.not-prepared", "NB-PREP-05")
    moving = c.Defend("near-miss", 1, to="de-bismarck")
    battle.refused("p2", moving, "defense.no-move", "NB-ESC-01")


# --- air cover -----------------------------------------------------------------------------------


@pytest.mark.rule("NB-COVER-01", "NB-COVER-02", "NB-COVER-03", "NB-COVER-04", "NB-DEF-07")
def test_air_cover_tries_once_for_each_symbol() -> None:
    """Akagi has two symbols of 5: both on one raid, the first result seen before the second."""
    fleet = (ESSEX, ship("p2", "jp-akagi"), ship("p2", "jp-kagero", 2))
    battle = defending(
        *fleet, attacks=(c.AirRaid("us-essex", "jp-akagi"),), hand=("near-miss",),
    )  # fmt: skip
    battle.does("p2", c.AirCover("jp-akagi", 1)).roll((4,))
    assert battle.saw("roll-scored", kind="cover").success is False
    assert battle.asked() == ("p2",)
    battle.does("p2", c.AirCover("jp-akagi", 1)).roll((5,))
    assert battle.saw("attack-stopped").by == "air-cover"
    assert battle.state.ships["jp-akagi"].covered == 2


@pytest.mark.rule("NB-COVER-02", "NB-COVER-06", "NB-COVER-01", "NB-AMB-28")
def test_what_air_cover_is_for() -> None:
    fleet = (ESSEX, ship("p1", "us-enterprise"), ship("p1", "us-iowa"),
             ship("p2", "de-graf-zeppelin", 2), ship("p2", "de-koln"), ship("p2", "de-u-47"),
             ship("p3", "it-aquila"))  # fmt: skip
    attacks = (
        c.AirRaid("us-essex", "de-koln"),
        c.AirRaid("us-enterprise", "it-aquila"),
        fire("main-14-18-4", "us-iowa", "main-16", "de-koln"),
        c.LandRaid("land-air-x1", "de-u-47"),
    )
    battle = defending(*fleet, attacks=attacks, hand=(), seats=3)
    salvo = c.AirCover("de-graf-zeppelin", 3)
    battle.refused("p2", salvo, "cover.no-raid", "NB-COVER-01")
    foreign = c.AirCover("it-aquila", 1)
    battle.refused("p2", foreign, "cover.no-carrier", "NB-COVER-01")
    others = c.AirCover("de-graf-zeppelin", 2)
    battle.refused("p2", others, "cover.not-yours", "NB-COVER-06")
    battle.refused("p2", c.AirCover("de-graf-zeppelin", 9), "defense.no-attack", "NB-DEF-08")
    battle.does("p2", c.AirCover("de-graf-zeppelin", 4)).roll((6,))
    assert battle.saw("attack-stopped", attack=4), "it protects the submarine"
    battle.does("p3", c.Pass())
    used = c.AirCover("de-graf-zeppelin", 1)
    battle.refused("p2", used, "cover.used", "NB-COVER-02")


# --- run silent ----------------------------------------------------------------------------------


def hunted(*attacks: Any, **more: Any) -> Battle:
    """I-174 (4 or more) and its pursuers."""
    fleet = (ship("p1", "de-z23"), ship("p1", "de-t13"), ship("p2", "jp-i-174"),
             ship("p2", "jp-kashii"))  # fmt: skip
    return defending(*fleet, attacks=attacks, hand=more.pop("hand", ()), **more)


CHARGES = (
    fire("depth-1", "de-z23", "torpedo", "jp-i-174"),
    fire("depth-2", "de-t13", "torpedo", "jp-i-174"),
)


@pytest.mark.rule("NB-SUB-04", "NB-SUB-03", "NB-AMB-30", "NB-DC-03")
def test_a_passive_submarine_rolls_once_for_each_attack() -> None:
    battle = hunted(*CHARGES)
    battle.does("p2", c.RunSilent(1)).roll((3,))
    battle.refused("p2", c.RunSilent(1), "silent.not-open", "NB-AMB-30")
    battle.does("p2", c.RunSilent(2)).roll((4,))
    assert battle.saw("attack-stopped", attack=2).by == "run-silent"
    battle.does("p2", c.Pass())
    assert battle.saw("damage-scored", attack=1).total == 1


@pytest.mark.rule("NB-DEF-05")
def test_running_silent_is_a_defense_after_which_others_are_asked_again() -> None:
    fleet = (ship("p1", "de-z23"), YAMATO, ship("p2", "it-roma"), ship("p3", "us-gato"))
    attacks = (SALVO_AT_ROMA, fire("depth-1", "de-z23", "torpedo", "us-gato"))
    battle = defending(*fleet, attacks=attacks, hand=(), seats=3)
    battle.does("p2", c.Pass()).does("p3", c.RunSilent(2)).roll((1,))
    assert battle.asked() == ("p2",), "a pass is not final while somebody still acts"
    battle.does("p2", c.Pass())
    assert battle.asked() == ("p3",)


SALVO_AT_ROMA = fire("main-14-18-4", "jp-yamato", "main-18", "it-roma")


@pytest.mark.rule("NB-SUB-05", "NB-AMB-31")
def test_what_was_not_rolled_is_rolled_when_all_have_passed() -> None:
    battle = hunted(*CHARGES).does("p2", c.RunSilent(2)).roll((1,)).does("p2", c.Pass())
    assert battle.state.awaiting is not None
    battle.roll((6,))
    tried = [event for event in battle.events if event.NAME == "silence-tried"]
    assert [(event.attack, event.automatic) for event in tried] == [(2, False), (1, True)]
    assert battle.saw("attack-stopped", attack=1)
    assert battle.saw("ship-sunk", ship="jp-i-174"), "the other charge, of 2, is enough"


@pytest.mark.rule("NB-AMB-30", "NB-SUB-04")
def test_who_may_not_run_silent() -> None:
    active = defending(
        ship("p1", "de-z23"), ship("p2", "jp-i-174", active=True), attacks=CHARGES[:1], hand=()
    )
    active.refused("p2", c.RunSilent(1), "silent.not-open", "NB-AMB-30")
    active.refused("p2", c.RunSilent(7), "defense.no-attack", "NB-DEF-08")
    active.does("p2", c.Pass()).not_saw("silence-tried")
    two_attacked().refused("p2", c.RunSilent(1), "silent.not-yours", "NB-SUB-04")


# --- Planning ------------------------------------------------------------------------------------


@pytest.mark.rule("NB-PLAN-01", "NB-PLAN-02", "NB-PLAN-04", "NB-FSM-03", "NB-AMB-29", "NB-AMB-20")
def test_planning_helps_air_cover_and_run_silent() -> None:
    lying = {"p2": [Prepared("planning", "jp-kashii")]}
    battle = hunted(*CHARGES, prepared=lying).does("p2", c.RunSilent(1))
    (question,) = GAME.pending(battle.state)
    assert (question.seat, question.question, question.subject) == ("p2", "plan", "attack 1")
    battle.does("p2", c.Plan(1)).roll((3,))
    scored = battle.saw("roll-scored")
    assert (scored.total.total, scored.success) == (4, True)
    battle.does("p2", c.RunSilent(2))
    assert battle.state.awaiting is not None, "with none unused the die is rolled at once"
    fleet = (ESSEX, ship("p2", "de-graf-zeppelin"))
    covered = defending(*fleet, attacks=(c.AirRaid("us-essex", "de-graf-zeppelin"),), hand=(),
                        prepared={"p2": [Prepared("planning", "de-graf-zeppelin")]})  # fmt: skip
    covered.does("p2", c.AirCover("de-graf-zeppelin", 1), c.Plan(1)).roll((4,))
    assert covered.saw("attack-stopped").by == "air-cover"


@pytest.mark.rule("NB-PLAN-02", "NB-PLAN-03", "NB-AMB-21")
def test_planning_is_declared_before_the_die_and_spent_with_it() -> None:
    lying = {"p2": [Prepared("planning", "jp-kashii"), Prepared("planning", "jp-i-174")]}
    battle = hunted(CHARGES[0], prepared=lying)
    battle.refused("p2", c.Plan(1), "turn.wrong-step", "NB-DEF-03")
    battle.does("p2", c.RunSilent(1))
    battle.refused("p2", c.RunSilent(1), "turn.wrong-step", "NB-FSM-03")
    battle.does("p2", c.Plan(2)).roll((1,))
    assert battle.saw("roll-scored").total.total == 3
    assert battle.saw("roll-scored").success is False
    assert all(each.used for each in battle.state.prepared["p2"])
