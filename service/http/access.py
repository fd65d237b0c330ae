"""Who is let in: one guard for each route, which admits in the order of the table of problems.

Litestar reads parameters and body before the first dependency runs, and dependencies of one rank in
no order: whatever is refused in a promised order is refused here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal
from urllib.parse import parse_qsl

from litestar.handlers import BaseRouteHandler
from litestar.plugins import ReceiveRoutePlugin
from litestar.routes import BaseRoute

from domain.kernel.values import Seat
from service.http.buckets import Allowance
from service.http.limits import MAKING
from service.http.streams import NDJSON, SSE
from service.models import Identity
from service.problems import FieldError, Refusal
from service.store.curbs import Curb

from .accept import choose
from .asked import Asked
from .decoding import decode_query, guard_json
from .operation import JSON
from .paging import read_cursor
from .routes import Route

Access = Literal["open", "viewer", "token", "member", "seat"]
"""Who is let in. "open": anybody, tokens are not looked at; "viewer": anybody, a token changes what
is seen; "token": a token is needed; "member": the token of a seat or of the organiser in the game
of the path; "seat": the token of a seat in it."""

Need = Callable[[Asked], Awaitable[None] | None]
"""What else has to be so, and is judged next; raises a Refusal."""

BODY_SECONDS = 5
"""Within which a body has to come, whole."""

DRAWN = "Draw it: 32 hexadecimal digits (openssl rand -hex 16), or a random UUID."

_KEY = re.compile(r"[\x21-\x7e]{32,255}")
"""128 random bits in hexadecimal digits, at least: without a token the key is the secret that opens
the answer, and one rule for all is one that a document can say."""
_TAG = re.compile(r'"[\x21\x23-\x7e]*"')
_SIGNATURE = re.compile(r"[0-9a-fA-F]{128}")
_LINK = re.compile(r"[0-9a-fA-F]{64}")
_CHARSET = re.compile(r"charset\s*=\s*\"?utf-8\"?", re.IGNORECASE)


class Guard:
    """Admits a request: form of the answer, token, quota, query, then what is needed, in order.

    counted  whether it counts against the quota of requests
    """

    def __init__(self, access: Access, *needs: Need, counted: bool = True) -> None:
        self.access, self.needs, self.counted = access, needs, counted

    async def __call__(self, connection: Any, handler: BaseRouteHandler) -> None:
        asked: Asked = connection
        route: Any = handler
        operation = route.operation
        http = asked.http = asked.app.state.http
        asked.read_fields()
        asked.caller = asked.address = asked.scope["decklog.address"]  # type: ignore[typeddict-item]
        if self.counted and http.closing.is_set():
            raise Refusal("service.stopping", headers={"Connection": "close"})
        if operation.writes and http.shut(operation.id, asked.path_params.get("game", "")):
            raise Refusal("service.read-only")
        asked.media = choose(asked.header("accept"), operation.media_types)
        await self._identify(asked)
        if self.counted:
            if (curb := asked.curb()) is not None and curb.bans:
                raise Refusal("caller.banned")
            if asked.media not in (SSE, NDJSON):
                await spend(asked, curb)
            if operation.id in MAKING:
                await _count(asked)
            _take_place(asked)
        if self.access in ("token", "member", "seat") and asked.identity is None:
            raise Refusal("token.missing")
        if asked.scope["query_string"]:
            _read_query(asked, operation.query)
        if self.access in ("member", "seat"):
            asked.acting = await _seat(asked, asked.game_id(), self.access)
        for need in self.needs:
            if (waiting := need(asked)) is not None:
                await waiting

    async def _identify(self, asked: Asked) -> None:
        """Whose token the request carries. Operations that are open to all do not look."""
        header = asked.header("authorization")
        if not header or self.access == "open":
            return
        scheme, _, token = header.partition(" ")
        who = await identified(asked, token if scheme.lower() == "bearer" else "")
        asked.identity, asked.caller = who, f"token:{who.token_id}"
        asked.scope["decklog.kind"] = who.kind  # type: ignore[typeddict-unknown-key]


def _read_query(asked: Asked, types: Mapping[str, Any]) -> None:
    """Strictly, before Litestar does. Raises ``query.invalid``, also for the form of a cursor."""
    text = asked.scope["query_string"].decode("latin-1")
    asked.pairs = parse_qsl(text, keep_blank_values=True)
    query = decode_query(types, asked.pairs)
    read_cursor(query.get("cursor", ""))  # what no list gave out
    asked.take_query(query)


anybody = partial(Guard, "open")
"""Tokens are not looked at."""
viewer = partial(Guard, "viewer")
"""A token changes what is seen."""
holder = partial(Guard, "token")
member = partial(Guard, "member")
seat = partial(Guard, "seat")


class Unguarded(Exception):
    """A route without a declared guard: such an application does not start."""


class DenyByDefault(ReceiveRoutePlugin):
    """Looks at every route as it is registered; raises :class:`Unguarded`.

    Litestar answers OPTIONS by itself: it tells the methods of an address and nothing else.
    """

    def receive_route(self, route: BaseRoute) -> None:
        for handler in getattr(route, "route_handlers", (None,)):
            if handler is not None and handler.http_methods == {"OPTIONS"}:
                continue
            guards = handler.resolve_guards() if isinstance(handler, Route) else ()
            if len(guards) != 1 or not isinstance(guards[0], Guard):
                raise Unguarded(f"{route.path} does not declare its guard")


# Whose token it is, and how much is left to its holder


async def identified(asked: Asked, token: str, header: str = "Authorization") -> Identity:
    """Whose token it is, that came in that header. Raises ``token.invalid``, ``rate.exceeded``
    after too many of them."""
    found = await asked.desk.reader.identify(token.strip()) if token else None
    if found is not None:
        return found
    _heed(await asked.http.limits.logins.spend(asked.caller))
    raise bad_token(header)


def bad_token(header: str) -> Refusal:
    """The refusal of a token that came in that header."""
    message = "no token of this service, or one that was revoked"
    parameter = header != "Authorization"
    told = (FieldError(f"#{header}", "unknown-value", message),) if parameter else ()
    return Refusal("token.invalid", f"{header}: {message}.", errors=told)


async def _count(asked: Asked) -> None:
    """What is kept is counted by the hour: a new game brings tokens, but no room of its own."""
    many = asked.http.settings.creation_limit
    said = f"A caller makes {many} games, forks, documents and webhooks an hour at most."
    hint = "Wait as many seconds as Retry-After says; play the games that there are."
    _heed(await asked.http.limits.make(asked.caller, asked.address), said, hint)


async def spend(asked: Asked, curb: Curb | None) -> None:
    """One request of the caller's quota. Raises ``rate.exceeded``."""
    allowance = await asked.http.limits.spend(asked.caller, asked.address, curb)
    asked.scope["decklog.allowance"] = allowance  # type: ignore[typeddict-unknown-key]
    _heed(allowance)


