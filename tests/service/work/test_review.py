"""Decisions beside a bot's: who chose what, with which odds, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from domain.kernel.chance import Faces
from domain.kernel.setup import Setup
from projections.odds import of_command
from service.work.review import Asked, Prospect, cost, prospect
from tests.support.recorded import files, order, read
from tests.support.suites import Suite, suites


def fires(hit: int, lost: int) -> Prospect:
    return Prospect(text="fires", hit=hit, lost=lost)


def given(suite: Suite) -> Iterator[Asked]:
    """Every order of the recorded games, as it was asked for, until enough is seen."""
    game = suite.game
    for file in files(suite):
        lines = read(file)
        state = game.fold(game.opening(msgspec.convert(lines[0]["setup"], Setup)))
        for line in (each for each in lines[1:-1] if "turn" not in each):
            seat, command = order(suite, state, line)
            if not isinstance(command, Faces):
                yield Asked(SimpleNamespace(seat=seat, order=command), game, state)  # type: ignore[arg-type]
            state = game.fold(game.decide(state, seat, command), state)


def told(asked: Asked) -> tuple[dict[str, Any] | None, Prospect]:
    command: Any = asked.given.order  # type: ignore[attr-defined]
    odds = of_command(asked.game, asked.view, asked.given.seat, command, measured=True)
    return odds, prospect(asked, msgspec.to_builtins(command))


@pytest.mark.parametrize("folder", sorted(suites()))
def test_an_order_has_the_odds_that_its_game_tells_in_short(folder: str) -> None:
    seen = 0
    for asked in given(suites()[folder]):
        odds, found = told(asked)
        if odds is None:
            assert (found.hit, found.lost) == (0, 0)
            continue
        command: Any = asked.given.order  # type: ignore[attr-defined]
        vain = asked.game.describe(asked.view, command).pointless
        short = asked.game.short_of(odds, vain)
        assert short is not None
        assert (found.hit, found.lost) == (short.hit, short.destroyed or 0)
        seen += 1
        if seen == 40:
            break
    assert seen > 5


def test_a_shot_that_is_wasted_before_its_dice_does_nothing() -> None:
    """Of Crimson Tide: the target is concealed or not detected; it counted as done."""
    for asked in given(suites()["crimson_tide"]):
        odds, found = told(asked)
        shares = {each["outcome"]: each["perMille"] for each in (odds or {}).get("outcomes", ())}
        if "wasted" in shares:
            assert found.hit <= 1000 - shares["wasted"] - shares["miss"] + 1
            return
    raise AssertionError("no recorded shot had a check before it")


def test_a_decision_costs_what_was_given_away_and_never_less_than_nothing() -> None:
    assert cost(fires(100, 0), fires(300, 50)) == 250
    assert cost(fires(300, 50), fires(100, 0)) == 0
    assert cost(fires(300, 50), None) == 0
