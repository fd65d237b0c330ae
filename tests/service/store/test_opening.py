"""What the store refuses to open, and that it then leaves the file as it was."""

from __future__ import annotations

import hashlib
import sqlite3
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import IntegrityError

from service.errors import StoreRefused
from service.play.migration import migrate
from service.settings import Settings
from service.store.box import Box, WrongKey, key_path
from service.store.lock import in_use
from service.store.looking import check_key, looking
from service.store.migration import Plan, last, plan
from service.store.recorder import Recorder, SafeDatastore, SafePool
from service.store.schema import FORMAT, FORMAT_OF_ARCHIVES
from service.store.store import Store

NOW = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)


def settings(folder: Path, **changes: str) -> Settings:
    return Settings(database=folder / "games.sqlite", **changes)  # type: ignore[arg-type]


def opened(given: Settings) -> Store:
    store = Store(given)
    store.open(NOW)
    return store


def refusal(given: Settings) -> str:
    """The code with which the store is refused; the database file is left as it was."""
    before = given.database.read_bytes() if given.database.exists() else b""
    with pytest.raises(StoreRefused) as refused:
        opened(given)
    after = given.database.read_bytes() if given.database.exists() else b""
    assert hashlib.sha256(after).digest() == hashlib.sha256(before).digest()
    assert refused.value.hint
    return refused.value.code


def edit(database: Path, sql: str) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.execute(sql)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def test_a_new_store_is_wal_and_full(tmp_path: Path) -> None:
    store = opened(settings(tmp_path))
    assert store.recorder.query("PRAGMA journal_mode") == [("wal",)]
    assert store.recorder.query("PRAGMA synchronous") == [(2,)]
    assert store.recorder.query("SELECT value FROM meta WHERE name = 'format'") == [(str(FORMAT),)]
    assert store.recorder.query("SELECT count(*) FROM stored_events") == [(0,)]
    store.close()
    opened(settings(tmp_path)).close()


def test_a_statement_is_compiled_once(tmp_path: Path) -> None:
    """The library's connections keep one, so that all of a commit's were compiled each time."""
    store = opened(settings(tmp_path))
    compiled: list[str] = []

    def seen(action: int, what: str | None, *more: Any) -> int:
        compiled.append(f"{action} {what}")
        return sqlite3.SQLITE_OK

    def commit(number: int) -> list[str]:
        """What is compiled for a commit and a query; Python compiles each COMMIT by itself."""
        statements = [("INSERT INTO meta (name, value) VALUES (?,?)", (f"name-{number}", "x"))]
        row = ("g", number, "x.v1", b"{}")
        compiled.clear()
        store.recorder.put([row], statements)
        assert store.recorder.query("SELECT 1 FROM stored_events WHERE topic = ?", ("x.v1",))
        return [each for each in compiled if not each.endswith(" COMMIT")]

    assert isinstance(store.recorder, Recorder)
    for writer in (True, False):
        with store.recorder.datastore.get_connection(commit=writer) as connection:
            connection._sqlite_conn.set_authorizer(seen)
    assert commit(1)
    assert [commit(number) for number in (2, 3)] == [[], []]
    store.close()


def test_a_connection_that_is_not_safe_is_refused() -> None:
    pool = SafePool(db_name=":memory:")
    with pytest.raises(StoreRefused) as refused:
        pool.get_connection()
    assert refused.value.code == "store.unsafe"
    pool.close()


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    opened(settings(tmp_path)).close()
    given = settings(tmp_path)
    edit(
        given.database, f"UPDATE meta SET value = '{FORMAT_OF_ARCHIVES + 1}' WHERE name = 'format'"
    )
    assert refusal(given) == "store.newer-format"
    edit(given.database, f"UPDATE meta SET value = '{FORMAT}' WHERE name = 'format'")
    opened(given).close()


def test_an_older_format_is_refused_until_it_is_migrated(tmp_path: Path) -> None:
    opened(settings(tmp_path)).close()
    given = settings(tmp_path)
    edit(given.database, "DROP TABLE deadlines")
    edit(given.database, "UPDATE meta SET value = '1' WHERE name = 'format'")
    assert refusal(given) == "store.older-format"
    with looking(given) as look:
        assert look is not None
        missing = ("deadlines", "deadlines_by_time")
        assert plan(look) == Plan(1, missing, projections=0, summaries=0)
    assert refusal(given) == "store.older-format"
    assert migrate(given, {}) == 0
    store = opened(given)
    assert store.due("9999", 1) == []
    assert store.recorder.query("SELECT value FROM meta WHERE name = 'format'") == [(str(FORMAT),)]
    store.close()
    with looking(given) as look:
        assert look is not None
        assert [*plan(look).lines()] == [
            f"format {FORMAT}, as this program needs it: nothing to migrate"
        ]
        told = last(look)
        assert told is not None
        assert (told.before, told.after) == (1, FORMAT)


