"""The one way through which every request goes, and where every exception becomes a problem."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from litestar import Request
from litestar.exceptions import HTTPException

from domain.kernel.rules import Refused
from service.errors import ServiceError, Stale
from service.http.limits import MAKING, Allowance, address_key
from service.http.streams import NDJSON, SSE, StreamReply
from service.problems import FieldError, Refusal, by_rule, judged

from .accept import choose
from .admission import identified
from .call import Call, Http
from .decoding import decode_query
from .operation import Operation
from .paging import read_cursor
from .reply import Reply, problem_reply

LOG = logging.getLogger("decklog.http")

DEADLINE = 10
"""Seconds within which the answer to a command, or to anything else that is posted, begins."""

PATIENCE = 50
"""The same for what is read: to go through a long game on a busy machine may take a while, and who
asks again only makes it longer. Reverse proxies wait a minute."""

AGAIN = "5"
"""Seconds after which to ask once more, where even that was not enough."""


async def answer(
    http: Http, operation: Operation, request: Request[Any, Any, Any]
) -> Reply | StreamReply:
    """The operation's answer, or the problem that stands in its way."""
    call = Call(http, operation, request, caller=address_of(request))
    try:
        if operation.counted and http.closing.is_set():
            raise Refusal("service.stopping", headers={"Connection": "close"})
        async with asyncio.timeout(PATIENCE if operation.method == "GET" else DEADLINE):
            await _admit(call)
            reply = await operation.run(call)
        if isinstance(reply, StreamReply):
            leave(request.scope)
        return reply
    except Exception as error:
        refusal = as_refusal(error, http.rule_titles)
        if judged(refusal, error):
            refusal.rules = call.rules
        _record(http, refusal, error)
        request.scope["decklog.code"] = refusal.code  # type: ignore[typeddict-unknown-key]
        return problem_reply(refusal, request.url.path)


async def _admit(call: Call) -> None:
    """Form of the answer, token, quota, query: in the order of the table of problems."""
    call.media = choose(call.header("accept"), call.operation.media_types)
    await _identify(call)
    if call.operation.counted:
        if call.media not in (SSE, NDJSON):
            await _charge(call)
        if call.operation.id in MAKING:
            await _count(call)
        _take_place(call)
    if call.operation.access in ("token", "member", "seat") and call.identity is None:
        raise Refusal("token.missing")
    pairs = [(name, value) for name, value in call.request.query_params.multi_items()]
    call.query = decode_query(call.operation.query, pairs)
    read_cursor(getattr(call.query, "cursor", ""))  # what no list gave out is refused by its form
    if call.operation.access == "seat":
        call.acting = await call.seat(call.game_id())
    elif call.operation.access == "member":
        call.acting = await call.member(call.game_id())


async def _identify(call: Call) -> None:
    """Whose token the request carries. Operations that are open to all do not look."""
    header = call.header("authorization")
    if not header or call.operation.access == "open":
        return
    scheme, _, token = header.partition(" ")
    call.identity = await identified(call, token if scheme.lower() == "bearer" else "")
    call.caller = f"token:{call.identity.token_id}"
    call.request.scope["decklog.kind"] = call.identity.kind  # type: ignore[typeddict-unknown-key]


async def _charge(call: Call) -> None:
    allowance = await call.http.limits.spend(call.caller, address_of(call.request))
    note(call.request.scope, allowance)
    if not allowance.admitted:
        raise Refusal("rate.exceeded", headers={"Retry-After": str(allowance.retry)})


async def _count(call: Call) -> None:
    """What is kept is counted by the hour: a new game brings tokens, but no room of its own."""
    allowance = await call.http.limits.make(call.caller, address_of(call.request))
    if not allowance.admitted:
        many = call.http.settings.creation_limit
        said = f"A caller makes {many} games, forks, documents and webhooks an hour at most."
        hint = "Wait as many seconds as Retry-After says; play the games that there are."
        retry = {"Retry-After": str(allowance.retry)}
        raise Refusal("rate.exceeded", said, hint=hint, headers=retry)


def _take_place(call: Call) -> None:
    """One of the caller's requests that are answered at the same time: until it is answered."""
    places, caller = call.http.limits.parallel, call.caller
    if not places.take(caller):
        raise Refusal("requests.too-many", headers={"Retry-After": "1"})
    scope: Any = call.request.scope
    scope["decklog.leave"] = lambda: places.leave(caller)


def leave(scope: Any) -> None:
    """Give back the place that the request took, if it took one. Harmless when repeated."""
    give_back = scope.pop("decklog.leave", None)
    if give_back is not None:
        give_back()


def note(scope: Any, allowance: Allowance) -> None:
    """Leave the allowance where the front door finds it for the answer's headers."""
    scope["decklog.allowance"] = allowance


def address_of(request: Request[Any, Any, Any]) -> str:
    """The caller by its address, which the front door has worked out."""
    scope: Any = request.scope
    return address_key(scope["decklog.origin"])


def as_refusal(error: BaseException, titles: Mapping[str, str] | None = None) -> Refusal:
    """Every exception has a code: the refusal that the caller is told.

    titles  of the rules, by ID, for those that refuse
    """
    if isinstance(error, Refusal):
        return error
    if isinstance(error, Refused):
        return by_rule(error, titles or {})
    if isinstance(error, ServiceError):
        return _by_service(error)
    if isinstance(error, HTTPException):
        return _by_litestar(error)
    if isinstance(error, TimeoutError):
        return Refusal("service.deadline", headers={"Retry-After": AGAIN})
    return Refusal("internal.error")


def _by_service(error: ServiceError) -> Refusal:
    fields = (FieldError(error.pointer, error.code, error.hint),) if error.pointer else ()
    version = error.current if isinstance(error, Stale) else None
    return Refusal(error.code, error.hint, version=version, errors=fields)


_LITESTAR = {
    400: "request.malformed",
    404: "route.not-found",
    405: "method.not-allowed",
    413: "body.too-large",
}


def _by_litestar(error: HTTPException) -> Refusal:
    return Refusal(_LITESTAR.get(error.status_code, "internal.error"))


def _record(http: Http, refusal: Refusal, error: BaseException) -> None:
    """Count the refusal; a fault of ours goes to the log with its traceback.

    What Litestar raises is the client's doing, such as hanging up in the middle of a body.
    """
    http.metrics.refusals.inc()
    if refusal.code == "version.stale":
        http.metrics.conflicts.inc()
    if refusal.code == "internal.error" and not isinstance(error, HTTPException):
        LOG.error("a request failed", exc_info=error)
