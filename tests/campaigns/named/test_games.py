"""What is wrong with an option list is found by the campaign of random games."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from domain.kernel.options import Options
from tests.campaigns.named import games
from tests.support.suites import AnyGame, suites

GAMES = sorted(suites())
MOST = 4
"""Games within which a fault is found."""


@pytest.mark.parametrize("folder", GAMES)
def test_games_are_played_and_offers_tried(folder: str) -> None:
    done = games.piece(folder, games.GAMES)
    assert (done.amount, list(done.failures)) == (1, [])
    assert done.figures["positions tried"][0] > done.figures["commands"][0] // games.POSITIONS / 4


def test_positions_before_the_first_list_are_tried_too() -> None:
    """Found by the campaign: in the first position that was tried nobody is asked anything."""
    done = games.piece("crimson_tide", 2 * games.GAMES)
    assert (done.amount, list(done.failures)) == (1, [])


def test_what_a_random_game_spares_is_no_stray() -> None:
    """Found by the campaign: fleets are drawn in the whole game, and not in one at random."""
    done = games.piece("naval_battles", 2 * games.GAMES)
    assert (done.amount, list(done.failures)) == (1, [])


def too_few(game: AnyGame) -> AnyGame:
    """Every list lacks its last offer, where there are several."""

    def legal(state: Any, seat: str) -> Options[Any]:
        options = game.legal(state, seat)
        kept = options.commands[:-1] or options.commands
        return Options(kept, options.templates, options.concessions)

    return dataclasses.replace(game, legal=legal)


def too_many(game: AnyGame) -> AnyGame:
    """Every list has what was offered before, too."""
    before: dict[str, Any] = {}

    def legal(state: Any, seat: str) -> Options[Any]:
        options = game.legal(state, seat)
        kept = before.setdefault(seat, options.commands[:1])
        asked = bool(options.commands)
        more = tuple(each for each in kept if asked and each not in options.commands)
        return Options(options.commands + more, options.templates, options.concessions)

    return dataclasses.replace(game, legal=legal)


@pytest.mark.parametrize("plant", [too_few, too_many])
@pytest.mark.parametrize("folder", GAMES)
def test_a_list_that_is_not_what_is_decided_is_found(
    folder: str, plant: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suites()[folder]
    planted = dataclasses.replace(
        suite, random=lambda seed: (suite.random(seed)[0], plant(suite.random(seed)[1]))
    )
    monkeypatch.setattr(games, "suites", lambda: {folder: planted})
    found = (piece(folder, seed) for seed in range(0, MOST * games.GAMES, games.GAMES))
    assert any("offered" in each or "Refused" in each for each in found)


def piece(folder: str, seed: int) -> str:
    """What is wrong with a game's offers, as the campaign tells it."""
    try:
        games.offers(folder, seed)
    except Exception as wrong:
        return f"{type(wrong).__name__}: {wrong}"
    return ""
