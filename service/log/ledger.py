"""What an auditor knows of each log: the newest head, the tree below it, each tag's last number,
and the newest day whose time stamp was good.

In one SQLite file, whose every step is durable before anybody is told of it: an auditor that
forgets what it has seen vouches for whatever it is shown next.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from .leaf import LeafWrong, read_leaf
from .tree import Frontier, leaf_hash

_LOGS = (
    "CREATE TABLE IF NOT EXISTS logs (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, "
    "hashes BLOB NOT NULL, note TEXT NOT NULL)"
)
_TAGS = (
    "CREATE TABLE IF NOT EXISTS tags (origin TEXT NOT NULL, tag TEXT NOT NULL, "
    "seq INTEGER NOT NULL, PRIMARY KEY (origin, tag)) WITHOUT ROWID"
)
_STAMPS = (
    "CREATE TABLE IF NOT EXISTS stamps (origin TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID"
)


SECONDS = 1.0
"""For which a ledger is waited for that another auditor has: it has but one."""


class Repeated(Exception):
    """A leaf whose number is not above that of its tag's last one: one event has two variants.

    number  of the leaf in the log
    """

    def __init__(self, number: int, leaf: bytes, last: int) -> None:
        told = leaf.decode("ascii", "replace").strip()
        super().__init__(f"leaf {number} ({told}) comes after number {last} of its tag")
        self.number = number
        self.leaf = leaf


class Known(NamedTuple):
    """Of one log; ``note`` is "" where nothing is known of it yet."""

    tree: Frontier
    note: str


class Seen(NamedTuple):
    """Leaves that were read and are not kept yet."""

    tree: Frontier
    tags: Mapping[str, int]


class Ledger:
    """Of one auditor; for one thread at a time. Raises sqlite3.Error where it cannot be kept."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, SECONDS, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        for table in (_LOGS, _TAGS, _STAMPS):
            self._db.execute(table)

    def known(self, origin: str) -> Known:
        """What it knows of the log."""
        row = self._db.execute(
            "SELECT size, hashes, note FROM logs WHERE origin = ?", (origin,)
        ).fetchone()
        return Known(Frontier.of(row[0], row[1]), row[2]) if row else Known(Frontier(), "")

    def audited(self, origin: str, tree: Frontier, leaves: Iterable[bytes]) -> Seen:
        """Read the leaves that follow. Raises Repeated, LeafWrong."""
        grown, tags = tree.copy(), dict[str, int]()
        for data in leaves:
            try:
                leaf = read_leaf(data)
            except LeafWrong as error:
                raise LeafWrong(f"leaf {grown.size}: {error}") from None
            last = tags.get(leaf.tag)
            if last is None:
                last = self._last(origin, leaf.tag)
            if leaf.seq <= last:
                raise Repeated(grown.size, data, last)
            tags[leaf.tag] = leaf.seq
            grown.add(leaf_hash(data))
        return Seen(grown, tags)

    def keep(self, origin: str, seen: Seen, note: str) -> None:
        """From now on this is what is known. Durable when it returns."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany(
                "INSERT OR REPLACE INTO tags (origin, tag, seq) VALUES (?,?,?)",
                [(origin, tag, seq) for tag, seq in seen.tags.items()],
            )
            self._db.execute(
                "INSERT OR REPLACE INTO logs (origin, size, hashes, note) VALUES (?,?,?,?)",
                (origin, seen.tree.size, seen.tree.hashes, note),
            )
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    def stamped(self, origin: str) -> date | None:
        """The newest day whose time stamp was found good."""
        row = self._db.execute("SELECT day FROM stamps WHERE origin = ?", (origin,)).fetchone()
        return date.fromisoformat(row[0]) if row else None

    def keep_stamped(self, origin: str, day: date) -> None:
        """That the time stamp of a day was found good; an earlier day changes nothing."""
        self._db.execute(
            "INSERT INTO stamps (origin, day) VALUES (?,?) "
            "ON CONFLICT (origin) DO UPDATE SET day = max(day, excluded.day)",
            (origin, day.isoformat()),
        )

    def _last(self, origin: str, tag: str) -> int:
        row = self._db.execute(
            "SELECT seq FROM tags WHERE origin = ? AND tag = ?", (origin, tag)
        ).fetchone()
        return row[0] if row else -1

    def close(self) -> None:
        self._db.close()
