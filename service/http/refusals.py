"""Every exception is a problem document with a stable code; an answer that is late is one too."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from litestar import Request
from litestar.exceptions import HTTPException

from domain.kernel.rules import Refused
from service.errors import ServiceError, Stale
from service.problems import FieldError, Refusal, by_rule, judged

from .reply import Reply, problem_reply

LOG = logging.getLogger("decklog.http")

DEADLINE = 10
"""Seconds within which the answer to a command, or to anything else that is posted, begins."""

PATIENCE = 50
"""The same for what is read: to go through a long game on a busy machine may take a while, and who
asks again only makes it longer. Reverse proxies wait a minute."""

AGAIN = "5"
"""Seconds after which to ask once more, where even that was not enough."""


def refuse(request: Request[Any, Any, Any], error: Exception) -> Reply:
    """The exception handler of the application."""
    http = request.app.state.http
    refusal = as_refusal(error, http.rule_titles)
    scope: Any = request.scope
    if judged(refusal, error):
        refusal.rules = scope.get("decklog.rules")
    routed = "route_handler" in scope
    http.metrics.refusals.inc(routed)
    if refusal.code == "version.stale":
        http.metrics.conflicts.inc()
    if refusal.code == "internal.error" and not isinstance(error, HTTPException):
        # What Litestar raises is the client's doing, such as hanging up in the middle of a body.
        LOG.error("a request failed", exc_info=error)
    scope["decklog.code"] = refusal.code
    reply = problem_reply(refusal, request.url.path if routed else scope["path"])
    if refusal.status == 405:
        named = (getattr(error, "headers", None) or {}).get("allow", "")
        reply.headers["Allow"] = allow(named.split(", "))
    return reply


def allow(named: Iterable[str]) -> str:
    """The methods of an address in our order; there is HEAD wherever there is GET."""
    methods = set(named) - {"", "OPTIONS"}
    return ", ".join((*sorted(methods | ({"HEAD"} if "GET" in methods else set())), "OPTIONS"))


def as_refusal(error: BaseException, titles: Callable[[], Mapping[str, str]] = dict) -> Refusal:
    """Every exception has a code: the refusal that the caller is told.

    titles  reads those of the rules, by ID, where one refuses
    """
    if isinstance(error, Refusal):
        return error
    if isinstance(error, Refused):
        return by_rule(error, titles())
    if isinstance(error, ServiceError):
        return _by_service(error)
    if isinstance(error, HTTPException):
        return Refusal(_LITESTAR.get(error.status_code, "internal.error"))
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
