"""``decklog config check``: it only looks, and says all that there is to say."""

from __future__ import annotations

import asyncio
import hashlib
import os
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import psycopg
import pytest

from service.clock import stamp
from service.engines import wall
from service.errors import StoreRefused
from service.ops import checking
from service.ops.checking import Finding, check
from service.ops.measuring import file_system, fsync_seconds, nearest, redis_seen
from service.play.migration import migrate
from service.serve import run
from service.settings import Gathered, Settings, variable
from service.store import workers
from service.store.schema import FORMAT
from service.store.store import Store
from tests.service.cli.test_store_check import fill
from tests.support import postgres
from tests.support.bucket import bucket
from tests.support.old_store import kept, unpack
from tests.support.pooler import pooler
from tests.support.postgres import PostgresServer, Standby
from tests.support.redis import free_port
from tests.support.redis import running as running_redis
from tests.support.server import running

NOW = datetime(2026, 11, 25, tzinfo=UTC)


def found(settings: Settings) -> dict[str, Finding]:
    """The worst of each part."""
    order = ("ok", "note", "warning", "fault")
    told = check(Gathered(settings, {}, ()), {}, []).findings
    return {each.part: each for each in sorted(told, key=lambda each: order.index(each.verdict))}


def verdicts(settings: Settings, *parts: str) -> list[str]:
    told = found(settings)
    return [told[part].verdict for part in parts]


BWRAP = {
    "works": ("#!/bin/sh\nexit 0\n", "ok", "run behind one"),
    "no namespaces": ("#!/bin/sh\nexit 1\n", "note", "has no user namespaces"),
    "none": ("", "note", "bubblewrap is not installed"),
}


@pytest.mark.parametrize("kind", BWRAP)
def test_it_says_whether_there_is_a_wall_for_rules_from_elsewhere(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, verdict, text = BWRAP[kind]
    if program:
        (tmp_path / "bwrap").write_text(program, "utf-8")
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(wall, "_packaged", lambda: "")
    wall.bubblewrap.cache_clear()
    try:
        told = found(Settings(database=tmp_path / "decklog.sqlite"))["wall"]
        assert (told.verdict, text in told.text) == (verdict, True), told.text
        walled = wall.walled()
        assert (walled is not None) == (verdict == "ok")
    finally:
        wall.bubblewrap.cache_clear()


def whole(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}


@pytest.mark.parametrize("dump", kept(), ids=lambda path: path.stem)
def test_a_store_of_any_format_stays_as_it_is(dump: Path, tmp_path: Path) -> None:
    unpack(dump, tmp_path)
    before = whole(tmp_path)
    told = found(Settings(database=tmp_path / "decklog.sqlite"))
    assert whole(tmp_path) == before
    older = not dump.stem.endswith(f"-{FORMAT}")
    assert told["migration"].verdict == ("fault" if older else "ok")
    assert ("decklog store migrate" in told["migration"].text) == older
    assert told["key"].verdict == "ok"
    assert {"fsync", "room", "clock", "crash", "failover", "redis"} <= set(told)


def test_nothing_is_made_where_there_is_no_store(tmp_path: Path) -> None:
    assert verdicts(Settings(database=tmp_path / "new" / "x.sqlite"), "store", "fsync") == [
        "ok",
        "ok",
    ]
    assert not list(tmp_path.iterdir())


def test_a_key_that_does_not_open_the_store(tmp_path: Path) -> None:
    unpack(kept()[-1], tmp_path)
    given = Settings(
        database=tmp_path / "decklog.sqlite", key=hashlib.sha256(b"another").hexdigest()
    )
    told = found(given)["key"]
    assert (told.verdict, told.text.split(":")[0]) == ("fault", "store.wrong-key")
    (tmp_path / "decklog.sqlite.key").unlink()
    assert verdicts(Settings(database=tmp_path / "decklog.sqlite"), "key") == ["fault"]


def test_a_clock_before_the_last_write(tmp_path: Path) -> None:
    unpack(kept()[-1], tmp_path)
    given = Settings(database=tmp_path / "decklog.sqlite")
    ahead = time.time() + timedelta(hours=1).total_seconds()
    os.utime(given.database, (ahead, ahead))
    told = found(given)["clock"]
    assert (told.verdict, "s behind the last write" in told.text) == ("warning", True)


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [(None, "note"), (0.000_001, "warning"), (0.002, "ok"), (0.3, "warning")],
)
def test_a_disk(
    seconds: float | None, verdict: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checking, "fsync_seconds", lambda _: seconds)
    assert verdicts(Settings(database=tmp_path / "x"), "fsync") == [verdict]