def _heed(allowance: Allowance, said: str = "", hint: str = "") -> None:
    """Raises ``rate.exceeded`` where nothing is left."""
    if not allowance.admitted:
        retry = {"Retry-After": str(allowance.retry)}
        raise Refusal("rate.exceeded", said, hint=hint, headers=retry)


def _take_place(asked: Asked) -> None:
    """One of the caller's requests that are answered at the same time: until it is answered."""
    places, caller = asked.http.limits.parallel, asked.caller
    if not places.take(caller):
        raise Refusal("requests.too-many", headers={"Retry-After": "1"})
    scope: Any = asked.scope
    scope["decklog.leave"] = lambda: places.leave(caller)


def leave(scope: Any) -> None:
    """Give back the place that the request took, if it took one. Harmless when repeated."""
    give_back = scope.pop("decklog.leave", None)
    if give_back is not None:
        give_back()


async def _seat(asked: Asked, game: str, access: Access) -> Seat:
    """The seat that the token acts for, "" for the organiser's where a member is enough.

    Raises ``token.*`` or ``game.not-found``.
    """
    who = asked.identity
    assert who is not None, "without a token nobody comes so far"
    if who.game != game:
        await asked.summary_of(game, who)
        raise Refusal("token.wrong-game")
    if who.kind == "seat":
        return who.seat
    if access == "seat":
        raise Refusal("token.not-a-seat", f"The token is of kind {who.kind}.")
    if who.kind == "organiser":
        return ""
    raise Refusal("token.not-a-member")


# What a guard may need


async def known_game(asked: Asked) -> None:
    """Raises ``game.not-found``, ``ruleset.not-installed``; the rules are known from then on."""
    game = asked.game_id()
    known = asked.http.rules.get(game)
    asked.rules = known or (await asked.summary_of(game, asked.identity)).rules
    if (summary := asked.desk.reader.in_play(game)) is not None:
        asked.looked(summary)  # who comes here may know it
    asked.played_by(asked.rules)


async def seen_game(asked: Asked) -> None:
    """Raises ``game.not-found``."""
    asked.game = await asked.summary_of(asked.game_id(), asked.identity)


def needs_key(asked: Asked) -> None:
    """Raises ``idempotency.key-missing`` or ``-malformed``."""
    key = asked.header("idempotency-key")
    if not key:
        raise Refusal("idempotency.key-missing")
    if not _KEY.fullmatch(key):
        raise Refusal("idempotency.key-malformed", hint=DRAWN)


def needs_version(asked: Asked) -> None:
    """Raises ``precondition.required`` or ``-malformed``."""
    tag = asked.header("if-match").strip()
    if not tag:
        raise Refusal("precondition.required")
    if not _TAG.fullmatch(tag):
        raise Refusal("precondition.malformed")


def good_links(asked: Asked) -> None:
    """Raises ``dice-link.malformed``, ``signature.malformed``."""
    signature = asked.header("decklog-signature")
    if signature and not _SIGNATURE.fullmatch(signature):
        raise Refusal("signature.malformed")
    for name in ("Decklog-Dice-Link", "Decklog-Dice-Tip"):
        text = asked.header(name.lower())
        if text and not _LINK.fullmatch(text):
            raise Refusal("dice-link.malformed", f"{name} is not 64 hexadecimal digits.")


async def whole_body(asked: Asked) -> None:
    """JSON, whole, soon: Litestar would read any media type, any encoding, and wait for ever.

    Raises ``content.unsupported``, ``body.too-large``, ``body.too-slow`` and, of a body without a
    byte, which Litestar would take for none, ``body.malformed``.
    """
    media, *parameters = asked.header("content-type").split(";")
    if media.strip().lower() != JSON:
        raise Refusal("content.unsupported")
    if any("charset" in p.lower() and not _CHARSET.fullmatch(p.strip()) for p in parameters):
        raise Refusal("content.unsupported", "The body's charset is not UTF-8.")
    if asked.header("content-encoding") not in ("", "identity"):
        raise Refusal("content.unsupported", "Compressed bodies are not taken.")
    # The server notes what has come whole: that needs no clock.
    body = await (asked.body() if "decklog.come" in asked.scope else _soon(asked))
    if not body:
        guard_json(body)


async def _soon(asked: Asked) -> bytes:
    """A body of which not all is there. Raises ``body.too-slow``."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await asked.body()
    except TimeoutError:
        raise Refusal("body.too-slow", headers={"Connection": "close"}) from None
