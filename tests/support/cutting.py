"""A line to a server that breaks: connections are cut after some bytes, in the middle of anything.

with cutting(port, seed=1) as line:
    httpx.get(line.url + "/v1")
"""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PIECE = 1024
FEWEST, MOST = 300, 60_000
"""Bytes of answers after which a connection is cut."""


class Line:
    """What listens in front of a server; ``cuts`` counts the connections that it has cut."""

    def __init__(self, port: int, seed: int) -> None:
        self.cuts = 0
        self._port, self._chance = port, random.Random(seed)
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._ear.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        self._ear.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._ear.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        """One connection: to the server freely, back from it as far as chance says."""
        try:
            far = socket.create_connection(("127.0.0.1", self._port))
        except OSError:
            near.close()
            return
        threading.Thread(target=_copy, args=(near, far), daemon=True).start()
        left = self._chance.randint(FEWEST, MOST)
        with suppress(OSError):
            while piece := far.recv(min(PIECE, left)):
                near.sendall(piece)
                left -= len(piece)
                if not left:
                    self.cuts += 1
                    break
        _hang_up(near, far)


def _copy(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while piece := one.recv(PIECE):
            other.sendall(piece)
    _hang_up(one, other)


def _hang_up(*lines: socket.socket) -> None:
    for each in lines:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


@contextmanager
def cutting(port: int, seed: int) -> Iterator[Line]:
    line = Line(port, seed)
    try:
        yield line
    finally:
        line.close()
