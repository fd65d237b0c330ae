"""A full disk: nothing is lost, reading goes on, and so does the game when there is room."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import DatabaseError, OperationalError
from eventsourcing.sqlite import SQLiteConnection

from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.errors import ServiceError, StoreFull, StoreUnavailable
from service.evidence.verify import verify
from service.store import recorder
from service.store.recorder import SafePool, translate
from tests.service.desk.kit import GAMES, desk_in, fresh_key, new_game, order, play
from tests.support.pennant import Choose, Pass

ALL_PAGES = 1_073_741_823


class Squeeze:
    """Bounds the pages that SQLite may use: as a full disk does, with its very error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._connections: list[SQLiteConnection] = []
        self._pages = ALL_PAGES
        create = SafePool._create_connection

        def created(pool: SafePool) -> SQLiteConnection:
            connection = create(pool)
            self._connections.append(connection)
            self._bound(connection)
            return connection

        monkeypatch.setattr(SafePool, "_create_connection", created)

    def set(self, pages: int) -> None:
        """Pages from now on; SQLite takes the present size where that is more."""
        self._pages = pages
        for connection in self._connections:
            if not connection.closed:
                self._bound(connection)

    def _bound(self, connection: SQLiteConnection) -> None:
        connection._sqlite_conn.execute(f"PRAGMA max_page_count={self._pages}")


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process may grow beyond ``size`` bytes: writes fail in the system call."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def pass_until_refused(desk: Desk, game: str) -> tuple[int, dict[str, Any], ServiceError]:
    """Passes turn by turn; the last version that was acknowledged, and what was refused how."""
    version = (await desk.reader.summary(game)).version
    for _ in range(5_000):
        seat = (await desk.reader.summary(game)).to_move[0].seat
        fields: dict[str, Any] = {
            "seat": seat,
            "command": Pass(),
            "expected": version,
            "key": fresh_key(),
        }
        try:
            version = (await order(desk, game, **fields)).version
        except ServiceError as error:
            return version, fields, error
    raise AssertionError("the disk never filled")


async def battle(desk: Desk) -> str:
    game = (await new_game(desk, turns=20_000)).game.id
    await order(desk, game, "p1", Choose("bold"))
    await order(desk, game, "p2", Choose("bold"))
    return game


async def check_readable(desk: Desk, game: str, version: int) -> None:
    """Everything that was acknowledged can be read; nothing more is there."""
    assert (await desk.reader.summary(game)).version == version
    assert (await desk.reader.view(game, PUBLIC)).version == version
    assert len(await desk.reader.events(game, PUBLIC, 0, 100_000)) == version
    assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"
    assert (await desk.ready())["store"]


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    squeeze = Squeeze(monkeypatch)

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game = await battle(desk)
            other = (await new_game(desk)).game.id
            squeeze.set(1)
            version, fields, error = await pass_until_refused(desk, game)
            assert isinstance(error, StoreFull)
            assert (error.code, error.status) == ("store.full", 507)
            for _ in range(3):
                with pytest.raises(StoreFull):
                    await order(desk, game, **fields)
            with pytest.raises(StoreFull):
                await new_game(desk)
            await check_readable(desk, game, version)
            squeeze.set(ALL_PAGES)
            outcome = await order(desk, game, **fields)
            assert (outcome.replayed, outcome.version) == (False, version + 1)
            await play(desk, other, seed=1)
        async with desk_in(tmp_path) as desk:
            await check_readable(desk, game, version + 1)

    asyncio.run(run())


def test_full_for_many_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands of many games in one commit fail together, and each can be given again."""
    squeeze = Squeeze(monkeypatch)

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            games = [await battle(desk) for _ in range(30)]
            squeeze.set(1)
            refused: list[StoreFull] = []
            while not refused:
                versions = [(await desk.reader.summary(game)).version for game in games]
                answers = await asyncio.gather(
                    *(
                        order(desk, game, "p1", Pass(), expected=v)
                        for game, v in zip(games, versions, strict=True)
                    ),
                    return_exceptions=True,
                )
                refused = [answer for answer in answers if isinstance(answer, StoreFull)]
                for game, before, answer in zip(games, versions, answers, strict=True):
                    after = (await desk.reader.summary(game)).version
                    assert after == (before if isinstance(answer, StoreFull) else before + 1)
                if not refused:
                    squeeze.set(ALL_PAGES)
                    await asyncio.gather(*(order(desk, game, "p2", Pass()) for game in games))
                    squeeze.set(1)
            squeeze.set(ALL_PAGES)
            for game in games:
                seat = (await desk.reader.summary(game)).to_move[0].seat
                await order(desk, game, seat, Pass())

    asyncio.run(run())


def test_a_write_that_the_system_refuses(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game = await battle(desk)
            size = max(path.stat().st_size for path in tmp_path.iterdir())  # noqa: ASYNC240
            with largest_file(size + 20_000):
                version, fields, error = await pass_until_refused(desk, game)
                assert isinstance(error, StoreUnavailable)
                assert (error.code, error.status) == ("store.unavailable", 503)
                await check_readable(desk, game, version)
            outcome = await order(desk, game, **fields)
            assert (outcome.replayed, outcome.version) == (False, version + 1)
        async with desk_in(tmp_path) as desk:
            await check_readable(desk, game, version + 1)

    asyncio.run(run())


def failure(code: int) -> OperationalError:
    """What the library raises for a failed statement."""
    cause = sqlite3.OperationalError("it failed")
    cause.sqlite_errorcode = code
    error = OperationalError(cause)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("code", "room", "expected"),
    [
        (sqlite3.SQLITE_FULL, True, StoreFull),
        (sqlite3.SQLITE_IOERR_WRITE, False, StoreFull),
        (sqlite3.SQLITE_IOERR_SHMSIZE, False, StoreFull),
        (sqlite3.SQLITE_CANTOPEN, False, StoreFull),
        (sqlite3.SQLITE_IOERR_WRITE, True, StoreUnavailable),
        (sqlite3.SQLITE_BUSY, False, StoreUnavailable),
        (sqlite3.SQLITE_CORRUPT, True, StoreUnavailable),
    ],
)
def test_what_a_failure_means(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    room: bool,
    expected: type[ServiceError],
) -> None:
    if not room:
        monkeypatch.setattr(recorder, "SPARE_BYTES", 1 << 62)
    assert type(translate(failure(code), tmp_path / "x.sqlite")) is expected


def test_a_conflict_is_no_failure(tmp_path: Path) -> None:
    conflict: DatabaseError = failure(sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
    assert translate(conflict, tmp_path / "x.sqlite") is None
