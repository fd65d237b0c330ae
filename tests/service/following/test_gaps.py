"""On PostgreSQL commits overtake each other: whoever follows misses none of them all the same."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import psycopg
import pytest

from service.errors import StoreUnavailable
from service.settings import Settings
from service.store.bulk import Statement
from service.store.postgres import PostgresRecorder
from tests.service.following.kit import opened
from tests.support import postgres

WRITERS = 8
COMMITS = 30
INSERT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
    "VALUES (%s, %s, 'x.y.v1', '')"
)


@pytest.fixture
def address(postgresql: str, tmp_path: Path) -> str:
    found = postgres.place(postgresql, str(tmp_path))
    with opened(Settings(store=found, key=postgres.KEY)):
        return found


def newest(address: str) -> int:
    """The newest place that can be seen, as a reader would look who knows nothing of overtaking."""
    with psycopg.connect(address) as connection:
        row = connection.execute("SELECT coalesce(max(place), 0) FROM stored_events").fetchone()
        assert row is not None
        return int(row[0])


def test_a_commit_that_was_overtaken_is_waited_for(address: str) -> None:
    recorder = PostgresRecorder(address, 5)
    recorder.prepare()
    with psycopg.connect(address) as slow:
        slow.execute(
            "SELECT pg_advisory_xact_lock_shared(%s, hashtext(current_schema()))", (0x77726974,)
        )
        slow.execute(INSERT, ("slow", 1))
        recorder.put([("quick", 1, "x.y.v1", b"")], ())
        seen = newest(address)
        rows = recorder.query("SELECT originator_id FROM stored_events WHERE place <= ?", (seen,))
        assert rows == [("quick",)], "the trap: an earlier place is not there yet"
        with pytest.raises(StoreUnavailable):
            recorder.settled()
        slow.commit()
    assert recorder.settled() == seen
    rows = recorder.query("SELECT originator_id FROM stored_events ORDER BY place")
    assert rows == [("slow",), ("quick",)]
    recorder.close()


def test_an_undone_commit_leaves_a_hole_and_nothing_else(address: str) -> None:
    recorder = PostgresRecorder(address, 5)
    recorder.prepare()
    with psycopg.connect(address) as undone:
        undone.execute(INSERT, ("undone", 1))
        undone.rollback()
    recorder.put([("kept", 1, "x.y.v1", b"")], ())
    assert recorder.settled() == newest(address) > 1
    recorder.close()


def _write(address: str, name: str, failures: list[BaseException]) -> None:
    """Commits of several events, each held up a little between its insertion and its end."""
    chance = random.Random(name)
    recorder = PostgresRecorder(address, 30)
    recorder.prepare()
    try:
        seq = 0
        for _ in range(COMMITS):
            many = chance.randrange(1, 4)
            rows = [(name, seq + number, "x.y.v1", b"") for number in range(1, many + 1)]
            nap: Statement = ("SELECT pg_sleep(?)", (chance.random() / 100,))
            recorder.put(rows, [nap])
            seq += many
    except BaseException as error:
        failures.append(error)
        raise
    finally:
        recorder.close()


def test_none_is_missed_with_many_writers(address: str) -> None:
    failures: list[BaseException] = []
    writers = [
        threading.Thread(target=_write, args=(address, f"writer {number}", failures))
        for number in range(WRITERS)
    ]
    reader = PostgresRecorder(address, 30)
    reader.prepare()
    for writer in writers:
        writer.start()
    found: list[tuple[str, int]] = []
    at, overtaken = 0, 0
    while True:
        writing = any(writer.is_alive() for writer in writers)
        upto = reader.settled()
        rows = reader.query(
            "SELECT originator_id, originator_version FROM stored_events "
            "WHERE place > ? AND place <= ? ORDER BY place",
            (at, upto),
        )
        overtaken += newest(address) > upto
        found += rows
        at = upto
        if not writing:
            break
        time.sleep(0.005)
    assert failures == []
    every = reader.query("SELECT originator_id, originator_version FROM stored_events")
    reader.close()
    assert len(every) >= WRITERS * COMMITS
    assert len(found) == len(set(found))
    assert set(found) == set(every)
    assert overtaken, "the reader was at work while others wrote"
    for number in range(WRITERS):
        mine = [seq for name, seq in found if name == f"writer {number}"]
        assert mine == sorted(mine)
