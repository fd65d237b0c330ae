"""A loaded engine as the service knows rules: its own states, commands and events pass as they are.

What the kernel's types are on both sides (set-up, dice, questions, offers, results, refusals) is
converted here, so engines with kernels of their own play side by side in one process.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

import msgspec

from domain.kernel.chance import Faces
from domain.kernel.codec import canonical
from domain.kernel.engine import Engine
from domain.kernel.flow import DecidedEvents
from domain.kernel.options import Options, Pending, Template, TemplateRefusal
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup

from . import said
from .load import Loaded

T = TypeVar("T")
V = TypeVar("V", bound=msgspec.Struct)

SAID: dict[str, Any] = {
    "awaiting": said.AwaitedSaid, "chances": said.ChancesSaid, "result": said.ResultSaid,
}  # fmt: skip


def adapt(loaded: Loaded) -> Engine[Any, Any, Any]:
    """The engine's functions over the installed kernel's types."""
    return Engine(**adapted(loaded))


def adapted(loaded: Loaded) -> dict[str, Any]:
    """The fields of such an engine."""
    engine = loaded.engine
    return dict(
        ruleset=engine.ruleset, version=engine.version, editions=engine.editions,
        seat_counts=engine.seat_counts, options=engine.options, state=engine.state,
        commands=engine.commands, events=engine.events, evolve=engine.evolve,
        redact=engine.redact, secrets=engine.secrets, scores=engine.scores,
        upcasters=engine.upcasters, position=engine.position,
        awaiting=_read(engine.awaiting, "awaiting"), result=_read(engine.result, "result"),
        chances=_read(engine.chances, "chances"), prospects=engine.prospects,
        **_asked(loaded),
    )  # fmt: skip


def _asked(loaded: Loaded) -> dict[str, Any]:
    """What takes a value of the kernel, or may refuse."""
    engine = loaded.engine
    setups = loaded.kernel("setup" if loaded.has_kernel("setup") else "game").Setup
    faces, questions = loaded.kernel("chance").Faces, loaded.kernel("options").Pending
    refused: type[Exception] = loaded.kernel("rules").Refused

    def setup(given: Setup) -> Any:
        if "fork" not in setups.__struct_fields__:  # of before there were what-if games
            given = msgspec.structs.replace(given, fork=None)
        return msgspec.json.decode(canonical(given), type=setups)

    def command(given: Any) -> Any:
        return faces(given.label, given.faces) if isinstance(given, Faces) else given

    def legal(state: Any, seat: str) -> Options[Any]:
        found = engine.legal(state, seat)
        return Options(
            found.commands,
            tuple(map(_template, found.templates)),
            getattr(found, "concessions", ()),
        )

    ours = carried_over(Pending, said.PendingSaid)

    def pending(state: Any) -> tuple[Pending, ...]:
        return tuple(map(ours, engine.pending(state)))

    known = {field.encode_name for field in msgspec.structs.fields(questions)}

    def usual(state: Any, asked: Pending) -> Any:
        """What has come to questions since, this engine has not said: it is left out."""
        plain = msgspec.json.decode(canonical(asked))
        own = {name: value for name, value in plain.items() if name in known}
        return engine.usual(state, msgspec.convert(own, questions))

    own = _own_events(loaded)

    def decide(state: Any, seat: str, given: Any) -> Any:
        return led(engine.decide(state, seat, command(given)), own)

    side_score = engine.side_score
    return {
        "opening": _refusing(lambda given: led(engine.opening(setup(given)), own), refused),
        "decide": _refusing(decide, refused),
        "odds": _refusing(engine.odds, refused),
        "domains": lambda given: tuple(engine.domains(setup(given))),
        "sides": lambda given: tuple(engine.sides(setup(given))),
        "side_score": side_score,
        "legal": legal, "pending": pending, "usual": usual,
    }  # fmt: skip


def _own_events(loaded: Loaded) -> type | None:
    """What the engine's kernel calls events that were just decided; None where it has no such."""
    if not loaded.has_kernel("flow"):
        return None
    found: type | None = getattr(loaded.kernel("flow"), "DecidedEvents", None)
    return found


def led(events: Any, own: type | None) -> Any:
    """Events with where they led, as the installed kernel has it: else they are folded anew, which
    was what a pinned game's command took longer than one by the installed rules.
    """
    if own is None or not isinstance(events, own):
        return events
    theirs: Any = events
    found: DecidedEvents[Any] = DecidedEvents(theirs)
    found.before, found.states, found.evolve = theirs.before, theirs.states, theirs.evolve
    return found


def _template(given: Any) -> Template:
    """Engines of the past do not tell which refusals their schemas leave open."""
    refusals = tuple(TemplateRefusal(e.code, e.rule) for e in getattr(given, "refusals", ()))
    return Template(given.type, given.text, given.schema, refusals)


def _read(function: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    type_ = SAID[name]

    def asked(state: Any) -> Any:
        found = function(state)
        return None if found is None else taken(found, type_).read()

    return asked


def taken(value: Any, type_: type[T]) -> T:
    """A value of the engine's kernel, field by field: what it lacks is as it is by itself."""
    return msgspec.convert(value, type_, from_attributes=True)


def carried_over(ours: type[V], told: type[Any]) -> Callable[[Any], V]:
    """How values of an engine's kernel become ours: at once where theirs have the very fields, else
    field by field, by ``told``.
    """
    alike: dict[type, bool] = {}
    names = ours.__struct_fields__
    fields = attrgetter(*names)

    def of(value: Any) -> V:
        theirs = type(value)
        if theirs not in alike:
            alike[theirs] = theirs.__struct_fields__ == names
        found: V = ours(*fields(value)) if alike[theirs] else taken(value, told).read()
        return found

    return of


def _refusing(function: Callable[..., Any], refused: type[Exception]) -> Callable[..., Any]:
    """The function, which refuses as the installed kernel does."""

    def asked(*given: Any) -> Any:
        try:
            return function(*given)
        except refused as error:
            code, rule, hint, pointer = (
                getattr(error, name) for name in ("code", "rule", "hint", "pointer")
            )
            raise Refused(code, rule, hint, pointer) from None

    return asked
