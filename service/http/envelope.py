"""Around the application: what every answer carries, 404 and 405 too, and what is counted.

Litestar's middleware does not see requests that no route takes.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from litestar import Request
from litestar.routes import BaseRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.errors import Damaged
from service.http import refusals
from service.http.access import leave
from service.http.asked import Http
from service.http.limits import address_key
from service.http.operation import HEAD
from service.http.refusals import allow
from service.http.reply import raw
from service.http.routes import Route
from service.http.streams import HEAD_ASKED
from service.ops.logs import HEADER, REQUEST_ID, access
from service.ops.traces import Tracer
from service.problems import Refusal

EXPOSED = (
    "ETag, Location, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, "
    "Content-Disposition, X-Request-Id, Deprecation, Sunset, Decklog-Head, "
    "Decklog-Receipt"
)
ASKED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "Decklog-Dice-Link, Decklog-Dice-Tip, Decklog-Signature, "
    "Decklog-With-Token, Decklog-Tokens, X-Request-Id, Traceparent"
)
ANY = {"access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED}
OWN = {"cross-origin-resource-policy": "same-origin"}
"""Whose pages may read an answer: of any origin, for all is public or asked for by a token; or our
own alone, where whoever reaches the service sees everything."""

HERE = frozenset(("127.0.0.1", "localhost"))
"""What a service is called that is for this machine alone."""

DAY = 86_400
YEAR = 31_536_000

BARE = b"default-src 'none'; frame-ancestors 'none'"
"""Content-Security-Policy of everything that is no page: data, which may load and do nothing."""

METHODS = ("GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT", "PATCH")

_SENT_ID = HEADER.lower().encode()
_GAME = re.compile(r"[0-9a-f]{32}")


Fields = list[tuple[bytes, bytes]]


def _check_host(scope: Any) -> None:
    """Somebody else's name may lead to this machine: a page from there would be of the same origin,
    and read all that is shown (DNS rebinding). Raises Refusal."""
    named = next((value for name, value in scope["headers"] if name == b"host"), b"")
    host, _, _ = named.decode("latin-1").lower().removeprefix("[").partition("]")
    if host == "::1" or host.rpartition(":")[0] in HERE or host in HERE:
        return
    raise Refusal("request.malformed", f"Here it is called by one of: {', '.join(sorted(HERE))}.")


class Envelope:
    """Wraps the application: CORS, quota and safety headers, metrics, log, trace.

    The fields of CORS are constants: Litestar's own configuration costs each request what they do
    not, and answers a preflight otherwise.
    """

    def __init__(
        self, app: ASGIApp, http: Http, tracer: Tracer, routes: Sequence[BaseRoute]
    ) -> None:
        self.app = app
        # Litestar's own answer to OPTIONS leaves out methods that were registered later (#4169).
        self.methods = {route.path_format: allow(getattr(route, "methods", ())) for route in routes}
        self.http = http
        self.tracer = tracer
        always = {
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "vary": "Accept, Accept-Encoding, Authorization",
            **(OWN if http.apart else ANY),
        }
        if http.settings.public_url.startswith("https://"):
            always["strict-transport-security"] = f"max-age={YEAR}"
        self._always = raw(always)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request: dict[str, Any] = scope  # type: ignore[assignment]
        if request["type"] != "http":
            await self.app(scope, receive, send)
            return
        if request["method"] == "HEAD":
            # It goes the way of GET and is remembered (RFC 9110 9.3.2). In a copy: the server
            # itself looks at the method when it sends the answer.
            request = {**request, "method": "GET", HEAD_ASKED: True}
        id_ = request["decklog.id"] = self._read(request)
        token = REQUEST_ID.set(id_)
        began = time.perf_counter()
        try:
            with self.tracer.request(_method(request), request["headers"]) as span:
                await self._answer(request, receive, self._dress(request, send, began))
                status = request.get("decklog.status", 0)
                self.tracer.answered(span, _route(request), status, id_)
        finally:
            facts = _facts(request, time.perf_counter() - began)
            if facts["code"] == Damaged.CODE and facts["game"]:
                self.http.metrics.damaged(facts["game"])
            access(facts)
            REQUEST_ID.reset(token)

    async def _answer(self, scope: Any, receive: Receive, send: Send) -> None:
        """An answer begins in time, or is given up; from then on it may take as long as it likes.

        Here and not in Litestar's middleware, which puts one more catcher of exceptions below it.
        """
        seconds = refusals.PATIENCE if scope["method"] == "GET" else refusals.DEADLINE
        try:
            if self.http.apart:
                _check_host(scope)
            async with asyncio.timeout(seconds) as scope["decklog.late"]:
                await self.app(scope, receive, send)
        except TimeoutError as error:
            if scope.pop("decklog.late", None) is None:
                raise  # it had begun
            await refusals.refuse(Request(scope), error)(scope, receive, send)
        except Refusal as elsewhere:
            await refusals.refuse(Request(scope), elsewhere)(scope, receive, send)
        finally:
            leave(scope)

    def _read(self, scope: Any) -> str:
        """The id of the request; whence it comes is noted beside.

        A forwarded address counts where a listed proxy says it.
        """
        sent, forwarded = "", []
        for name, value in scope["headers"]:
            if name == _SENT_ID:
                sent = value.decode("latin-1")
            elif name == b"x-forwarded-for":
                forwarded.append(value.decode("latin-1"))
        client = scope.get("client")
        origin = self.http.proxies.origin(client[0] if client else "", forwarded)
        scope["decklog.origin"], scope["decklog.address"] = origin, address_key(origin)
        return self.http.request_ids.of(sent)

    def _dress(self, scope: Any, send: Send, began: float) -> Send:
        headless = HEAD_ASKED in scope

        async def dressed(message: Any) -> None:
            if message["type"] == "http.response.start":
                if (late := scope.pop("decklog.late", None)) is not None:
                    late.reschedule(None)
                status = scope["decklog.status"] = message["status"]
                given = list(message.get("headers", ()))
                if scope["method"] == "OPTIONS" and status == 204:
                    given = self._preflight(self.methods[scope["path_template"]])
                message = {**message, "headers": [*given, *self._fields(scope, dict(given))]}
                seconds = time.perf_counter() - began
                self.http.metrics.request(_method(scope), _route(scope), status, seconds)
            elif headless:  # the answer to a HEAD has never a byte of a body
                message = {**message, "body": b""}
            await send(message)

        return dressed

    def _preflight(self, methods: str) -> Fields:
        """Which methods there are, and whether pages of any origin may use them."""
        if self.http.apart:
            return raw({"Allow": methods})
        return raw(
            {
                "Allow": methods,
                "Access-Control-Allow-Methods": methods.removesuffix(", OPTIONS"),
                "Access-Control-Allow-Headers": ASKED,
                "Access-Control-Max-Age": str(DAY),
            }
        )

    def _fields(self, scope: Any, given: Mapping[bytes, bytes]) -> Fields:
        fields = [*self._always, (b"x-request-id", scope["decklog.id"].encode())]
        # An answer to whom the guard did not admit shows the quota of the address.
        noted = scope.get("decklog.allowance")
        left = noted or self.http.limits.requests.peek(scope["decklog.address"])
        fields += raw(left.headers())
        route = scope.get("route_handler")
        if isinstance(route, Route) and (farewell := route.operation.farewell) is not None:
            fields += raw(farewell.headers())
        fields += _head(scope, given)
        if b"content-security-policy" not in given:
            fields.append((b"content-security-policy", BARE))
        if b"cache-control" not in given:
            fields.append((b"cache-control", b"no-store"))
        return fields


def _head(scope: Any, given: Mapping[bytes, bytes]) -> Fields:
    """The head that the answer names: the newest of the game, or what a command came to.

    A repeat names the first answer's or none. What is kept for ever names none: it would be old.
    """
    if b"immutable" in given.get(b"cache-control", b""):
        return []
    named = scope.get("decklog.reached")
    if named is None and b"idempotency-replayed" not in given:
        named = scope.get("decklog.looked")
    return [] if named is None else raw({HEAD: head_field(*named)})


def head_field(version: int, hash: str) -> str:
    """A head as a header field has it: an item with a parameter (RFC 9651)."""
    return f'{version};hash="{hash}"'


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
