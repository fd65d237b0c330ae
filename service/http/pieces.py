"""What goes out on a connection in one turn of the event loop goes out in one piece.

uvicorn writes the head of an answer and its body one after the other, and uvloop sends each at
once: twice a call into the system and, where the other end waits for it, twice its waking up.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

COPIED = 16_384
"""Bytes that are rather copied into one piece than handed on as several. What is larger stays the
one object that it is: a hundred slow readers of the document do not hold a hundred copies."""


class Gathering:
    """A transport that holds what is written until the turn is over; else the one it stands for."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send it at the end of the turn, after what was written before."""
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        """What was written still goes out."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        held, self._held = self._held, []
        if not held or self._transport.is_closing():
            return
        if sum(map(len, held)) > COPIED:
            self._transport.writelines(held)
        else:
            self._transport.write(b"".join(held))


class Pieces(HttpToolsProtocol):
    """uvicorn's HTTP on such a transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection has come."""
        super().connection_made(cast("asyncio.Transport", Gathering(transport, self.loop)))
