"""A store that is only looked at: nothing in it changes, and nothing is made beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Protocol

from ..errors import StoreRefused
from ..settings import Settings
from .box import WrongKey, box_of, key_path
from .queries import Placed
from .schema import TABLES, check_format, is_empty, looking_at, made_by


class Look(Placed, Protocol):
    """A store that is there."""

    name: str

    def format(self) -> int:
        """The number of its format."""

    def missing(self) -> list[str]:
        """Tables and indexes that this program needs and that are not there."""


class FileLook:
    """At an SQLite file."""

    place = "rowid"

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        self.name = name

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, parameters).fetchall()

    def format(self) -> int:
        return int(self.query("SELECT value FROM meta WHERE name = 'format'")[0][0])

    def missing(self) -> list[str]:
        there = {name for (name,) in self.query("SELECT name FROM sqlite_master")}
        return [name for name in map(made_by, TABLES) if name not in there]


@contextmanager
def looking(settings: Settings) -> Iterator[Look | None]:
    """The store of the settings; None where there is none yet, which is made at the first start.

    Raises StoreRefused for one that is not ours, damaged, of a newer format, or not to be reached.
    """
    if settings.store:
        try:
            from .postgres import looking_at_shared
        except ImportError as error:
            hint = f"{error}: install Decklog with its extra, decklog[postgresql]."
            raise StoreRefused("store.unreachable", hint) from None
        with looking_at_shared(settings.store, settings.store_busy_seconds) as shared:
            yield shared
        return
    if is_empty(settings.database):
        yield None
        return
    check_format(settings.database, older=True)
    with closing(looking_at(settings.database)) as connection:
        yield FileLook(connection, f"SQLite file {settings.database}")


def check_key(look: Look, settings: Settings) -> None:
    """Raises StoreRefused ``store.wrong-key`` where the key does not open the store's secrets."""
    try:
        box = box_of(settings.database, settings.store_keys)
        found = look.query("SELECT value FROM meta WHERE name = 'key-check'")
        box.open("key-check", bytes(found[0][0]))
    except (OSError, ValueError, IndexError, WrongKey):
        name = "DECKLOG_KEY" if settings.key else key_path(settings.database).name
        raise StoreRefused("store.wrong-key", f"{name} does not open the store.") from None
