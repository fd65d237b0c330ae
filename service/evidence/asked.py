"""The rules as a judge asks them: those that are installed, or an engine that only answers texts.

The judge itself never holds a value of an engine from elsewhere: states, commands and events of
such an engine are texts to it, which it hands back and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Protocol, TypeVar

import msgspec

from domain.kernel.chance import Awaited, Faces
from domain.kernel.chances import Chances
from domain.kernel.codec import Codec, canonical
from domain.kernel.fork import Fork
from domain.kernel.forking import fork_engine
from domain.kernel.game import Game
from domain.kernel.options import Pending
from domain.kernel.rules import Refused
from domain.kernel.setup import Result, Setup
from domain.kernel.values import PUBLIC, TRUTH, Seat, Viewer

from ..engines import said
from ..engines.outside import Failed

T = TypeVar("T")


class Rules(Protocol):
    """What a judge asks of rules. States, events and commands are theirs."""

    @property
    def ruleset(self) -> str: ...
    @property
    def version(self) -> str: ...
    def opening(self, setup: Setup) -> Sequence[Any]: ...
    def command(self, text: bytes) -> Any:
        """The command that a text is. Raises ValidationError for none of this game."""

    def decide(self, state: Any, seat: Seat, command: Any) -> Sequence[Any]:
        """Raises Refused; ValidationError for what is no command of this game."""

    def states(self, events: Sequence[Any], before: Any) -> Sequence[Any]:
        """Where events lead to; the last one is the state after all of them."""

    def kept(self, events: Sequence[Any], before: Any) -> Sequence[bool]:
        """Whether secrets are kept after each of the events."""

    def awaiting(self, state: Any) -> Awaited | None: ...
    def chances(self, state: Any) -> Chances | None: ...
    def pending(self, state: Any) -> tuple[Pending, ...]: ...
    def result(self, state: Any) -> Result | None: ...
    def secrets(self, state: Any) -> bool: ...
    def usual(self, state: Any, question: Pending) -> bytes:
        """The usual command, as canonical JSON."""

    def name(self, event: Any) -> str: ...
    def schema(self, event: Any) -> int: ...
    def decided_by(self, event: Any) -> tuple[str, ...]:
        """IDs of the rules that decided it."""

    def read(self, name: str, schema: int, data: bytes) -> Any:
        """The event, in its present form. Raises UnknownEvent, ValidationError."""

    def seen(self, event: Any, viewer: Viewer) -> bytes:
        """What a viewer sees of it, as canonical JSON."""

    def same(self, event: Any, other: Any, viewer: Viewer) -> bool:
        """Whether ``other`` is what the viewer sees of the event, whatever form it was read in."""

    def text(self, state: Any) -> Any:
        """A state, for its canonical form."""

    @property
    def position(self) -> int:
        """The number of the form that states have."""

    def carried(self, state: Any, form: int, setup: Setup) -> Any:
        """A state of other rules, in that form, as these have it. Raises as ``opening`` does."""


class Installed:
    """The rules of a game that is installed here: its values pass as they are."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = game
        self._codec: Codec[Any] = Codec(game)
        self._commands: msgspec.json.Decoder[Any] = msgspec.json.Decoder(reduce(or_, game.commands))
        self.ruleset, self.version = game.ruleset, game.version
        self.opening, self.decide, self.states = game.opening, game.decide, self._states
        self.awaiting, self.chances, self.pending = game.awaiting, game.chances, game.pending
        self.result, self.secrets = game.result, game.secrets
        self.name = self._codec.name
        self.command = self._commands.decode

    def _states(self, events: Sequence[Any], before: Any) -> Sequence[Any]:
        return self._game.states(events, before)

    def kept(self, events: Sequence[Any], before: Any) -> Sequence[bool]:
        state, found = before, []
        for event in events:
            state = self._game.evolve(state, event)
            found.append(self._game.secrets(state))
        return found

    def usual(self, state: Any, question: Pending) -> bytes:
        return canonical(self._game.usual(state, question))

    def schema(self, event: Any) -> int:
        found: int = type(event).SCHEMA
        return found

    def decided_by(self, event: Any) -> tuple[str, ...]:
        found: tuple[str, ...] = event.rules
        return found

    def read(self, name: str, schema: int, data: bytes) -> Any:
        return self._codec.decode(name, schema, data)

    def seen(self, event: Any, viewer: Viewer) -> bytes:
        return canonical(self._game.seen(event, viewer))

    def same(self, event: Any, other: Any, viewer: Viewer) -> bool:
        return bool(other == self._game.seen(event, viewer))

    def text(self, state: Any) -> Any:
        return state

    @property
    def position(self) -> int:
        return self._game.position

    def carried(self, state: Any, form: int, setup: Setup) -> Any:
        (begun,) = fork_engine(self._game).opening(_beginning(state, form, setup))
        return begun.state


