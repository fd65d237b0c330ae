"""What the log says at a start, at a stop, and when a store went back; for people and machines."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.ops.metrics import Metrics
from service.ops.telling import _looked_through
from service.store.schema import FORMAT
from tests.service.desk import kit
from tests.service.desk.kit import desk_in, new_game
from tests.service.ops.play import create, play
from tests.service.ops.test_metrics import scraped, total
from tests.support.old_store import kept, migrated
from tests.support.server import Running, running, start

EVENTS = ("program", "store", "format", "settings", "redis", "games")


def told(server: Running) -> dict[str, dict[str, Any]]:
    """The lines that say what happens, by what they are about."""
    lines = [json.loads(line) for line in server.lines if line.startswith("{")]
    return {line["event"]: line for line in lines if line["logger"] == "decklog.operation"}


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def spoil(database: Path) -> None:
    """Another word in every summary, behind the service's back."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "UPDATE games SET summary = CAST(replace(CAST(summary AS TEXT), 'pennant', 'pendant') "
            "AS BLOB)"
        )


def test_a_start_and_a_stop_say_what_they_are(tmp_path: Path) -> None:
    game = migrated(kept()[0], tmp_path)
    with running(tmp_path, "pennant", chain_length=64, log="json", stream_limit=9) as server:
        until(lambda: {*EVENTS, "rules"} <= {*told(server)})
        with httpx.Client(base_url=server.url) as client:
            made = create(client, "pennant")
            play(client, made, 3)
        assert server.stop() == 0
    lines = told(server)
    assert (lines["program"]["format"], lines["program"]["commit"]) == (FORMAT, "")
    assert lines["store"]["store"].endswith("file decklog.sqlite")
    assert lines["store"]["events"] >= max(game.done.values())
    assert lines["format"]["migrated_from"] == 1
    assert lines["settings"]["settings"]["DECKLOG_STREAM_LIMIT"] == "9"
    assert "DECKLOG_PAGE_LIMIT" not in lines["settings"]["settings"]
    assert lines["games"]["games"] == {"playing": 1}
    assert (lines["rules"]["ruleset"], lines["rules"]["count"]) == ("pennant", 1)
    assert lines["stopping"]["drain_seconds"] == 0
    assert lines["stopped"]["commands"] == len(made.done)
    said = "\n".join(server.lines)
    assert not [token for token in (*game.tokens.values(), *made.tokens.values()) if token in said]


def test_the_same_is_said_to_people(tmp_path: Path) -> None:
    from tests.support.postgres import KEY

    with running(tmp_path, "pennant", chain_length=64, key=KEY) as server:
        until(lambda: any("games: none yet" in line for line in server.lines))
    said = "\n".join(server.lines)
    for words in ("Decklog ", f"store format {FORMAT}", "SQLite ", "no Redis", "DECKLOG_KEY=(set)"):
        assert words in said
    assert "stopped after" in said
    assert KEY not in said


def test_a_store_with_archived_games_is_told_by_its_own_format(tmp_path: Path) -> None:
    with running(tmp_path, "pennant", chain_length=64) as server:
        pass
    with closing(sqlite3.connect(server.database)) as connection, connection:
        connection.execute("UPDATE meta SET value = '4' WHERE name = 'format'")
    with running(tmp_path, "pennant", chain_length=64) as server:
        until(lambda: any("games: none yet" in line for line in server.lines))
    said = "\n".join(server.lines)
    assert "store format 4, not migrated" in said
    assert "store format 3" not in said


def test_a_damaged_game_is_said_at_the_start_and_counted(tmp_path: Path) -> None:
    with (
        running(tmp_path, "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        made = create(client, "pennant")
    spoil(server.database)
    server = start(tmp_path, "pennant", chain_length=64, log="json")
    try:
        until(lambda: "damaged" in told(server))
        assert told(server)["damaged"]["damaged_games"] == [made.id]
        assert told(server)["games"]["damaged"] == 1
        with httpx.Client(base_url=server.url) as client:
            assert client.get(made.path).json()["code"] == "game.damaged"
            found = scraped(client.get("/metrics").text)
        assert total(found, "decklog_games_damaged") == 1
    finally:
        server.stop()


def test_a_game_that_is_damaged_later_is_counted_once(tmp_path: Path) -> None:
    with (
        running(tmp_path, "pennant", chain_length=64, cached_games=1) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        made = create(client, "pennant")
        create(client, "pennant")
        assert total(scraped(client.get("/metrics").text), "decklog_games_damaged") == 0
        spoil(server.database)
        for _ in range(3):
            assert client.get(made.path).json()["code"] == "game.damaged"
        assert total(scraped(client.get("/metrics").text), "decklog_games_damaged") == 1


def test_an_older_backup_in_the_place_of_the_store_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = tmp_path / "decklog.sqlite"

    async def game_more() -> None:
        async with desk_in(tmp_path, database=database) as desk:
            await kit.play(desk, (await new_game(desk)).game.id, 1)
            await new_game(desk)

    asyncio.run(game_more())
    older = database.read_bytes()
    asyncio.run(game_more())
    database.write_bytes(older)
    with caplog.at_level(logging.ERROR):
        asyncio.run(game_more())
    (line,) = [each.getMessage() for each in caplog.records if "not the one" in each.getMessage()]
    assert "1 games get new dice" in line
    assert "the event known last is missing" in line


def test_what_was_looked_through_is_of_the_store(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            for _ in range(3):
                await new_game(desk)
            lines = list(_looked_through(desk, Metrics()))
            assert [fields["event"] for _, _, fields in lines] == ["games"]
            assert sum(lines[0][2]["games"].values()) == 3

    asyncio.run(run())
