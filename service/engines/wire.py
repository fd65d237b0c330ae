"""Interface 1: what an engine is asked and answers, canonical JSON in and canonical JSON out.

A request names a call and brings all that it needs; nothing is remembered between two of them, so
whoever answers may be ended at any moment. An array of requests is a batch, answered by an array.
Fields are only ever added, and readers pass over what they do not know; what is taken away or
means another thing is another interface. Engines know this as the README of the package says it.

States, commands and data of events are the engine's own: nobody else reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from .load import Loaded

ENCODE = msgspec.json.Encoder(order="sorted").encode
MOST = 256
"""Requests in a batch, at most."""


class Request(msgspec.Struct, frozen=True, rename="camel"):
    """One question. Which fields it needs, its call says.

    call   its name
    fork   whether the game began as a fork
    faces  in place of ``command``: dice that were awaited, pool by pool
    """

    call: str
    fork: bool = False
    setup: Raw | UnsetType = UNSET
    state: Raw | UnsetType = UNSET
    seat: str = ""
    command: Raw | UnsetType = UNSET
    label: str = ""
    faces: tuple[tuple[int, ...], ...] = ()
    events: tuple[tuple[str, int, Raw], ...] = ()
    viewers: tuple[str, ...] = ()
    question: Raw | UnsetType = UNSET
    kind: str = ""
    document: Raw | UnsetType = UNSET


REQUEST = msgspec.json.Decoder(Request)
BATCH = msgspec.json.Decoder(tuple[Request, ...])

Answer = dict[str, Any]


class Malformed(Exception):
    """A request that is none."""


class Wire:
    """Answers for one engine."""

    def __init__(self, loaded: Loaded) -> None:
        self._plain = _Asked(loaded, loaded.engine)
        self._loaded = loaded
        self._forked: _Asked | None = None

    def answer(self, text: bytes) -> bytes:
        """The answer to a request, or to a batch of them. Never raises."""
        if not text.startswith(b"["):
            return self._one(lambda: REQUEST.decode(text))
        try:
            requests = BATCH.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            return ENCODE({"malformed": str(error)})
        if len(requests) > MOST:
            return ENCODE({"malformed": f"{len(requests)} requests; {MOST} are the most"})
        answers = (self._one(lambda each=each: each) for each in requests)  # type: ignore[misc]
        return b"[" + b",".join(answers) + b"]"

    def _one(self, request: Callable[[], Request]) -> bytes:
        try:
            given = request()
            asked = self._of(given.fork)
            call = CALLS.get(given.call)
            if call is None:
                raise Malformed(f"no call is named {given.call!r}")
            return ENCODE(call(asked, given))
        except self._plain.refused as refused:
            return ENCODE({"refused": _refusal(refused)})
        except (Malformed, msgspec.DecodeError, UnicodeDecodeError) as error:
            return ENCODE({"malformed": str(error)})
        except Exception as error:  # whatever rules stumble over is no refusal
            if type(error).__name__ == "UnknownEvent":  # where it stands has changed with time
                return ENCODE({"malformed": f"an event of no known form: {error}"})
            return ENCODE({"crashed": f"{type(error).__name__}: {error}"[:500]})

    def _of(self, fork: bool) -> _Asked:
        if not fork:
            return self._plain
        if self._forked is None:
            self._forked = _Asked(self._loaded, self._loaded.forked)
        return self._forked


class _Asked:
    """An engine with what reads and writes its values."""

    def __init__(self, loaded: Loaded, engine: Any) -> None:
        codec, chance = loaded.kernel("codec"), loaded.kernel("chance")
        setups = loaded.kernel("setup" if loaded.has_kernel("setup") else "game")
        self.engine = engine
        self.refused: type[Exception] = loaded.kernel("rules").Refused
        self.faces = chance.Faces
        self.canonical: Callable[[Any], bytes] = codec.canonical
        self.codec = codec.Codec(engine)
        self.chances = getattr(engine, "chances", None) or _of_insight(engine, "chances")
        self.prospects = getattr(engine, "prospects", None) or _of_insight(engine, "prospects")
        self._setups = msgspec.json.Decoder(setups.Setup)
        self._questions = msgspec.json.Decoder(loaded.kernel("options").Pending)
        self._commands = msgspec.json.Decoder(reduce(or_, engine.commands))
        self._states = msgspec.json.Decoder(engine.state)

    def raw(self, value: Any) -> Raw:
        return Raw(self.canonical(value))

    def setup(self, asked: Request) -> Any:
        return self._setups.decode(_given(asked.setup, "setup"))

    def state(self, asked: Request) -> Any:
        return self._states.decode(_given(asked.state, "state"))

    def command(self, asked: Request) -> Any:
        return self._commands.decode(_given(asked.command, "command"))

    def question(self, asked: Request) -> Any:
        return self._questions.decode(_given(asked.question, "question"))

    def events(self, asked: Request) -> list[Any]:
        return [self.codec.decode(*each) for each in asked.events]

    def told(self, event: Any) -> list[Any]:
        return [self.codec.name(event), type(event).SCHEMA, self.raw(event)]

    def after(self, events: Iterable[Any], before: Any) -> Answer:
        """The events as they are stored, and the position that they lead to, read as stored."""
        told = [self.told(event) for event in events]
        state, kept = before, []
        for each in told:
            state = self.engine.evolve(state, self.codec.decode(*each))
            kept.append(self.engine.secrets(state))
        return {"events": told, "kept": kept, **self.position(state)}

    def position(self, state: Any) -> Answer:
        engine = self.engine
        awaited = engine.awaiting(state)
        return {
            "state": self.raw(state),
            "awaiting": self.raw(awaited),
            "chances": self.raw(None if awaited is None else self.chances(state)),
            "pending": self.raw(engine.pending(state)),
            "result": self.raw(engine.result(state)),
            "scores": self.raw(engine.scores(state)),
            "secrets": engine.secrets(state),
        }


def _given(raw: Raw | UnsetType, name: str) -> Raw:
    if raw is UNSET:
        raise Malformed(f"it brings no {name}")
    return raw


def _of_insight(engine: Any, name: str) -> Callable[[Any], Any]:
    """Where engines of history have what a roll may lead to; the oldest have it nowhere."""
    insight = getattr(engine, "insight", None)
    return getattr(insight, name, None) or (lambda state: None)


def _refusal(refused: Any) -> dict[str, str]:
    return {name: getattr(refused, name) for name in ("code", "rule", "hint", "pointer")}


# --- the calls ------------------------------------------------------------------------------------


def _start(it: _Asked, asked: Request) -> Answer:
    return it.after(it.engine.opening(it.setup(asked)), None)


def _decide(it: _Asked, asked: Request) -> Answer:
    state = it.state(asked)
    dice = asked.command is UNSET
    command = it.faces(asked.label, asked.faces) if dice else it.command(asked)
    return it.after(it.engine.decide(state, asked.seat, command), state)


def _evolve(it: _Asked, asked: Request) -> Answer:
    return it.after(it.events(asked), None if asked.state is UNSET else it.state(asked))


def _position(it: _Asked, asked: Request) -> Answer:
    return it.position(it.state(asked))


def _legal(it: _Asked, asked: Request) -> Answer:
    found = it.engine.legal(it.state(asked), asked.seat)
    templates = msgspec.json.decode(it.canonical(found.templates))
    return {
        "commands": it.raw(found.commands),
        "concessions": it.raw(getattr(found, "concessions", ())),
        "templates": bare(templates),
    }


def bare(value: Any) -> Any:
    """Plain JSON without descriptions: those are docstrings, which no archive has."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if k != "description" or not isinstance(v, str)}
        return {key: bare(each) for key, each in kept.items()}
    return [bare(each) for each in value] if isinstance(value, list) else value


