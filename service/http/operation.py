"""What an operation is: the one record from which routing, checks and the document are made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec

from service.problems import BY_CODE

if TYPE_CHECKING:
    from service.http.streams import StreamReply

    from .call import Call
    from .reply import Reply

JSON = "application/json"

Access = Literal["open", "viewer", "token", "member", "seat"]
"""Who is let in. "open": anybody, tokens are not looked at; "viewer": anybody, a token changes what
is seen; "token": a token is needed; "member": the token of a seat or of the organiser in the game
of the path; "seat": the token of a seat in it."""

Run = Callable[["Call"], Awaitable["Reply | StreamReply"]]
Schema = type[msgspec.Struct] | str
"""A struct, or the name of a component that depends on the installed rulesets."""


class NoQuery(msgspec.Struct, frozen=True):
    """No query parameters."""


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


def json_answer(status: int, meaning: str, schema: Schema, *headers: str) -> Answer:
    """An answer with one JSON body."""
    return Answer(status, meaning, ((JSON, schema),), headers)


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
        """The header fields."""
        return {
            "Deprecation": f"@{self.since}",
            "Sunset": self.sunset,
            "Link": f'<{self.link}>; rel="deprecation"',
        }


@dataclass(frozen=True)
class Link:
    """An operation to follow from an answer.

    target      its id
    parameters  each with where its value is: a pointer into the answer ("#/game/id"), or "path" for
                the value that the same parameter had in the request
    """

    target: str
    parameters: tuple[tuple[str, str], ...]

    def expressions(self) -> dict[str, str]:
        """The parameters as OpenAPI's runtime expressions."""
        return {
            name: f"$request.path.{name}" if place == "path" else f"$response.body{place}"
            for name, place in self.parameters
        }


def link(target: str, **parameters: str) -> Link:
    """The link to an operation; a name that Python keeps for itself ends in ``_``."""
    return Link(target, tuple((name.rstrip("_"), place) for name, place in parameters.items()))


@dataclass(frozen=True)
class Operation:
    """One operation of the API.

    id        operationId, verb and noun; never renamed
    access    the guard, which has no default: see :data:`Access`
    query     its parameters
    body      schema of the request body; None when there is none
    headers   request headers that it reads
    problems  codes that it gives besides those every operation gives; the table of problems has
              their order
    later     codes that it judges later than that table says, each with the one that it follows
    rules     whether rules may refuse it, with the codes of the rulesets
    writes    a POST that writes: an Idempotency-Key is needed
    counted   whether it counts against the quota of requests
    links     what to follow from its answer
    farewell  set when it is deprecated
    """

    id: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    tag: str
    summary: str
    description: str
    run: Run
    answers: tuple[Answer, ...]
    access: Access
    query: type[msgspec.Struct] = NoQuery
    body: Schema | None = None
    headers: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    later: tuple[tuple[str, str], ...] = ()
    rules: bool = False
    writes: bool = False
    counted: bool = True
    links: tuple[Link, ...] = ()
    farewell: Farewell | None = None

    def precedence(self, codes: Iterable[str]) -> list[str]:
        """Codes of the service in the order in which this operation judges them."""
        places = {name: (place, 0) for place, name in enumerate(BY_CODE)}
        for number, (name, after) in enumerate(self.later, 1):
            places[name] = (places[after][0], number)
        return sorted(codes, key=places.__getitem__)

    @property
    def media_types(self) -> tuple[str, ...]:
        """Media types of its successful answers, the preferred one first."""
        return tuple(dict.fromkeys(m for answer in self.answers for m, _ in answer.forms))