def test_little_room_and_a_disk_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = Settings(database=tmp_path / "x")
    assert verdicts(given, "room", "crash") == ["ok", "ok"]
    monkeypatch.setattr(checking, "room", lambda _: 1 << 20)
    monkeypatch.setattr(checking, "file_system", lambda _: "tmpfs")
    assert verdicts(given, "room", "crash") == ["warning", "warning"]


def test_what_is_measured(tmp_path: Path) -> None:
    seconds = fsync_seconds(tmp_path)
    assert seconds is None or 0 < seconds < 5
    assert fsync_seconds(tmp_path / "none") is None
    assert not list(tmp_path.iterdir())
    assert nearest(tmp_path / "a" / "b") == tmp_path
    mounts = tmp_path / "mounts"
    mounts.write_text(f"a / ext4 rw 0 0\nb {tmp_path} tmpfs rw 0 0\n")
    assert file_system(tmp_path, mounts) == "tmpfs"
    assert file_system(Path("/"), mounts) == "ext4"
    assert file_system(tmp_path, tmp_path / "none") == ""


def test_a_redis_that_answers_and_one_that_does_not(tmp_path: Path) -> None:
    with running_redis(tmp_path) as server:
        assert redis_seen(server.address).answer is not None
        given = Settings(database=tmp_path / "x", redis=server.address)
        assert verdicts(given, "redis") == ["ok"]
    away = Settings(database=tmp_path / "x", redis=f"redis://127.0.0.1:{free_port()}")
    assert verdicts(away, "redis") == ["warning"]


# PostgreSQL


@pytest.fixture
def address(postgresql: str, tmp_path: Path) -> str:
    return postgres.place(postgresql, str(tmp_path))


def shared(address: str) -> Settings:
    return Settings(store=address, key=postgres.KEY)


def test_a_database_that_is_empty_stays_so_and_an_older_store_waits(address: str) -> None:
    given = shared(address)
    server = ("server", "pooler", "crash", "clock", "commit")
    assert verdicts(given, "store", *server) == ["ok"] * 6, "what it is made on is looked at"
    assert verdicts(given, "failover") == ["warning"]
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT to_regclass('meta')").fetchone() == (None,)
    store = Store(given)
    store.open(NOW)
    store.close()
    parts = ("store", "migration", "key", *server)
    assert verdicts(given, *parts) == ["ok"] * len(parts)
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE meta SET value = '2' WHERE name = 'format'")
    before = postgres.everything(address)
    told = found(given)
    assert told["migration"].verdict == "fault"
    assert postgres.everything(address) == before
    assert migrate(given, {}) == 0
    assert verdicts(given, "migration") == ["ok"]


