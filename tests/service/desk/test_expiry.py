"""Forks that nobody plays on and documents that no game names are deleted in their time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.clock import FixedClock
from service.desk import Desk
from service.errors import NotFound
from service.models import CustomDocument, NewGame
from service.play.customs import name_of, named
from service.store import summaries
from service.work.tasks import Begin, Beginning, Position
from tests.service.desk.kit import desk_in, fresh_key, new_game, order
from tests.support.pennant import Choose

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FORK, DOCUMENT = 30, 90
TABLES = ("stored_events WHERE originator_id", "games WHERE game", "tokens WHERE game",
          "commands WHERE game", "deadlines WHERE game")  # fmt: skip


def at(days: float) -> str:
    """The store's own time, so many days after noon."""
    return (NOON + timedelta(days=days)).isoformat().replace("+00:00", "Z")


async def forked(desk: Desk, game: str) -> str:
    task = Begin("pennant", Position(game, "p1", 2), 2, "what if", ())
    begun = msgspec.json.decode(await desk.office.do(task, "x", lambda _: None), type=Beginning)
    made = await desk.writer.create_fork(
        begun.setup, begun.fork, "", key=fresh_key(), fingerprint=b"", caller="x"
    )
    return made.game.id


def rows_of(desk: Desk, game: str) -> list[int]:
    query = desk.store.recorder.query
    return [query(f"SELECT count(*) FROM {table} = ?", (game,))[0][0] for table in TABLES]


def on_desk(folder: Path, test: Any, clock: Any = None, **changes: Any) -> None:
    async def run() -> None:
        async with desk_in(folder, clock or FixedClock(NOON), **changes) as desk:
            await test(desk)

    asyncio.run(run())


def test_a_fork_is_deleted_in_its_time_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        parent = (await new_game(desk)).game.id
        fork = await forked(desk, parent)
        await order(desk, fork, "p1", Choose("bold"))
        assert desk.store.expiry.go_on(at(FORK - 1)) == []
        assert desk.store.expiry.go_on(at(FORK + 1)) == [fork]
        desk.engine.drop(fork)
        assert rows_of(desk, fork) == [0] * len(TABLES)
        with pytest.raises(NotFound):
            await desk.reader.summary(fork)
        await order(desk, parent, "p1", Choose("bold"))
        assert rows_of(desk, parent)[1] == 1

    on_desk(tmp_path, test)


def test_a_fork_that_is_played_on_is_kept(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        fork = await forked(desk, (await new_game(desk)).game.id)
        query = "SELECT version, summary FROM games WHERE game = ?"
        ((version, kept),) = desk.store.recorder.query(query, (fork,))
        shown = summaries.decode(desk.store.box, fork, version, kept)
        played = replace(shown, expires_at="2027-01-19T12:00:00.000Z")
        later = summaries.encode(desk.store.box, played, summaries.head_of(kept))
        desk.store.recorder.put(
            (), [("UPDATE games SET summary = ? WHERE game = ?", (later, fork))]
        )
        assert desk.store.expiry.go_on(at(FORK + 20)) == []
        assert desk.store.expiry.go_on(at(2 * FORK + 1)) == [fork]

    on_desk(tmp_path, test)


def test_no_game_is_ever_deleted_and_nothing_where_nobody_wants_it(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        fork = await forked(desk, game)
        assert desk.store.expiry.go_on(at(10_000)) == []
        assert rows_of(desk, game)[1] == rows_of(desk, fork)[1] == 1

    on_desk(tmp_path, test, fork_days=0, document_days=0)


def test_many_forks_are_gone_through_part_by_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.expiry.AT_ONCE", 2)

    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        forks = {await forked(desk, game) for _ in range(5)}
        parts = [desk.store.expiry.go_on(at(FORK + 1)) for _ in range(4)]
        assert max(map(len, parts)) == 2
        assert {each for part in parts for each in part} == forks

    on_desk(tmp_path, test)


def test_a_document_is_kept_as_long_as_games_name_it(tmp_path: Path) -> None:
    id_ = name_of("pennant", "map", {})
    goes = "2027-02-19T12:00:00.000Z"
    document = CustomDocument(id_, "pennant", "map", "", {}, goes)

    async def test(desk: Desk) -> None:
        post = desk.writer.post_custom
        await post(document, listed=False, key=fresh_key(), caller="x")
        desk.store.expiry.go_on(at(DOCUMENT - 1))
        assert await desk.writer.custom(document.id) == document
        desk.store.expiry.go_on(at(DOCUMENT + 1))
        assert await desk.writer.custom(document.id) is None
        await post(document, listed=True, key=fresh_key(), caller="x")
        assert await desk.writer.custom(document.id) == document

    on_desk(tmp_path, test)


def test_a_new_game_that_names_a_document_keeps_it_for_as_long_again() -> None:
    wish = {"ruleset": "x", "customs": {"scenario": {"id": "0" * 64}, "map": {"document": {}}}}
    statements = named(msgspec.convert(wish, NewGame), at(5))
    assert statements == [("UPDATE customs SET at = ? WHERE id = ?", (at(5), "0" * 64))]


def test_the_engine_deletes_while_it_tidies_up_and_forgets(tmp_path: Path) -> None:
    clock = FixedClock(NOON)

    async def test(desk: Desk) -> None:
        fork = await forked(desk, (await new_game(desk)).game.id)
        assert desk.engine.peek(fork) is not None
        desk.store.ageing.at = at(FORK + 1)
        await asyncio.to_thread(desk.engine._tidy)
        assert desk.engine.peek(fork) is not None, "by the clock its time is not over"
        clock.at += timedelta(days=FORK + 1)
        await asyncio.to_thread(desk.engine._tidy)
        assert desk.engine.peek(fork) is None
        with pytest.raises(NotFound):
            await desk.reader.views(fork)

    on_desk(tmp_path, test, clock)
