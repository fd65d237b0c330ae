"""What an operation is, in one record: told by its handler and what that adds in :func:`tells`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

JSON = "application/json"
YAML = "application/yaml"
ARCHIVE = "application/vnd.decklog.engine+zip"
"""An engine."""

HEAD = "Decklog-Head"
"""The header field by which an answer about a game names the newest event of its chain."""

RECEIPT = "Decklog-Receipt"
"""The header field that bears the receipt for what was accepted."""

Schema = type[msgspec.Struct] | str
"""A struct, or the name of a component that depends on the installed rulesets."""


@dataclass(frozen=True)
class Answer:
    """One answer that an operation gives.

    forms    media type to the schema of the body; None for a body that is just text or bytes
    headers  names of the header fields that it carries
    """

    status: int
    meaning: str
    forms: tuple[tuple[str, Schema | None], ...] = ()
    headers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Farewell:
    """What a deprecated operation says of itself in every answer.

    since   second (Unix time) from which it is deprecated: Deprecation (RFC 9745)
    sunset  HTTP date after which it may be gone: Sunset (RFC 8594), 180 days ahead or more
    link    address of what replaces it
    """

    since: int
    sunset: str
    link: str

    def headers(self) -> dict[str, str]:
        return {
            "Deprecation": f"@{self.since}",
            "Sunset": self.sunset,
            "Link": f'<{self.link}>; rel="deprecation"',
        }


@dataclass(frozen=True)
class Link:
    """An operation to follow from an answer: its id, and where the values of its parameters are."""

    target: str
    parameters: Mapping[str, str]


def link(target: str, **parameters: str) -> Link:
    """The link to an operation.

    parameters  each with where its value is: a pointer into the answer ("#/game/id"), or "path" for
                the value that the same parameter had in the request. A name that Python keeps for
                itself ends in ``_``
    """
    places = {
        name.rstrip("_"): f"$request.path.{name}" if place == "path" else f"$response.body{place}"
        for name, place in parameters.items()
    }
    return Link(target, places)


@dataclass(frozen=True)
class Tells:
    """What an operation tells besides the signature of its handler.

    meaning   of its success, whose JSON has the form that the handler returns
    carries   names of the header fields that are in it
    media     in which it may be had, the preferred one first
    schema    name of the component, where rulesets make it from what the handler returns
    data      of a stream: what the `data` of each server-sent event is one of
    also      what else it answers that is no problem
    problems  codes that it gives besides those every operation gives; the table of problems has
              their order
    later     codes that it judges later than that table says, each with the one that it follows
    rules     whether rules may refuse it, with the codes of the rulesets
    links     what to follow from its answer
    farewell  set when it is deprecated
    """

    meaning: str
    carries: tuple[str, ...] = ()
    media: tuple[str, ...] = (JSON,)
    schema: str = ""
    data: tuple[Schema, ...] = ()
    also: tuple[Answer, ...] = ()
    problems: tuple[str, ...] = ()
    later: tuple[tuple[str, str], ...] = ()
    rules: bool = False
    links: tuple[Link, ...] = ()
    farewell: Farewell | None = None


def tells(meaning: str, *carries: str, **more: Any) -> dict[str, Any]:
    """:class:`Tells` as ``opt`` of a route."""
    return {"tells": Tells(meaning, carries, **more)}


@dataclass(frozen=True, kw_only=True)
class Operation(Tells):
    """One operation of the API, as its route says (:mod:`routes`).

    id       operationId, verb and noun; never renamed: the name of the handler
    access   the guard, see ``access.Access``
    query    types of its parameters with their bounds, by which they are read strictly
    body     schema of the request body; None when there is none
    headers  request headers that it reads
    counted  whether it counts against the quota of requests
    """

    id: str
    method: str
    path: str
    tag: str
    summary: str
    description: str
    access: str
    query: Mapping[str, Any]
    body: Schema | None
    headers: tuple[str, ...]
    counted: bool
    answers: tuple[Answer, ...]

    @cached_property
    def media_types(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(m for each in self.answers for m, _ in each.forms))

    @property
    def writes(self) -> bool:
        """A POST that writes: an Idempotency-Key is needed."""
        return "Idempotency-Key" in self.headers
