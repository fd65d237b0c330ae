"""The ``eventsourcing`` recorder for SQLite, with our tables in the same transaction.

Everything that depends on the library is here: its pools, its transactions and its exceptions.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eventsourcing.persistence import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    PersistenceError,
)
from eventsourcing.sqlite import (
    SQLITE3_DEFAULT_LOCK_TIMEOUT,
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)

from ..errors import ServiceError, StoreFull, StoreRefused, StoreUnavailable
from .bulk import Held, Statement, combined, widened
from .queries import Archives
from .schema import TABLES
from .waits import Waits

EventRow = tuple[str, int, str, bytes]
"""A stored event: game, seq, topic, state."""

INSERT_EVENTS = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
)

log = logging.getLogger(__name__)

SPARE_BYTES = 1 << 20
"""With less than this free, a failed write is put down to the full disk."""

FULL_SYNC = 2


class Overtaken(Exception):
    """A guard changed no row."""


STATEMENTS = 256
"""Statements that a connection keeps compiled: all that a service has, at every width."""


class SafePool(SQLiteConnectionPool):
    """Connections that are durable at each commit: WAL and synchronous=FULL, read back.

    They keep their statements. The library's keep one (``cached_statements=True`` is the number 1),
    so that each statement of a commit was compiled anew. What a statement has to be able to undo by
    itself is kept in memory: in a file, each of a commit's statements wrote its pages twice.
    """

    def _create_connection(self) -> SQLiteConnection:
        raw = sqlite3.connect(
            self.db_name,
            uri=True,
            check_same_thread=False,
            isolation_level=None,
            cached_statements=STATEMENTS,
            timeout=self.lock_timeout or SQLITE3_DEFAULT_LOCK_TIMEOUT,
        )
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute("PRAGMA temp_store=MEMORY")
        synchronous = raw.execute("PRAGMA synchronous").fetchone()[0]
        journal = raw.execute("PRAGMA journal_mode").fetchone()[0]
        if synchronous != FULL_SYNC or journal.lower() != "wal":
            raw.close()
            raise StoreRefused(
                "store.unsafe",
                f"SQLite answers journal_mode={journal}, synchronous={synchronous}; "
                "WAL and FULL (2) are needed. Is the file on a network disk?",
            )
        raw.row_factory = sqlite3.Row
        return SQLiteConnection(raw, self.max_age)


class SafeDatastore(SQLiteDatastore):
    """The library's datastore over two :class:`SafePool`: one of readers, one of the only writer.

    A connection forgets its pages when another one has written. Out of one pool all took turns, so
    that each commit read anew what the last one had written.
    """

    def __init__(self, database: Path, lock_timeout: int) -> None:
        self._writing = SafePool(
            db_name=str(database), lock_timeout=lock_timeout, pool_size=1, max_overflow=0
        )
        super().__init__(str(database), lock_timeout=lock_timeout)
        self.pool.close()
        self.pool = SafePool(db_name=str(database), lock_timeout=lock_timeout)

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """For writing always the same one: nobody else writes meanwhile, as in the library's."""
        pool = self._writing if commit else self.pool
        connection = pool.get_connection(is_writer=commit)
        try:
            yield connection
        finally:
            pool.put_connection(connection)

    def close(self) -> None:
        super().close()
        self._writing.close()

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """As the library's, but a commit that failed leaves no transaction open behind it."""
        with self.get_connection(commit=commit) as connection:
            try:
                with connection.transaction(commit=commit) as cursor:
                    yield cursor
            finally:
                raw: sqlite3.Connection = connection._sqlite_conn
                if raw.in_transaction:
                    raw.rollback()