def test_a_store_that_is_looked_at_stays_as_it_is(tmp_path: Path) -> None:
    given = settings(tmp_path)
    with looking(given) as look:
        assert look is None
    assert not list(tmp_path.iterdir())
    opened(given).close()

    def whole() -> dict[str, tuple[bytes, int]]:
        return {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()}

    before = whole()
    with looking(given) as look:
        assert look is not None
        check_key(look, given)
        assert plan(look).missing == ()
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            look.query("UPDATE meta SET value = '1' WHERE name = 'format'")
    assert whole() == before
    with looking(given) as look:
        assert look is not None
        with pytest.raises(StoreRefused, match="DECKLOG_KEY does not open"):
            check_key(look, settings(tmp_path, key="22" * 32))


def test_a_store_at_which_a_service_works_is_looked_at_beside_it(tmp_path: Path) -> None:
    given = settings(tmp_path)
    store = opened(given)
    store.recorder.put((), [("INSERT INTO meta (name, value) VALUES ('new', 'x')", ())])
    assert in_use(given.database)
    with looking(given) as look:
        assert look is not None
        assert look.query("SELECT value FROM meta WHERE name = 'new'") == [("x",)]
    store.close()
    assert not in_use(given.database)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    given = settings(tmp_path)
    given.database.write_bytes(b"not a database at all")
    assert refusal(given) == "store.not-ours"


@pytest.mark.parametrize("left", [16, 99, 4096, 20_480, -4096])
def test_a_store_that_was_cut_is_damaged_and_not_another_programs(
    tmp_path: Path, left: int
) -> None:
    """It was called a foreign file, and nobody told to put a backup in its place."""
    given = settings(tmp_path)
    opened(given).close()
    whole = given.database.read_bytes()
    given.database.write_bytes(whole[:left])
    with pytest.raises(StoreRefused, match="put a backup in its place") as refused:
        opened(given)
    assert refused.value.code == "store.damaged"
    with pytest.raises(StoreRefused, match="put a backup in its place"), looking(given):
        pass


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    given = settings(tmp_path)
    edit(given.database, "CREATE TABLE birds (name TEXT)")
    assert refusal(given) == "store.not-ours"
    edit(given.database, "CREATE TABLE meta (name TEXT, value TEXT)")
    assert refusal(given) == "store.not-ours"


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    store = opened(settings(tmp_path))
    assert refusal(settings(tmp_path)) == "store.locked"
    store.close()
    opened(settings(tmp_path)).close()


def test_another_process_is_kept_out_until_the_first_one_dies(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom datetime import datetime, UTC\nfrom pathlib import Path\n"
        "from service.settings import Settings\nfrom service.store.store import Store\n"
        "Store(Settings(database=Path(sys.argv[1]))).open(datetime.now(UTC))\n"
        "print('open', flush=True)\ntime.sleep(60)\n"
    )
    given = settings(tmp_path)
    command = [sys.executable, "-c", program, str(given.database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(StoreRefused, match=str(other.pid)):
            opened(given)
        other.kill()
    opened(given).close()


def test_the_key_file_is_private_and_needed(tmp_path: Path) -> None:
    given = settings(tmp_path)
    opened(given).close()
    path = key_path(given.database)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    key = path.read_text()
    path.unlink()
    assert refusal(given) == "store.wrong-key"
    assert not path.exists(), "no new key is made for an old database"
    for wrong in ("00" * 32, "00" * 31, "no hex", ""):
        path.write_text(wrong)
        assert refusal(given) == "store.wrong-key"
    path.write_text(key)
    opened(given).close()


def test_the_operators_key_needs_no_file(tmp_path: Path) -> None:
    given = settings(tmp_path, key="11" * 32)
    opened(given).close()
    assert not key_path(given.database).exists()
    assert refusal(settings(tmp_path, key="22" * 32)) == "store.wrong-key"
    opened(given).close()


def test_a_secret_opens_only_for_its_purpose() -> None:
    box = Box(bytes(32))
    sealed = box.seal("master/a", b"secret")
    assert box.seal("master/a", b"secret") != sealed
    assert box.open("master/a", sealed) == b"secret"
    damaged = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for purpose, text in (("master/b", sealed), ("master/a", damaged), ("master/a", b"")):
        with pytest.raises(WrongKey):
            box.open(purpose, text)
    with pytest.raises(WrongKey):
        Box(b"\x01" * 32).open("master/a", sealed)


def test_a_failed_commit_leaves_no_transaction_behind(tmp_path: Path) -> None:
    datastore = SafeDatastore(tmp_path / "x.sqlite", 1)
    with datastore.transaction(commit=True) as c:
        c.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        c.execute(
            "CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)"
        )

    def orphan() -> None:
        """A deferred foreign key fails in COMMIT itself, and leaves the transaction open."""
        with datastore.transaction(commit=True) as c:
            c.execute("ROLLBACK")
            c.execute("PRAGMA foreign_keys=ON")
            c.execute("BEGIN")
            c.execute("INSERT INTO child VALUES (7)")

    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        orphan()
    with datastore.transaction(commit=True) as c:
        c.execute("INSERT INTO parent VALUES (1)")
        c.execute("SELECT count(*) FROM child")
        assert c.fetchone()[0] == 0
    datastore.close()