def _beginning(state: Any, form: int, setup: Setup) -> Setup:
    """The set-up of a fork that begins with the state: so each engine takes one over."""
    plain = msgspec.json.decode(canonical(state))
    return msgspec.structs.replace(setup, fork=Fork("", 0, TRUTH, "", plain, schema=form))


# An engine that answers texts


@dataclass(eq=False)
class Told:
    """An event of an engine.

    data  its true data, as canonical JSON in its present form
    kept  whether secrets are kept after it, where that was said
    with_  the events that it was decided with: they are redacted together
    seen  what each viewer sees of it, once that was asked
    """

    name: str
    schema: int
    data: bytes
    with_: Sequence[Told] = ()
    kept: bool | None = None
    seen: dict[Viewer, bytes] | None = None


class Led(tuple[Told, ...]):  # noqa: SLOT001 a tuple has no room for slots
    """Events that were decided, with the position that they lead to."""

    after: Position


@dataclass(frozen=True, eq=False)
class Position:
    """A state as its text, with what the engine said of it."""

    said: said.PositionSaid

    @property
    def text(self) -> msgspec.Raw:
        return self.said.state


AFTER = said.decoder(said.AfterSaid)
SEEN = said.decoder(said.SeenSaid)
ABOUT = said.decoder(said.AboutSaid)
COMMAND = said.decoder(said.CommandSaid)
POSITION = said.decoder(said.PositionSaid)
WITHOUT = said.decoder(said.Without)
WITHOUT_AN_ANSWER = (b'{"refused":', b'{"malformed":', b'{"crashed":')


