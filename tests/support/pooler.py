"""A pooler for PostgreSQL that lends its connections by the transaction, or by the session.

As small as can be, so that tests know what it does: it speaks to one server over its socket,
copies the greeting that the server gave it, and hands each message of a client to the server's
process that the client has at the moment. In the mode ``transaction`` that is given back whenever
the server says that no transaction is open; in the mode ``session`` a client keeps its own.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

Mode = Literal["transaction", "session"]
_SOCKET = ".s.PGSQL.5432"


class _Server:
    """One process of the server, greeted."""

    def __init__(self, path: Path, startup: bytes) -> None:
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(str(path))
        self.line.sendall(startup)
        self.greeting = b"".join(iter_until_ready(self.line))


def iter_until_ready(line: socket.socket) -> Iterator[bytes]:
    """Whole messages until the server is ready for another query."""
    while True:
        message = one_message(line)
        yield message
        if message[:1] == b"Z":
            return


def exactly(line: socket.socket, many: int) -> bytes:
    found = b""
    while len(found) < many:
        more = line.recv(many - len(found))
        if not more:
            raise ConnectionError
        found += more
    return found


def one_message(line: socket.socket) -> bytes:
    head = exactly(line, 5)
    return head + exactly(line, struct.unpack("!I", head[1:])[0] - 4)


class Pooler:
    """Accepts clients on a socket of its own from ``start`` on."""

    def __init__(self, address: str, folder: Path, mode: Mode) -> None:
        (host,) = parse_qs(urlsplit(address).query)["host"]
        self._server = Path(host) / _SOCKET
        self._mode = mode
        self._idle: dict[bytes, list[_Server]] = {}
        self._lock = threading.Lock()
        self.address = address.replace(f"host={host}", f"host={folder}")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / _SOCKET))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            size = exactly(client, 4)
            startup = size + exactly(client, struct.unpack("!I", size)[0] - 4)
            server = self._lent(startup)
            client.sendall(server.greeting)
            own = server if self._mode == "session" else None
            if own is None:
                self._back(server, startup)
            while self._asked(client, own, startup):
                pass

    def _asked(self, client: socket.socket, own: _Server | None, startup: bytes) -> bool:
        """Hand on a client's messages until no transaction is open."""
        message = one_message(client)
        if message[:1] == b"X":
            return False
        server = own or self._lent(startup)
        while True:
            server.line.sendall(message)
            if message[:1] in (b"Q", b"S"):
                answers = list(iter_until_ready(server.line))
                if answers[-1][5:] == b"I" and own is None:
                    self._back(server, startup)
                client.sendall(b"".join(answers))
                if answers[-1][5:] == b"I":
                    return True
            message = one_message(client)

    def _lent(self, startup: bytes) -> _Server:
        with self._lock:
            idle = self._idle.get(startup, [])
            while idle:
                server = idle.pop()
                if not select.select([server.line], [], [], 0)[0]:
                    return server  # one that has something to say was ended meanwhile
        return _Server(self._server, startup)

    def _back(self, server: _Server, startup: bytes) -> None:
        with self._lock:
            self._idle.setdefault(startup, []).append(server)

    def close(self) -> None:
        self._listener.close()


@contextmanager
def pooler(address: str, mode: Mode) -> Iterator[str]:
    """The address at which it is reached."""
    with tempfile.TemporaryDirectory(prefix="decklog-pooler-") as folder:
        own = Pooler(address, Path(folder), mode)
        try:
            yield own.address
        finally:
            own.close()
