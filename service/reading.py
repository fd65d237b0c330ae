"""Requests as bytes: what is no HTTP is refused as everything else is, by a problem document."""

from __future__ import annotations

from typing import Any

import httptools

from .logs import request_id
from .pieces import Pieces
from .problems import MEDIA_TYPE, Refusal, encode

HEAD_BYTES = 65_536
"""Of a request line and header fields that have not come to their end, at most."""


class Reader(Pieces):
    """uvicorn's reader of HTTP/1.1, with three more additions.

    Its own refusals are problems; a head has a limit; and a request of HTTP/1.1 names its host once
    (RFC 9112 section 3.2).
    """

    _head = 0
    """Bytes so far of a head that is not whole yet, packet by packet."""
    _in_head = False

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head += len(data)
            if self._head > HEAD_BYTES:
                self.send_400_response(f"The header fields are over {HEAD_BYTES} bytes.")

    def on_message_begin(self) -> None:
        self._in_head, self._head = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts != 1 and self.parser.get_http_version() == "1.1":
            raise httptools.HttpParserError("a request names its host once")
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """The refusal ``request.malformed``; the connection ends with it."""
        refusal = Refusal("request.malformed", msg if msg.startswith("The ") else "")
        body = encode(refusal.document(""))
        fields: dict[str, Any] = {
            **{name.decode(): value.decode() for name, value in self.server_state.default_headers},
            "content-type": MEDIA_TYPE,
            "content-length": len(body),
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "x-request-id": request_id(""),
            "connection": "close",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{head}\r\n".encode() + body)
        self.transport.close()
