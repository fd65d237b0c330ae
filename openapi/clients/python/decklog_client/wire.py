"""Requests and answers as values, and the patience with which a request is repeated.

Nothing here talks to anybody: a *flow* is a generator that yields what it wants to ask, or a pause,
and is sent what came of it. A client with or without ``await`` carries it out (client.py).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, TypeVar

Json = dict[str, Any]
T = TypeVar("T")

SOON = frozenset({429, 502, 503, 504})
"""Answers after which the same request is sent again: whether it was worked on, nobody knows."""

WITH_A_TIME = frozenset({409, 412})
"""Those after which it is sent again if the answer says when."""

PASSING = frozenset({"idempotency.key-busy", "dice.awaited"})
"""Codes that will pass by themselves."""

FIRST, MOST = 0.25, 4.0
"""Seconds of the first pause, and of the longest; each is twice the one before."""


class Ask(NamedTuple):
    """A request."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


class Pause(NamedTuple):
    """Nothing is asked for so many seconds."""

    seconds: float


class Answer(NamedTuple):
    """What was answered; the names of ``headers`` are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


class Broken(NamedTuple):
    """Nobody has answered: whether the request was heard is not known."""

    error: Exception


Told = Answer | Broken | None
Flow = Generator[Ask | Pause, Told, T]


class Problem(Exception):
    """The service refused. ``code`` is stable: decide by it; a new one may come at any time."""

    def __init__(self, status: int, document: Json) -> None:
        self.status = status
        self.code = str(document.get("code", ""))
        self.hint = str(document.get("hint", ""))
        self.rule = str(document.get("rule", ""))
        self.document = document
        told = document.get("detail") or document.get("title") or ""
        super().__init__(f"{status} {self.code}: {told}")


def problem(answer: Answer) -> Problem:
    """The refusal that an answer is."""
    try:
        document = answer.json()
    except ValueError:
        document = None
    return Problem(answer.status, document if isinstance(document, dict) else {})


def writing(method: str, path: str, body: object, **headers: str) -> Ask:
    """A request that writes. Its key is drawn once: repeated, it has one effect."""
    fields = {
        "Accept": "application/json",
        "Content-Type": "application/json",
        "Idempotency-Key": secrets.token_hex(16),
        **headers,
    }
    return Ask(method, path, {}, fields, json.dumps(body).encode())


def reading(path: str, accept: str = "application/json", /, **query: object) -> Ask:
    """A request that reads."""
    fields = {name: _text(value) for name, value in query.items() if value is not None}
    return Ask("GET", path, fields, {"Accept": accept})


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def patiently(ask: Ask, patience: float) -> Flow[Answer]:
    """Ask until there is an answer that is not "later", at most so many seconds of pauses."""
    waited, pause = 0.0, FIRST
    while True:
        told = yield ask
        wait = pause_after(told, pause)
        if wait is None or waited + wait > patience:
            break
        yield Pause(wait)
        waited, pause = waited + wait, min(2 * pause, MOST)
    if isinstance(told, Broken):
        raise told.error
    assert told is not None
    return told


def pause_after(told: Told, pause: float) -> float | None:
    """Seconds after which to ask again; None: this is the answer."""
    if not isinstance(told, Answer):
        return pause
    asked = told.headers.get("retry-after", "")
    seconds = float(asked) if asked.isdecimal() else 0.0
    passing = told.status == 409 and problem(told).code in PASSING
    if told.status in SOON or passing or (told.status in WITH_A_TIME and asked):
        return max(pause, seconds)
    return None
