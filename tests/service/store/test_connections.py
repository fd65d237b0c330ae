"""SQLite's connections: who writes keeps its pages, and no statement writes a file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.store.recorder import Recorder, SafeDatastore
from service.store.store import Conflict

ADD = "INSERT INTO customs (id, ruleset, kind, name, document, listed, at) VALUES (?,?,?,?,?,?,?)"


def row(name: str) -> tuple[Any, ...]:
    return (name, "pennant", "ship", name, b"{}", 1, "2026-01-01T00:00:00.000Z")


@pytest.fixture
def recorder(tmp_path: Path) -> Any:
    made = Recorder(SafeDatastore(tmp_path / "store.sqlite", 5))
    made.prepare()
    yield made
    made.close()


def test_who_writes_has_one_connection_whoever_reads_meanwhile(recorder: Recorder) -> None:
    store = recorder.datastore
    used = set()
    for number in range(8):
        recorder.put((), [(ADD, row(f"ship-{number}"))])
        recorder.query("SELECT count(*) FROM customs")
        with store.get_connection(commit=True) as writer, store.get_connection(commit=False) as one:
            assert one is not writer
            used.add(id(writer))
    assert len(used) == 1


def test_what_was_written_is_seen_by_whoever_asks(recorder: Recorder) -> None:
    for number in range(3):
        recorder.put((), [(ADD, row(f"ship-{number}"))])
        asked = ("SELECT id FROM customs WHERE id = ?", (f"ship-{number}",))
        assert recorder.query(*asked) == recorder.query_to_write(*asked) == [(f"ship-{number}",)]


def test_a_commit_that_fails_leaves_the_writer_as_it_was(recorder: Recorder) -> None:
    recorder.put((), [(ADD, row("first"))])
    with pytest.raises(Conflict):
        recorder.put((), [(ADD, row("second")), (ADD, row("third")), (ADD, row("first"))])
    assert recorder.query_to_write("SELECT id FROM customs ORDER BY id", ()) == [("first",)]
    recorder.put((), [(ADD, row("second"))])
    assert recorder.query("SELECT count(*) FROM customs") == [(2,)]


@pytest.mark.parametrize("writing", [False, True])
def test_what_a_statement_may_have_to_undo_is_kept_in_memory(
    recorder: Recorder, *, writing: bool
) -> None:
    with recorder.datastore.get_connection(commit=writing) as connection:
        kept = connection._sqlite_conn.execute("PRAGMA temp_store").fetchone()
    assert tuple(kept) == (2,)
