"""The same store in PostgreSQL, for several workers: our own tables, reached through psycopg.

The library's own recorder locks the whole table for each commit; here the unique keys alone say who
was first, and a loser tries again. Every statement of a commit travels in one message.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import psycopg
from eventsourcing.persistence import IntegrityError
from psycopg_pool import ConnectionPool, PoolTimeout

from ..clock import SYSTEM as CLOCK
from ..errors import ServiceError, StoreFull, StoreRefused, StoreUnavailable
from ..threads import SYSTEM
from .bulk import Held, Statement, combined, widened
from .hanging import Cutter, Silence
from .offices import TABLE as OFFICES
from .offices import Offices
from .queries import Archives
from .recorder import INSERT_EVENTS, EventRow
from .schema import TABLES, check_number, made_by
from .waits import Waits

log = logging.getLogger(__name__)

CONNECTIONS = 4
"""Of one worker: the engine's, the readers', one to spare."""

PREPARED = 5
"""Times that a statement comes before the server keeps it prepared, where that is asked for."""

LONG = 86_400
"""Seconds that a migration may take."""

PREPARING = 0x6465636B6C6F67
"""Lock under which tables are made: workers that start together do it one after the other."""

WRITING = 0x77726974
"""Lock that all who add events share until their commit. Places are given out before commits are
seen, in another order; who holds this lock alone for a moment knows that none is under way."""

SETTLING_MILLIS = 300
"""How long new writers may be kept waiting behind one that hangs, while that lock is asked for."""

_SHARE = f"SELECT pg_advisory_xact_lock_shared({WRITING}, hashtext(current_schema()))"
_ALONE = f"SELECT pg_advisory_xact_lock({WRITING}, hashtext(current_schema()))"

Connection = psycopg.Connection[tuple[Any, ...]]
Pool = ConnectionPool[Connection]
T = TypeVar("T")

_EVENTS = (
    "CREATE TABLE IF NOT EXISTS stored_events ("
    "place BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE, originator_id TEXT NOT NULL, "
    "originator_version BIGINT NOT NULL, topic TEXT NOT NULL, state BYTEA NOT NULL, "
    "PRIMARY KEY (originator_id, originator_version))"
)
_WORDS = (
    (" WITHOUT ROWID", ""),
    ("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    ("INTEGER", "BIGINT"),
    ("BLOB", "BYTEA"),
    # Keys decide between equal ranks: in the order of their bytes, whatever language is set up.
    (r"\bkey TEXT", 'key TEXT COLLATE "C"'),
)
_SAFE = {"synchronous_commit": "on", "fsync": "on", "full_page_writes": "on"}
"""What an answered command needs to survive a power cut; read back at the start."""


_HISTORY = (
    "SELECT pg_is_in_recovery(), (SELECT system_identifier FROM pg_control_system())::text, "
    "CASE WHEN pg_is_in_recovery() THEN '' "
    "ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END, pg_postmaster_start_time()::text"
)


_GUARD = (
    b"SELECT 1 / (system_identifier::text = %s "
    b"AND left(pg_walfile_name(pg_current_wal_lsn()), 8) = %s)::int FROM pg_control_system()"
)
"""Fails as a division by zero in another history than the one that is named."""


class History(NamedTuple):
    """Which past a connection leads to.

    system    the cluster; a dump that is restored elsewhere is in another
    timeline  the branch of its past: a standby that was promoted and a restore to a point in time
              are on new ones
    started   when the server was: a server that is started anew may have been given older files
    """

    system: str
    timeline: str
    started: str


class PostgresRecorder:
    """Events and whatever belongs to them, all or nothing. Any thread may ask."""

    place = "place"
    archive: Archives | None = None

    def __init__(
        self, address: str, patience: int, *, older: bool = False, prepared: bool = False
    ) -> None:
        """``patience``: seconds after which a question has failed, whatever it waits for.

        older     whether a store of an older format may be opened: it is about to be migrated, and
                  has all the time that it takes
        prepared  whether the server keeps statements that come again and again
        """
        self._older = older
        self._address = address
        self._patience = patience
        self._seconds = float(LONG if older else patience)
        self._loose = False
        self._cutter = Cutter()
        self._silence = Silence(self._seconds)
        self._offices = Offices(self._change)
        self._meeting = SYSTEM.lock()
        self._met: WeakKeyDictionary[Connection, History] = WeakKeyDictionary()
        self._latest: History | None = None
        self._accepted: History | None = None
        self._tell: list[Callable[[], None]] = []
        self._pool: Pool = ConnectionPool(
            address,
            kwargs={
                "autocommit": True,
                "connect_timeout": patience,
                "prepare_threshold": PREPARED if prepared else None,
            },
            min_size=1,
            max_size=CONNECTIONS,
            timeout=patience,
            configure=self._configure,
            open=False,
        )

    def _configure(self, connection: Connection) -> None:
        with self._cutter.within(connection, self._patience):
            self._meet(connection)
            if not self._loose:
                connection.execute(self._settled_for("session"))
        self._silence.end()

    def _settled_for(self, scope: Literal["session", "transaction"]) -> bytes:
        """What is set for a connection, or for one transaction where that is all one has of it."""
        local = str(scope == "transaction").lower()
        told = {
            "synchronous_commit": "on",
            "lock_timeout": f"{self._patience}s",
            "statement_timeout": f"{self._seconds:.0f}s",
            # A worker that hangs in the middle of a commit must not hold up the others.
            "idle_in_transaction_session_timeout": "10s",
        }
        each = ", ".join(f"set_config('{n}', '{value}', {local})" for n, value in told.items())
        return f"SELECT {each}".encode()

    def _begin(self, connection: Connection) -> None:
        """At the start of a transaction that writes. Raises IntegrityError as ``_accepts`` does.

        A pooler may lead each transaction to another server than the one before: then it is the
        transaction itself that fails in a history which nobody has accepted.
        """
        self._accepts(connection)
        if self._loose and self._accepted is not None:
            connection.execute(self._settled_for("transaction"))
            connection.execute(_GUARD, (self._accepted.system, self._accepted.timeline))

    @contextmanager
    def _lent(self, until: float) -> Iterator[Connection]:
        """One of the pool's connections until then, when it is cut. Raises PoolTimeout."""
        left = until - CLOCK.monotonic()
        try:
            with self._pool.connection(timeout=max(left, 0.0)) as connection:
                left = until - CLOCK.monotonic()
                with self._cutter.within(connection, left):
                    yield connection
        except psycopg.Error as error:
            if error.sqlstate:  # the server's own word
                self._silence.end()
            raise
        self._silence.end()

    def _meet(self, connection: Connection) -> None:
        """Know the history that the connection leads to. A standby is refused: it has none yet,
        and when it is promoted the connection would be to another one without our noticing."""
        row = connection.execute(_HISTORY.encode()).fetchone()
        if row is None or row[0]:
            raise psycopg.OperationalError("the server is a standby")
        found = History(*row[1:])
        with self._meeting:
            self._met[connection] = found
            new, self._latest = found != self._latest, found
        if new and self._accepted != found and self._accepted is not None:
            for tell in self._tell:
                tell()

    @property
    def lineage(self) -> str:
        """Of the history that was met last: of which cluster, and which branch of its past."""
        return f"{self._latest.system}/{self._latest.timeline}" if self._latest else ""

    @property
    def started(self) -> str:
        return self._latest.started if self._latest else ""

    @property
    def turned(self) -> bool:
        return self._latest != self._accepted

    def accept(self) -> None:
        self._accepted = self._latest

    def when_turned(self, tell: Callable[[], None]) -> None:
        self._tell.append(tell)

    def _accepts(self, connection: Connection) -> None:
        """Raises IntegrityError for a connection to a history that nobody has accepted, or has
        accepted no longer."""
        met = self._latest if self._loose else self._met.get(connection)
        if met != self._accepted:
            raise IntegrityError("the store is another one than before")

    def prepare(self) -> None:
        """Make what is missing, and touch nothing that is there. Raises StoreRefused."""
        try:
            self._cutter.start()
            self._loose = shares_transactions(self._connect_apart)
            self._pool.open(wait=True, timeout=self._patience)
            with self._pool.connection() as connection:
                check_safe(connection)
                with connection.transaction():
                    connection.execute("SET LOCAL statement_timeout = 0")
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (PREPARING,))
                    check_number(
                        shown_name(self._address), format_of(connection), older=self._older
                    )
                    for sql in _missing(connection):
                        connection.execute(sql.encode())
                check_sequences(connection)
            self.accept()
        except (psycopg.Error, PoolTimeout) as error:
            why = " ".join(str(error).split())
            name = shown_name(self._address)
            raise StoreRefused("store.unreachable", f"{name}: {why}.") from error

    def put(
        self,
        events: Sequence[EventRow],
        statements: Sequence[Statement],
        held: Sequence[Held] = (),
    ) -> None:
        """One transaction.

        Raises eventsourcing's IntegrityError when a version or a key is taken already, or a row is
        not as it has to be, and then nothing was written; StoreFull; StoreUnavailable.
        """
        share: tuple[Statement, ...] = ((_SHARE, ()),) if events else ()
        work = (*share, *widened(INSERT_EVENTS, events), *combined(statements))
        try:
            with (
                self._lent(self._silence.until()) as connection,
                connection.pipeline(),
                connection.transaction(),
            ):
                self._begin(connection)
                for sql, parameters in work:
                    connection.execute(placeholders(sql), parameters)
                for sql, parameters, rows in held:
                    connection.execute(holding(sql, rows), parameters)
        except (psycopg.Error, PoolTimeout) as error:
            self._wonder(error)
            raise translated(error) from error

    def exchange(self, guards: Sequence[Statement], statements: Sequence[Statement]) -> bool:
        """As :meth:`Database.exchange`."""
        try:
            with self._lent(self._silence.until()) as connection, connection.transaction() as whole:
                self._begin(connection)
                for sql, parameters in guards:
                    if connection.execute(placeholders(sql), parameters).rowcount != 1:
                        raise psycopg.Rollback(whole)
                with connection.pipeline():
                    for sql, parameters in combined(statements):
                        connection.execute(placeholders(sql), parameters)
                return True
        except _UNDONE:
            return False
        except IntegrityError as error:
            raise StoreUnavailable(f"Not yet: {error}. Try again.") from error
        except (psycopg.Error, PoolTimeout) as error:
            self._wonder(error)
            raise translated(error) from error
        return False

    def settled(self) -> int:
        """The newest place, read while nobody who adds events is under way."""
        try:
            with self._lent(self._silence.until()) as connection, connection.transaction():
                connection.execute(f"SET LOCAL lock_timeout = {SETTLING_MILLIS}".encode())
                connection.execute(_ALONE.encode())
                row = connection.execute(
                    "SELECT coalesce(max(place), 0) FROM stored_events"
                ).fetchone()
        except (psycopg.Error, PoolTimeout) as error:
            raise translated(error) from error
        return int(row[0]) if row else 0

    def lead(self, office: str) -> bool:
        """Whether this process holds the office; it tries to get it."""
        try:
            return self._offices.lead(office)
        except (psycopg.Error, PoolTimeout, IntegrityError) as error:
            log.debug("who holds the office is not known: %s", error)
            return False

    def _change(self, sql: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """One statement that may write, in a history that is accepted."""
        with self._lent(self._silence.until()) as connection, connection.transaction():
            self._begin(connection)
            return connection.execute(placeholders(sql), parameters).fetchall()

    def _connect_apart(self) -> Connection:
        """A connection that is none of the pool's."""
        return connected(self._address, self._patience)

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples. One statement is its own transaction. Raises StoreUnavailable."""
        until = self._silence.until()
        # A server that was started anew has cut them all: each is noticed when it is used.
        for _ in range(CONNECTIONS):
            try:
                return self._ask(sql, parameters, until)
            except psycopg.OperationalError as error:
                if CLOCK.monotonic() > until - self._seconds / 2:
                    raise translated(error) from error
            except (psycopg.Error, PoolTimeout) as error:
                raise translated(error) from error
        try:
            return self._ask(sql, parameters, until)
        except (psycopg.Error, PoolTimeout) as error:
            raise translated(error) from error

    def query_to_write(self, sql: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """As ``query``: the server keeps what was written, for all connections alike."""
        return self.query(sql, parameters)

    def _ask(self, sql: str, parameters: tuple[Any, ...], until: float) -> list[tuple[Any, ...]]:
        with self._lent(until) as connection:
            return connection.execute(placeholders(sql), parameters).fetchall()

    def time(self) -> float:
        """The server's clock, in the middle of the question."""
        if self._loose:
            self._look_again()
        return float(self.query("SELECT extract(epoch FROM clock_timestamp())")[0][0])

    def _wonder(self, error: Exception) -> None:
        """Whether a transaction failed since the pooler led it to another server."""
        if self._loose and isinstance(error, psycopg.errors.DivisionByZero):
            self._look_again()

    def _look_again(self) -> None:
        """Where a connection outlives the server behind it: which one is it now?"""
        try:
            with self._lent(self._silence.until()) as connection:
                self._meet(connection)
        except (psycopg.Error, PoolTimeout) as error:
            raise translated(error) from error

    def writable(self) -> bool:
        """Whether the server takes writes: a standby does not, nor one that was told not to."""
        asked = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')"
        return self.query(asked) == [(False, "off")]

    def size(self) -> int:
        """Of our tables, with their indexes."""
        asked = (
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class "
            "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )
        return int(self.query(asked)[0][0])

    def waits(self) -> Waits:
        """Of the pool."""
        found = self._pool.get_stats()
        return Waits(
            found.get("requests_waiting", 0),
            found.get("requests_queued", 0),
            found.get("requests_wait_ms", 0) / 1000,
        )

    def about(self) -> str:
        """The server's version, and where it is."""
        ((version,),) = self.query("SELECT current_setting('server_version')")
        return f"{shown_name(self._address)}, version {version.split()[0]}"

    def close(self) -> None:
        """Harmless when repeated."""
        with suppress(psycopg.Error, PoolTimeout, IntegrityError):
            self._offices.leave()
        self._pool.close()
        self._cutter.stop()


class SharedLook:
    """At a PostgreSQL: each question is a transaction that may only read."""

    place = "place"

    def __init__(self, connection: Connection, address: str) -> None:
        self.connection = connection
        self.name = shown_name(address)

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples. Raises psycopg.Error."""
        with self.connection.transaction():
            return self.connection.execute(placeholders(sql), parameters).fetchall()

    def format(self) -> int:
        return format_of(self.connection)

    def missing(self) -> list[str]:
        return [made_by(sql) for sql in _missing(self.connection)]


@contextmanager
def looking_at_shared(address: str, patience: int) -> Iterator[SharedLook | None]:
    """The store there; None where there is none yet. Raises StoreRefused."""
    with looking_at_server(address, patience) as look:
        found = look.format()
        check_number(look.name, found, older=True)
        yield look if found else None


@contextmanager
def looking_at_server(address: str, patience: int) -> Iterator[SharedLook]:
    """The database there, whether a store is in it or not. Raises StoreRefused."""
    try:
        connection = connected(address, patience)
    except psycopg.Error as error:
        why = " ".join(str(error).split())
        raise StoreRefused("store.unreachable", f"{shown_name(address)}: {why}.") from error
    with connection:
        connection.read_only = True
        yield SharedLook(connection, address)


def check_safe(connection: Connection) -> None:
    """Raises StoreRefused ``store.unsafe`` where a commit would not be durable."""
    for name, wanted in _SAFE.items():
        row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
        found = row[0] if row else ""
        if found != wanted:
            raise StoreRefused(
                "store.unsafe", f"PostgreSQL has {name}={found}; {wanted} is needed."
            )


ROUNDS = 4
"""How often two connections are asked, in turn, which process of the server is theirs."""


def connected(address: str, patience: int) -> Connection:
    """A connection that leaves nothing behind at whatever process of the server it is lent.

    Raises psycopg.Error.
    """
    return psycopg.connect(
        address, autocommit=True, connect_timeout=patience, prepare_threshold=None
    )


def shares_transactions(connect: Callable[[], Connection]) -> bool:
    """Whether a pooler lends a server's process for each transaction anew.

    What is set, prepared and locked for a connection would be another's at the next one.
    """
    with connect() as one, connect() as two:
        asked = [(_process(one), _process(two)) for _ in range(ROUNDS)]
    return len(set(asked)) > 1 or asked[0][0] == asked[0][1]


def _process(connection: Connection) -> int:
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    return int(row[0]) if row else 0


def check_sequences(connection: Connection) -> None:
    """Raises StoreRefused where places are handed out to connections in stocks.

    Then an event of an earlier place may be committed later than any that waits for it allows:
    who follows the log would pass it over.
    """
    of_ours = (
        "SELECT c.relname, s.seqcache FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid "
        "WHERE c.relnamespace = current_schema()::regnamespace AND s.seqcache <> 1"
    )
    row = connection.execute(of_ours).fetchone()
    if row is not None:
        raise StoreRefused(
            "store.unsafe",
            f"The sequence {row[0]} has a cache of {row[1]}: ALTER SEQUENCE {row[0]} CACHE 1.",
        )


@cache
def holding(sql: str, rows: int) -> bytes:
    """The statement, which fails as a division by zero unless it changes so many rows."""
    asked = placeholders(sql).decode()
    counted = f"SELECT 1 / (count(*) = {rows})::int FROM held"
    return f"WITH held AS ({asked} RETURNING 1) {counted}".encode()


def shown_name(address: str) -> str:
    """The database without the password that its address may hold."""
    parts = urlsplit(address)
    return f"PostgreSQL {parts.hostname or 'by socket'}{parts.path}"


def format_of(connection: Connection) -> int:
    """The number of the store's format; 0 where there is none yet."""
    there = connection.execute("SELECT to_regclass('meta')").fetchone()
    if there is None or there[0] is None:
        return 0
    row = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    return int(row[0]) if row is not None else 0


_OF_OURS = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"


def _missing(connection: Connection) -> list[str]:
    """What has to be made. ``IF NOT EXISTS`` alone would lock out whoever writes to what is there:
    a start beside busy workers waited for them, and met them in a deadlock."""
    there = {name for (name,) in connection.execute(_OF_OURS)}
    return [sql for sql in (_EVENTS, OFFICES, *map(dialect, TABLES)) if made_by(sql) not in there]


@cache
def placeholders(sql: str) -> bytes:
    """The statement as psycopg reads it."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


def dialect(table: str) -> str:
    """A statement of schema.TABLES in PostgreSQL's words."""
    for ours, theirs in _WORDS:
        table = re.sub(ours, theirs, table)
    return table


_UNDONE = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
"""Of two transactions that wait for each other the server has undone ours."""


def translated(error: Exception) -> Exception:
    """What a failed statement means for the caller."""
    lost = (*_UNDONE, psycopg.errors.DivisionByZero)  # see ``holding``
    if isinstance(error, (psycopg.IntegrityError, *lost)):
        return IntegrityError(str(error))
    if isinstance(error, psycopg.errors.DiskFull):
        return StoreFull("The disk is full: nothing was written. Try again when there is room.")
    return _unavailable(error)


def _unavailable(error: Exception) -> ServiceError:
    """The cause names hosts and tables: it is for the log, and not for whoever asked."""
    log.warning("the store failed: %s", " ".join(str(error).split()))
    return StoreUnavailable(
        "The store failed. Repeat the request with the same key: it takes effect once."
    )