class Recorder(SQLiteApplicationRecorder):
    """Events and whatever belongs to them, all or nothing."""

    datastore: SafeDatastore
    # VACUUM lets a table that has an index keep its numbers (tests/service/store/test_places.py).
    place = "rowid"
    archive: Archives | None = None
    _file: tuple[int, int] | None = None

    def construct_create_table_statements(self) -> list[str]:
        return [*super().construct_create_table_statements(), *TABLES]

    def prepare(self) -> None:
        """Make the tables that are missing. Raises StoreFull, StoreUnavailable."""
        with self._translated():
            self.create_table()
        self._file = _identity(self._path)

    @property
    def lineage(self) -> str:
        """One file, open from start to stop: it does not turn into another under our hands."""
        return ""

    turned = False
    started = ""

    def time(self) -> float | None:
        """It has no clock but ours."""
        return None

    def accept(self) -> None:
        """There is nothing else to accept."""

    def when_turned(self, tell: Callable[[], None]) -> None:
        """It never is."""

    def put(
        self,
        events: Sequence[EventRow],
        statements: Sequence[Statement],
        held: Sequence[Held] = (),
    ) -> None:
        """One transaction.

        Raises eventsourcing's IntegrityError when a version or a key is taken already, or a row is
        not as it has to be; StoreFull; StoreUnavailable. In each case nothing at all was written.
        """
        with self._translated(), self.datastore.transaction(commit=True) as cursor:
            for sql, parameters in (*widened(INSERT_EVENTS, events), *combined(statements)):
                cursor.execute(sql, parameters)
            for sql, parameters, rows in held:
                cursor.execute(sql, parameters)
                if cursor.sqlite_cursor.rowcount != rows:
                    raise IntegrityError("a row is not as it was when the commit was decided on")

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples. One statement is its own transaction. Raises StoreUnavailable."""
        return self._query(sql, parameters, writing=False)

    def query_to_write(self, sql: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """As ``query``, by the connection that writes, which has what it wrote in memory."""
        return self._query(sql, parameters, writing=True)

    def _query(
        self, sql: str, parameters: tuple[Any, ...], *, writing: bool
    ) -> list[tuple[Any, ...]]:
        with self._translated(), self.datastore.get_connection(commit=writing) as connection:
            cursor = connection._sqlite_conn.cursor()
            cursor.row_factory = None
            return cursor.execute(sql, parameters).fetchall()

    def exchange(self, guards: Sequence[Statement], statements: Sequence[Statement]) -> bool:
        """One transaction, if each guard changes a row; else nothing, and False."""
        try:
            with self._translated(), self.datastore.transaction(commit=True) as cursor:
                for sql, parameters in guards:
                    cursor.execute(sql, parameters)
                    if cursor.sqlite_cursor.rowcount != 1:
                        raise Overtaken
                for sql, parameters in combined(statements):
                    cursor.execute(sql, parameters)
        except Overtaken:
            return False
        return True

    def settled(self) -> int:
        """The newest event: one commit follows on the other."""
        return int(self.query("SELECT coalesce(max(rowid), 0) FROM stored_events")[0][0])

    def lead(self, office: str) -> bool:
        """There is no other process: the lock on the file sees to it."""
        return bool(office)

    def writable(self) -> bool:
        """Whether the file still has its name, may be written, and has room to grow.

        One that was deleted or replaced would be written to for nobody to find.
        """
        path = self._path
        same = _identity(path) == self._file
        return same and os.access(path, os.W_OK) and not _no_room(path)

    def size(self) -> int:
        """Of the file, and of the log beside it."""
        beside = self._path.with_name(self._path.name + "-wal")
        return sum(path.stat().st_size for path in (self._path, beside) if path.exists())

    def waits(self) -> Waits:
        """Nobody waits for a connection: a writer has its own, and readers do not wait for it."""
        return Waits()

    def about(self) -> str:
        """The file, by its name."""
        return f"SQLite {sqlite3.sqlite_version}, file {self._path.name}"

    @property
    def _path(self) -> Path:
        return Path(self.datastore.pool.db_name).absolute()

    def close(self) -> None:
        """Harmless when repeated."""
        self.datastore.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (DatabaseError, InterfaceError, sqlite3.Error) as error:
            refusal = translate(error, Path(self.datastore.pool.db_name))
            if refusal is None:
                raise
            raise refusal from error


def translate(error: PersistenceError | sqlite3.Error, database: Path) -> ServiceError | None:
    """What a failed statement means for the caller; None for a conflict of keys."""
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__
    code = getattr(cause, "sqlite_errorcode", 0) or 0
    if code & 0xFF == sqlite3.SQLITE_CONSTRAINT or isinstance(error, IntegrityError):
        return None
    failed_write = code & 0xFF in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
    if code & 0xFF == sqlite3.SQLITE_FULL or (failed_write and _no_room(database)):
        return StoreFull("The disk is full: nothing was written. Try again when there is room.")
    # The cause names files and tables: it is for the log, and not for whoever asked.
    log.warning("the store failed: %s", cause)
    return StoreUnavailable("The store failed: nothing was written. Try again.")


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file the name leads to; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _no_room(database: Path) -> bool:
    try:
        return shutil.disk_usage(database.parent).free < SPARE_BYTES
    except OSError:
        return False
