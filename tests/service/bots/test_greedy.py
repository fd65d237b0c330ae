"""The greedy bot: what it picks when one thing is plainly best, and that it beats chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules.effects import Downed, MayRam
from domain.games.war_at_sea.rules.state import State
from domain.kernel.codec import full
from domain.kernel.setup import Setup
from domain.kernel.values import Known, StepKey
from service.bots import Bot, Item, LocalGame, Position, RandomLegal
from service.bots.war_at_sea import Greedy
from tests.support.battle import resumed, table, unit

MATCHES = 10
CATALOGUE = {entry.id: msgspec.to_builtins(entry) for entry in GAME.catalogue.units()}


def setup(edition: str) -> Setup:
    return Setup("war-at-sea", edition, "standard", ("p1", "p2"))


def position(state: State) -> Position:
    """What the seat that is asked has before it."""
    state = resumed(state).state
    (asked,) = GAME.pending(state)
    commands = GAME.legal(state, asked.seat).commands
    items = [{"number": n, "command": msgspec.to_builtins(x)} for n, x in enumerate(commands)]

    def odds(item: Item) -> dict[str, Any] | None:
        return GAME.odds(state, commands[item["number"]])

    view = full(state)
    return Position(asked.seat, asked.question, items, lambda: view, CATALOGUE, odds)


def picked(state: State) -> Mapping[str, Any]:
    command: Mapping[str, Any] = Greedy().choose(position(state))["command"]
    return command


class Watched:
    """A bot that is held to its list: what it picks is on it, or is the call for a stalemate."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.questions: set[str] = set()

    def choose(self, position: Position) -> Item:
        self.questions.add(position.question)
        item = self.bot.choose(position)
        stalled = position.view["calm"] >= 5
        assert item in position.items or (
            stalled and item["command"]["type"] == "war-at-sea.call-stalemate"
        )
        assert item["command"]["type"] != "resign"
        return item


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_it_beats_chance(edition: str, record_property: Any) -> None:
    """Mirrored matches: each seed twice, with the seats exchanged. A draw is half a point."""
    points = 0.0
    for seed in range(MATCHES // 2):
        for seat, other in (("p1", "p2"), ("p2", "p1")):
            bots: dict[str, Bot] = {seat: Watched(Greedy()), other: RandomLegal(seed)}
            outcome = LocalGame(GAME, setup(edition), seed).play(bots, limit=3000)
            assert outcome.result is not None
            winners = outcome.result["winners"]
            points += (seat in winners) if winners else 0.5
    record_property("score", f"{points} of {MATCHES}")
    assert points >= 0.8 * MATCHES


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_against_itself_a_battle_ends(edition: str) -> None:
    for seed in range(3):
        outcome = LocalGame(GAME, setup(edition), seed).play(
            {"p1": Watched(Greedy()), "p2": Watched(Greedy())}, limit=1000
        )
        assert outcome.result is not None


def test_the_same_dice_the_same_battle() -> None:
    battles = []
    for _ in range(2):
        local = LocalGame(GAME, setup("2009"), "again")
        local.play({"p1": Greedy(), "p2": Greedy()})
        battles.append(local.events)
    assert battles[0] == battles[1]


def test_it_finishes_the_crippled_ship() -> None:
    state = table(
        "2009",
        unit("p1-1", "nachi", "6.2"),
        unit("p2-1", "uss-boise-cl-47", "6.2"),
        unit("p2-2", "uss-boise-cl-47", "6.2", damage=2),
        step=StepKey("surface-attack", "first"),
    )
    assert picked(state)["target"] == "p2-2"


def test_it_wastes_no_shot_on_a_doomed_ship() -> None:
    state = table(
        "2009",
        unit("p1-1", "nachi", "6.2"),
        unit("p2-1", "uss-boise-cl-47", "6.2"),
        unit("p2-2", "uss-boise-cl-47", "6.2", damage=2, doomed=True),
        step=StepKey("surface-attack", "first"),
    )
    assert picked(state)["target"] == "p2-1"


def test_it_takes_an_objective_within_reach() -> None:
    near, *_ = board.zone(2).objectives
    beside = board.NEIGHBOURS[near][3]
    assert beside not in board.zone(2).islands
    state = table(
        "2009",
        unit("p1-1", "nachi", beside),
        unit("p2-1", "uss-boise-cl-47", "11.7"),
        zone=2,
    )
    assert picked(state) == {"type": "war-at-sea.move", "unit": "p1-1", "to": near, "boost": ""}


def test_it_directs_a_fighter_at_the_better_target() -> None:
    state = table(
        "2009",
        unit("p1-1", "uss-alaska", "5.4"),
        unit("p1-2", "f4f-wildcat", "6.4", done=("antiair",), struck=("p2-9",)),
        unit("p2-1", "b5n2-kate", "7.4"),
        unit("p2-2", "g4m-betty", "7.4"),
        step=StepKey("air-defense", "after"),
        turn=2,
        effects=(Downed(unit="p1-2", source="p2-9", rule="WAS-ABIL-24", until=2),),
    )
    command = picked(state)
    assert (command["ability"], command["on"]) == ("fighter-director", "p1-2@p2-1")


def test_a_breakout_arrives_near_an_objective() -> None:
    state = table(
        "2009",
        unit("p1-1", "rheinubung-bismarck"),
        unit("p1-2", "tone"),
        unit("p2-1", "uss-boise-cl-47", "11.7"),
        step=StepKey("air-return", "after"),
        turn=2,
    )
    sector = picked(state)["on"]
    nearest = min(board.distance(s, o) for s in board.half("south") for o in state.objectives)
    assert min(board.distance(sector, o) for o in state.objectives) == nearest


def test_it_rams_before_another_unit_moves() -> None:
    state = table(
        "2009",
        unit("p1-1", "ugolino-vivaldi", "5.4", moved=True),
        unit("p1-2", "nachi", "2.3"),
        unit("p2-1", "uss-barb-ss-220", "5.4"),
        effects=(MayRam(unit="p1-1", source="p1-1", rule="WAS-CARD-ram", until=2),),
        turn=2,
    )
    assert picked(state)["ability"] == "ram"


def test_it_puts_a_breakout_on_the_map_where_it_may() -> None:
    state = table(
        "2009",
        step=StepKey("deployment", "first"),
        turn=0,
        first="",
        fleets={"p1": Known(("rheinubung-bismarck",)), "p2": Known[str](())},
    )
    assert picked(state)["at"] in board.edge_row("south")


def test_bombers_fly_where_it_pays() -> None:
    """To the destroyer, not to the antiair cruiser; and if there is nothing else, home."""
    cruiser, destroyer = "uss-atlanta-cl-51", "uss-fletcher-dd-445"
    planes = unit("p1-1", "d3a-val"), unit("p2-1", cruiser, "9.3")
    both = table("2009", *planes, unit("p2-2", destroyer, "7.3"), step=StepKey("air-mission"))
    assert picked(both)["sector"] == "7.3"
    assert (
        picked(table("2009", *planes, step=StepKey("air-mission")))["type"]
        == "war-at-sea.send-to-airbase"
    )


def test_aircraft_return_to_the_carrier() -> None:
    state = table(
        "2009",
        unit("p1-1", "shokaku", "3.2"),
        unit("p1-2", "d3a-val", "7.3", base="p1-1"),
        unit("p2-1", "uss-atlanta-cl-51", "9.3"),
        step=StepKey("air-return", "first"),
    )
    assert picked(state) == {"type": "war-at-sea.return", "unit": "p1-2", "base": "p1-1"}


def test_it_asks_for_a_stalemate_only_when_nothing_happens() -> None:
    """Two ships far apart that both have only speed to lose."""
    for calm, wanted in ((4, False), (5, True)):
        state = table(
            "2009",
            unit("p1-1", "nachi", "1.2"),
            unit("p2-1", "uss-boise-cl-47", "11.7"),
            calm=calm,
        )
        assert (picked(state)["type"] == "war-at-sea.call-stalemate") is wanted


def test_it_is_asked_every_sort_of_question() -> None:
    bot = Watched(Greedy())
    for edition in ("2007", "2009"):
        for seed in range(3):
            LocalGame(GAME, setup(edition), seed).play({"p1": bot, "p2": bot})
    assert bot.questions >= {
        "build-fleet",
        "choose-edge",
        "deploy",
        "move",
        "place-aircraft",
        "attack",
        "return-aircraft",
    }


def test_with_nothing_to_choose_it_says_so() -> None:
    empty = Position("p1", "move", [], dict, CATALOGUE)
    with pytest.raises(ValueError, match="nothing to choose"):
        Greedy().choose(empty)
    with pytest.raises(ValueError, match="nothing to choose"):
        RandomLegal().choose(empty)


def test_a_seat_sees_no_sealed_fleet() -> None:
    """In-process play is as blind as play over the wire."""
    local = LocalGame(GAME, setup("2009"), 1)
    local.post("p1", RandomLegal(1).choose(local.position("p1", "build-fleet")))
    seen = local.position("p2", "build-fleet").view["fleets"]["p1"]
    assert seen == {"sight": "hidden", "count": 1}
    assert local.position("p1", "build-fleet").view["fleets"]["p1"]["sight"] == "known"
