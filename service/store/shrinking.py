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
from .objects import synced

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
        with closing(_alone(database)) as old:
            _written(old, part)
            before, after = database.stat().st_size, part.stat().st_size
            part.replace(database)
        synced(database.parent)
        return before, after
    finally:
        part.unlink(missing_ok=True)
        lock.release()


def _alone(database: Path) -> sqlite3.Connection:
    """The file with its log in it, while nobody else has it open: whoever had, like the operator's
    page, would go on in the old file with the log of the new one, and ruin both."""
    old = sqlite3.connect(database)
    try:
        old.execute("PRAGMA locking_mode = EXCLUSIVE")
        old.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        old.close()
        hint = f"{database.name} is open elsewhere: stop decklog admin page, and whatever reads it."
        raise StoreRefused("store.locked", hint) from None
    return old


def _written(old: sqlite3.Connection, part: Path) -> None:
    old.execute("VACUUM INTO ?", (str(part),))
    numbers = old.execute(_NUMBERS).fetchone()
    with closing(sqlite3.connect(part)) as new:
        if new.execute(_NUMBERS).fetchone() != numbers:
            raise StoreRefused("store.unsafe", "This SQLite numbers rows anew: nothing was done.")
    synced(part)
