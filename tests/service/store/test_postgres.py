"""PostgreSQL as the store: what is refused at the start, and what a failed statement means."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from service.errors import StoreFull, StoreRefused, StoreUnavailable
from service.settings import Settings
from service.store.postgres import PostgresRecorder, check_safe, translated
from service.store.schema import FORMAT_OF_ARCHIVES
from service.store.store import Store
from tests.support import postgres
from tests.support.pooler import Mode, pooler

NOW = datetime(2026, 11, 21, tzinfo=UTC)
ROW = ("0" * 32, 1, "pennant.opened.v1", b"{}")


@pytest.fixture
def address(postgresql: str, tmp_path: Path) -> str:
    return postgres.place(postgresql, str(tmp_path))


def refusal(settings: Settings) -> StoreRefused:
    with pytest.raises(StoreRefused) as refused:
        Store(settings).open(NOW)
    return refused.value


def test_a_commit_is_durable_when_it_is_answered(address: str) -> None:
    recorder = PostgresRecorder(address, 5)
    recorder.prepare()
    assert recorder.query("SELECT current_setting('synchronous_commit')") == [("on",)]
    recorder.close()
    with psycopg.connect(address) as connection:
        check_safe(connection)
        connection.execute("SET synchronous_commit = off")
        with pytest.raises(StoreRefused) as refused:
            check_safe(connection)
    assert refused.value.code == "store.unsafe"


def test_places_that_are_handed_out_in_stocks_are_refused(address: str) -> None:
    """With a cache each connection has places of its own: an earlier one may come much later."""
    given = Settings(store=address, key=postgres.KEY)
    store = Store(given)
    store.open(NOW)
    store.close()
    with psycopg.connect(address, autocommit=True) as operator:
        operator.execute("ALTER SEQUENCE deliveries_place_seq CACHE 100")
        refused = refusal(given)
        assert refused.code == "store.unsafe"
        assert "deliveries_place_seq" in refused.hint
        operator.execute("ALTER SEQUENCE deliveries_place_seq CACHE 1")
    store.open(NOW)
    store.close()


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_pooler_may_share_sessions_and_transactions(address: str, mode: Mode) -> None:
    """Two workers behind it, each of whose transactions may go to any process of the server."""
    with pooler(address, mode) as shared:
        given = Settings(store=shared, key=postgres.KEY)
        one, two = Store(given), Store(given)
        one.open(NOW)
        two.open(NOW)
        for number, store in enumerate((one, two) * 4, start=1):
            store.recorder.put([(ROW[0], number, *ROW[2:])], ())
            assert store.recorder.settled() == number
            assert store.recorder.query("SELECT count(*) FROM stored_events") == [(number,)]
        with pytest.raises(IntegrityError):
            two.recorder.put([ROW], ())
        assert [one.recorder.lead("x"), two.recorder.lead("x")] == [True, False]
        two.close()
        one.close()


def test_behind_a_pooler_each_transaction_brings_what_it_needs(address: str) -> None:
    """Nothing is left in the pooler's connections, and a commit waits for the disk."""
    with pooler(address, "transaction") as shared:
        recorder = PostgresRecorder(shared, 5)
        recorder.prepare()
        asked = "current_setting('lock_timeout') || current_setting('synchronous_commit')"
        keep = f"INSERT INTO meta (name, value) VALUES ('x', ({asked})::bytea)"
        recorder.put((), [(keep, ())])
        found = "SELECT value FROM meta WHERE name = 'x'"
        assert recorder.query(found) == [(b"5son",)]
        assert recorder.query("SELECT current_setting('lock_timeout')") == [("0",)]
        recorder.close()


def test_a_history_that_changes_behind_a_pooler_is_noticed(address: str) -> None:
    """The connection stays, and leads to another server from one transaction to the next."""
    with pooler(address, "transaction") as shared:
        recorder = PostgresRecorder(shared, 5)
        recorder.prepare()
        accepted = recorder._accepted
        assert accepted is not None
        recorder._accepted = recorder._latest = accepted._replace(timeline="00000009")
        with pytest.raises(IntegrityError):
            recorder.put([ROW], ())
        assert recorder.turned
        assert recorder.query("SELECT count(*) FROM stored_events") == [(0,)]
        recorder.accept()
        recorder.put([ROW], ())
        recorder._accepted = recorder._latest = accepted._replace(timeline="00000009")
        recorder.time()
        assert recorder.turned, "who only reads hears of it as well"
        recorder.close()


def test_a_key_is_needed_and_it_must_be_the_one(address: str) -> None:
    assert refusal(Settings(store=address)).code == "store.wrong-key"
    store = Store(Settings(store=address, key=postgres.KEY))
    store.open(NOW)
    store.close()
    assert refusal(Settings(store=address, key="5f" * 32)).code == "store.wrong-key"


