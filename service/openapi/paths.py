"""Paths of the document: parameters, bodies, answers and problems of every operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from service.http.operation import JSON, Answer, Operation
from service.http.routes import unwrapped
from service.http.streams import SSE
from service.problems import MEDIA_TYPE, status_of

from .shape import Schema, bounded, reference, tidy

PLACES = ("path", "query", "header")
KEYWORDS = ("type", "minLength", "maxLength", "pattern")
"""Of the schemas of parameters that are no query's: what else Litestar writes is said elsewhere."""

IF_NONE_MATCH: Schema = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "ETag that the caller has: 304 if it still holds.",
    "schema": {"type": "string"},
}
"""Every handler that tags what it answers reads it, without having it in its signature."""

_ANSWER_HEADERS: dict[str, tuple[str, Schema]] = {
    "ETag": (
        (
            'Entity tag. Of what shows a game `"V-H"`: the version V that is shown (of a roll that '
            "at which it fell; of a comparison with another game that of this one) and H of these "
            'bytes. `"V"` of the answer to a write, and of a problem that names the newest version.'
            " Of what is of no game a digest. `-gzip` ends that of a compressed answer. `If-Match` "
            "takes each that begins with V."
        ),
        {"type": "string"},
    ),
    "Location": ("Address of the new resource.", {"type": "string"}),
    "Link": ('Address of the next page, `rel="next"`; absent on the last one.', {"type": "string"}),
    "Idempotency-Replayed": (
        "`true` when this is the first answer again.",
        {"type": "string", "const": "true"},
    ),
    "Decklog-Head": (
        (
            "The newest event of the game (RFC 9651): its number, and its hash in its chain. "
            "Of a command that was given before: the head that it came to then. Absent where the "
            "answer may be kept for ever."
        ),
        {"type": "string", "pattern": '^[1-9][0-9]*;hash="[0-9a-f]{64}"$'},
    ),
    "Decklog-Receipt": (
        (
            "The receipt for what was accepted, where the service signs: a DSSE envelope of "
            "`application/vnd.decklog.receipt.v1+json` in base64. A repeat bears the same. Keep "
            "it: a record without what it is for convicts the service (`decklog verify --receipt`)."
        ),
        {"type": "string", "contentEncoding": "base64"},
    ),
    "Content-Disposition": ("Suggests a file name.", {"type": "string"}),
    "Retry-After": ("Seconds to wait.", {"type": "integer", "minimum": 0}),
    "RateLimit": ("The rest of the quota.", {"type": "string"}),
    "RateLimit-Policy": ("The quota.", {"type": "string"}),
    "X-Request-Id": (
        "Finds the request in the service's log; the one that was sent, if any. On every answer.",
        {"type": "string"},
    ),
    "WWW-Authenticate": ("The scheme of tokens.", {"type": "string"}),
}
ANSWER_HEADERS = {
    name: {"description": text, "schema": schema}
    for name, (text, schema) in _ANSWER_HEADERS.items()
}
"""The ``headers`` of the components."""

