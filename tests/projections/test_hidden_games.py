"""Figures without the games that an operator has hidden are those of a log without them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from projections.follow import Entry
from projections.statistics import (
    PROJECTION,
    GameStatistics,
    RulesetStatistics,
    without,
)
from tests.support.followed import Memory, entries


def shelf_of(told: Iterable[Entry]) -> Memory:
    shelf = Memory()
    for entry in told:
        PROJECTION.take(shelf, entry)
    return shelf


def figures(shelf: Memory, ruleset: str) -> RulesetStatistics | None:
    return shelf.read(ruleset, RulesetStatistics)


def of(shelf: Memory, game: str) -> GameStatistics:
    found = shelf.read(game, GameStatistics)
    assert found is not None
    return found


GAMES = sorted({(each.ruleset, each.game) for each in entries()})


@pytest.mark.parametrize(("ruleset", "game"), GAMES)
def test_one_game_less_is_a_log_without_it(ruleset: str, game: str) -> None:
    whole = shelf_of(entries())
    rest = shelf_of(each for each in entries() if each.game != game)
    total = figures(whole, ruleset)
    assert total is not None
    shown = figures(rest, ruleset)
    newest = "" if shown is None else shown.latest_at
    assert without(total, [of(whole, game)], newest) == shown


def test_nothing_is_told_of_a_ruleset_all_of_whose_games_are_hidden() -> None:
    whole = shelf_of(entries())
    for ruleset in {name for name, _ in GAMES}:
        total = figures(whole, ruleset)
        assert total is not None
        every = [of(whole, game) for name, game in GAMES if name == ruleset]
        assert without(total, every, "") is None
