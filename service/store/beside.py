"""A store that an operator writes to beside the service that is at work on it.

What is written is an instruction and no more (``instructions.py``): games are the service's alone.
So the lock of an SQLite file, which is for whoever writes games, is left to the service.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple

from ..errors import StoreRefused
from ..settings import Settings
from .archive import Archive
from .box import Box, box_of
from .database import Database
from .looking import FileLook, Look, check_key, looking
from .recorder import Recorder, SafeDatastore
from .schema import check_number, is_empty, looking_at
from .store import connect_shared


class Beside(NamedTuple):
    """The store, and what seals and marks in it."""

    recorder: Database
    box: Box


@contextmanager
def beside(settings: Settings) -> Iterator[Beside]:
    """Raises StoreRefused for a store that is not there, of another format, or of another key."""
    database = _shared(settings) if settings.store else _file(settings)
    database.archive = Archive(settings.archive)
    with closing(database):
        yield Beside(database, box_of(settings.database, settings.store_keys))


def _shared(settings: Settings) -> Database:
    with looking(settings) as look:
        _check(look, settings)
    recorder = connect_shared(settings)
    recorder.prepare()
    return recorder


def _file(settings: Settings) -> Database:
    """Without reading all of it: whoever serves it has done that."""
    if is_empty(settings.database):
        _check(None, settings)
    with closing(looking_at(settings.database)) as connection:
        _check(FileLook(connection, settings.database.name), settings)
    return Recorder(SafeDatastore(settings.database, settings.store_busy_seconds))


def _check(look: Look | None, settings: Settings) -> None:
    if look is None:
        raise StoreRefused("store.not-ours", "The store is empty: it is made at the first start.")
    check_number(look.name, look.format())
    check_key(look, settings)
    if missing := look.missing():
        hint = f"{look.name} lacks {', '.join(missing)}: start the service of this program once."
        raise StoreRefused("store.older-format", hint)
