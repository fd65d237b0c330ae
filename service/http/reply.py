"""What a handler hands back: a complete answer as an ASGI callable."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
from collections.abc import Mapping
from typing import Any

from litestar import Response
from litestar.types import Receive, Scope, Send

from service.problems import MEDIA_TYPE, Refusal, encode

BODILESS = (204, 304)

LARGE = 2_048
"""Bytes of a body from which on it is compressed, for who takes that."""

LONG = 65_536
"""Bytes whose compression would hold up others: a thread does it."""

LEVEL = 4
"""Of gzip: a view of 40 kB in a third of a millisecond, a fifth of its size."""

CODED = "-gzip"
"""What the strong entity tag of a compressed body ends in: other bytes have another tag."""

_VERSION = re.compile(r'"(0|[1-9][0-9]{0,15})(?:-[0-9a-f]{16})?"')
"""A version by itself, as a writer may know it from events, or in the tag of what shows it."""


class Reply(Response[Any]):
    """Status, header fields and a body that is ready to send; ``packed``: in gzip.

    A response to Litestar, which has nothing more to do with it: no renderer, no second map of
    header fields.
    """

    def __init__(
        self,
        status: int,
        body: bytes = b"",
        media: str = "",
        headers: dict[str, str] | None = None,
        *,
        packed: bool = False,
    ) -> None:
        self.status, self.body, self.media = status, body, media
        self.headers, self.packed = headers or {}, packed

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        """It is one already."""
        return self

    async def _pack(self) -> None:
        """Compress the body; a thread does what would hold up other requests."""
        self.headers["Content-Encoding"] = "gzip"
        if len(self.body) < LONG:
            self.body = gzip.compress(self.body, LEVEL, mtime=0)
        else:
            self.body = await asyncio.to_thread(gzip.compress, self.body, LEVEL, mtime=0)

    def fields(self) -> list[tuple[bytes, bytes]]:
        fields = dict(self.headers)
        if self.status not in BODILESS:
            fields["Content-Type"] = self.media
            fields["Content-Length"] = str(len(self.body))
        return raw(fields)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.packed:
            await self._pack()
        await send({"type": "http.response.start", "status": self.status, "headers": self.fields()})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def raw(fields: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Header fields as they are sent."""
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in fields.items()]


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
    """What names a game's version and nothing that shows it: of the answer to a write."""
    return f'"{version}"'


def shown_tag(version: int, body: bytes) -> str:
    """The strong entity tag of bytes that show a game at a version.

    Through other eyes, or by another question, the same version has other bytes, and so another
    tag; what may be written on it is the same (:func:`named_version`).
    """
    return f'"{version}-{hashlib.sha256(body).hexdigest()[:16]}"'


def content_tag(body: bytes) -> str:
    """The strong entity tag of bytes that have no version."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def coded(tag: str) -> str:
    """The tag of the compressed form of what has ``tag``."""
    return f'{tag[:-1]}{CODED}"'


def plain(tag: str) -> str:
    """The tag without regard to compression: the same thing in another form."""
    return tag.removesuffix(f'{CODED}"') + '"' if tag.endswith(f'{CODED}"') else tag


def named_version(tag: str) -> int:
    """The version that If-Match names; -1 for a tag that no version of a game can have."""
    found = _VERSION.fullmatch(plain(tag.strip()))
    return int(found[1]) if found else -1


def matches(header: str, tag: str) -> bool:
    """Whether If-None-Match names ``tag`` (weak comparison, RFC 9110 13.1.2)."""
    names = [plain(name.strip().removeprefix("W/")) for name in header.split(",")]
    return tag in names or "*" in names
