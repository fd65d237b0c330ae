"""Rules from elsewhere ask for dice that no record can have: their game is frozen, and says so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.errors import EngineMissing, ServiceError
from service.views import rulesets
from tests.service.desk.kit import desk_in, new_game, order
from tests.service.test_strange_rules import ENOUGH, choose, new_soundings
from tests.support import elsewhere, soundings

WRONG = "engine.wrong-dice"

CODES = {
    21: "dice.sides", 22: "dice.sides", 23: "dice.count", 24: "dice.count", 25: "dice.label",
    26: "dice.label", 27: "dice.domain",
}  # fmt: skip
"""By the number of turns, what is wrong with the dice of the first order."""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with elsewhere.game(tmp_path_factory.mktemp("dice")) as game:
        yield game


@pytest.fixture
def games(stranger: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})
    return {"pennant": stranger, "soundings": soundings.GAME}


def test_an_order_that_leads_to_wrong_dice_freezes_its_game(
    tmp_path: Path, games: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing comes of it, later orders hear the same, the operator more, and others play on."""
    caplog.set_level(logging.ERROR, "service.play.patience")

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            good, other = (await new_game(desk)).game.id, (await new_soundings(desk)).game.id
            for place, (turns, code) in enumerate(CODES.items(), 1):
                bad = (await new_game(desk, turns)).game.id
                for seat in ("p1", "p1", "p2"):
                    with pytest.raises(ServiceError, match=code) as refused:
                        await order(desk, bad, seat, choose(games))
                    assert (refused.value.code, refused.value.status) == (WRONG, 503)
                    assert "m" * 300 not in refused.value.hint, "of the rules' own words none"
                assert (await desk.reader.summary(bad)).version == 2, "nothing came of it"
                assert (await desk.reader.view(bad, "p1")).state is not None, "who looks may"
                told = [line.getMessage() for line in caplog.records if bad in line.getMessage()]
                assert len(told) == 1, "the operator is told once"
                assert code in told[0]
                assert desk.engine.frozen["rules"] == place
            await order(desk, good, "p1", choose(games))
            await order(desk, other, "p1", soundings.Pass())

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


@pytest.mark.parametrize(("turns", "code"), [(29, "dice.sides"), (30, "dice.domain")])
def test_a_game_that_would_begin_with_wrong_dice_does_not(
    tmp_path: Path, games: dict[str, Any], turns: int, code: str
) -> None:
    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            with pytest.raises(ServiceError, match=code) as refused:
                await new_game(desk, turns)
            assert refused.value.code == WRONG
            assert desk.engine.frozen["rules"] == 0, "there is no game that could be"
            await order(desk, (await new_game(desk)).game.id, "p1", choose(games))

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_dice_of_another_form_are_an_answer_of_another_form(
    tmp_path: Path, games: dict[str, Any]
) -> None:
    """Half a face cannot even be read: the rules do not answer as they should."""

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad = (await new_game(desk, 28)).game.id
            with pytest.raises(EngineMissing, match="do not answer as they should"):
                await order(desk, bad, "p1", choose(games))
            assert (await desk.reader.summary(bad)).version == 2

    asyncio.run(asyncio.wait_for(test(), ENOUGH))
