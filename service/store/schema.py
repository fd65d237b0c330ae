"""Our tables beside the library's ``stored_events``, and the number of the store's format.

A change that an older program would misread is a new FORMAT; a program refuses a newer one, and an
older one, too, until an operator has it migrated (migration.py).
2: games may have deadlines, which an older program would drop from a summary that it writes; what
follows the log, webhooks, and on PostgreSQL the lock of ``postgres.WRITING``, which every writer
takes: a program of format 1 must not write beside one that follows.
3: a summary bears a mark, and the head of its game (summaries.py), by which a commit says what it
was decided on: a program of format 2 would write rows without.
4: the store has archived a game (archive.py), of which an older program would find no event. One
of format 3 comes to it with its first such game, and needs no migration.
``meta`` may hold ``served`` as well, the store's own time (ageing.py), which older programs ignore.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from ..errors import StoreRefused
from .lock import in_use

FORMAT = 3

FORMAT_OF_ARCHIVES = 4
"""Of a store that has archived a game; the newest that this program knows."""

FROM_OLDER = (
    # What is projected bears checksums: it is made anew, from all events there are.
    ("DELETE FROM followers WHERE name IN (SELECT projection FROM projected)", ()),
    ("DELETE FROM projected", ()),
)
"""What is done once to a store of an earlier format."""

TABLES: tuple[str, ...] = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    # The lobby and every summary; kept in step with the events by being in their transaction.
    (
        "CREATE TABLE IF NOT EXISTS games ("
        "place INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL UNIQUE, "
        "ruleset TEXT NOT NULL, status TEXT NOT NULL, version INTEGER NOT NULL, "
        "summary BLOB NOT NULL, master BLOB NOT NULL)"
    ),
    "CREATE INDEX IF NOT EXISTS games_by_ruleset ON games (ruleset, status, place)",
    # Of a token only the SHA-256 is kept: 256 random bits need no slower hash.
    (
        "CREATE TABLE IF NOT EXISTS tokens ("
        "token TEXT PRIMARY KEY, kind TEXT NOT NULL, game TEXT NOT NULL, seat TEXT NOT NULL, "
        "digest BLOB NOT NULL, made TEXT NOT NULL, revoked TEXT) WITHOUT ROWID"
    ),
    # Answers are encrypted: some hold tokens.
    (
        "CREATE TABLE IF NOT EXISTS idempotency ("
        "caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL, answer BLOB NOT NULL, "
        "at TEXT NOT NULL, PRIMARY KEY (caller, key))"
    ),
    "CREATE INDEX IF NOT EXISTS idempotency_by_age ON idempotency (at)",
    # Documents of the players' own, named by their content: never changed, only listed or not.
    (
        "CREATE TABLE IF NOT EXISTS customs ("
        "place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
        "ruleset TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, "
        "document BLOB NOT NULL, listed INTEGER NOT NULL, at TEXT NOT NULL)"
    ),
    "CREATE INDEX IF NOT EXISTS customs_by_kind ON customs (ruleset, kind, listed, place)",
    # What decides in each game that is stored: kept for ever.
    (
        "CREATE TABLE IF NOT EXISTS engines ("
        "digest TEXT PRIMARY KEY, archive BLOB NOT NULL) WITHOUT ROWID"
    ),
    # What shows the games of an engine, by its digest; made anew where its texts are.
    (
        "CREATE TABLE IF NOT EXISTS shown ("
        "digest TEXT PRIMARY KEY, texts TEXT NOT NULL, archive BLOB NOT NULL) WITHOUT ROWID"
    ),
    # When a game with deadlines has to be looked at next; "" for never. The deadlines themselves
    # are in its summary.
    (
        "CREATE TABLE IF NOT EXISTS deadlines ("
        "game TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID"
    ),
    "CREATE INDEX IF NOT EXISTS deadlines_by_time ON deadlines (at)",
    # When a game in which nobody has given a command has to be looked at next, by the store's own
    # time. Whoever plays changes nothing of it: that is seen then.
    ("CREATE TABLE IF NOT EXISTS unplayed (game TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID"),
    "CREATE INDEX IF NOT EXISTS unplayed_by_time ON unplayed (at)",
    # Games that are over and whose master waits for the public log to have their end.
    "CREATE TABLE IF NOT EXISTS unopened (game TEXT PRIMARY KEY) WITHOUT ROWID",
    # Games in which a bot of the service is asked.
    "CREATE TABLE IF NOT EXISTS bot_turns (game TEXT PRIMARY KEY) WITHOUT ROWID",
    # Games that go on without what may be lost: each gets new dice before anything else.
    "CREATE TABLE IF NOT EXISTS lost (game TEXT PRIMARY KEY) WITHOUT ROWID",
    # What operators have done to the store. Never changed.
    (
        "CREATE TABLE IF NOT EXISTS acts ("
        "place INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, operator TEXT NOT NULL, "
        "act TEXT NOT NULL, game TEXT NOT NULL, why TEXT NOT NULL, details BLOB NOT NULL)"
    ),
    # Each of them is linked to the one before by a hash, in the order in which it was found.
    (
        "CREATE TABLE IF NOT EXISTS act_links ("
        "number INTEGER PRIMARY KEY, place INTEGER NOT NULL UNIQUE, hash TEXT NOT NULL)"
    ),
    # What an operator wants done by whoever is at work on the store, and what came of it.
    (
        "CREATE TABLE IF NOT EXISTS instructions ("
        "place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, mark TEXT NOT NULL, "
        "told BLOB NOT NULL)"
    ),
    (
        "CREATE TABLE IF NOT EXISTS outcomes ("
        "id TEXT PRIMARY KEY, at TEXT NOT NULL, outcome BLOB NOT NULL) WITHOUT ROWID"
    ),
    # Whom an operator lets in less, more, or not at all.
    (
        "CREATE TABLE IF NOT EXISTS curbs ("
        "who TEXT PRIMARY KEY, rate INTEGER NOT NULL, until TEXT NOT NULL) WITHOUT ROWID"
    ),
    # Games that are in no list.
    "CREATE TABLE IF NOT EXISTS hidden (game TEXT PRIMARY KEY) WITHOUT ROWID",
    # Games that an operator has deleted: that there was one, and which its last event was.
    (
        "CREATE TABLE IF NOT EXISTS tombstones ("
        "game TEXT PRIMARY KEY, at TEXT NOT NULL, version INTEGER NOT NULL, head TEXT NOT NULL, "
        "reason TEXT NOT NULL) WITHOUT ROWID"
    ),
    # The orders as given, for the evidence bundle.
    (
        "CREATE TABLE IF NOT EXISTS commands ("
        "game TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, id TEXT NOT NULL, "
        "seat TEXT NOT NULL, command BLOB NOT NULL, at TEXT NOT NULL, "
        "PRIMARY KEY (game, first)) WITHOUT ROWID"
    ),
    # The seats' own signatures of their orders, where seats have keys.
    (
        "CREATE TABLE IF NOT EXISTS signatures ("
        "game TEXT NOT NULL, command TEXT NOT NULL, signature BLOB NOT NULL, "
        "PRIMARY KEY (game, command)) WITHOUT ROWID"
    ),
    # The leaves of the public log: an event each, in the order of its tree; never changed.
    (
        "CREATE TABLE IF NOT EXISTS log_leaves ("
        "number INTEGER PRIMARY KEY, game TEXT NOT NULL, seq INTEGER NOT NULL, "
        "leaf BLOB NOT NULL, UNIQUE (game, seq))"
    ),
    # Finished games whose events are in a file each, and where these stood in the log of all games.
    (
        "CREATE TABLE IF NOT EXISTS archived ("
        "number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL UNIQUE, "
        "version INTEGER NOT NULL, head TEXT NOT NULL, first INTEGER NOT NULL, "
        "last INTEGER NOT NULL, places BLOB NOT NULL, size INTEGER NOT NULL, "
        "sha256 TEXT NOT NULL, at TEXT NOT NULL)"
    ),
    "CREATE INDEX IF NOT EXISTS archived_by_first ON archived (first)",
    "CREATE INDEX IF NOT EXISTS archived_by_last ON archived (last)",
    # Games of which the public log takes in no more, from which event on.
    (
        "CREATE TABLE IF NOT EXISTS log_left_out ("
        "game TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID"
    ),
    # Who follows the log of all games, and how far it has come; ``run`` changes with every rebuild.
    (
        "CREATE TABLE IF NOT EXISTS followers ("
        "name TEXT PRIMARY KEY, version INTEGER NOT NULL, run TEXT NOT NULL, "
        "place INTEGER NOT NULL)"
    ),
    # What projections keep: documents, listed by rank where that is not 0.
    (
        "CREATE TABLE IF NOT EXISTS projected ("
        "projection TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL, "
        "document BLOB NOT NULL, PRIMARY KEY (projection, key))"
    ),
    "CREATE INDEX IF NOT EXISTS projected_in_order ON projected (projection, rank, key)",
    "CREATE INDEX IF NOT EXISTS projected_of_kind ON projected (projection, kind, rank, key)",
    # Address and secrets are sealed: both may let somebody in elsewhere.
    (
        "CREATE TABLE IF NOT EXISTS webhooks ("
        "webhook TEXT PRIMARY KEY, game TEXT NOT NULL, seat TEXT NOT NULL, token TEXT NOT NULL, "
        "since INTEGER NOT NULL, types TEXT NOT NULL, state TEXT NOT NULL, url BLOB NOT NULL, "
        "secret BLOB NOT NULL, former BLOB, former_until TEXT NOT NULL, made TEXT NOT NULL)"
    ),
    "CREATE INDEX IF NOT EXISTS webhooks_by_game ON webhooks (game)",
    # The order of ``place`` is the order of sending, for each webhook.
    (
        "CREATE TABLE IF NOT EXISTS deliveries ("
        "place INTEGER PRIMARY KEY AUTOINCREMENT, delivery TEXT NOT NULL UNIQUE, "
        "webhook TEXT NOT NULL, message TEXT NOT NULL, type TEXT NOT NULL, seq INTEGER NOT NULL, "
        "body BLOB NOT NULL, made TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, "
        "due TEXT NOT NULL, taken TEXT NOT NULL)"
    ),
    "CREATE INDEX IF NOT EXISTS deliveries_by_webhook ON deliveries (webhook, state, place)",
    "CREATE INDEX IF NOT EXISTS deliveries_by_time ON deliveries (state, due)",
    (
        "CREATE TABLE IF NOT EXISTS attempts ("
        "delivery TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL, "
        "status INTEGER NOT NULL, error TEXT NOT NULL, millis INTEGER NOT NULL, "
        "PRIMARY KEY (delivery, number)) WITHOUT ROWID"
    ),
)


def check_format(database: Path, *, older: bool = False) -> None:
    """Refuse, before anything is touched, a file that is not ours or not of this format.

    older  whether a file of an older format may be opened: it is about to be migrated
    Raises StoreRefused ``store.newer-format``, ``store.older-format``, ``store.not-ours``,
    ``store.damaged`` or ``store.unreachable``.
    """
    if is_empty(database):
        return
    with closing(looking_at(database)) as connection:
        try:
            found = _read_format(connection)
        except sqlite3.DatabaseError as error:
            raise _unread(database, error) from None
        if found is None:
            raise StoreRefused("store.not-ours", f"{database.name} is not a Decklog store.")
        check_number(database.name, found, older=older)
        _check_whole(database, connection)


def is_empty(database: Path) -> bool:
    """Whether there is no store yet."""
    return not database.exists() or database.stat().st_size == 0


def looking_at(database: Path) -> sqlite3.Connection:
    """A connection that changes nothing, and makes no file where nobody is at work on this one."""
    log = database.with_name(database.name + "-wal")
    alone = not log.exists() or (log.stat().st_size == 0 and not in_use(database))
    mode = "mode=ro&immutable=1" if alone else "mode=ro"
    return sqlite3.connect(f"{database.absolute().as_uri()}?{mode}", uri=True)


LARGE = 1 << 30
"""Bytes of a file that is not read whole at every start: it takes minutes."""


def _check_whole(database: Path, connection: sqlite3.Connection) -> None:
    """Raises StoreRefused ``store.damaged`` where tables and indexes do not agree any more.

    A list is read through an index: one that lacks an entry would be answered as if it were whole.
    """
    if database.stat().st_size > LARGE:
        return
    try:
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise _damaged(database, found)


def _damaged(database: Path, what: object) -> StoreRefused:
    told = f"{database.name} is damaged ({what}): put a backup in its place."
    return StoreRefused("store.damaged", told)


def _unread(database: Path, error: sqlite3.DatabaseError) -> StoreRefused:
    """Why the tables of a file cannot be read: one that begins as SQLite's do was a store once."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreRefused("store.unreachable", f"{database.name} cannot be read: {error}.")
    with database.open("rb") as file:
        begins = file.read(len(_BEGINNING))
    if begins == _BEGINNING:
        return _damaged(database, error)
    return StoreRefused("store.not-ours", f"{database.name} is not a Decklog store.")


