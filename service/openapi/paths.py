"""Paths of the document: parameters, bodies, answers and problems of every operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from service.http.operation import JSON, Answer, Operation
from service.problems import MEDIA_TYPE, status_of

from .shape import REF, Schema, bounded, tidy

PATH_PARAMETERS: dict[str, tuple[str, Schema]] = {
    "game": ("Id of the game.", {"type": "string", "pattern": "^[0-9a-f]{32}$"}),
    "ruleset": ("Id of the ruleset.", {"type": "string"}),
    "unit": ("Id of the unit.", {"type": "string"}),
    "ability": ("Id of the ability.", {"type": "string"}),
    "rule": ("Id of the rule or ruling.", {"type": "string"}),
    "roll": ("Id of the roll: its label.", {"type": "string"}),
    "kind": ("Kind of document.", {"type": "string"}),
    "custom": ("Id of the document.", {"type": "string"}),
    "webhook": ("Id of the webhook.", {"type": "string"}),
    "delivery": ("Id of the delivery.", {"type": "string"}),
    "page": ("Name of the page.", {"type": "string"}),
    "asset": ("Name of the file.", {"type": "string"}),
    "code": ("Code of the problem.", {"type": "string"}),
    "file": ("Name of the file.", {"type": "string"}),
}

KEY = {"type": "string", "minLength": 16, "maxLength": 255, "pattern": "^[!-~]+$"}
TAG = {"type": "string", "pattern": '^"[0-9]{1,16}"$'}

REQUEST_HEADERS: dict[str, tuple[str, bool, Schema]] = {
    "Idempotency-Key": (
        (
            "A fresh random text for each new request; the same one to repeat a request. Without a "
            "token it is the secret that opens the answer again: 32 characters at least."
        ),
        True,
        KEY,
    ),
    "If-Match": (
        "ETag of the version that the command was decided on, of a compressed answer too.",
        True,
        TAG,
    ),
    "If-None-Match": (
        "ETag that the caller has: 304 if it still holds.",
        False,
        {"type": "string"},
    ),
    "Decklog-Dice-Link": (
        "The seat's own dice link for its command (grade A1), in hexadecimal digits.",
        False,
        {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"},
    ),
    "Decklog-Dice-Tip": (
        "Tip of the seat's next dice chain, when the one before is spent (grade A1).",
        False,
        {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"},
    ),
    "Decklog-With-Token": (
        "A token of the game that `with` names, where the request's own is of another one.",
        False,
        {"type": "string", "maxLength": 200},
    ),
    "Last-Event-ID": (
        "`seq` of the last event that was seen (server-sent events); it goes before `after`.",
        False,
        {"type": "string", "pattern": "^[0-9]{0,16}$"},
    ),
}

ANSWER_HEADERS: dict[str, tuple[str, Schema]] = {
    "ETag": (
        "Strong entity tag; of a game, its version, and `-gzip` where it is compressed.",
        {"type": "string"},
    ),
    "Location": ("Address of what was made.", {"type": "string"}),
    "Link": ('Address of the next page, `rel="next"`; absent on the last one.', {"type": "string"}),
    "Idempotency-Replayed": (
        "`true` when this is the first answer again.",
        {"type": "string", "const": "true"},
    ),
    "Content-Disposition": ("Suggests a file name.", {"type": "string"}),
    "Retry-After": ("Seconds to wait.", {"type": "integer", "minimum": 0}),
    "RateLimit": ("What is left of the quota.", {"type": "string"}),
    "RateLimit-Policy": ("The quota.", {"type": "string"}),
    "X-Request-Id": (
        "Finds the request in the service's log; the one that was sent, if any. On every answer.",
        {"type": "string"},
    ),
    "WWW-Authenticate": ("How to send a token.", {"type": "string"}),
}

ALWAYS = ("request.malformed", "accept.not-acceptable", "internal.error", "service.deadline")
BODY = (
    "content.unsupported",
    "body.too-large",
    "body.too-slow",
    "body.malformed",
    "body.invalid",
)
COUNTED = ("rate.exceeded", "requests.too-many", "service.stopping")
WRITING = (
    "idempotency.key-missing",
    "idempotency.key-malformed",
    "idempotency.key-reused",
    "idempotency.key-busy",
    "store.full",
    "store.unavailable",
    "service.overloaded",
    "service.stopping",
)


def codes_of(operation: Operation, rules: Iterable[str]) -> list[str]:
    """Every code that the operation may give, its own first."""
    codes = [*operation.problems, *ALWAYS]
    if operation.counted:
        codes += COUNTED
    if operation.access != "open":
        codes += ["token.invalid", "rate.exceeded", "service.stopping"]
    if operation.access in ("token", "member", "seat"):
        codes.append("token.missing")
    if operation.access == "member":
        codes += ["game.not-found", "token.wrong-game", "token.not-a-member"]
    if operation.body is not None:
        codes += BODY
    if operation.writes:
        codes += WRITING
    if operation.rules:
        codes += rules
    codes.append("query.invalid")
    return list(dict.fromkeys(codes))


def paths_for(
    operations: Iterable[Operation],
    rules: Iterable[str],
    examples: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The ``paths`` object. ``examples`` are recorded answers by operation id and status."""
    found: dict[str, Any] = {}
    for operation in operations:
        item = found.setdefault(operation.path, {})
        item[operation.method.lower()] = _operation(
            operation, tuple(rules), examples.get(operation.id, {})
        )
    return found


