"""Every test here runs on both stores: an SQLite file, and a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

from service.desk import open_desk
from service.settings import Settings
from service.store.database import Database
from tests.service.desk.kit import GAMES, new_game, order, play
from tests.service.following.kit import opened
from tests.support import pennant, postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def given(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings with a store of this test's own."""
    if request.param == "sqlite":
        return Settings(database=tmp_path / "games.sqlite", chain_length=256)
    address = request.getfixturevalue("postgresql")
    store = postgres.place(address, str(tmp_path))
    return Settings(store=store, key=postgres.KEY, chain_length=256)


async def _play(given: Settings, commands: int, rulesets: tuple[str, ...]) -> None:
    async with open_desk(given, GAMES) as desk:
        for number, ruleset in enumerate(rulesets):
            made = await new_game(desk, ruleset=ruleset)
            await play(desk, made.game.id, number, commands)


def played(given: Settings, commands: int = 1_000, *rulesets: str) -> None:
    """Games in the store, of Pennant and Soundings unless others are named."""
    asyncio.run(_play(given, commands, rulesets or ("pennant", "soundings", "pennant")))


async def _sinking(given: Settings) -> None:
    async with open_desk(given, GAMES) as desk:
        game = (await new_game(desk, SINKING, seed="tenders")).game.id
        for seat in ("p1", "p2"):
            await order(desk, game, seat, pennant.Choose("steady"))
        for seat in islice(cycle(("p1", "p2")), SINKING):
            await order(desk, game, seat, pennant.Fire("magazine"))
        summary = await desk.reader.summary(game)
        assert summary.result is not None


SINKING = 40
"""Shots at magazines after which, by the named seed, a tender is lost."""


@pytest.fixture
def recorder(given: Settings) -> Iterator[Database]:
    """A store with four finished games that nobody has followed yet; a unit was lost in one."""
    played(given)
    asyncio.run(_sinking(given))
    with opened(given) as database:
        database.put((), [("DELETE FROM followers", ()), ("DELETE FROM projected", ())])
        yield database