_BEGINNING = b"SQLite format 3\x00"


def check_number(name: str, found: int, *, older: bool = False) -> None:
    """Raises StoreRefused for a format that is not this program's; 0 stands for an empty store.

    ``store.newer-format`` or, unless ``older`` ones may be opened, ``store.older-format``.
    """
    if found > FORMAT_OF_ARCHIVES:
        raise StoreRefused(
            "store.newer-format",
            f"{name} has store format {found}; this program knows up to {FORMAT_OF_ARCHIVES}. "
            "Use the program that wrote it, or a newer one.",
        )
    if 0 < found < FORMAT and not older:
        raise StoreRefused(
            "store.older-format",
            f"{name} has store format {found}, and this program needs {FORMAT}. Back it up, stop "
            "every worker of the older program, and run decklog store migrate.",
        )


def made_by(sql: str) -> str:
    """The table or index that a statement of TABLES makes."""
    (name,) = re.findall(r"^CREATE (?:TABLE|INDEX) IF NOT EXISTS (\w+)", sql)
    return str(name)


def _read_format(connection: sqlite3.Connection) -> int | None:
    """The format number, 0 for a database without tables, None for another program's.

    Raises sqlite3.DatabaseError where it cannot be read.
    """
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
        return 0
    try:
        row = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        return int(row[0]) if row else None
    except ValueError:
        return None
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # no such table, or no such column
            return None
        raise
