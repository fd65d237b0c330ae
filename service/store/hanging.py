"""A database that says nothing costs whoever asks a few seconds, and no more.

A server that hangs keeps its connections open: nothing fails, and nobody is told. What the server
itself ends in time (``statement_timeout``, ``lock_timeout``) is not enough, for one that stands
still ends nothing. So the connection is cut from here, and whoever waits at it hears of a failure.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from ..clock import SYSTEM as CLOCK
from ..threads import SYSTEM, MakesThreads

STEP = 0.25
"""Seconds between one look and the next: so much later than it should be a connection is cut."""


SOON = 0.5
"""Seconds within which a database that was silent for too long has to answer whoever asks next."""


class HasFile(Protocol):
    """A connection."""

    def fileno(self) -> int: ...


class Silence:
    """Since when a database says nothing: of all who ask together, not of each by himself.

    Whoever has waited for a thread behind others that waited for the database has had his share of
    its silence, and the next one too. Any answer ends it, be it a refusal or a new connection.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._since: float | None = None

    def until(self) -> float:
        """When a question that is asked now has failed."""
        now = CLOCK.monotonic()
        if (since := self._since) is None:
            self._since = since = now
        return max(since + self._patience, now + SOON)

    def end(self) -> None:
        """It has said something."""
        self._since = None


class Cutter:
    """Cuts connections that are used for longer than they may be, from ``start`` to ``stop``."""

    def __init__(self, threads: MakesThreads = SYSTEM) -> None:
        self._lock = threads.lock()
        self._stopping = threads.event()
        self._due: dict[int, float] = {}
        self._thread = threads.thread(self._run, "decklog-store-cutter")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Harmless when repeated, or without a start."""
        self._stopping.set()

    @contextmanager
    def within(self, connection: HasFile, seconds: float) -> Iterator[None]:
        """For so long the connection may be used; then it is cut."""
        # A number of its own: that of the connection may be another file's after it was closed.
        file = os.dup(connection.fileno())
        with self._lock:
            self._due[file] = CLOCK.monotonic() + seconds
        try:
            yield
        finally:
            with self._lock:
                del self._due[file]
            os.close(file)

    def _run(self) -> None:
        while not self._stopping.wait(STEP):
            now = CLOCK.monotonic()
            with self._lock:
                for file in [file for file, due in self._due.items() if due <= now]:
                    _cut(file)


def _cut(file: int) -> None:
    line = socket.socket(fileno=os.dup(file))
    with suppress(OSError), line:
        line.shutdown(socket.SHUT_RDWR)
