"""Requests as bytes: what is no HTTP is refused as everything else is, by a problem document.

What is HTTP is answered, in the order in which it was asked, whatever comes behind it.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import httptools

from ..ops.logs import REQUEST_ID, RequestIds, access
from ..problems import MEDIA_TYPE, Refusal, encode
from ..proxies import Proxies
from .doors import Doors, Waiting
from .pieces import Pieces

HEAD_BYTES = 65_536
"""Of a request line and header fields, or of what else is no part of a body, at most."""

HEAD_SECONDS = 10.0
"""Within which a connection has to send a whole head, if nobody says otherwise."""

LINE = 100
"""Requests that may wait behind one on the same connection; what comes after them is not read."""

TOO_LONG = f"The header fields are over {HEAD_BYTES} bytes."

REQUEST_IDS = RequestIds()
"""Of what is no HTTP: it never comes to the application."""

_OFFER = (b"upgrade", b"http2-settings")
"""Fields of an offer to go on in another protocol, which is declined: the request goes on in
HTTP/1.1 as if it had none."""


class Reader(Pieces):
    """uvicorn's reader of HTTP/1.1, with these additions.

    Its own refusals are problems, and never stand in the place of an answer that is due. What is
    no body has a limit. A request of HTTP/1.1 names its host once (RFC 9112 section 3.2). An offer
    to upgrade is declined, and its request read whole (RFC 9110 section 7.8): Java's own client
    makes one with its requests. Who hangs up ends the answer that is under way.
    """

    _answering: Any = None
    """The request that is being answered; others may wait behind it."""
    _idle = 0
    """Bytes since a message began or ended or a part of its body came, packet by packet."""
    _head = 0
    """Bytes of the fields so far."""
    _moved = False
    _trailing = False
    _deaf = False
    """What came was no HTTP, and answers before it are still due."""
    _offer: list[bytes] | None = None
    """The head of a request that offers an upgrade, without the offer."""
    doors = Doors(0, HEAD_SECONDS, Proxies())
    """Of the service; a server has its own, see :func:`reader_at`."""
    _place: str | None = None
    """What the doors gave for this connection; None: it was turned away."""
    _waiting: Waiting

    # From the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection has come: it has a place, or is told that its address has no more."""
        super().connection_made(transport)
        self._waiting = Waiting(self.loop, self.doors.seconds, self.transport.close)
        self._waiting.begin()
        self._place = self.doors.enter(self.client[0] if self.client else "")
        if self._place is None:
            self._refuse(Refusal("requests.too-many", "The address has too many connections."))

    def data_received(self, data: bytes) -> None:
        """A packet has come."""
        self._unset_keepalive_if_required()
        while data and not self._deaf and not self.transport.is_closing():
            data = self._read(data)
        newest: Any = self.cycle
        if newest is None or newest.response_complete:
            self._waiting.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """uvicorn tells the newest request only; the one that is being answered may be older."""
        cycle = self._answering
        self._waiting.end()
        if self._place is not None:
            self.doors.leave(self._place)
        super().connection_lost(exc)
        self.pipeline.clear()
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()

    def _read(self, data: bytes) -> bytes:
        """Read a packet; what of it is to be read anew."""
        self._moved = False
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            return self._declined(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self.send_400_response(TOO_LONG if self._head > HEAD_BYTES else "")
            return b""
        self._idle = 0 if self._moved else self._idle + len(data)
        if self._idle > HEAD_BYTES:
            self.send_400_response(TOO_LONG)
        return b""

    def _declined(self, rest: bytes) -> bytes:
        """The request as if nothing had been offered."""
        head, self._offer = self._offer or [], None
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        return b"\r\n".join((*head, b"", rest))

    # From the parser

    def on_message_begin(self) -> None:
        self._moved, self._trailing, self._head = True, False, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._measure(len(name) + len(value))
        if not self._trailing:  # fields after the body mean nothing here (RFC 9110 section 6.5.1)
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._waiting.end()
        version = self.parser.get_http_version()
        hosts = [name for name, _ in self.headers].count(b"host")
        if hosts != 1 and version == "1.1":
            raise httptools.HttpParserError("a request names its host once")
        if len(self.pipeline) >= LINE:
            raise httptools.HttpParserError("too many requests ahead of their answers")
        self._trailing, self._head = True, 0
        if not self.parser.should_upgrade():
            super().on_headers_complete()
            return
        method = self.parser.get_method()
        if method == b"CONNECT":
            raise httptools.HttpParserError("this is no proxy")
        self._offer = [b"%s %s HTTP/%s" % (method, self.url, version.encode())]
        for name, value in self.headers:
            if name not in _OFFER:
                kept = _without_offer(value) if name == b"connection" else value
                self._offer.append(b"%s: %s" % (name, kept))

    def on_body(self, body: bytes) -> None:
        self._moved = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._moved = True
        if self._offer is None:
            self.scope["decklog.come"] = True  # type: ignore[typeddict-unknown-key]
            super().on_message_complete()

    def _measure(self, size: int) -> None:
        self._head += size
        if self._head > HEAD_BYTES:
            raise httptools.HttpParserError(TOO_LONG)

    # Answers

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(
            cycle, _closing(cycle, app) if cycle.waiting_for_100_continue else app
        )

    def send_400_response(self, msg: str) -> None:
        """The refusal ``request.malformed``; the connection ends with it.

        Where answers are due to requests before it, it ends with the last of them instead.
        """
        due, now = [cycle for cycle, _ in self.pipeline], self._answering
        if now is not None and not now.response_complete:
            due.append(now)
        if due and due[0].more_body and not due[0].response_started:  # the broken one itself
            del due[0]
            if self.pipeline:
                self.pipeline.popleft()
        if due:
            due[0].keep_alive, self._deaf = False, True
            return
        if now is not None and now.response_complete and now.more_body:
            self.transport.close()  # it was answered before it was whole: once is enough
            return
        self._refuse(Refusal("request.malformed", msg))

    def _refuse(self, refusal: Refusal) -> None:
        """An answer without a request; the connection ends with it."""
        body, id_ = encode(refusal.document("")), REQUEST_IDS.of("")
        fields: dict[str, Any] = {
            **{name.decode(): value.decode() for name, value in self.server_state.default_headers},
            "content-type": MEDIA_TYPE,
            "content-length": len(body),
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "x-request-id": id_,
            "connection": "close",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        phrase = HTTPStatus(refusal.status).phrase
        self.transport.write(f"HTTP/1.1 {refusal.status} {phrase}\r\n{head}\r\n".encode() + body)
        self.transport.close()
        _log(id_, refusal)


def reader_at(doors: Doors) -> type[Reader]:
    """The reader of a server with these doors."""
    return type("ReaderAtDoors", (Reader,), {"doors": doors})


def _without_offer(connection: bytes) -> bytes:
    """The Connection field without what belongs to the offer."""
    words = (word.strip() for word in connection.split(b","))
    return b", ".join(word for word in words if word.lower() not in _OFFER)


def _closing(cycle: Any, app: Any) -> Any:
    """For who asks before it sends its body: a refusal ends the connection.

    Nobody knows whether the body still comes, or the next request (RFC 9110 section 10.1.1).
    """

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            if cycle.waiting_for_100_continue and cycle.more_body:
                cycle.keep_alive = False
            await send(message)

        await app(scope, receive, sent)

    return answered


def _log(id_: str, refusal: Refusal) -> None:
    """The line of a request of which nothing is known."""
    before = REQUEST_ID.set(id_)
    access(
        {
            "method": "OTHER",
            "route": "unmatched",
            "status": refusal.status,
            "duration_ms": 0.0,
            "game": "",
            "seat_kind": "onlooker",
            "code": refusal.code,
        }
    )
    REQUEST_ID.reset(before)