def _usual(it: _Asked, asked: Request) -> Answer:
    return {"command": it.raw(it.engine.usual(it.state(asked), it.question(asked)))}


def _odds(it: _Asked, asked: Request) -> Answer:
    return {"odds": it.raw(it.engine.odds(it.state(asked), it.command(asked)))}


def _prospects(it: _Asked, asked: Request) -> Answer:
    return {"prospects": it.raw(it.prospects(it.state(asked)))}


def _redact(it: _Asked, asked: Request) -> Answer:
    """All events for all viewers; what the truth sees is the event in its present form."""
    events = it.events(asked)
    seen = {
        viewer: [it.raw(e if viewer == "truth" else it.engine.redact(e, viewer)) for e in events]
        for viewer in asked.viewers
    }
    return {"seen": seen, "schemas": [type(event).SCHEMA for event in events]}


def _domains(it: _Asked, asked: Request) -> Answer:
    return {"domains": list(it.engine.domains(it.setup(asked)))}


def _check(it: _Asked, asked: Request) -> Answer:
    document = msgspec.json.decode(_given(asked.document, "document"))
    custom = next((each for each in it.engine.customs if each.kind == asked.kind), None)
    if custom is None:
        raise Malformed(f"the rules take no document of the kind {asked.kind!r}")
    return {"faults": it.raw(custom.check(document))}


def _about(it: _Asked, asked: Request) -> Answer:
    engine = it.engine
    return {
        "ruleset": engine.ruleset,
        "version": engine.version,
        "position": getattr(engine, "position", 1),
        "editions": list(engine.editions),
        "seatCounts": list(engine.seat_counts),
        "options": bare(msgspec.json.schema(engine.options)),
        "commands": bare(msgspec.json.schema(reduce(or_, engine.commands))),
        "events": [
            [it.codec.name(e), e.SCHEMA, bare(msgspec.json.schema(e))] for e in engine.events
        ],
    }


CALLS: dict[str, Callable[[_Asked, Request], Answer]] = {
    "about": _about, "check": _check, "decide": _decide, "domains": _domains, "evolve": _evolve,
    "legal": _legal, "odds": _odds, "position": _position, "prospects": _prospects,
    "redact": _redact, "start": _start, "usual": _usual,
}  # fmt: skip
"""What may be asked, by name."""