def test_a_newer_format_is_refused(address: str) -> None:
    given = Settings(store=address, key=postgres.KEY)
    store = Store(given)
    store.open(NOW)
    newer = str(FORMAT_OF_ARCHIVES + 1).encode()
    store.recorder.put((), [("UPDATE meta SET value = ? WHERE name = 'format'", (newer,))])
    store.close()
    assert refusal(given).code == "store.newer-format"


def test_a_start_beside_busy_workers_takes_no_lock_of_theirs(address: str) -> None:
    """CREATE INDEX IF NOT EXISTS locks its table out of all writing, also where the index is."""
    Store(Settings(store=address, key=postgres.KEY)).open(NOW)
    with psycopg.connect(address) as busy:
        busy.execute("LOCK TABLE games, deliveries, stored_events IN ROW EXCLUSIVE MODE")
        late = PostgresRecorder(address, 1)
        late.prepare()
        late.close()


def test_what_is_missing_is_made_where_the_rest_is_there(address: str) -> None:
    recorder = PostgresRecorder(address, 5)
    recorder.prepare()
    recorder.put((), [("DROP TABLE attempts", ()), ("DROP INDEX games_by_ruleset", ())])
    recorder.close()
    again = PostgresRecorder(address, 5)
    again.prepare()
    made = "SELECT to_regclass('attempts') IS NULL, to_regclass('games_by_ruleset') IS NULL"
    assert again.query(made) == [(False, False)]
    again.close()


def test_a_server_that_is_not_there_is_said_without_the_password() -> None:
    given = Settings(
        store="postgresql://judge:secret@127.0.0.1:1/games", key=postgres.KEY, store_busy_seconds=1
    )
    refused = refusal(given)
    assert refused.code == "store.unreachable"
    assert "127.0.0.1/games" in str(refused)
    assert "secret" not in str(refused)


def test_a_version_that_is_taken_leaves_nothing_of_the_commit(address: str) -> None:
    recorder = PostgresRecorder(address, 5)
    recorder.prepare()
    recorder.put([ROW], ())
    another = ("1" * 32, *ROW[1:])
    with pytest.raises(IntegrityError):
        recorder.put([another, ROW], ())
    assert recorder.query("SELECT originator_id FROM stored_events") == [(ROW[0],)]
    recorder.close()


def test_a_query_gets_over_connections_that_were_cut(address: str) -> None:
    recorder = PostgresRecorder(address, 5)
    recorder.prepare()
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(cut)
    assert recorder.query("SELECT 1") == [(1,)]
    assert recorder.writable()
    recorder.close()


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (psycopg.errors.UniqueViolation(), IntegrityError),
        (psycopg.errors.DeadlockDetected(), IntegrityError),
        (psycopg.errors.SerializationFailure(), IntegrityError),
        (psycopg.errors.DiskFull(), StoreFull),
        (psycopg.errors.AdminShutdown(), StoreUnavailable),
    ],
)
def test_what_a_failure_means(error: psycopg.Error, meaning: type[Exception]) -> None:
    assert isinstance(translated(error), meaning)


def test_who_is_undone_by_a_deadlock_has_exchanged_nothing(address: str) -> None:
    """It is not an error: whoever asked looks again. Clocks, keys and followers go by it."""
    recorder = PostgresRecorder(address, 5)
    recorder.prepare()
    insert = "INSERT INTO meta (name, value) VALUES (?, ?)"
    recorder.put((), [(insert, ("one", b"0")), (insert, ("two", b"0"))])
    update = "UPDATE meta SET value = ? WHERE name = ?"
    one, two = ((update, (b"1", each)) for each in ("one", "two"))
    done: list[bool] = []
    with psycopg.connect(address) as other:
        # It waits a minute before it looks for a deadlock: the recorder's server looks first.
        other.execute("SET deadlock_timeout = 60000")
        other.execute("UPDATE meta SET value = 'x' WHERE name = 'two'")
        work = threading.Thread(target=lambda: done.append(recorder.exchange([one, two], ())))
        work.start()
        while not _waits(other):
            pass
        other.execute("UPDATE meta SET value = 'x' WHERE name = 'one'")
        work.join()
        other.commit()
    assert done == [False]
    assert recorder.query("SELECT value FROM meta WHERE name IN ('one', 'two')") == [(b"x",)] * 2
    assert recorder.exchange([one, two], ())
    recorder.close()


def _waits(connection: psycopg.Connection[tuple[object, ...]]) -> bool:
    """Whether anybody waits for the connection."""
    asked = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    row = connection.execute(asked).fetchone()
    return row is not None and row[0] == 1
