"""What the clock answers for an absent player: end or pass; in the set-up the first offer, but
for a fleet, which is drawn (FSM)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.sequence import battle
from domain.games.naval_battles.rules.setup import fleets
from domain.games.naval_battles.rules.ships import NATIONS, SHIPS
from domain.kernel.chance import Dice
from domain.kernel.options import Pending
from domain.kernel.values import PUBLIC, Hidden, StepKey

from ..tables import Battle, Prepared, given, opened, seen, ship

SPREAD = c.DeclareAttack("torpedo-4", ("jp-kagero",), ("torpedo",), "de-bismarck")
SALVO = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck")


def sea(**fields: Any) -> Battle:
    return given(
        ship("p1", "jp-kagero", damage=("main-11-13-2",)), ship("p1", "jp-yamato"),
        ship("p1", "jp-shoho"), ship("p2", "de-bismarck"), **fields,
    )  # fmt: skip


def asked(battle: Battle) -> Pending:
    """The one open question; of several at once, the first."""
    return GAME.pending(battle.state)[0]


def absent(battle: Battle) -> Battle:
    """The clock answers the open question."""
    question = asked(battle)
    return battle.does(question.seat, GAME.usual(battle.state, question))


def committing() -> Battle:
    battle = opened()
    return battle.does("p1", c.ChooseNation("japan")).does("p2", c.ChooseNation("germany"))


def laying() -> Battle:
    battle = committing()
    for seat in ("p1", "p2"):
        battle.does(seat, battle.offers(seat)[0])
    return battle.roll((6, 1))


def removing() -> Battle:
    return sea(step=StepKey("reorganize"), hands={"p1": ["retreat"]}).does(
        "p1", c.Retreat("retreat")
    )


def aiming() -> Battle:
    battle = sea(hands={"p1": ["land-air-x3", "near-miss"]})
    return battle.does("p1", c.LandRaid("land-air-x3", "de-bismarck"))


def under_fire() -> Battle:
    return sea(hands={"p1": ["main-14-18-4"], "p2": ["near-miss"]}).does("p1", SALVO, c.Pass())


def planning() -> Battle:
    lying = {"p1": [Prepared("planning", "jp-shoho")]}
    battle = sea(hands={"p1": ["torpedo-4"]}, prepared=lying)
    return battle.does("p1", SPREAD, c.Pass()).does("p2", c.Pass())


HAND = {"hands": {"p1": ["near-miss", "retreat", "main-14-18-4"]}}

PASSED: dict[str, Callable[[], Battle]] = {
    "reorganize": lambda: sea(step=StepKey("reorganize"), **HAND),
    "remove-damage": removing,
    "prepare": lambda: sea(step=StepKey("prepare"), **HAND),
    "declare": lambda: sea(**HAND),
    "aim-raid": aiming,
    "defend": under_fire,
    "plan": planning,
    "discard": lambda: sea(step=StepKey("discard"), **HAND),
}
"""Questions that the clock answers by ending the step, or by passing (NB-FSM-06)."""

ACTED: dict[str, Callable[[], Battle]] = {
    "choose-nation": opened,
    "lay-out": laying,
}
"""Questions of the set-up: no game can begin without an answer, so passing is none."""

DRAWN = {"commit-fleet"}
"""What is left to sealed dice: the first offer of a secret choice could be foreseen."""


def test_no_kind_of_question_is_left_out() -> None:
    assert {*PASSED, *ACTED, *DRAWN} == set(battle().questions)


@pytest.mark.parametrize("key", PASSED)
def test_the_clock_ends_the_step_or_passes_and_nothing_is_spent(key: str) -> None:
    battle = PASSED[key]()
    before, told = battle.state, len(battle.events)
    question = asked(battle)
    assert (question.question, question.optional) == (key, True)
    assert len(battle.offers(question.seat)) > 1, "there is something that it might do instead"
    assert GAME.usual(battle.state, question) == c.Pass()
    absent(battle)
    assert question not in GAME.pending(battle.state)
    for what in ("hands", "prepared", "retreats"):
        assert getattr(battle.state, what) == getattr(before, what)
    assert battle.events[told:]


def test_the_clock_takes_the_first_nation_that_is_left() -> None:
    battle = opened()
    assert absent(battle).state.nations == {"p1": NATIONS[0]}
    assert absent(battle).state.nations == {"p1": NATIONS[0], "p2": NATIONS[1]}


@pytest.mark.rule("NB-RUL-09")
def test_the_fleet_of_an_absent_player_is_drawn_and_sealed() -> None:
    """Any of exactly 25 points; nobody else learns which, nor how many ships it has."""
    drawn = set()
    for face in (1, 2, len(fleets("japan"))):
        battle = absent(committing())
        awaited = battle.state.awaiting
        assert awaited is not None
        assert (awaited.domain, awaited.pools) == ("sealed", (Dice(1, len(fleets("japan"))),))
        battle.roll((face,))
        committed = battle.saw("fleet-committed", seat="p1")
        assert sum(SHIPS[name].points for name in committed.ships.items) == 25
        drawn.add(committed.ships.items)
        for viewer in ("p2", PUBLIC):
            assert seen(committed, viewer).ships == Hidden(1)
            assert all(
                isinstance(seen(thrown, viewer).faces, Hidden)
                for thrown in battle.events
                if thrown.NAME == "dice-thrown"
            )
    assert len(drawn) == 3


@pytest.mark.rule("NB-RUL-09", "NB-SETUP-05")
def test_the_clock_commits_a_whole_fleet_and_lays_it_out_in_one_row() -> None:
    battle = absent(absent(committing()).roll((1,))).roll((1,))
    assert battle.state.step == StepKey("first-roll")
    battle.roll((6, 1))
    question = asked(battle)
    assert (question.seat, question.question, question.optional) == ("p1", "lay-out", False)
    fleet = [each for each in absent(battle).state.ships.values() if each.seat == "p1"]
    assert sum(SHIPS[each.id].points for each in fleet) == 25
    for each in fleet:
        assert each.row == (0 if SHIPS[each.id].submarine else 1)
        assert not each.active


@pytest.mark.parametrize("key", ACTED)
def test_what_the_clock_does_in_the_set_up_is_the_first_offer(key: str) -> None:
    battle = ACTED[key]()
    question = asked(battle)
    assert (question.question, question.optional) == (key, False)
    assert c.Pass() not in battle.offers(question.seat)
    assert GAME.usual(battle.state, question) == battle.offers(question.seat)[0]


@pytest.mark.rule("NB-LBAR-07", "NB-AMB-25")
def test_raids_that_an_absent_player_has_not_aimed_are_lost() -> None:
    battle = absent(aiming())
    assert battle.state.aim is None
    assert [attack.card for attack in battle.state.attacks] == ["land-air-x3"]


@pytest.mark.rule("NB-FSM-06", "NB-FSM-03")
def test_the_clock_rolls_without_planning_and_the_card_stays_for_later() -> None:
    battle = absent(planning()).roll((1,))
    assert battle.saw("roll-scored").total.total == 3
    assert not battle.state.prepared["p1"][0].used
