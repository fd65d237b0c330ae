"""What is told of an offer where the rules are asked in a process of their own: as much as here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec import structs

from domain.games.crimson_tide.game import GAME as TIDE
from domain.games.crimson_tide.rules.commands import Attack
from domain.games.war_at_sea import GAME as SEA
from domain.games.war_at_sea.rules.commands import Place
from domain.kernel.shown.bot import Position
from service.bots.local import position_of
from service.engines import wire_shown
from service.engines.apart import apart
from service.engines.wire import Wire
from service.threads import SYSTEM
from tests.support import pennant
from tests.support.stretches import of_recorded
from tests.support.suites import suites


class Near:
    """Answers by the wire in this process; the calls that were asked."""

    name = "near"

    def __init__(self, game: Any) -> None:
        kernel = importlib.import_module
        loaded: Any = SimpleNamespace(
            engine=game, has_kernel=lambda name: True,
            kernel=lambda name: kernel(f"domain.kernel.{name}"),
        )  # fmt: skip
        self._wire = Wire(loaded, wire_shown.CALLS)
        self.calls: list[str] = []

    def ask(self, request: bytes) -> bytes:
        self.calls.append(msgspec.json.decode(request)["call"])
        return self._wire.answer(request)


def asked_apart(game: Any) -> tuple[Any, Near]:
    """A game that is asked so."""
    near: Any = Near(game)
    return apart(game, near, SYSTEM), near


def given(folder: str, kind: type) -> Iterator[Any]:
    """Positions of the recorded games before an order of that kind."""
    return (each for each in of_recorded(suites()[folder]) if isinstance(each.order, kind))


def test_what_is_worth_a_look_is_told_of_all_offers_by_few_questions() -> None:
    game, near = asked_apart(SEA)
    stretch = next(each for each in given("war_at_sea", Place))
    offers = game.legal(stretch.before, stretch.seat).commands
    told = [game.worthwhile(stretch.before, each) for each in offers]
    assert told == [SEA.worthwhile(stretch.before, each) for each in offers]
    assert any(told)
    assert not all(told)
    assert 0 < near.calls.count("worthwhile") < len(offers) // 20


def test_who_says_of_nothing_that_it_is_worth_a_look_is_not_asked() -> None:
    game, near = asked_apart(pennant.GAME)
    state = pennant.GAME.fold(pennant.GAME.opening(pennant.SETUP))
    command = pennant.GAME.legal(state, "p1").commands[0]
    assert game.worthwhile(state, command) is None
    assert near.calls == []


def test_what_shows_an_older_game_says_of_nothing_that_it_is_worth_a_look() -> None:
    older = SimpleNamespace(**{
        name: getattr(SEA, name) for name in dir(SEA) if name[0] != "_" and name != "worthwhile"
    })  # fmt: skip
    stretch = next(each for each in given("war_at_sea", Place))
    game = apart(SEA, Near(older), SYSTEM)  # type: ignore[arg-type]
    assert game.worthwhile(stretch.before, stretch.order) is None


def test_what_fails_and_what_falls_later_are_told_apart_as_here() -> None:
    """Crimson Tide between players who measure freely."""
    game, near = asked_apart(TIDE)
    met = dict.fromkeys(("fails", "later"), 0)
    for state, seat in (*islice(measured(launched=False), 3), *measured(launched=True)):
        shots = [each for each in TIDE.legal(state, seat).commands if isinstance(each, Attack)]
        fails = [game.fails(state, each) for each in shots]
        later = [game.odds_later(state, each) for each in shots]
        assert fails == [TIDE.fails(state, each) for each in shots]
        assert later == [TIDE.odds_later(state, each) for each in shots]
        met = {"fails": met["fails"] + any(fails), "later": met["later"] + any(later)}
    assert min(met.values()) > 0
    assert {"fails", "later"} <= {*near.calls}


def measured(*, launched: bool) -> Iterator[tuple[Any, str]]:
    """Positions before an attack, by which torpedoes were launched or not; who attacked."""
    for each in given("crimson_tide", Attack):
        if any(event.NAME == "torpedoes-launched" for event in each.events) is launched:
            agreed = structs.replace(each.before.options, measuring="free")
            yield structs.replace(each.before, options=agreed), each.seat


def test_what_shows_an_older_game_does_not_say_what_fails() -> None:
    names = (name for name in dir(TIDE) if name[0] != "_" and name not in ("fails", "odds_later"))
    older = SimpleNamespace(**{name: getattr(TIDE, name) for name in names})
    game = apart(TIDE, Near(older), SYSTEM)  # type: ignore[arg-type]
    for state, seat in islice(measured(launched=True), 1):
        shot = next(each for each in game.legal(state, seat).commands if isinstance(each, Attack))
        assert (game.fails(state, shot), game.odds_later(state, shot)) == ("", None)


class Reckoner:
    """A bot that asks for the odds of all that it may do, and writes them down."""

    told: list[Any]

    def choose(self, position: Position) -> Any:
        type(self).told = [position.reckon(item) for item in position.items]
        return position.items[0]


@pytest.mark.rule("CT-AMB-103")
def test_a_bot_there_reckons_what_a_bot_here_reckons() -> None:
    """Where the players have agreed to measure, a declaration has odds that the rules have not."""
    game, _ = asked_apart(replace(TIDE, bots={"reckoner": Reckoner}))
    reckoned = 0
    for stretch in islice(given("crimson_tide", Attack), 6):
        before = stretch.before
        free = msgspec.structs.replace(before.options, measuring="free")
        state = msgspec.structs.replace(before, options=free)
        question = next(each for each in TIDE.pending(state) if each.seat == stretch.seat)
        commands = TIDE.legal(state, stretch.seat).commands
        asked = (stretch.seat, question.question, question.subject)
        game.bots["reckoner"]().choose(position_of(TIDE, state, {}, *asked))
        assert Reckoner.told == [TIDE.odds_beside(state, stretch.seat, each) for each in commands]
        reckoned += any(Reckoner.told)
    assert reckoned
