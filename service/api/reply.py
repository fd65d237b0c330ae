"""What an operation hands back: a complete answer as an ASGI callable."""

from __future__ import annotations

import hashlib
from typing import Any

from litestar.types import Receive, Scope, Send

from service.problems import MEDIA_TYPE, Refusal, encode

BODILESS = (204, 304)


class Reply:
    """Status, header fields and a body that is ready to send."""

    def __init__(
        self,
        status: int,
        body: bytes = b"",
        media: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.status = status
        self.body = body
        self.media = media
        self.headers = headers or {}

    def fields(self) -> list[tuple[bytes, bytes]]:
        """Header fields in their raw form."""
        fields = dict(self.headers)
        if self.status not in BODILESS:
            fields["Content-Type"] = self.media
            fields["Content-Length"] = str(len(self.body))
        return [(name.lower().encode(), value.encode("latin-1")) for name, value in fields.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": self.fields()})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def problem_reply(refusal: Refusal, instance: str) -> Reply:
    """The refusal as ``application/problem+json``, never cached."""
    headers = {"Cache-Control": "no-store", **refusal.headers}
    if refusal.status in (429, 503):
        headers.setdefault("Retry-After", "1")
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if refusal.version is not None:
        headers["ETag"] = version_tag(refusal.version)
    return Reply(refusal.status, encode(refusal.document(instance)), MEDIA_TYPE, headers)


def version_tag(version: int) -> str:
    """The strong entity tag of a game's version."""
    return f'"{version}"'


def content_tag(body: bytes) -> str:
    """The strong entity tag of bytes that have no version."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def matches(header: str, tag: str) -> bool:
    """Whether If-None-Match names ``tag`` (weak comparison, RFC 9110 13.1.2)."""
    names = [name.strip().removeprefix("W/") for name in header.split(",")]
    return tag in names or "*" in names


def see(path: str) -> dict[str, Any]:
    """A Location header."""
    return {"Location": path}