def _operation(
    operation: Operation, rules: tuple[str, ...], examples: Mapping[str, Any]
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "security": _security(operation),
    }
    if operation.farewell is not None:
        found["deprecated"] = True
    if parameters := _parameters(operation):
        found["parameters"] = parameters
    if operation.body is not None:
        found["requestBody"] = _body(operation, examples)
    responses = {}
    for answer in operation.answers:
        responses[str(answer.status)] = _answer(operation, answer, examples)
    if _conditional(operation):
        responses["304"] = {
            "description": "The caller's ETag still holds.",
            "headers": _headers(("ETag",)),
        }
    responses.update(_problems(codes_of(operation, rules)))
    found["responses"] = dict(sorted(responses.items()))
    return found


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    bearer: dict[str, list[str]] = {"token": []}
    return {"open": [], "viewer": [{}, bearer]}.get(operation.access, [bearer])


def _conditional(operation: Operation) -> bool:
    return operation.method == "GET" and any("ETag" in a.headers for a in operation.answers)


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    found = []
    for name in names:
        text, schema = PATH_PARAMETERS[name]
        found.append(
            {"name": name, "in": "path", "required": True, "description": text, "schema": schema}
        )
    found += _query(operation.query)
    headers = operation.headers + (("If-None-Match",) if _conditional(operation) else ())
    for name in headers:
        text, required, schema = REQUEST_HEADERS[name]
        found.append(
            {
                "name": name,
                "in": "header",
                "required": required,
                "description": text,
                "schema": schema,
            }
        )
    return found


def _query(query: type[msgspec.Struct]) -> list[dict[str, Any]]:
    _, components = msgspec.json.schema_components([query])
    found = []
    for name, raw in components[query.__name__]["properties"].items():
        schema = bounded(tidy(raw))
        text = schema.pop("description", "")
        found.append(
            {"name": name, "in": "query", "required": False, "description": text, "schema": schema}
        )
    return found


def _body(operation: Operation, examples: Mapping[str, Any]) -> dict[str, Any]:
    form: dict[str, Any] = {"schema": _schema(operation.body)}
    if "request" in examples:
        form["examples"] = examples["request"]
    return {"required": True, "content": {JSON: form}}


def _schema(schema: Any) -> Schema:
    name = schema if isinstance(schema, str) else schema.__name__
    return {"$ref": REF + name}


STREAMED = {"EventStream", "EventLines"}


def _answer(operation: Operation, answer: Answer, examples: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"description": answer.meaning}
    headers = ("RateLimit", "RateLimit-Policy") if operation.counted else ()
    if fields := _headers((*answer.headers, *headers)):
        found["headers"] = fields
    content = {}
    recorded = examples.get(str(answer.status), {})
    for media, schema in answer.forms:
        form: dict[str, Any] = {"schema": _form(schema)}
        if media in recorded:
            form["examples"] = recorded[media]
        content[media] = form
    if content:
        found["content"] = content
    if operation.links and answer.status < 300:
        found["links"] = {
            link.target: {"operationId": link.target, "parameters": link.expressions()}
            for link in operation.links
        }
    return found


def _form(schema: Any) -> Schema:
    """Text and bytes are strings; a stream's schema is that of its text."""
    if schema is None or schema in STREAMED:
        return {"type": "string"}
    return _schema(schema)


def _headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def header_components() -> dict[str, Any]:
    """The ``headers`` of the components."""
    return {
        name: {"description": text, "schema": schema}
        for name, (text, schema) in ANSWER_HEADERS.items()
    }


_PROBLEM_HEADERS = {
    401: ("WWW-Authenticate",),
    412: ("ETag",),
    429: ("Retry-After",),
    500: ("X-Request-Id",),
    503: ("Retry-After",),
}


def _problems(codes: list[str]) -> dict[str, Any]:
    """One answer for each status, with an example for each code."""
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(status_of(code), []).append(code)
    return {str(status): _problem(status, names) for status, names in by_status.items()}


def _problem(status: int, names: list[str]) -> Schema:
    answer: dict[str, Any] = {
        "description": "Problem: "
        + ", ".join(f"`{name}`" for name in names[:12])
        + (" and others." if len(names) > 12 else "."),
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": REF + "Problem"},
                "examples": {name: {"$ref": f"#/components/examples/{name}"} for name in names},
            }
        },
    }
    if headers := _headers(_PROBLEM_HEADERS.get(status, ())):
        answer["headers"] = headers
    return answer
