"""A battle ends under the engine under which it began, and new ones begin under the next: on one
service, restarted between. Every judge upholds both files: the command line, the page of a service,
and the page from a disk without any network.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from domain.kernel.finder import games
from domain.kernel.values import TRUTH
from service.cli import main
from service.desk import Desk
from service.engines import carry, shown
from service.engines.laid import shown_by
from service.engines.load import load
from service.models import NewGame
from tests.service.desk.kit import desk_in, fresh_key, order

from .conftest import Person
from .test_judge import clerk, dropped, judge, offline, served, told

pytestmark = pytest.mark.slow("pages")

__all__ = ["clerk", "judge", "offline", "served"]  # fixtures

WAR = "war-at-sea"
FIRST = next(each for each in carry.table() if each.ruleset == WAR and carry.shown(each))


def the_first() -> dict[str, Any]:
    """What is installed before: an engine of the past, with what shows it."""
    loaded, words = load(carry.archive(FIRST)), carry.shown(FIRST)
    assert words is not None
    return {WAR: shown_by(loaded, shown.lay(loaded, words))}


async def begun(desk: Desk) -> str:
    new = NewGame(ruleset=WAR)
    return (await desk.writer.create_game(new, key=fresh_key(), caller="tests")).game.id


async def on(desk: Desk, game: str, orders: int) -> None:
    """So many orders that are on offer; the dice of attacks fall among them or not."""
    for number in range(orders):
        seat = (await desk.reader.summary(game)).to_move[0].seat
        rules, view = (await desk.reader.views(game)).game, await desk.reader.view(game, seat)
        offered = rules.legal(view.state, seat).commands
        await order(desk, game, seat, offered[number % len(offered)])


async def to_its_end(desk: Desk, game: str) -> bytes:
    """One seat gives up."""
    seat = (await desk.reader.summary(game)).to_move[0].seat
    rules, view = (await desk.reader.views(game)).game, await desk.reader.view(game, seat)
    await order(desk, game, seat, rules.legal(view.state, seat).concessions[-1])
    assert (await desk.reader.summary(game)).result is not None
    return await desk.reader.evidence(game, TRUTH)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The evidence of both games, by the digest of the rules of each."""
    folder = tmp_path_factory.mktemp("engines")

    async def before() -> str:
        async with desk_in(folder, games=the_first(), chain_length=1_024) as desk:
            game = await begun(desk)
            await on(desk, game, 12)
            return game

    async def after(game: str) -> dict[str, bytes]:
        found = {}
        async with desk_in(folder, games=games(), chain_length=1_024) as desk:
            newer = await begun(desk)
            for each in (game, newer):
                await on(desk, each, 12)
                data = await to_its_end(desk, each)
                found[(await desk.reader.summary(each)).rules.digest] = data
        return found

    paths = {}
    for digest, data in asyncio.run(after(asyncio.run(before()))).items():
        paths[digest] = folder / f"{digest[:8]}.decklog"
        paths[digest].write_bytes(data)
    return paths


def test_each_has_its_own_rules(files: dict[str, Path]) -> None:
    assert len(files) == 2
    assert FIRST.digest in files


def test_the_command_line_upholds_both(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for path in files.values():
        assert main(["verify", str(path)]) == 0
        assert "UPHELD" in capsys.readouterr().out


def test_the_page_of_a_service_upholds_both(files: dict[str, Path], clerk: Person) -> None:
    for path in files.values():
        assert told(clerk, path).startswith("UPHELD")


def test_the_page_from_a_disk_upholds_both(files: dict[str, Path], offline: Page) -> None:
    for path in files.values():
        assert dropped(offline, path)[0].startswith("UPHELD")