ALWAYS = ("request.malformed", "accept.not-acceptable", "internal.error", "service.deadline")
BODY = (
    "content.unsupported",
    "body.too-large",
    "body.too-slow",
    "body.malformed",
    "body.invalid",
)
COUNTED = ("caller.banned", "rate.exceeded", "requests.too-many", "service.stopping")
WRITING = (
    "idempotency.key-missing",
    "idempotency.key-malformed",
    "idempotency.key-reused",
    "idempotency.key-busy",
    "store.full",
    "store.unavailable",
    "service.overloaded",
    "service.stopping",
    "service.read-only",
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
    codes += ["game.deleted"] * ("game.not-found" in codes)
    codes.append("query.invalid")
    return list(dict.fromkeys(codes))


def paths_for(
    plain: Mapping[str, Any],
    operations: Iterable[Operation],
    rules: Iterable[str],
    examples: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The ``paths`` object: Litestar's, with what it cannot know.

    plain     Litestar's own: ids, tags, words, parameters, which body is asked for
    examples  recorded answers by operation id and status
    """
    found: dict[str, Any] = {}
    for operation in operations:
        path, method = operation.path, operation.method.lower()
        found.setdefault(path, {})[method] = _operation(
            plain[path][method], operation, tuple(rules), examples.get(operation.id, {})
        )
    return found


def _operation(
    plain: Mapping[str, Any],
    operation: Operation,
    rules: tuple[str, ...],
    examples: Mapping[str, Any],
) -> dict[str, Any]:
    found: dict[str, Any] = {name: plain[name] for name in ("operationId", "tags", "summary")}
    found["description"] = unwrapped(plain["description"])
    found["security"] = _security(operation)
    if operation.farewell is not None:
        found["deprecated"] = True
    if parameters := _parameters(plain.get("parameters", ()), operation):
        found["parameters"] = parameters
    if "requestBody" in plain:
        found["requestBody"] = {"required": True, "content": {JSON: _body(operation, examples)}}
    responses = {str(a.status): _answer(operation, a, examples) for a in operation.answers}
    if _conditional(operation):
        still = "The caller's ETag still holds."
        responses["304"] = {"description": still, "headers": _headers(("ETag",))}
    responses.update(_problems(codes_of(operation, rules)))
    found["responses"] = dict(sorted(responses.items()))
    return found


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    bearer: dict[str, list[str]] = {"token": []}
    return {"open": [], "viewer": [{}, bearer]}.get(operation.access, [bearer])


def _conditional(operation: Operation) -> bool:
    return operation.method == "GET" and any("ETag" in a.headers for a in operation.answers)


def _parameters(plain: Iterable[Schema], operation: Operation) -> list[Schema]:
    """Litestar's, by their places."""
    found = [
        {
            **{name: each[name] for name in ("name", "in", "required", "description")},
            "schema": _bounds(each, operation.query),
        }
        for each in sorted(plain, key=lambda each: PLACES.index(each["in"]))
    ]
    return [*found, IF_NONE_MATCH] if _conditional(operation) else found


def _bounds(plain: Schema, query: Mapping[str, Any]) -> Schema:
    """The schema of a parameter: of a query, that by which it is read strictly."""
    given = plain["schema"]
    if plain["in"] != "query":
        return {name: given[name] for name in KEYWORDS if name in given}
    default = {"default": given["default"]} if "default" in given else {}
    schema: Schema = bounded(tidy(msgspec.json.schema(query[plain["name"]]) | default))
    del schema["description"]
    return schema


def _body(operation: Operation, examples: Mapping[str, Any]) -> dict[str, Any]:
    assert operation.body is not None, "it is asked for one"
    shown = {"examples": examples["request"]} if "request" in examples else {}
    return {"schema": reference(operation.body), **shown}


def _answer(operation: Operation, answer: Answer, examples: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"description": answer.meaning}
    headers = ("RateLimit", "RateLimit-Policy") if operation.counted else ()
    if fields := _headers((*answer.headers, *headers)):
        found["headers"] = fields
    recorded, content = examples.get(str(answer.status), {}), {}
    for media, schema in answer.forms:
        # Text and bytes are strings, and so is what is streamed.
        text = _stream(operation) if media == SSE and operation.data else {"type": "string"}
        form: dict[str, Any] = {"schema": reference(schema) if schema else text}
        if media in recorded:
            form["examples"] = recorded[media]
        content[media] = form
    if content:
        found["content"] = content
    if operation.links and answer.status < 300:
        found["links"] = {
            link.target: {"operationId": link.target, "parameters": dict(link.parameters)}
            for link in operation.links
        }
    return found


def _stream(operation: Operation) -> Schema:
    """The text of a stream; OpenAPI 3.1 has no other place for what its `data` are."""
    kinds = [reference(each) for each in operation.data]
    return {
        "type": "string",
        "description": "Server-sent events; the `data` of each is one of these as JSON.",
        "contentMediaType": SSE,
        "contentSchema": {"anyOf": kinds},
    }


def _headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


_PROBLEM_HEADERS = {
    401: ("WWW-Authenticate",),
    412: ("ETag",),
    429: ("Retry-After",),
    500: ("X-Request-Id",),
    503: ("Retry-After",),
}


_NAMES_THE_VERSION = frozenset({"version.unknown", "cursor.stale"})
"""Codes beside those of 412 whose answers bear the ETag of the newest version."""


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
                "schema": reference("Problem"),
                "examples": {name: {"$ref": f"#/components/examples/{name}"} for name in names},
            }
        },
    }
    fields = ("ETag",) if _NAMES_THE_VERSION & {*names} else _PROBLEM_HEADERS.get(status, ())
    if headers := _headers(fields):
        answer["headers"] = headers
    return answer
