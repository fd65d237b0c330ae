"""Head and body of an answer leave together; nothing is held back, lost or sent after the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from service.http.pieces import COPIED, Gathering, Pieces

ASKED = b"GET /%s HTTP/1.1\r\nHost: x\r\n%s\r\n"


class Wire(asyncio.Transport):
    """What is sent on it, call by call."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        self.sent.append(b"too late: " * self.closed + bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        """Not needed here."""

    def resume_reading(self) -> None:
        """Not needed here."""


async def app(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
    """An answer in one go, or one whose second piece comes a turn later."""
    headers = [(b"content-length", b"6")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if scope["path"] == "/slow":
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        await asyncio.sleep(0.01)
        await send({"type": "http.response.body", "body": b"two"})
    else:
        await send({"type": "http.response.body", "body": b"onetwo"})


def asked(*requests: bytes, lost: bool = False) -> Wire:
    """The wire after these requests; ``lost``: it breaks before the turn is over."""

    async def run() -> Wire:
        config = uvicorn.Config(app, http=Pieces, lifespan="off", log_config=None)
        config.load()
        wire, protocol = Wire(), Pieces(config, ServerState(), {})
        protocol.connection_made(wire)
        for request in requests:
            protocol.data_received(request)
            await asyncio.sleep(0)
            wire.closed = wire.closed or lost
            await asyncio.sleep(0.05)
        return wire

    return asyncio.run(run())


def test_an_answer_leaves_in_one_piece() -> None:
    wire = asked(ASKED % (b"", b""), ASKED % (b"", b""))
    assert len(wire.sent) == 2
    for piece in wire.sent:
        assert piece.startswith(b"HTTP/1.1 200 OK\r\n")
        assert piece.endswith(b"\r\n\r\nonetwo")
    assert not wire.closed


def test_what_comes_later_is_not_waited_for() -> None:
    head_and_one, two = asked(ASKED % (b"slow", b"")).sent
    assert head_and_one.endswith(b"\r\n\r\none")
    assert two == b"two"


@pytest.mark.parametrize("path", [b"", b"slow"])
def test_the_last_piece_leaves_before_the_end(path: bytes) -> None:
    wire = asked(ASKED % (path, b"Connection: close\r\n"))
    assert b"".join(wire.sent).endswith(b"two")
    assert not any(piece.startswith(b"too late") for piece in wire.sent)
    assert wire.closed


def test_nothing_is_sent_on_a_wire_that_broke() -> None:
    assert asked(ASKED % (b"", b""), lost=True).sent == []


def test_what_is_large_is_not_copied_for_each_reader() -> None:
    class Lines(Wire):
        def writelines(self, list_of_data: Iterable[Any]) -> None:
            self.sent.extend(list_of_data)

    async def run() -> list[bytes]:
        wire = Lines()
        gathering = Gathering(wire, asyncio.get_running_loop())
        for piece in (b"head", body):
            gathering.write(piece)
        await asyncio.sleep(0)
        return wire.sent

    body = b"x" * COPIED
    head, found = asyncio.run(run())
    assert head == b"head"
    assert found is body