class Answers:
    """Rules that are asked in texts (interface 1).

    ask      sends a request and gives the answer; raises Failed
    fork     whether the game began as a fork
    """

    def __init__(
        self, ask: Callable[[bytes], bytes], ruleset: str, version: str, setup: Setup
    ) -> None:
        self._ask_text = ask
        self._fork = setup.fork is not None
        self._viewers = (*setup.seats, PUBLIC, TRUTH)
        self.ruleset, self.version = ruleset, version

    def _ask(self, answer: msgspec.json.Decoder[T], call: str, **given: Any) -> T:
        request = {"call": call, **given}
        if self._fork:
            request["fork"] = True
        text = self._ask_text(canonical(request))
        if text.startswith(WITHOUT_AN_ANSWER):
            _raise(text)
        try:
            return answer.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Failed(f"its answer to {call} is none: {error}") from None

    def _led(self, after: said.AfterSaid) -> Led:
        if len(after.kept) != len(after.events):
            raise Failed("it told of more events than it decided, or of fewer")
        events = [Told(name, schema, bytes(data)) for name, schema, data in after.events]
        for event, kept in zip(events, after.kept, strict=True):
            event.with_, event.kept = events, kept
        led = Led(events)
        led.after = Position(after)
        return led

    def opening(self, setup: Setup) -> Sequence[Told]:
        return self._led(self._ask(AFTER, "start", setup=setup))

    def command(self, text: bytes) -> Any:
        return msgspec.Raw(text)

    def decide(self, state: Position, seat: Seat, command: Any) -> Sequence[Told]:
        if isinstance(command, Faces):
            given: dict[str, Any] = {"label": command.label, "faces": command.faces}
        else:
            given = {"command": command}
        return self._led(self._ask(AFTER, "decide", state=state.text, seat=seat, **given))

    def states(self, events: Iterable[Told], before: Position | None) -> Sequence[Position]:
        if isinstance(events, Led):
            return (events.after,)
        return (Position(self._evolved(events, before)),)

    def retold(self, events: Iterable[Told], before: Position | None) -> Led:
        """Events of other rules in the present form of these, with the position after them."""
        return self._led(self._evolved(events, before))

    def _evolved(self, events: Iterable[Told], before: Position | None) -> said.AfterSaid:
        told = [[event.name, event.schema, msgspec.Raw(event.data)] for event in events]
        state = {} if before is None else {"state": before.text}
        return self._ask(AFTER, "evolve", events=told, **state)

    def kept(self, events: Sequence[Told], before: Position | None) -> Sequence[bool]:
        known = [event.kept for event in events]
        if None not in known:
            return [bool(each) for each in known]
        return self._evolved(events, before).kept

    def awaiting(self, state: Position) -> Awaited | None:
        found: Awaited | None = said.maybe(state.said.awaiting)
        return found

    def chances(self, state: Position) -> Chances | None:
        found: Chances | None = said.maybe(state.said.chances)
        return found

    def pending(self, state: Position) -> tuple[Pending, ...]:
        return tuple(each.read() for each in state.said.pending)

    def result(self, state: Position) -> Result | None:
        found: Result | None = said.maybe(state.said.result)
        return found

    def secrets(self, state: Position) -> bool:
        return state.said.secrets

    def usual(self, state: Position, question: Pending) -> bytes:
        return bytes(self._ask(COMMAND, "usual", state=state.text, question=question).command)

    def name(self, event: Told) -> str:
        return event.name

    def schema(self, event: Told) -> int:
        return event.schema

    def decided_by(self, event: Told) -> tuple[str, ...]:
        plain = msgspec.json.decode(event.data)
        found = plain.get("rules", ()) if isinstance(plain, dict) else ()
        return tuple(map(str, found))

    def read(self, name: str, schema: int, data: bytes) -> Told:
        given = [[name, schema, msgspec.Raw(data)]]
        answer = self._ask(SEEN, "redact", events=given, viewers=[TRUTH])
        try:
            return Told(name, answer.schemas[0], bytes(answer.seen[TRUTH][0]))
        except LookupError:
            raise Failed("it did not say what it read") from None

    def seen(self, event: Told, viewer: Viewer) -> bytes:
        if event.seen is None:
            self._redact(event.with_ or (event,))
        assert event.seen is not None
        return event.seen[viewer]

    def _redact(self, events: Sequence[Told]) -> None:
        """What everybody sees of events that were decided together, in one question."""
        given = [[event.name, event.schema, msgspec.Raw(event.data)] for event in events]
        answer = self._ask(SEEN, "redact", events=given, viewers=self._viewers)
        if any(len(answer.seen.get(viewer, ())) != len(events) for viewer in self._viewers):
            raise Failed("it did not say what everybody sees")
        for number, event in enumerate(events):
            event.seen = {viewer: bytes(answer.seen[viewer][number]) for viewer in self._viewers}

    def same(self, event: Told, other: Told, viewer: Viewer) -> bool:
        return other.data == self.seen(event, viewer)

    def text(self, state: Position) -> Any:
        return state.text

    @property
    def position(self) -> int:
        return self._ask(ABOUT, "about").position

    def carried(self, state: Any, form: int, setup: Setup) -> Position:
        beginning = _beginning(state, form, setup)
        begun = self._ask(POSITION, "start", setup=beginning, fork=True)
        return Position(self._ask(POSITION, "position", state=begun.state))


def _raise(text: bytes) -> None:
    try:
        why = WITHOUT.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Failed(f"its answer is none: {error}") from None
    if why.refused is not None:
        refused = why.refused
        raise Refused(refused.code, refused.rule, refused.hint, refused.pointer)
    if why.malformed is not None:
        raise msgspec.ValidationError(why.malformed)
    raise Failed(f"the rules broke down: {why.crashed}")
