"""Interface 1: what an engine is asked and answers, canonical JSON in and canonical JSON out.

A request names a call and brings all that it needs; nothing is remembered between two of them, so
whoever answers may be ended at any moment. An array of requests is a batch, answered by an array.
Fields are only ever added, and readers pass over what they do not know; what is taken away or
means another thing is another interface. Engines know this as the README of the package says it.

States, commands and data of events are the engine's own: nobody else reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from .load import Loaded, Unloadable

ENCODE = msgspec.json.Encoder(order="sorted").encode
MOST = 256
"""Requests in a batch, at most."""

PUBLIC = "public"
"""Who looks on and has no seat (``domain.kernel.values``, of which nothing is imported here)."""


class Request(msgspec.Struct, frozen=True, rename="camel"):
    """One question. Which fields it needs, its call says.

    call   its name
    fork   whether the game began as a fork
    faces  in place of ``command``: dice that were awaited, pool by pool
    whole  of ``start``, ``decide`` and ``evolve``: each position on the way and what follows from
           it, and what every seat and the public see of the events; of ``redact``: all fields
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
    whole: bool = False
    commands: tuple[Raw, ...] = ()
    before: Raw | UnsetType = UNSET
    unit: str = ""
    seats: tuple[str, ...] = ()
    name: str = ""
    schema: int = 0
    seed: str = ""


REQUEST = msgspec.json.Decoder(Request)
BATCH = msgspec.json.Decoder(tuple[Request, ...])

Answer = dict[str, Any]


class Malformed(Exception):
    """A request that is none."""


class Wire:
    """Answers for one engine."""

    def __init__(self, loaded: Loaded, more: Calls | None = None) -> None:
        """``more``: what may be asked besides (``wire_shown.py``)."""
        self._calls = {**CALLS, **(more or {})}
        self._plain = Asked(loaded, loaded.engine)
        self._loaded = loaded
        self._forked: Asked | None = None

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
            call = self._calls.get(given.call)
            if call is None:
                raise Malformed(f"no call is named {given.call!r}")
            return ENCODE(call(asked, given))
        except self._plain.refused as refused:
            return ENCODE({"refused": _refusal(refused)})
        except (Malformed, msgspec.DecodeError, UnicodeDecodeError, Unloadable) as error:
            return ENCODE({"malformed": str(error)})
        except Exception as error:  # whatever rules stumble over is no refusal
            if type(error).__name__ == "UnknownEvent":  # where it stands has changed with time
                return ENCODE({"malformed": f"an event of no known form: {error}"})
            return ENCODE({"crashed": f"{type(error).__name__}: {error}"[:500]})

    def _of(self, fork: bool) -> Asked:
        if not fork:
            return self._plain
        if self._forked is None:
            self._forked = Asked(self._loaded, self._loaded.forked)
        return self._forked


class Asked:
    """An engine with what reads and writes its values."""

    def __init__(self, loaded: Loaded, engine: Any) -> None:
        codec, chance = loaded.kernel("codec"), loaded.kernel("chance")
        setups = loaded.kernel("setup" if loaded.has_kernel("setup") else "game")
        self.engine = engine
        self.refused: type[Exception] = loaded.kernel("rules").Refused
        self.faces = chance.Faces
        self.canonical: Callable[[Any], bytes] = codec.canonical
        self._full = getattr(codec, "full", msgspec.to_builtins)  # the oldest have none
        self.codec = codec.Codec(engine)
        self.chances = getattr(engine, "chances", None) or _of_insight(engine, "chances")
        self.prospects = getattr(engine, "prospects", None) or _of_insight(engine, "prospects")
        self._setups = msgspec.json.Decoder(setups.Setup)
        self._questions = msgspec.json.Decoder(loaded.kernel("options").Pending)
        self._commands = msgspec.json.Decoder(reduce(or_, engine.commands))
        self._states = msgspec.json.Decoder(engine.state)
        self.loaded = loaded
        self.game = engine if hasattr(engine, "says") else None
        """With what shows it; None where nothing was laid over it (``wire_shown.py``)."""

    def raw(self, value: Any) -> Raw:
        return Raw(self.canonical(value))

    def full(self, value: Any) -> Raw:
        """With all fields: who reads it has what was said in so many words, and shows it."""
        return Raw(ENCODE(self._full(value)))

    def setup(self, asked: Request) -> Any:
        return self._setups.decode(_given(asked.setup, "setup"))

    def state(self, asked: Request) -> Any:
        return self.state_of(_given(asked.state, "state"))

    def state_of(self, raw: Raw) -> Any:
        return self._states.decode(raw)

    def command(self, asked: Request) -> Any:
        return self._commands.decode(_given(asked.command, "command"))

    def command_of(self, plain: Any) -> Any:
        return self._commands.decode(msgspec.json.encode(plain))

    def several(self, asked: Request) -> list[Any]:
        return [self._commands.decode(each) for each in asked.commands]

    def question(self, asked: Request) -> Any:
        return self._questions.decode(_given(asked.question, "question"))

    def events(self, asked: Request) -> list[Any]:
        return [self.codec.decode(*each) for each in asked.events]

    def told(self, event: Any) -> list[Any]:
        return [self.codec.name(event), type(event).SCHEMA, self.raw(event)]

    def after(self, events: Iterable[Any], before: Any, *, whole: bool = False) -> Answer:
        """The events as they are stored, and the position that they lead to, read as stored."""
        told = [self.told(event) for event in events]
        read = [self.codec.decode(*each) for each in told]
        state, states, kept = before, [], []
        for each in read:
            state = self.engine.evolve(state, each)
            states.append(state)
            kept.append(self.engine.secrets(state))
        answer = {"events": told, "kept": kept, **self.position(state)}
        return {**answer, **self.way(states), "seen": self.seen(read, state)} if whole else answer

    def way(self, states: Iterable[Any]) -> Answer:
        """Each position of several, and what follows from it."""
        states = list(states)
        return {"states": list(map(self.raw, states)), "facts": list(map(self.facts, states))}

    def facts(self, state: Any) -> Answer:
        """What follows from a position. What the rules cannot say of it is left out: it may be one
        between two events, or as somebody sees it, and nobody may ever ask.
        """
        found: Answer = {}
        for name, function in self.functions().items():
            try:
                found[name] = self.raw(function(state))
            except Exception:  # whatever it is: who asks for this alone is told
                continue
        return found

    def functions(self) -> dict[str, Callable[[Any], Any]]:
        """What follows from a position, by name."""
        engine = self.engine

        def chances(state: Any) -> Any:
            return None if engine.awaiting(state) is None else self.chances(state)

        return {
            "awaiting": engine.awaiting, "chances": chances,
            "pending": engine.pending, "result": engine.result, "scores": engine.scores,
            "secrets": engine.secrets,
        }  # fmt: skip

    def seen(self, events: Iterable[Any], state: Any) -> dict[str, list[Raw | None]]:
        """The events as the public sees them and each seat; None where that is the truth."""
        events = list(events)
        return {
            viewer: [
                None if (seen := self.engine.redact(event, viewer)) == event else self.full(seen)
                for event in events
            ]
            for viewer in (PUBLIC, *self.engine.scores(state))
        }

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


