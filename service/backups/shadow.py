"""A copy of an SQLite file that follows it: a second folder, at most a few seconds behind.

SQLite writes each commit into a log beside the file (``-wal``) and takes the log into the file now
and then, after which it writes it anew from the front. The shadow is a whole copy of the file, and
what the log has had since, byte for byte: so it is itself a file with its log, which SQLite takes
in where it is opened. A commit of which only a part has arrived is left out, by SQLite too.

Nothing may be lost when the log begins anew. Somebody who reads keeps SQLite from that: the shadow
always has a reader open, which it only closes when a later one is open and all is copied that this
one sees. Then either no other frame is in the log than those that were copied, or it cannot begin
anew before the next round.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..clock import SYSTEM, Clock
from ..ops.measures import SHADOWED
from .copies import SHADOW as FILE
from .copies import Failed

HEADER = 32
"""Bytes at the front of a log."""
FRAME = 24
"""Bytes before each page in it."""

LARGE = 32 << 20
"""Bytes of a log that is not let grow on: writers wait for a moment while it is taken in."""

BUSY = 2.0
"""Seconds to wait for the writer."""


class Shadowed(msgspec.Struct, frozen=True):
    """The word that is left: what was committed before ``at`` is in the copy.

    folder  of the copy
    """

    at: str
    folder: str
    bytes: int


class Head(NamedTuple):
    """The front of a log: whose frames they are, and how they are checked."""

    raw: bytes
    page: int
    big: bool
    salt: bytes
    sums: tuple[int, int]


def head_of(raw: bytes) -> Head | None:
    """None where there is no log yet."""
    if len(raw) < HEADER:
        return None
    magic, _, page, _ = struct.unpack(">IIII", raw[:16])
    if magic not in (0x377F0682, 0x377F0683):
        return None
    big = bool(magic & 1)
    sums = _summed(raw[:24], (0, 0), big)
    if sums != struct.unpack(">II", raw[24:32]):
        return None
    return Head(raw[:HEADER], page, big, raw[16:24], sums)


def _summed(data: bytes, sums: tuple[int, int], big: bool) -> tuple[int, int]:
    """The checksum of SQLite's logs, gone on with."""
    one, two = sums
    words = struct.unpack(f"{'>' if big else '<'}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


class Frames:
    """Reads a log from where it was read to: whole commits only."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.at = HEADER
        self._sums = head.sums

    def read(self, log: int) -> bytes:
        """What was committed since."""
        size = FRAME + self.head.page
        found, whole, at, sums = bytearray(), 0, self.at, self._sums
        kept = sums
        while len(frame := os.pread(log, size, at)) == size:
            if frame[8:16] != self.head.salt:
                break
            sums = _summed(frame[:8], sums, self.head.big)
            sums = _summed(frame[FRAME:], sums, self.head.big)
            if sums != struct.unpack(">II", frame[16:24]):
                break
            found += frame
            at += size
            if struct.unpack(">I", frame[4:8])[0]:  # the last one of a commit
                whole, kept = len(found), sums
        self.at += whole
        self._sums = kept
        return bytes(found[:whole])


class Shadow:
    """Follows ``database`` in a folder of ``target`` from ``begin`` to ``close``.

    told   where its word is left
    large  bytes of a log that is not let grow on
    """

    def __init__(
        self,
        database: Path,
        target: Path,
        told: Path,
        clock: Clock = SYSTEM,
        large: int = LARGE,
    ) -> None:
        self._database = database
        self._log = database.with_name(database.name + "-wal")
        self._target = target
        self._told = told
        self._clock = clock
        self._large = large
        self._inode = 0
        self._readers: list[sqlite3.Connection] = []
        self._frames: Frames | None = None
        self._copy = target

    def begin(self) -> None:
        """A whole copy, in a folder of its own; the one of before goes when it is there."""
        if not self._database.is_file():
            raise Failed(f"there is no {self._database}")
        self._inode = self._database.stat().st_ino
        for folder in (self._target, self._told):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = [path for path in self._target.glob("shadow-*") if path.is_dir()]
        name = f"shadow-{self._clock.now():%Y%m%dT%H%M%S%fZ}"
        self._copy = self._target / f"{name}.part"
        self._copy.mkdir(mode=0o700)
        self._read_on()  # from here on the log keeps all that the copy may lack
        file = self._copy / FILE
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(file)) as copy:
            self._readers[-1].backup(copy)
            copy.execute("PRAGMA journal_mode = WAL")
        self._take()
        final = self._target / name
        self._copy.rename(final)
        self._copy = final
        _synced(self._target)
        self._tell(self._clock.now().isoformat())
        for path in before:
            shutil.rmtree(path)

    def round(self) -> int:
        """Take what was committed since; bytes. Raises OSError, sqlite3.Error."""
        if self._database.stat().st_ino != self._inode:
            raise Failed(f"{self._database.name} is another file than it was")
        at = self._clock.now().isoformat()
        self._read_on()
        taken = self._take()
        self._readers.pop(0).close()
        if self._log.stat().st_size > self._large:
            self._shorten()
        self._tell(at)
        return taken

    def close(self) -> None:
        for reader in self._readers:
            reader.close()
        self._readers.clear()

    def _read_on(self) -> None:
        """A reader that sees what is committed now, and holds the log."""
        reader = self._connected(BUSY)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        self._readers.append(reader)

    def _take(self) -> int:
        """Copy the log from where it was copied to, or from its front where it began anew."""
        with suppress(FileNotFoundError):
            log = os.open(self._log, os.O_RDONLY | os.O_CLOEXEC)
            try:
                return self._take_from(log)
            finally:
                os.close(log)
        return 0

    def _take_from(self, log: int) -> int:
        head = head_of(os.pread(log, HEADER, 0))
        if head is None:
            return 0
        if self._frames is None or head.raw != self._frames.head.raw:
            if self._frames is not None:
                self._taken_in()
            self._frames = Frames(head)
            self._write(0, head.raw)
        at = self._frames.at
        found = self._frames.read(log)
        if found:
            self._write(at, found)
        return len(found)

    def _write(self, at: int, data: bytes) -> None:
        copy = os.open(self._copy / f"{FILE}-wal", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.pwrite(copy, data, at)
            os.fsync(copy)
        finally:
            os.close(copy)

    def _taken_in(self) -> None:
        """The copy's own log goes into its file, as it did at the source."""
        with closing(sqlite3.connect(self._copy / FILE)) as copy:
            busy, _, _ = copy.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise Failed("somebody has the copy open: it cannot go on")

    def _shorten(self) -> None:
        """Take the log into the file, so that it begins anew: writers wait that long."""
        with closing(self._connected(BUSY)) as writer:
            try:
                writer.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:  # somebody writes for long: in the next round
                return
            self._read_on()
            self._take()
            self.close()  # nobody can write, so nothing begins anew yet
            with closing(self._connected(BUSY)) as other:
                other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._read_on()
            writer.execute("ROLLBACK")

    def _connected(self, patience: float) -> sqlite3.Connection:
        uri = f"{self._database.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=patience)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        return connection

    def _tell(self, at: str) -> None:
        size = sum(path.stat().st_size for path in self._copy.iterdir())
        part = self._told / f"{SHADOWED}.part"
        part.write_bytes(msgspec.json.encode(Shadowed(at, str(self._copy), size)) + b"\n")
        part.replace(self._told / SHADOWED)


def _synced(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    os.fsync(file)
    os.close(file)


def follow(shadow: Shadow, seconds: float, stopped: Callable[[float], bool]) -> None:
    """Round by round until ``stopped``, which waits so long. Raises Failed, OSError,
    sqlite3.Error."""
    try:
        shadow.begin()
        while not stopped(seconds):
            shadow.round()
        shadow.round()
    finally:
        shadow.close()
