"""What is told of an offer where the rules are asked in a process of their own: as much as here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec

from domain.games.war_at_sea import GAME as SEA
from domain.games.war_at_sea.rules.commands import Place
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