def test_the_port_of_a_worker_that_shares_the_database_is_no_fault(address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        given = Settings(store=address, key=postgres.KEY, port=other.getsockname()[1])
        store = Store(given)
        store.open(NOW)
        store.close()
        assert verdicts(given, "port") == ["fault"]
        at = stamp(datetime.now(UTC))
        name = f"{socket.gethostname()}:{given.port}"
        told = workers.Worker("1", name, at, 60, "0.1.0")
        with psycopg.connect(address) as connection:
            put = ("worker/1", msgspec.json.encode(told))
            connection.execute("INSERT INTO meta (name, value) VALUES (%s, %s)", put)
        assert verdicts(given, "port") == ["note"]


def test_a_pooler_that_shares_transactions_is_named(address: str) -> None:
    store = Store(shared(address))
    store.open(NOW)
    store.close()
    with pooler(address, "transaction") as between:
        told = found(shared(between))["pooler"]
        assert (told.verdict, "shares transactions" in told.text) == ("ok", True)
        prepared = msgspec.structs.replace(shared(between), store_prepared=True)
        assert verdicts(prepared, "pooler") == ["warning"]


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    given = shared(f"postgresql://me:secret@127.0.0.1:{free_port()}/x")
    told = found(given)["store"]
    assert (told.verdict, "secret" in told.text) == ("fault", False)
    assert told.text.startswith("store.unreachable: PostgreSQL 127.0.0.1/x")


@pytest.fixture
def primary() -> Iterator[PostgresServer]:
    with postgres.server() as server:
        yield server


def test_whether_what_was_answered_outlives_the_server(primary: PostgresServer) -> None:
    given = shared(primary.address)
    store = Store(given)
    store.open(NOW)
    store.close()
    assert "no standby" in found(given)["failover"].text
    standby = Standby(primary)
    try:
        until_it_follows(primary, "async")
        told = found(given)["failover"]
        assert (told.verdict, "no commit waits" in told.text) == ("warning", True)
        assert "is a standby" in found(shared(standby.alone))["server"].text
        with psycopg.connect(primary.address, autocommit=True) as operator:
            operator.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            operator.execute("SELECT pg_reload_conf()")
        until_it_follows(primary, "sync")
        assert verdicts(given, "failover") == ["ok"]
    finally:
        standby.stop()


def until_it_follows(primary: PostgresServer, how: str) -> None:
    until = time.monotonic() + 20
    with psycopg.connect(primary.address, autocommit=True) as operator:
        state = b"SELECT sync_state FROM pg_stat_replication"
        while operator.execute(state).fetchall() != [(how,)]:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_it_says_whether_the_archive_can_be_read(tmp_path: Path) -> None:
    """A folder is needed as soon as games are to go there, and more so once they are there."""
    database = tmp_path / "games.sqlite"
    asyncio.run(fill(tmp_path))
    assert "archive" not in found(Settings(database=database))
    assert verdicts(Settings(database=database, archive_days=9), "archive") == ["fault"]
    with_folder = Settings(database=database, archive=str(tmp_path / "archive"), archive_days=9)
    told = found(with_folder)["archive"]
    assert (told.verdict, told.text) == ("ok", f"0 games are in {tmp_path / 'archive'}")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE meta SET value = '4' WHERE name = 'format'")
        connection.execute(
            "INSERT INTO archived (game, version, head, first, last, places, size, sha256, at) "
            "SELECT game, 1, '', 1, 1, x'', 1, '', '' FROM games LIMIT 1"
        )
    told = found(with_folder)["archive"]
    assert (told.verdict, "1 games" in told.text) == ("fault", True)
    (tmp_path / "archive").mkdir()
    assert verdicts(with_folder, "archive") == ["fault"], "bare, like the place of a lost disk"
    (tmp_path / "archive" / "00").mkdir()
    assert verdicts(with_folder, "archive") == ["ok"]


def test_it_says_whether_the_archives_bucket_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "games.sqlite"
    asyncio.run(fill(tmp_path))
    settings = Settings(database=database, archive="s3://games/decklog", archive_days=9)
    with bucket(tmp_path / "buckets") as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        assert found(settings)["archive"].verdict == "ok"
        wrong = Settings(database=database, archive="s3://other", archive_days=9)
        told = found(wrong)["archive"]
        assert (told.verdict, "no such bucket" in told.text) == ("fault", True)
        server.stop()
        assert verdicts(settings, "archive") == ["fault"]


# What a start needs


def in_the_way(tmp_path: Path) -> Path:
    """A file where a folder is wanted: it stops root as well."""
    file = tmp_path / "file"
    file.touch()
    return file


@pytest.mark.parametrize("end", [".lock", ".key", "-wal"])
def test_what_is_in_the_way_of_the_database_stops_check_and_start(
    end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = Settings(database=tmp_path / "x.sqlite", port=0)
    (tmp_path / f"x.sqlite{end}").mkdir()
    told = found(given)["settings"]
    assert (told.verdict, told.text.split(":")[0]) == ("fault", "settings.database-misplaced")
    assert f"x.sqlite{end} is no file" in told.text
    assert run(given) == 2
    assert capsys.readouterr().err.strip() == told.text


def test_a_folder_that_nobody_can_make_stops_check_and_start(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("/proc", "/proc/new"):
        given = Settings(database=Path(folder) / "x.sqlite", port=0)
        told = found(given)["settings"]
        assert (told.verdict, "cannot be written: /" in told.text) == ("fault", True)
        assert run(given) == 2
        assert capsys.readouterr().err.strip() == told.text


def test_a_store_that_the_system_refuses_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite.lock").mkdir()
    for database in (tmp_path / "x.sqlite", in_the_way(tmp_path) / "x.sqlite"):
        with pytest.raises(StoreRefused, match=r"^store\.unreachable: .* DECKLOG_DATABASE"):
            Store(Settings(database=database)).open(NOW)


NAMED = {
    "escrow": {"escrow": "none"},
    "signing": {"keys": "none"},
    "log, its folder": {"log_dir": "file"},
    "log, below a file": {"log_dir": "file/log"},
    "log, its head": {"log_dir": "log", "log_head": "file/head"},
    "log, its witnesses": {"log_dir": "log", "witnesses": "none"},
    "log, its authority": {"log_dir": "log", "tsa": "https://tsa.example", "tsa_root": "none"},
}


@pytest.mark.parametrize("case", NAMED)
def test_what_cannot_be_read_or_written_stops_check_and_start_by_its_variable(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_the_way(tmp_path)
    over = {
        name: value if "://" in value else str(tmp_path / value)
        for name, value in NAMED[case].items()
    }
    given = Settings(database=tmp_path / "x.sqlite", port=0, **over)  # type: ignore[arg-type]
    told = found(given)[case.partition(",")[0]]
    assert (told.verdict, variable([*over][-1]) in told.text) == ("fault", True), told.text
    assert run(given, {}) == 2
    assert told.text in capsys.readouterr().err


def test_what_can_be_used_is_said_and_left_alone(tmp_path: Path) -> None:
    given = Settings(database=tmp_path / "x.sqlite", port=0, log_dir=str(tmp_path / "log"))
    assert verdicts(given, "log", "port") == ["ok", "ok"]
    assert not list(tmp_path.iterdir())


def test_a_port_in_use_and_a_host_of_another_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = Settings(database=tmp_path / "x.sqlite", port=other.getsockname()[1])
        away = msgspec.structs.replace(taken, host="203.0.113.7")
        for given, name in ((taken, "DECKLOG_PORT"), (away, "DECKLOG_HOST")):
            told = found(given)["port"]
            assert (told.verdict, name in told.text) == ("fault", True), told.text
            assert run(given, {}) == 2
            assert capsys.readouterr().err.strip() == told.text


def test_the_port_of_the_service_at_work_is_no_fault(tmp_path: Path) -> None:
    """Whoever looks at a running service would else hear that it does not start."""
    with running(tmp_path, "pennant", chain_length=64) as server:
        given = Settings(database=server.database, port=int(server.url.rpartition(":")[2]))
        assert found(given)["port"].verdict == "note"


@pytest.mark.parametrize("filled", [False, True], ids=["empty", "a store"])
def test_places_that_cannot_be_used_later_are_named(filled: bool, tmp_path: Path) -> None:
    """The service starts without them, and says so when it is late."""
    file = in_the_way(tmp_path)
    if filled:
        unpack(kept()[-1], tmp_path)
    database = tmp_path / "decklog.sqlite"
    for part in ("newest", "archive", "backups"):
        given = Settings(database=database, **{part: str(file / "x")})  # type: ignore[arg-type]
        told = found(given)[part]
        assert (told.verdict, variable(part) in told.text) == ("warning", True), told.text
        fine = msgspec.structs.replace(given, **{part: str(tmp_path)})
        if part == "newest":
            fine = msgspec.structs.replace(given, newest=str(tmp_path / "second" / "newest"))
            (tmp_path / "second").mkdir()
        assert found(fine)[part].verdict == "ok", found(fine)[part].text
    missing = Settings(database=database, newest=str(tmp_path / "new" / "newest"))
    assert found(missing)["newest"].verdict == "warning", "its folder is not made by the service"


def test_games_that_are_to_go_nowhere_stop_check_and_start_of_an_empty_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = Settings(database=tmp_path / "x.sqlite", port=0, archive_days=9)
    told = found(given)["archive"]
    assert (told.verdict, "DECKLOG_ARCHIVE is not set" in told.text) == ("fault", True)
    assert run(given, {}) == 2
    assert told.text in capsys.readouterr().err


def test_a_store_that_has_archived_games_is_told_by_its_own_format(tmp_path: Path) -> None:
    asyncio.run(fill(tmp_path))
    database = tmp_path / "games.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE meta SET value = '4' WHERE name = 'format'")
    told = found(Settings(database=database))
    assert "format 4" in told["store"].text
    assert told["migration"].verdict == "ok"
    assert told["migration"].text.startswith("format 4, ")
    assert "format 3" not in told["migration"].text