def _refusal(refused: Any) -> dict[str, Any]:
    """Why, and all faults of a document that the rules do not take."""
    said = {name: getattr(refused, name) for name in ("code", "rule", "hint", "pointer")}
    faults = msgspec.to_builtins(getattr(refused, "faults", ()))
    return {**said, "faults": faults} if faults else said


Call = Callable[[Asked, Request], Answer]
Calls = Mapping[str, Call]


# --- the calls ------------------------------------------------------------------------------------


def _start(it: Asked, asked: Request) -> Answer:
    return it.after(it.engine.opening(it.setup(asked)), None, whole=asked.whole)


def _decide(it: Asked, asked: Request) -> Answer:
    state = it.state(asked)
    dice = asked.command is UNSET
    command = it.faces(asked.label, asked.faces) if dice else it.command(asked)
    return it.after(it.engine.decide(state, asked.seat, command), state, whole=asked.whole)


def _evolve(it: Asked, asked: Request) -> Answer:
    before = None if asked.state is UNSET else it.state(asked)
    if not asked.whole:
        return it.after(it.events(asked), before)
    states, state = [], before
    for event in it.events(asked):
        state = it.engine.evolve(state, event)
        states.append(state)
    return it.way(states)


def _facts(it: Asked, asked: Request) -> Answer:
    """All that can be said; or one of them by its name, or why it cannot."""
    state = it.state(asked)
    if asked.name:
        return {"facts": {asked.name: it.raw(it.functions()[asked.name](state))}}
    return {"facts": it.facts(state)}


def _sides(it: Asked, asked: Request) -> Answer:
    return {"sides": list(it.engine.sides(it.setup(asked)))}


def _side_score(it: Asked, asked: Request) -> Answer:
    return {"score": it.engine.score_of(it.state(asked), asked.seats)}


def _carry(it: Asked, asked: Request) -> Answer:
    """The data of an event of an old number as those of the next."""
    data = msgspec.json.decode(_given(asked.document, "document"))
    return {"data": it.engine.upcasters[asked.name, asked.schema](data)}


def _position(it: Asked, asked: Request) -> Answer:
    return it.position(it.state(asked))


def _legal(it: Asked, asked: Request) -> Answer:
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


def _usual(it: Asked, asked: Request) -> Answer:
    return {"command": it.raw(it.engine.usual(it.state(asked), it.question(asked)))}


def _odds(it: Asked, asked: Request) -> Answer:
    """Of one command, or of several."""
    state = it.state(asked)
    if asked.command is UNSET:
        return {"odds": [it.raw(it.engine.odds(state, each)) for each in it.several(asked)]}
    return {"odds": it.raw(it.engine.odds(state, it.command(asked)))}


def _prospects(it: Asked, asked: Request) -> Answer:
    return {"prospects": it.raw(it.prospects(it.state(asked)))}


def _redact(it: Asked, asked: Request) -> Answer:
    """All events for all viewers; what the truth sees is the event in its present form."""
    events, write = it.events(asked), it.full if asked.whole else it.raw
    seen = {
        viewer: [write(e if viewer == "truth" else it.engine.redact(e, viewer)) for e in events]
        for viewer in asked.viewers
    }
    return {"seen": seen, "schemas": [type(event).SCHEMA for event in events]}


def _domains(it: Asked, asked: Request) -> Answer:
    return {"domains": list(it.engine.domains(it.setup(asked)))}


def _check(it: Asked, asked: Request) -> Answer:
    document = msgspec.json.decode(_given(asked.document, "document"))
    custom = next((each for each in it.engine.customs if each.kind == asked.kind), None)
    if custom is None:
        raise Malformed(f"the rules take no document of the kind {asked.kind!r}")
    return {"faults": it.raw(custom.check(document))}


def _about(it: Asked, asked: Request) -> Answer:
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


CALLS: Calls = {
    "about": _about, "carry": _carry, "check": _check, "decide": _decide, "domains": _domains,
    "evolve": _evolve, "facts": _facts, "legal": _legal, "odds": _odds, "position": _position,
    "prospects": _prospects, "redact": _redact, "sideScore": _side_score, "sides": _sides,
    "start": _start, "usual": _usual,
}  # fmt: skip
"""What may be asked, by name."""
