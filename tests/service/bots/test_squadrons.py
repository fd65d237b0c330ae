"""The greedy bot with units that bring Aircraft into play, and Aircraft with odd homes."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules.cards import CARDS
from domain.kernel.setup import Setup
from domain.kernel.values import StepKey
from service.bots import LocalGame
from service.bots.war_at_sea import Greedy
from tests.service.bots.test_greedy import picked
from tests.support.battle import EDITIONS, table, unit
from tests.support.random_battles import game_of

AXIS = ("ise", "chitose", "a6m2-n-rufe", "a6m2-zero-kamikaze", "a6m2-zero-kamikaze")
ALLIES = ("uss-hornet-cv-8", "b-25h-mitchell", "lamotte-picquet", "pby-black-cat", "f4f-wildcat")
CARRIER = ("uss-essex-cv-9", "f4f-wildcat", "sbd-dauntless")


@pytest.mark.parametrize("allies", [ALLIES, CARRIER])
@pytest.mark.parametrize("edition", EDITIONS)
def test_greedy_plays_them_to_the_end(edition: str, allies: tuple[str, ...]) -> None:
    options = {"light": "night"} if edition == "2009" and allies == CARRIER else {}
    setup = Setup("war-at-sea", edition, "standard", ("p1", "p2"), options)
    game = LocalGame(game_of(1, (*AXIS, *allies)), setup, f"squadrons {edition}")
    outcome = game.play({"p1": Greedy(), "p2": Greedy()})
    assert outcome.result is not None
    deployed = {e.card for e in game.events if e.NAME == "unit-deployed"}
    assert {*AXIS, *allies} <= deployed


def test_a_fly_off_strike_goes_where_the_prey_is() -> None:
    state = table(
        "2009",
        unit("p1-1", "ise", "1.4"),
        unit("p2-1", "uss-guadalcanal-cve-60", "9.4"),
        unit("p2-2", "hms-hood", "11.4"),
        step=StepKey("air-mission"),
        turn=2,
    )
    assert picked(state) == {
        "type": "war-at-sea.use", "unit": "p1-1", "ability": "fly-off-strike", "on": "9.4",
    }  # fmt: skip


def test_a_fly_off_strike_is_kept_while_there_is_no_prey() -> None:
    state = table(
        "2009",
        unit("p1-1", "ise", "1.4"),
        unit("p2-1", "u-552", "9.4"),
        step=StepKey("air-mission"),
    )
    assert picked(state)["type"] == "war-at-sea.pass"


def test_a_kamikaze_flies_at_a_ship() -> None:
    state = table(
        "2009",
        unit("p1-1", "naka", "1.4"),
        unit("p1-2", "a6m2-zero-kamikaze"),
        unit("p2-1", "hmcs-sackville", "9.4"),
        unit("p2-2", "lst", "10.3"),
        step=StepKey("air-mission"),
        turn=2,
    )
    command = picked(state)
    assert (command["type"], command["unit"]) == ("war-at-sea.place", "p1-2")


def test_the_dearest_squadron_is_replenished() -> None:
    gone = [
        {"id": name, "card": card, "seat": "p1", "turn": 1, "cause": "destroyed", "points": 1}
        for name, card in (("p1-4", "f4f-wildcat"), ("p1-5", "sbd-dauntless"))
    ]
    state = table(
        "2009",
        unit("p1-1", "uss-essex-cv-9", "1.4"),
        unit("p1-2", "f4f-wildcat", "5.4", base="p1-1"),
        unit("p2-1", "naka", "11.4"),
        step=StepKey("air-return", "first"),
        turn=2,
        lost=gone,
    )
    dearest = max(gone, key=lambda each: CARDS[str(each["card"])].cost)
    assert picked(state)["on"] == dearest["id"]
