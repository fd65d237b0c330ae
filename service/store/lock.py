"""One writer process for each database, held by a lock on a file beside it.

SQLite itself would let a second process write, slowly and behind the back of our state cache. The
operating system frees the lock when the process dies, however it dies.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from ..errors import StoreRefused


class WriterLock:
    """Held from ``acquire`` to ``release``; the file stays, with the holder's process id."""

    def __init__(self, database: Path) -> None:
        self._path = _beside(database)
        self._file: int | None = None

    def acquire(self) -> None:
        """Raises StoreRefused ``store.locked`` when another process holds the database."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(file)
            raise StoreRefused(
                "store.locked",
                f"Process {holder} is at work on this database: stop it, or use another file.",
            ) from None
        _write_holder(file)
        self._file = file

    def release(self) -> None:
        """Harmless when the lock is not held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def in_use(database: Path) -> bool:
    """Whether a process is at work on the database; nothing is made, and nothing kept."""
    try:
        file = os.open(_beside(database), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def _beside(database: Path) -> Path:
    return database.with_name(database.name + ".lock")


def _write_holder(file: int) -> None:
    """For the other process's error message only, so a full disk does not matter here."""
    try:
        os.ftruncate(file, 0)
        os.pwrite(file, str(os.getpid()).encode(), 0)
    except OSError:
        return
