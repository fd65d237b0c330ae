"""A store goes back under workers that go on: games go on from what it has, none is damaged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.errors import Lost, Stale, StoreRefused, StoreUnavailable
from service.evidence.records import EpochStarted
from service.evidence.verify import verify
from service.models import GameSummary
from service.store.postgres import PostgresRecorder
from tests.service.desk import kit
from tests.service.desk.kit import GAMES, desk_in, fresh_key, new_game, order, play
from tests.service.desk.test_summaries import agree
from tests.support import postgres
from tests.support.pennant import Choose, Fire
from tests.support.postgres import Backup, PostgresServer, Standby

PATIENCE = 30.0


@pytest.fixture
def primary(tmp_path: Path) -> Iterator[PostgresServer]:
    with postgres.server() as server:
        yield server


def use(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = {"store": postgres.place(address, str(tmp_path)), "key": postgres.KEY}
    monkeypatch.setattr(kit, "store_of", lambda _: place)


async def at_work_again(desk: Desk) -> None:
    """The store takes writes again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if all((await desk.ready()).values()) and not desk.store.recorder.turned:
                return
            await asyncio.sleep(0.05)


async def until_stored(desk: Desk, game: str, seat: str) -> None:
    """What the player was looking at, posted until the service has an answer."""
    key = fresh_key()
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                view = await desk.reader.view(game, seat)
                options = desk.games["pennant"].legal(view.state, seat).commands
                await order(desk, game, seat, options[0], key=key)
            except (StoreUnavailable, Stale):
                await asyncio.sleep(0.05)
            else:
                return


async def refused(desk: Desk, game: str, seat: str, expected: int) -> str:
    """The code with which a command at that version is refused, as soon as there is an answer."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await order(desk, game, seat, Fire(), expected=expected)
            except StoreUnavailable:
                await asyncio.sleep(0.05)
            except Stale as error:
                return error.code
            else:
                return ""


def test_a_standby_that_lacks_the_end_is_promoted_beside_workers_that_go_on(
    primary: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    standby = Standby(primary)
    use(standby.address, tmp_path, monkeypatch)

    async def run() -> None:
        async with desk_in(tmp_path) as one, desk_in(tmp_path) as two:
            workers = (one, two)
            games = [(await new_game(one, turns=30)).game.id for _ in range(5)]
            for game in games:
                await play(one, game, 1, 4)
            await asyncio.to_thread(standby.holds_still)
            kept = {game: (await one.reader.summary(game)).version for game in games}
            for desk in workers:
                for game in games:
                    await play(desk, game, 2, 2)
                    await desk.reader.view(game, PUBLIC)
            gone = {game: (await one.reader.summary(game)).version for game in games}
            assert all(gone[game] > kept[game] for game in games)
            await asyncio.to_thread(primary.stop_at_once)
            await asyncio.to_thread(standby.promote)
            for number, game in enumerate(games):
                seat = (await summary_of(workers[number % 2], game)).to_move[0].seat
                assert await refused(workers[number % 2], game, seat, gone[game] + 2) == Lost.CODE
                await until_stored(workers[number % 2], game, seat)
            for desk in workers:
                await at_work_again(desk)
                for number, game in enumerate(games):
                    await play(workers[number % 2], game, 3, 2)
                    summary = await desk.reader.summary(game)
                    view = await desk.reader.view(game, PUBLIC)
                    assert view.version == summary.version
                    verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
                    assert verdict.word == "UPHELD", verdict.text()
                    events = await desk.reader.events(game, PUBLIC, 0, 1_000)
                    assert [e.type for e in events].count(EpochStarted.TYPE) == 1
                agree(desk)

    with caplog.at_level(logging.ERROR):
        try:
            asyncio.run(run())
        finally:
            standby.stop()
    assert sum("not the one that it was" in record.message for record in caplog.records) == 2


@pytest.mark.parametrize("older", [True, False])
def test_a_server_that_was_started_anew_may_have_been_given_older_files(
    primary: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture, *, older: bool,
) -> None:  # fmt: skip
    """The same cluster on the same timeline: what this worker has written itself is looked for."""
    use(primary.address, tmp_path, monkeypatch)

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk, turns=30)).game.id
            await play(desk, game, 1, 4)
            backup = await asyncio.to_thread(Backup, primary) if older else None
            before = (await desk.reader.summary(game)).version
            await play(desk, game, 2, 2)
            await desk.reader.view(game, PUBLIC)
            gone = (await desk.reader.summary(game)).version
            if backup is not None:
                await asyncio.to_thread(backup.restore)
            else:
                await asyncio.to_thread(primary.stop_at_once)
                await asyncio.to_thread(primary.start)
            await until_stored(desk, game, (await summary_of(desk, game)).to_move[0].seat)
            await at_work_again(desk)
            reached = (await desk.reader.summary(game)).version
            assert (before < reached <= gone) if older else (gone < reached)
            await play(desk, game, 3, 2)
            assert (await desk.reader.view(game, PUBLIC)).version > reached
            verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
            assert verdict.word == "UPHELD", verdict.text()

    with caplog.at_level(logging.ERROR):
        asyncio.run(run())
    assert sum("not the one that it was" in record.message for record in caplog.records) == older


def test_a_standby_is_no_store(primary: PostgresServer) -> None:
    """Its past is not written yet: promoted, it would be another store behind our connections."""
    standby = Standby(primary)
    try:
        with pytest.raises(StoreRefused) as refused:
            PostgresRecorder(standby.alone, 1).prepare()
        assert refused.value.code == "store.unreachable"
    finally:
        standby.stop()


async def summary_of(desk: Desk, game: str) -> GameSummary:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await desk.reader.summary(game)
            except StoreUnavailable:
                await asyncio.sleep(0.05)


def test_a_commit_says_what_it_was_decided_on(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row goes back between the look at its version and the commit: nothing is stored on it."""
    use(postgresql, tmp_path, monkeypatch)

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk)).game.id
            earlier = row_of(desk, game)
            await order(desk, game, "p1", Choose("bold"))
            version = (await desk.reader.summary(game)).version
            usual = desk.store.versions

            def seen(games: Iterable[str]) -> dict[str, int]:
                found = usual(games)
                desk.store.versions = usual  # type: ignore[method-assign]
                go_back(desk, game, earlier)
                return found

            desk.store.versions = seen  # type: ignore[method-assign]
            with pytest.raises(Stale):
                await order(desk, game, "p2", Choose("bold"), expected=version)
            assert row_of(desk, game) == earlier
            await order(desk, game, "p1", Choose("bold"))
            await play(desk, game, 1, 3)
            verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
            assert verdict.word == "UPHELD", verdict.text()

    asyncio.run(run())


def row_of(desk: Desk, game: str) -> tuple[int, bytes]:
    """Version and summary of a game as they are stored."""
    sql = "SELECT version, summary FROM games WHERE game = ?"
    ((version, summary),) = desk.store.recorder.query(sql, (game,))
    return version, bytes(summary)


def go_back(desk: Desk, game: str, earlier: tuple[int, bytes]) -> None:
    """As if an older backup had been put in the place of the store."""
    version, summary = earlier
    desk.store.recorder.put(
        (),
        [
            ("DELETE FROM stored_events WHERE originator_version > ?", (version,)),
            ("DELETE FROM commands WHERE last > ?", (version,)),
            ("UPDATE games SET version = ?, summary = ? WHERE game = ?", (version, summary, game)),
        ],
    )
