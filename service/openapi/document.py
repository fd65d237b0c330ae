"""The whole document, and where its committed form lies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.game import Game
from service.build import service_version
from service.http.operation import JSON
from service.http.registry import TAGS, operations, plain_paths
from service.problems import BY_CODE, KINDS, MEDIA_TYPE, Refusal, as_builtins

from .codes import refusal_codes
from .components import NEWER, components_for
from .paths import ANSWER_HEADERS, paths_for
from .sent import sent
from .shape import REF, WORDS
from .sharing import set_out, share, spread
from .specified import specified

AnyGame = Game[Any, Any, Any]

FOLDER = Path(__file__).resolve().parents[2] / "openapi"
COMMITTED = FOLDER / "openapi.json"
SLICES = FOLDER / "rulesets"
"""Documents of each ruleset alone."""
VALIDATORS = "validators"
"""Names the form for strict validators, where a ruleset would be named."""
RECORDED = "x-recorded"
"""Marks the example of a problem that a service answered; the others are written from its kind."""

UNROUTED = ("route.not-found", "method.not-allowed")
"""What is answered to a request that no operation takes: a 404, and a 405 with ``Allow``."""

DESCRIPTION = """
An event-sourced service for naval wargames: every order, roll and hit on the record.

To play: create a game; until it is finished, list the commands of the seat to move, pick an item,
and post its `command` with `If-Match` set to the list's ETag and a fresh `Idempotency-Key`. On 412
list again. Every answer that is not a success is a problem document with a stable `code`.
"""


def document_for(games: Mapping[str, AnyGame], only: str = "") -> bytes:
    """The document that a service with these rulesets serves: the committed bytes if they fit.

    only  one of them: the document of that one alone; or :data:`VALIDATORS`, of all of them
    """
    if only == VALIDATORS:
        return set_out(tried(json.loads(document_for(games)))).encode() + b"\n"
    committed, rulesets = _committed()
    if committed and rulesets == sorted(games):
        return slice_at(only).read_bytes() if only else committed
    if only:
        return slices({only: games[only]}, read_examples() if committed else {})[slice_at(only)]
    return _built(tuple(games.items()))


def tried(document: dict[str, Any]) -> dict[str, Any]:
    """The document for strict validators: those that heed ``discriminator`` want a constant of each
    branch, which that for what is newer has not. Without the word they try the branches."""
    for schema in document["components"]["schemas"].values():
        if any(each.get("$ref", "").startswith(REF + NEWER) for each in schema.get("oneOf", ())):
            del schema["discriminator"]
    return document


def slice_at(ruleset: str) -> Path:
    """Where the committed document of one ruleset alone lies."""
    return SLICES / f"{ruleset}.json"


def slices(
    games: Mapping[str, AnyGame],
    examples: Mapping[str, Mapping[str, Any]],
    problems: Mapping[str, Any] | None = None,
) -> dict[Path, bytes]:
    """The documents of each ruleset alone, by where they lie."""
    return {
        slice_at(name): encode(build({name: game}, examples_of(name, examples), problems))
        for name, game in games.items()
    }


def examples_of(ruleset: str, examples: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What of the examples was recorded with that ruleset."""
    found: dict[str, Any] = {}
    for operation, places in examples.items():
        for place, forms in places.items():
            own = _own(ruleset, forms)
            if own:
                found.setdefault(operation, {})[place] = own
    return found


def _own(ruleset: str, forms: Mapping[str, Any]) -> dict[str, Any]:
    """Of a request's examples, or an answer's by media type, those of one ruleset."""
    if ruleset in forms:
        return {ruleset: forms[ruleset]}
    media = ((name, shown) for name, shown in forms.items() if "value" not in shown)
    return {name: {ruleset: shown[ruleset]} for name, shown in media if ruleset in shown}


@cache
def _built(games: tuple[tuple[str, AnyGame], ...]) -> bytes:
    """Once for a set of rulesets: building takes longer than the rest of a service's start."""
    return encode(build(dict(games), read_examples() if _committed()[0] else {}))


@cache
def _committed() -> tuple[bytes, list[str]]:
    """The document as it is kept, and the rulesets that it is of; none if it is not there."""
    document = COMMITTED.read_bytes() if COMMITTED.is_file() else b""
    return document, msgspec.json.decode(document)["x-rulesets"] if document else []


def read_examples() -> dict[str, dict[str, Any]]:
    """The recorded answers that the committed document shows.

    Operation id, then status or "request", then media type, then ruleset.
    """
    document = plain()
    operations = (one for path in document["paths"].values() for one in path.values())
    found = {one["operationId"]: _shown(one) for one in operations if "operationId" in one}
    return {name: shown for name, shown in sorted(found.items()) if shown}


def _shown(operation: Mapping[str, Any]) -> dict[str, Any]:
    """What one operation shows: its request, and its answers by status and media type."""
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
    shown: dict[str, Any] = {"request": body["examples"]} if "examples" in body else {}
    for status, answer in operation["responses"].items():
        forms = {
            media: form["examples"]
            for media, form in answer.get("content", {}).items()
            if media != MEDIA_TYPE and "examples" in form
        }
        if forms:
            shown[status] = forms
    return shown


def read_problem_examples() -> dict[str, Any]:
    """The recorded problems that the committed document shows, by code."""
    document = plain()
    every = {**document["components"]["examples"], **document["x-unrouted"]}
    return {code: one["value"] for code, one in every.items() if one.get(RECORDED)}


def plain() -> dict[str, Any]:
    """The committed document, with everything in its place."""
    return spread(json.loads(COMMITTED.read_bytes()))


def build(
    games: Mapping[str, AnyGame],
    examples: Mapping[str, Mapping[str, Any]],
    problems: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The document as plain values."""
    rules = sorted({code for game in games.values() for code in refusal_codes(game)})
    schemas = specified(components_for(games, operations()))
    codes = list(dict.fromkeys((*(kind.code for kind in KINDS), *rules)))
    schemas["Problem"]["properties"]["code"] = {"type": "string", WORDS: codes}
    recorded = read_problem_examples() if problems is None else problems
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Decklog",
            "version": service_version(),
            "summary": "Naval wargames, event-sourced",
            "description": DESCRIPTION.strip(),
            "contact": {"name": "Decklog"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The service that gave this document."}],
        "tags": [{"name": name, "description": text} for name, text in TAGS],
        "security": [{}, {"token": []}],
        "paths": paths_for(plain_paths(), operations(), rules, examples),
        "webhooks": sent(),
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A seat's, organiser's or auditor's token. Without one the "
                    "caller is an onlooker.",
                }
            },
            "headers": ANSWER_HEADERS,
            "schemas": schemas,
            "examples": {
                code: _problem_example(code, recorded) for code in codes if code not in UNROUTED
            },
        },
        "x-rulesets": sorted(games),
        # OpenAPI has no place for the answers to requests that no operation takes.
        "x-unrouted": {code: _problem_example(code, recorded) for code in UNROUTED},
    }


def _problem_example(code: str, recorded: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded problem of that code, or what the service would write for it."""
    value = recorded.get(code) or as_builtins(Refusal(code).document("/v1/games"))
    title = BY_CODE[code].title if code in BY_CODE else value["title"]
    mark = {RECORDED: True} if code in recorded else {}
    return {"summary": title, "value": value, **mark}


def encode(document: Mapping[str, Any]) -> bytes:
    """The document's bytes: in the order of this file, what is the same once, set out."""
    return set_out(share(document)).encode() + b"\n"
