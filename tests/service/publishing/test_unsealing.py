"""The master is opened once the public log has the end of the game for good, and not before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from domain.kernel.values import TRUTH
from service.desk import Desk, open_desk
from service.evidence.records import GameClosed, MasterOpened
from service.evidence.verify import verify
from service.http.feeds import FeedPosition, Feeds
from service.http.given import viewer_of
from service.models import GameSummary
from service.play.examining import examine
from service.play.summaries import rebuilt
from service.problems import Refusal
from service.publishing.public import PublicLog
from service.settings import Settings
from service.store import unopened
from service.store.store import Store
from tests.service.desk.kit import GAMES, instruct, new_game, order, play
from tests.service.desk.test_locked_orders import begun, give, refused
from tests.service.following.conftest import given
from tests.service.following.test_thread import until
from tests.service.log.logs import Place, listening
from tests.service.publishing.test_public import run, with_log
from tests.service.publishing.test_witnesses import places, policy_of, settings
from tests.support.pennant import Fire

__all__ = ["given", "places"]


class Nobody:
    """A caller without a token."""

    identity = None


async def kinds(desk: Desk, game: str) -> list[str]:
    return [event.type for event in await desk.reader.events(game, "public", 0, 1_000)]


async def opened(desk: Desk, game: str) -> None:
    async with asyncio.timeout(20):
        while not (await desk.reader.summary(game)).opened:  # noqa: ASYNC110 it is what a client sees
            await asyncio.sleep(0.02)


def is_whole(desk: Desk, summary: GameSummary) -> None:
    """The log gives the summary that is kept, and nothing else is wrong with the game."""
    store: Store = desk.store
    found = examine(store, desk.games, desk.engine.vault, summary.id)
    assert (found.faults, found.unread) == ((), "")
    data = msgspec.json.encode(summary)
    assert rebuilt(store, desk.games, desk.engine.vault, summary.id, data)[0].opened


async def _sealed(desk: Desk, game: str) -> None:
    """What is shown of a game that is over, before its master is opened."""
    summary = await desk.reader.summary(game)
    assert (summary.status, summary.opened) == ("finished", False)
    for wished in ("p1", TRUTH):
        with pytest.raises(Refusal, match=r"viewer\.not-entitled"):
            viewer_of(Nobody(), summary, wished)  # type: ignore[arg-type]
    assert (await kinds(desk, game))[-1] == GameClosed.TYPE
    verdict = verify(await desk.reader.evidence(game, "public"), GAMES)
    assert (verdict.word, verdict.scope) == ("UPHELD", "partial"), verdict.text()
    assert "its master is not opened yet" in verdict.text()
    feed = await Feeds(desk.reader).ask(FeedPosition(game, "public", summary.version))
    assert not feed.over, "the stream goes on: one event is to come"


async def _bare(desk: Desk, game: str) -> None:
    """What is shown of it afterwards."""
    summary = await desk.reader.summary(game)
    assert (await kinds(desk, game))[-2:] == [GameClosed.TYPE, MasterOpened.TYPE]
    assert viewer_of(Nobody(), summary, TRUTH) == TRUTH  # type: ignore[arg-type]
    assert verify(await desk.reader.evidence(game, "public"), GAMES).scope == "complete"
    feed = await Feeds(desk.reader).ask(FeedPosition(game, "public", summary.version))
    assert feed.over
    assert unopened.count(desk.store.recorder) == 0
    is_whole(desk, summary)


def test_without_a_log_it_is_opened_with_the_end(given: Settings) -> None:
    async def test() -> None:
        async with open_desk(given, GAMES) as desk:
            game = (await new_game(desk)).game.id
            await play(desk, game, 1)
            await _bare(desk, game)

    asyncio.run(test())


def test_with_a_log_it_is_opened_once_a_head_has_the_end(given: Settings, tmp_path: Path) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        game = (await new_game(desk)).game.id
        with desk.public_log._appender.folder.alone():  # type: ignore[union-attr]  # nothing is signed
            await play(desk, game, 1)
            await asyncio.sleep(0.6)
            await _sealed(desk, game)
        await opened(desk, game)
        await _bare(desk, game)

    run(with_log(given, tmp_path), test)


def test_with_witnesses_it_waits_for_those_whom_the_policy_asks(
    tmp_path: Path, places: list[Place]
) -> None:
    with listening(places[0]) as first:
        port = int(first.rpartition(":")[2])
    path = policy_of(tmp_path, places[:1], [f"http://127.0.0.1:{port}"], 1)

    async def test(desk: Desk, log: PublicLog) -> None:
        game = (await new_game(desk)).game.id
        await play(desk, game, 1)
        await until(lambda: log.waiting.leaves == 0 and (log.uncosigned or 0.0) > 0.5)
        await _sealed(desk, game)
        with listening(places[0], port):
            await opened(desk, game)
        await _bare(desk, game)

    run(settings(tmp_path, path), test)


def test_what_waited_is_opened_after_a_restart_and_at_once_where_no_log_is_kept_any_more(
    tmp_path: Path, places: list[Place]
) -> None:
    with listening(places[0]) as first:
        port = int(first.rpartition(":")[2])
    path = policy_of(tmp_path, places[:1], [f"http://127.0.0.1:{port}"], 1)
    games: list[str] = []

    async def closed(desk: Desk, log: PublicLog) -> None:
        games.append((await new_game(desk)).game.id)
        await play(desk, games[-1], 1)
        await _sealed(desk, games[-1])

    async def again(desk: Desk, log: PublicLog) -> None:
        with listening(places[0], port):
            await opened(desk, games[0])
        await _bare(desk, games[0])

    run(settings(tmp_path, path), closed)
    run(settings(tmp_path, path), again)
    run(settings(tmp_path, path), closed)

    async def unlogged() -> None:
        async with open_desk(Settings(database=tmp_path / "games.sqlite"), GAMES) as desk:
            await opened(desk, games[1])
            await _bare(desk, games[1])

    asyncio.run(unlogged())


def test_a_game_that_was_ended_by_ruling_waits_as_well(given: Settings, tmp_path: Path) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        game = (await new_game(desk)).game.id
        with desk.public_log._appender.folder.alone():  # type: ignore[union-attr]
            assert not (await instruct(desk, "end", game, tell="enough")).code
            assert not (await desk.reader.summary(game)).opened
        await opened(desk, game)
        summary = await desk.reader.summary(game)
        assert (summary.status, summary.abandoned, summary.to_move) == ("finished", True, ())
        is_whole(desk, summary)

    run(with_log(given, tmp_path), test)


def test_links_are_opened_once_the_log_has_the_lock(given: Settings, tmp_path: Path) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        with desk.public_log._appender.folder.alone():  # type: ignore[union-attr]
            game, players = await begun(desk)
            await order(desk, game, "p1", Fire("hull"))
            await asyncio.sleep(0.4)
            assert await refused(desk, game, players[0]) == "dice.awaited"
        lock = await desk.reader.summary(game)
        async with asyncio.timeout(20):
            while not log.has(game, lock.version):  # noqa: ASYNC110 it is what a client would do
                await asyncio.sleep(0.02)
        for player in players:
            await give(desk, game, player)
        assert (await desk.reader.summary(game)).locked is None

    run(with_log(given, tmp_path, chain_length=512), test)
