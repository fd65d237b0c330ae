"""The outermost layer: what every answer carries, whatever gave it, and what is counted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http.call import Http
from service.http.limits import Allowance, address_key
from service.http.pipeline import leave
from service.http.registry import farewell_of, methods_of
from service.http.streams import HEAD_ASKED
from service.ops.logs import HEADER, REQUEST_ID, access
from service.ops.traces import Tracer

EXPOSED = (
    "ETag, Location, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, "
    "Content-Disposition, X-Request-Id, Deprecation, Sunset"
)
ASKED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "Decklog-Dice-Link, Decklog-Dice-Tip, Decklog-With-Token, X-Request-Id, Traceparent"
)
DAY = 86_400
YEAR = 31_536_000

BARE = "default-src 'none'; frame-ancestors 'none'"
"""Content-Security-Policy of everything that is no page: data, which may load and do nothing."""

GET = "GET"
METHODS = ("GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT", "PATCH")

_SENT_ID = HEADER.lower().encode()
_GAME = re.compile(r"[0-9a-f]{32}")


class FrontDoor:
    """Wraps the application: CORS, quota and safety headers, Allow, metrics."""

    def __init__(self, app: ASGIApp, http: Http, tracer: Tracer) -> None:
        self.app = app
        self.http = http
        self.tracer = tracer
        self._always = {
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "vary": "Accept, Accept-Encoding, Authorization",
            "access-control-allow-origin": "*",
            "access-control-expose-headers": EXPOSED,
        }
        if http.settings.public_url.startswith("https://"):
            self._always["strict-transport-security"] = f"max-age={YEAR}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request: dict[str, Any] = scope  # type: ignore[assignment]
        if request["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = _as_get(request)
        sent = dict(request["headers"]).get(_SENT_ID, b"").decode("latin-1")
        id_ = request["decklog.id"] = self.http.request_ids.of(sent)
        token = REQUEST_ID.set(id_)
        began = time.perf_counter()
        request["decklog.origin"] = self._origin(request)
        try:
            with self.tracer.request(_method(request), request["headers"]) as span:
                dressed = self._dress(request, _bodiless(request, send), began)
                await self._answer(request, receive, dressed)
                status = request.get("decklog.status", 0)
                self.tracer.answered(span, _route(request), status, id_)
        finally:
            access(_facts(request, time.perf_counter() - began))
            REQUEST_ID.reset(token)

    async def _answer(self, request: Any, receive: Receive, answer: Send) -> None:
        if request["method"] == "OPTIONS" and methods_of(request["path"]):
            await _preflight(request, answer)
            return
        try:
            await self.app(request, receive, answer)
        finally:
            leave(request)

    def _origin(self, scope: Any) -> str:
        """Whence the request comes; a forwarded address counts where a listed proxy says it."""
        client = scope.get("client")
        forwarded = [
            value.decode("latin-1")
            for name, value in scope["headers"]
            if name == b"x-forwarded-for"
        ]
        return self.http.proxies.origin(client[0] if client else "", forwarded)

    def _dress(self, scope: Any, send: Send, began: float) -> Send:
        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = scope["decklog.status"] = message["status"]
                given = list(message.get("headers", ()))
                message = {**message, "headers": [*given, *self._fields(scope, status, given)]}
                seconds = time.perf_counter() - began
                self.http.metrics.request(_method(scope), _route(scope), status, seconds)
            await send(message)

        return dressed

    def _fields(
        self, scope: Any, status: int, given: list[tuple[bytes, bytes]]
    ) -> list[tuple[bytes, bytes]]:
        fields = {**self._always, "x-request-id": scope["decklog.id"]}
        fields.update(self._allowance(scope).headers())
        farewell = farewell_of(scope["method"], scope["path"])
        if farewell is not None:
            fields.update(farewell.headers())
        if status == 405:
            fields["allow"] = allow(scope["path"])
        names = {name for name, _ in given}
        if b"content-security-policy" not in names:
            fields["content-security-policy"] = BARE
        if b"cache-control" not in names:
            fields["cache-control"] = "no-store"
        return [(name.lower().encode(), value.encode()) for name, value in fields.items()]

    def _allowance(self, scope: Any) -> Allowance:
        """What the pipeline noted; an answer from outside it shows the address's quota."""
        noted = scope.get("decklog.allowance")
        if isinstance(noted, Allowance):
            return noted
        return self.http.limits.requests.peek(address_key(scope["decklog.origin"]))


def _as_get(scope: dict[str, Any]) -> dict[str, Any]:
    """The request; HEAD goes the way of the GET of its address, and is remembered (RFC 9110 9.3.2).

    In a copy: the server itself looks at the method when it sends the answer.
    """
    if scope["method"] != "HEAD" or GET not in methods_of(scope["path"]):
        return scope
    return {**scope, "method": GET, HEAD_ASKED: True}


def _bodiless(scope: Any, send: Send) -> Send:
    """``send`` for the answer to a HEAD: header fields as they are, and never a byte of a body."""
    if _method(scope) != "HEAD":
        return send

    async def sent(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return sent


def _method(scope: Any) -> str:
    """The method, if it is one of ours: what clients make up is neither counted nor logged."""
    found = "HEAD" if HEAD_ASKED in scope else str(scope["method"])
    return found if found in METHODS else "OTHER"


def _route(scope: Any) -> str:
    """The template of the path: never the path, which may hold anything."""
    return str(scope.get("path_template") or "unmatched")


def _facts(scope: Any, seconds: float) -> dict[str, Any]:
    """What the log says of a request. Status 0: nothing was answered, the client had gone."""
    game = str(scope.get("path_params", {}).get("game", ""))
    return {
        "method": _method(scope),
        "route": _route(scope),
        "status": scope.get("decklog.status", 0),
        "duration_ms": round(seconds * 1000, 1),
        "game": game if _GAME.fullmatch(game) else "",
        "seat_kind": scope.get("decklog.kind", "onlooker"),
        "code": scope.get("decklog.code", ""),
    }


def allow(path: str) -> str:
    """The Allow header of ``path``."""
    return ", ".join((*_offered(path), "OPTIONS"))


def _offered(path: str) -> tuple[str, ...]:
    """The methods of ``path``, with HEAD wherever there is GET."""
    found = methods_of(path)
    return tuple(sorted({*found, "HEAD"})) if GET in found else found


async def _preflight(scope: Any, send: Callable[[Any], Any]) -> None:
    """An OPTIONS request: which methods there are, and that pages of any origin may use them."""
    headers = [
        (b"allow", allow(scope["path"]).encode()),
        (b"access-control-allow-methods", ", ".join(_offered(scope["path"])).encode()),
        (b"access-control-allow-headers", ASKED.encode()),
        (b"access-control-max-age", str(DAY).encode()),
    ]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
