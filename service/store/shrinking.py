"""Room that deleted rows left in an SQLite file, given back: the file is written anew.

Places are numbers of rows, and those who follow the log have kept them. SQLite promises to keep
such numbers for a column that says so alone, and does it for any table that has an index; so the
new file is compared before it takes the place of the old one.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from ..errors import StoreRefused
from .lock import WriterLock

_NUMBERS = (
    "SELECT count(*), min(rowid), max(rowid), sum(rowid), sum(rowid * originator_version) "
    "FROM stored_events"
)


def shrink(database: Path) -> tuple[int, int]:
    """Bytes before and after. Raises StoreRefused, where somebody is at work on it too; OSError."""
    lock = WriterLock(database)
    lock.acquire()
    part = database.with_name(database.name + ".shrunk")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _written(database, part)
        before, after = database.stat().st_size, part.stat().st_size
        part.replace(database)
        _synced(database.parent)
        return before, after
    finally:
        part.unlink(missing_ok=True)
        lock.release()


def _written(database: Path, part: Path) -> None:
    """All that is in the log goes into the file first: the log beside it is of no other file."""
    with closing(sqlite3.connect(database)) as old:
        busy, *_ = old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreRefused("store.locked", f"{database.name} is being read: stop that first.")
        old.execute("VACUUM INTO ?", (str(part),))
        numbers = old.execute(_NUMBERS).fetchone()
    with closing(sqlite3.connect(part)) as new:
        if new.execute(_NUMBERS).fetchone() != numbers:
            raise StoreRefused("store.unsafe", "This SQLite numbers rows anew: nothing was done.")
    _synced(part)


def _synced(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
