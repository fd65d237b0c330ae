"""Harm that comes from outside, done to a server process of the tests while it runs.

A file in its control folder is what happens to it from then on:

    clock   seconds that its clock is wrong by
    pages   pages that its SQLite file may have: one is a full disk, with SQLite's very error
    planted  module and name of a fault that it has from its start (``module:name``)
"""

from __future__ import annotations

import importlib
import socket
import sqlite3
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from eventsourcing.sqlite import SQLiteConnection

ALL_PAGES = 1_073_741_823
LOOK_SECONDS = 0.02
SEND_BYTES = 8_192
"""What the system keeps for a reader that does not read: little, so that it is noticed soon."""


class WrongClock:
    """The machine's clock, wrong by what a file says."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def _wrong(self) -> int:
        try:
            return int(self._file.read_text())
        except (OSError, ValueError):
            return 0

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._wrong())

    def offset(self) -> float:
        return time.time() - time.monotonic() + self._wrong()

    def monotonic(self) -> float:
        return time.monotonic()


def install(control: Path) -> WrongClock:
    """Make this process one that can be harmed; the clock that it is to use."""
    _plant(control)
    _watch_pages(control / "pages")
    _keep_little()
    return WrongClock(control / "clock")


def _plant(control: Path) -> None:
    file = control / "planted"
    if file.exists():
        module, _, name = file.read_text("ascii").partition(":")
        importlib.import_module(module).plant(name, control)


def _watch_pages(file: Path) -> None:
    from service.store.recorder import SafePool

    connections: list[SQLiteConnection] = []
    create = SafePool._create_connection

    def created(pool: SafePool) -> SQLiteConnection:
        connection = create(pool)
        connections.append(connection)
        return connection

    SafePool._create_connection = created  # type: ignore[assignment,method-assign]

    def watch() -> None:
        known, owing = "", list[SQLiteConnection]()
        while True:
            time.sleep(LOOK_SECONDS)
            told = _text(file)
            if told != known:
                known, owing = told, [*connections]
            pages = int(known or ALL_PAGES)
            owing = [each for each in owing if not _told(each._sqlite_conn, pages)]

    threading.Thread(target=watch, daemon=True).start()


def _text(file: Path) -> str:
    """What the file says; it may go at any moment."""
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""


def _told(connection: sqlite3.Connection, pages: int) -> bool:
    """Whether it has so many pages now, or is closed; one that is at work is told again later."""
    try:
        connection.execute(f"PRAGMA max_page_count={pages}")
    except sqlite3.ProgrammingError:
        return True
    except sqlite3.Error:
        return False
    return True


def _keep_little() -> None:
    from service import serve

    usual = serve.hang_up_on_the_dead

    def little(listener: socket.socket, seconds: int) -> None:
        usual(listener, seconds)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)

    serve.hang_up_on_the_dead = little
