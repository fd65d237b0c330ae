"""The outermost layer: what every answer carries, whatever gave it, and what is counted."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.api.call import Http
from service.api.registry import farewell_of, methods_of
from service.limits import Allowance, address_key

EXPOSED = (
    "ETag, Location, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, "
    "Content-Disposition, Deprecation, Sunset"
)
ASKED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "Decklog-Dice-Link, Decklog-Dice-Tip"
)
DAY = 86_400


class FrontDoor:
    """Wraps the application: CORS, quota and safety headers, Allow, metrics."""

    def __init__(self, app: ASGIApp, http: Http) -> None:
        self.app = app
        self.http = http

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request: dict[str, Any] = scope  # type: ignore[assignment]
        if request["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = self._dress(request, send, time.perf_counter())
        if request["method"] == "OPTIONS" and methods_of(request["path"]):
            await _preflight(request, answer)
        else:
            await self.app(scope, receive, answer)

    def _dress(self, scope: Any, send: Send, began: float) -> Send:
        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                fields = [*message.get("headers", ()), *self._fields(scope, status)]
                message = {**message, "headers": fields}
                route = str(scope.get("path_template") or "unmatched")
                seconds = time.perf_counter() - began
                self.http.metrics.request(scope["method"], route, status, seconds)
            await send(message)

        return dressed

    def _fields(self, scope: Any, status: int) -> list[tuple[bytes, bytes]]:
        fields = {
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "vary": "Accept, Authorization",
            "access-control-allow-origin": "*",
            "access-control-expose-headers": EXPOSED,
        }
        fields.update(self._allowance(scope).headers())
        farewell = farewell_of(scope["method"], scope["path"])
        if farewell is not None:
            fields.update(farewell.headers())
        if status == 405:
            fields["allow"] = allow(scope["path"])
        return [(name.lower().encode(), value.encode()) for name, value in fields.items()]

    def _allowance(self, scope: Any) -> Allowance:
        """What the pipeline noted; an answer from outside it shows the address's quota."""
        noted = scope.get("decklog.allowance")
        if isinstance(noted, Allowance):
            return noted
        client = scope.get("client")
        return self.http.limits.requests.peek(address_key(client[0] if client else ""))


def allow(path: str) -> str:
    """The Allow header of ``path``."""
    return ", ".join((*methods_of(path), "OPTIONS"))


async def _preflight(scope: Any, send: Callable[[Any], Any]) -> None:
    """An OPTIONS request: which methods there are, and that pages of any origin may use them."""
    headers = [
        (b"allow", allow(scope["path"]).encode()),
        (b"access-control-allow-methods", ", ".join(methods_of(scope["path"])).encode()),
        (b"access-control-allow-headers", ASKED.encode()),
        (b"access-control-max-age", str(DAY).encode()),
    ]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
