"""The newest head in a second place: a file outside of the database, written with every commit.

An older backup that is put in the place of the store lacks the event that the file names. The file
is not what makes a commit durable, so that it is written and not waited for.
"""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path

import msgspec

log = logging.getLogger(__name__)

SIZE = 256
"""Bytes of the file: it is written in one piece, over what was there."""


class Newest(msgspec.Struct, frozen=True):
    """An event that was acknowledged: of which game, its number and its hash.

    store  of which store, as its key names it
    """

    store: str
    game: str
    version: int
    head: str


class SecondPlace:
    """The file, if there is to be one. For one thread at a time."""

    def __init__(self, path: Path | None, stores: tuple[str, ...]) -> None:
        """``stores``: what names the store, the present name first."""
        self._path = path
        self._stores = stores
        self._file: int | None = None

    def called(self, stores: tuple[str, ...]) -> None:
        """What names the store now: it has another key."""
        self._stores = stores

    def read(self) -> Newest | None:
        """What it names; None where there is none, or one of another store."""
        if self._path is None:
            return None
        try:
            found = msgspec.json.decode(self._path.read_bytes(), type=Newest)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            log.warning("the newest head cannot be read in its second place: %s", error)
            return None
        return found if found.store in self._stores else None

    def write(self, game: str, version: int, head: str) -> None:
        """Put an event that was just acknowledged in the place of the one before."""
        if self._path is None:
            return
        text = msgspec.json.encode(Newest(self._stores[0], game, version, head)).ljust(SIZE)
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.pwrite(self._file, text, 0)
        except OSError as error:
            log.warning("the newest head cannot be put in its second place: %s", error)

    def close(self) -> None:
        """Harmless when repeated."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = None
