"""The log as files: written so that a power cut leaves the old ones or the new, never a half."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ..log.tiles import ENTRIES, WIDTH, Tile, bundle, joined
from ..log.tree import leaf_hash

CHECKPOINT = "checkpoint"
KEY = "key"
"""The log's vkey, for whoever has it from elsewhere to compare."""

COSIGNED = "cosigned"
"""The newest checkpoint that has the cosignatures which the policy asks for."""


def write(path: Path, data: bytes) -> None:
    """Put a file in its place, whole; durable when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class Published(NamedTuple):
    """What is published under a name. ``at``: since when, in seconds since 1970."""

    text: str
    at: float


def read(path: Path) -> str:
    """A file as text; "" where there is none. Raises OSError, UnicodeDecodeError."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""


class Rows:
    """The tiles that are not full yet, level by level; a full one is handed out, and begun anew."""

    def __init__(self) -> None:
        self.size = 0
        self._entries: list[bytes] = []
        self._rows: list[list[bytes]] = [[]]

    def add(self, leaf: bytes) -> Iterator[tuple[Tile, bytes]]:
        """The tiles that this leaf makes full."""
        self._entries.append(leaf)
        self._rows[0].append(leaf_hash(leaf))
        self.size += 1
        if len(self._entries) == WIDTH:
            yield Tile(ENTRIES, (self.size - 1) // WIDTH), bundle(self._entries)
            self._entries = []
        level = 0
        while len(self._rows[level]) == WIDTH:
            full, self._rows[level] = self._rows[level], []
            yield Tile(level, (self.size >> (8 * (level + 1))) - 1), b"".join(full)
            level += 1
            if level == len(self._rows):
                self._rows.append([])
            self._rows[level].append(joined(full))

    def begun(self) -> Iterator[tuple[Tile, bytes]]:
        """Every tile that is not full, as it stands."""
        if self._entries:
            number = self.size // WIDTH
            yield Tile(ENTRIES, number, len(self._entries)), bundle(self._entries)
        for level, row in enumerate(self._rows):
            if row:
                yield Tile(level, self.size >> (8 * (level + 1)), len(row)), b"".join(row)


class LogFolder:
    """The folder of a log. ``hand`` writes a file; tests that cut the power give another one."""

    def __init__(self, path: Path, hand: Callable[[Path, bytes], None] = write) -> None:
        self.path = path
        self._hand = hand

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write tiles; what is there already stays.

        Other bytes may be there: of leaves that were never signed, and that the store has lost.
        """
        for name, data in files.items():
            if self._bytes(name) != data:
                self._hand(self.path / name, data)

    def tidy(self, tile: Tile) -> None:
        """A tile is full: those of its parts are needed no more, for it begins with them."""
        shutil.rmtree(self.path / f"{tile.path}.p", ignore_errors=True)

    def text(self, name: str) -> str:
        """``CHECKPOINT``, ``COSIGNED``, a text of the stamps; "" where there is none yet."""
        return read(self.path / name)

    def published(self, name: str) -> Published | None:
        """``CHECKPOINT`` or ``COSIGNED``, and since when; None where there is none yet."""
        try:
            with open(self.path / name, encoding="utf-8") as file:
                return Published(file.read(), os.fstat(file.fileno()).st_mtime)
        except FileNotFoundError:
            return None

    def say(self, name: str, text: str | bytes) -> None:
        """Put one of these in place of the one before, or a stamp."""
        self._hand(self.path / name, text.encode() if isinstance(text, str) else text)

    def fetch(self, name: str) -> bytes:
        """A tile. Raises KeyError where there is none."""
        if (found := self._bytes(name)) is None:
            raise KeyError(name)
        return found

    def _bytes(self, name: str) -> bytes | None:
        try:
            return (self.path / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else on this machine writes here. Raises BlockingIOError."""
        import fcntl

        self.path.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            os.close(file)
