"""The bot of Naval Battles: what it picks where one thing is plainly best; it beats chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.decide import EDITION
from domain.kernel.codec import full
from domain.kernel.setup import Setup
from domain.kernel.values import StepKey
from service.bots import Bot, Item, LocalGame, Position, RandomLegal, bots_of

from .tables import SEATS, Battle, Prepared, given, opened, seen, ship

ADMIRAL = bots_of(GAME)["admiral"]
MATCHES = 10
UNLISTED = ("naval-battles.commit-fleet", "naval-battles.discard", "naval-battles.agree-to-end")
"""Commands that it puts together, and the one that is listed nowhere, as it is a way to the end."""


def position(battle: Battle) -> Position:
    """What the seat that is asked has before it."""
    asked = GAME.pending(battle.state)[0]
    commands = GAME.legal(battle.state, asked.seat).commands
    items = [{"command": msgspec.to_builtins(command)} for command in commands]
    return Position(asked.seat, asked.question, items, lambda: full(battle.state), {})


def picked(battle: Battle) -> Mapping[str, Any]:
    command: Mapping[str, Any] = ADMIRAL("").choose(position(battle))["command"]
    return command


def attack(number: int, target: str, card: str, kind: str = "main-salvo") -> dict[str, Any]:
    return {"number": number, "kind": kind, "target": target, "card": card}


class Watched:
    """A bot that is held to what is legal, and to never leaving the game."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.questions: set[str] = set()

    def choose(self, position: Position) -> Item:
        self.questions.add(position.question)
        item = self.bot.choose(position)
        assert item in position.items or item["command"]["type"] in UNLISTED
        return item


def test_it_is_the_bot_to_take() -> None:
    """The game brings it: no list elsewhere names it."""
    assert next(iter(bots_of(GAME))) == "admiral"


@pytest.mark.timeout(120)
def test_it_beats_chance(record_property: Any) -> None:
    """Mirrored matches: each seed twice, with the seats exchanged."""
    won = 0
    for seed in range(MATCHES // 2):
        for seat, other in (("p1", "p2"), ("p2", "p1")):
            bots: dict[str, Bot] = {seat: Watched(ADMIRAL("")), other: RandomLegal(seed)}
            setup = Setup("naval-battles", EDITION, "standard", SEATS[:2])
            outcome = LocalGame(GAME, setup, f"match {seed}").play(bots, limit=3000)
            assert outcome.result is not None
            won += seat in outcome.result["winners"]
    record_property("score", f"{won} of {MATCHES}")
    assert won >= 0.8 * MATCHES


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("scenario", "seats"),
    [("standard", 2), ("standard", 3), ("standard", 5), ("pairs", 4), ("trios", 6)],
)
def test_among_its_like_a_game_ends(scenario: str, seats: int) -> None:
    setup = Setup("naval-battles", EDITION, scenario, SEATS[:seats])
    bots = {seat: Watched(ADMIRAL("")) for seat in setup.seats}
    outcome = LocalGame(GAME, setup, "among its like").play(bots, limit=4000)
    assert outcome.result is not None
    assert outcome.result["reason"] == "points"
    met = set().union(*(bot.questions for bot in bots.values()))
    assert {"commit-fleet", "lay-out", "reorganize", "prepare", "declare", "defend"} <= met


def test_it_sees_its_own_cards_only() -> None:
    """The same choice from the truth as from its view of it."""
    battle = given(
        ship("p1", "jp-yamato"),
        ship("p2", "de-bismarck"),
        ship("p2", "de-schnellboot"),
        hands={"p1": ["main-14-18-4", "near-miss"], "p2": ["evasive-action"]},
    )
    looked = position(battle)
    hidden = full(battle.state) | {
        "hands": full(battle.state.hands) | {"p2": {"sight": "hidden", "count": 1}},
        "deck": {"sight": "hidden", "count": 100},
    }
    other = Position(looked.seat, looked.question, looked.items, lambda: hidden, {})
    assert ADMIRAL("").choose(other) == ADMIRAL("").choose(looked)


def test_without_items_there_is_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="nothing"):
        ADMIRAL("").choose(Position("p1", "declare", [], dict, {}))


# --- its own turn --------------------------------------------------------------------------------


def test_it_gathers_its_fire() -> None:
    """Two ships alike, one of them hurt: that one is shot at."""
    for hurt in ("de-bismarck", "de-tirpitz"):
        battle = given(
            ship("p1", "jp-yamato"),
            *(
                ship("p2", name, damage=("main-14-18-5",) if name == hurt else ())
                for name in ("de-bismarck", "de-tirpitz")
            ),
            hands={"p1": ["main-14-18-4"]},
        )
        assert picked(battle)["target"] == hurt


