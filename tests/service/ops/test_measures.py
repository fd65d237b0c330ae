"""Figures of store, disk, backups, clock and office: told where they are known, else left out."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.desk import Desk, open_desk
from service.ops.measures import AGE, DRILLED, LAST, SHADOWED, last_backup, last_drill
from service.ops.metrics import Metrics
from service.ops.telemetry import STEP, Telemetry, stepped
from service.ops.traces import NoTraces
from service.play.archiving import put_away
from service.settings import Settings
from service.store import unopened
from service.store.schema import FORMAT
from tests.service.desk.kit import GAMES, new_game, play, settings
from tests.service.following.test_thread import until
from tests.service.ops.test_metrics import Found, scraped, total
from tests.service.publishing.test_public import with_log
from tests.support import postgres

NAME = "decklog_unopened_seconds"


async def looked(desk: Desk, given: Settings) -> Found:
    telemetry = Telemetry(Metrics(), NoTraces())
    measures = telemetry.read(desk, given)
    await measures.refresh()
    return scraped(telemetry.metrics.text().decode())


def found(given: Settings) -> Found:
    async def run() -> Found:
        async with open_desk(given, GAMES) as desk:
            await new_game(desk)
            await until(lambda: desk.following.leads)
            return await looked(desk, given)

    return asyncio.run(run())


def test_of_a_file(tmp_path: Path) -> None:
    given = settings(tmp_path)
    told = found(given)
    ((labels, one),) = told["decklog_build_info"]
    assert one == 1
    assert (labels["format"], labels["store"]) == (str(FORMAT), "sqlite")
    assert total(told, "decklog_store_bytes") >= given.database.stat().st_size > 0
    assert total(told, "decklog_store_events") > 0
    places = {labels["place"] for labels, _ in told["decklog_room_bytes"]}
    assert places == {"store", "newest"}
    assert total(told, "decklog_following") == 1
    assert "decklog_clock_skew_seconds" not in told, "a file has no clock"
    assert "decklog_store_timeline" not in told
    assert "decklog_backup_whole" not in told
    assert total(told, "decklog_store_waits_total") == 0


def test_of_a_postgresql(postgresql: str, tmp_path: Path) -> None:
    given = settings(tmp_path)
    store = postgres.place(postgresql, str(tmp_path))
    told = found(msgspec.structs.replace(given, store=store, key=postgres.KEY))
    assert abs(total(told, "decklog_clock_skew_seconds")) < 1
    assert "decklog_clock_skew_seconds" in told
    assert total(told, "decklog_store_timeline") == 1
    assert total(told, "decklog_store_bytes") > 0
    assert "decklog_store_archived_timestamp_seconds" not in told, "nothing is archived here"
    assert "decklog_room_bytes" not in told, "by SQL nobody tells of the server's disk"


def test_what_cannot_be_told_any_more_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.errors import StoreUnavailable
    from service.store import figures

    def away(_: object) -> int:
        raise StoreUnavailable("away")

    async def run() -> None:
        given = settings(tmp_path)
        async with open_desk(given, GAMES) as desk:
            telemetry = Telemetry(Metrics(), NoTraces())
            measures = telemetry.read(desk, given)
            await measures.refresh()
            assert measures.store
            monkeypatch.setattr(figures, "newest", away)
            await measures.refresh()
            assert measures.store, "good for a while"
            measures._at -= AGE
            await measures.refresh()
            assert not measures.store
            assert "decklog_store_bytes" not in scraped(telemetry.metrics.text().decode())

    asyncio.run(run())


def test_games_in_the_archive_are_counted_and_those_that_had_to_stay(tmp_path: Path) -> None:
    given = msgspec.structs.replace(settings(tmp_path), archive=str(tmp_path / "archive"))

    async def run() -> None:
        async with open_desk(given, GAMES) as desk:
            assert total(await looked(desk, given), "decklog_archived_games") == 0
            game = (await new_game(desk)).game.id
            await play(desk, game, 1)
            await new_game(desk)
            judged = await desk.archivist._judge(game)
            put_away(desk.store, judged, game, "x", "y")
            desk.archivist._stays("another")
            told = await looked(desk, given)
            assert total(told, "decklog_archived_games") == 1
            assert total(told, "decklog_archived_bytes") == STEP
            assert total(told, "decklog_games_unarchived") == 1

    asyncio.run(run())


def test_how_long_a_game_has_waited_for_its_master(tmp_path: Path) -> None:
    """It is seen from the first look on, whichever game comes or goes meanwhile."""

    async def run() -> None:
        given = with_log(settings(tmp_path), tmp_path)
        async with open_desk(given, GAMES) as desk:
            now = [1_000.0]
            telemetry = Telemetry(Metrics(), NoTraces())
            measures = telemetry.read(desk, given)
            measures._monotonic = lambda: now[0]

            async def waits() -> float:
                now[0] += AGE
                await measures.refresh()
                return total(scraped(telemetry.metrics.text().decode()), NAME)

            assert await waits() == 0
            assert desk.public_log is not None
            with desk.public_log._appender.folder.alone():  # nothing is signed
                first = (await new_game(desk)).game.id
                await play(desk, first, 1)
                await until(lambda: unopened.games(desk.store.recorder) == [first])
                assert [await waits(), await waits()] == [0, AGE]
                other = (await new_game(desk)).game.id
                await play(desk, other, 2)
                await until(lambda: len(unopened.games(desk.store.recorder)) == 2)
                assert await waits() == 2 * AGE
            await until(lambda: not unopened.games(desk.store.recorder))
            assert await waits() == 0

    asyncio.run(run())


def test_of_the_last_backup(tmp_path: Path) -> None:
    assert last_backup("") == {}
    assert last_backup(str(tmp_path)) == {}
    file = tmp_path / LAST
    told: dict[str, Any] = {"at": "2026-11-25T10:00:00+00:00", "bytes": 7, "whole": False}
    file.write_text(json.dumps(told))
    at = datetime(2026, 11, 25, 10, tzinfo=UTC).timestamp()
    assert last_backup(str(tmp_path)) == {"timestamp": at, "bytes": 7, "whole": 0}
    file.write_text("{")
    assert last_backup(str(tmp_path)) == {}


def test_of_the_last_drill_and_of_what_follows_the_file(tmp_path: Path) -> None:
    given = msgspec.structs.replace(settings(tmp_path), backups=str(tmp_path))
    assert last_drill(str(tmp_path)) == {}
    assert "decklog_backup_drill_succeeded" not in found(given)
    told = {"at": "2026-11-25T10:00:00.000Z", "succeeded": True, "copy": "decklog-1.sqlite"}
    (tmp_path / DRILLED).write_text(json.dumps(told))
    (tmp_path / SHADOWED).write_text(json.dumps({"at": "2026-11-25T10:00:00+00:00"}))
    shown = found(given)
    assert total(shown, "decklog_backup_drill_succeeded") == 1
    at = datetime(2026, 11, 25, 10, tzinfo=UTC).timestamp()
    assert total(shown, "decklog_backup_drill_timestamp_seconds") == at
    assert total(shown, "decklog_backup_shadow_timestamp_seconds") == at


def test_a_message_that_is_given_up_is_counted(tmp_path: Path) -> None:
    """The counters of what keeps watch are told as they are."""

    async def run() -> None:
        given = settings(tmp_path)
        async with open_desk(given, GAMES) as desk:
            desk.courier.given_up, desk.timekeeper.answers, desk.timekeeper.postponed = 2, 3, 4
            told = await looked(desk, given)
            assert total(told, "decklog_webhooks_given_up_total") == 2
            assert total(told, "decklog_clock_answers_total") == 3
            assert total(told, "decklog_deadlines_postponed_total") == 4

    asyncio.run(run())


def test_sizes_are_told_in_steps() -> None:
    """An exact size would tell how long a hidden order is."""
    assert stepped({"": 0.0, "a": 1.0, "b": float(STEP), "c": STEP + 1.0}) == {
        "": 0.0, "a": STEP, "b": STEP, "c": 2 * STEP,
    }  # fmt: skip