def test_it_does_not_fire_at_what_is_as_good_as_sunk() -> None:
    battle = given(
        ship("p1", "jp-yamato"),
        ship("p2", "de-schnellboot"),
        ship("p2", "de-bismarck"),
        hands={"p1": ["main-14-18-3"]},
        attacks=(attack(1, "de-schnellboot", "main-14-18-4"),),
        declared=1,
    )
    assert picked(battle)["target"] == "de-bismarck"


def test_it_comes_forward_to_fire() -> None:
    """A secondary salvo is fired from the first row, and there it pays to stand."""
    battle = given(
        ship("p1", "jp-mikuma"),
        ship("p1", "jp-yamato", 2),
        ship("p2", "de-schnellboot", damage=()),
        ship("p2", "de-bismarck", damage=("main-14-18-5", "main-14-18-4")),
        hands={"p1": ["secondary-6-8-2", "double-secondary-6-8-4"]},
        step=StepKey("reorganize"),
    )
    found = picked(battle)
    assert found["type"] == "naval-battles.arrange"
    assert "jp-yamato" in found["rows"][0]


def test_it_takes_reinforcements_and_the_dearest() -> None:
    battle = given(
        ship("p1", "jp-yamato"),
        ship("p2", "de-bismarck"),
        hands={"p1": ["reinforcements-4"]},
        step=StepKey("reorganize"),
    )
    found = picked(battle)
    assert found["type"] == "naval-battles.reinforce"
    items = position(battle).items
    offers = [each for each in items if each["command"]["type"] == "naval-battles.reinforce"]
    assert max(map(_worth, offers)) == _worth({"command": found}) > 0


def _worth(item: Item) -> int:
    cards = {entry.id: entry for entry in GAME.catalogue.units()}
    points: int = sum(cards[new["ship"]].data["points"] for new in item["command"]["ships"])
    return points


def test_it_discards_what_no_ship_can_use_all_at_once() -> None:
    battle = given(
        ship("p1", "jp-yamato"),
        ship("p2", "de-bismarck"),
        hands={"p1": ["depth-1", "torpedo-4", "near-miss", "main-14-18-4"]},
        step=StepKey("discard"),
    )
    found = picked(battle)
    assert found["type"] == "naval-battles.discard"
    assert sorted(found["cards"]) == ["depth-1", "torpedo-4"]
    battle.act("p1", msgspec.convert(found, type_of("naval-battles.discard")))
    assert battle.hand("p1")


def type_of(name: str) -> Any:
    return next(each for each in GAME.commands if each.__struct_config__.tag == name)


# --- the turns of others -------------------------------------------------------------------------


def under_attack(*cards: str, card: str = "main-14-18-5", damage: tuple[str, ...] = ()) -> Battle:
    """p2's Bismarck is under one salvo; p2 holds these cards."""
    return given(
        ship("p1", "jp-yamato", used=("main-18",)),
        ship("p2", "de-bismarck", damage=damage),
        ship("p2", "de-tirpitz", damage=damage[:1]),
        hands={"p2": list(cards)},
        attacks=(attack(1, "de-bismarck", card),),
        declared=1,
        step=StepKey("defense"),
    )


def test_it_defends_a_ship_that_would_sink() -> None:
    battle = under_attack("evasive-action", "near-miss", damage=("main-14-18-4", "main-14-18-3"))
    assert picked(battle)["card"] == "near-miss", "the card that serves for less"
    alone = under_attack("evasive-action", damage=("main-14-18-4", "main-14-18-3"))
    assert picked(alone)["card"] == "evasive-action"


def test_it_holds_its_evasive_action_for_what_matters() -> None:
    battle = under_attack("evasive-action", card="main-14-18-2")
    assert picked(battle)["type"] == "naval-battles.pass"


def test_what_lies_prepared_is_used_first() -> None:
    battle = given(
        ship("p1", "jp-yamato", used=("main-18",)),
        ship("p2", "de-bismarck"),
        hands={"p2": ["near-miss"]},
        prepared={"p2": (Prepared("near-miss", "de-bismarck"),)},
        attacks=(attack(1, "de-bismarck", "main-14-18-5"),),
        declared=1,
        step=StepKey("defense"),
    )
    assert picked(battle)["prepared"] is True


def test_a_submarine_runs_silent() -> None:
    battle = given(
        ship("p1", "jp-kagero", used=("torpedo",)),
        ship("p2", "de-u-47"),
        attacks=(attack(1, "de-u-47", "depth-1", "depth-charges"),),
        declared=1,
        step=StepKey("defense"),
    )
    assert picked(battle)["type"] == "naval-battles.run-silent"


def test_it_chooses_a_navy_with_carriers_and_a_fleet_that_is_allowed() -> None:
    battle = opened(2)
    for seat in ("p1", "p2"):
        assert picked(battle)["nation"] != "france"
        battle.act(seat, msgspec.convert(picked(battle), type_of("naval-battles.choose-nation")))
    chosen = msgspec.convert(picked(battle), type_of("naval-battles.commit-fleet"))
    battle.act("p1", chosen)
    assert seen(battle.events[-1], "p1").ships.items == chosen.ships
