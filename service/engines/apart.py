"""A ruleset as it is asked in a process of its own (``strange.py``): every function of it.

Its types are those of the installed package, and nothing of it but these is used here. One answer
brings what will be asked next: an order, each position on its way, what follows from it, and what
everybody sees of it. All of it is pure, so what was answered once is remembered.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar, Union

import msgspec
from msgspec import UNSET, Raw

from domain.kernel.chance import Faces
from domain.kernel.codec import Codec, canonical
from domain.kernel.custom import Custom
from domain.kernel.event import UnknownEvent
from domain.kernel.fork import NAME as FORKED
from domain.kernel.form import Fault
from domain.kernel.game import Game
from domain.kernel.options import Described, Options, Pending
from domain.kernel.setup import Setup
from domain.kernel.shown.bot import Item, Position
from domain.kernel.shown.insight import Insight
from domain.kernel.shown.odds_summary import OddsSummary
from domain.kernel.shown.roles import PARTS, Role, nothing
from domain.kernel.shown.scene import Scene
from domain.kernel.tally import Tally
from domain.kernel.values import TRUTH, Choose

from ..threads import MakesThreads
from . import said
from .strange import Outsider, unread, why_not

AnyGame = Game[Any, Any, Any]
T = TypeVar("T")

KEPT = 2_048
"""Answers that are remembered for each ruleset."""

AT_HAND = 256
"""Values whose text is remembered."""

BYTES = 32 << 20
"""Of answers that are remembered, as they came, for each ruleset; as many of texts."""

STRETCH = 48
"""Events that are folded by one question, and commands that are put into words."""

_ENCODE = msgspec.json.Encoder(order="sorted").encode


class _Text(said.Said, frozen=True):
    text: str
    roles: tuple[said.RoleSaid, ...]


class _Facts(said.Said, frozen=True):
    facts: said.FactsSaid


class _Seen(said.Said, frozen=True):
    seen: dict[str, tuple[Raw, ...]]


class _Many(said.Said, frozen=True):
    described: tuple[said.DescribedSaid, ...]


class _Worth(said.Said, frozen=True):
    worthwhile: tuple[dict[str, Any] | None, ...]


class _Odds(said.Said, frozen=True):
    odds: tuple[dict[str, Any] | None, ...]


class _Later(said.Said, frozen=True):
    later: tuple[dict[str, Any] | None, ...]


class _Fails(said.Said, frozen=True):
    fails: tuple[str, ...]


WHOLE = said.decoder(said.WholeSaid)
WAY = said.decoder(said.WaySaid)
LEGAL = said.decoder(said.LegalSaid)
TEXT = said.decoder(_Text)
FACTS = said.decoder(_Facts)
SEEN = said.decoder(_Seen)
MANY = said.decoder(_Many)
ODDS = said.decoder(_Odds)
LATER = said.decoder(_Later)
FAILS = said.decoder(_Fails)
WORTH = said.decoder(_Worth)
COMMAND = said.decoder(said.CommandSaid)


@dataclass(frozen=True, kw_only=True)
class ApartGame(Game[Any, Any, Any]):
    """A game whose events are folded many at a time."""

    apart: Apart

    def fold(self, events: Iterable[Any], state: Any = None) -> Any:
        states = self.states(events, state)
        if not states and state is None:
            raise ValueError("a game without events has no state")
        return states[-1] if states else state

    def states(self, events: Iterable[Any], state: Any = None) -> tuple[Any, ...]:
        events = tuple(events)
        if events and events[0].NAME == FORKED:  # of the service's own making
            begun = events[0].state
            return (begun, *self.apart.states(events[1:], begun))
        return self.apart.states(events, state)

    def ahead(self, events: Sequence[Any], viewer: str, state: Any) -> Any:
        """These will be asked about: how the viewer sees them, and where they lead him."""
        if self.redact == self.apart.redact and viewer != TRUTH:
            events = self.apart.all_seen(events, viewer)
        states = self.states(events, state)
        return states[-1] if states else state


def apart(
    game: AnyGame, outsider: Outsider, threads: MakesThreads, *, shown: bool = True
) -> AnyGame:
    """The game, with every function of it asked of that process.

    shown  whether what shows it is there too; else it is ours
    """
    it = Apart(game, outsider, threads)
    own = {each.name: getattr(game, each.name) for each in fields(Game)}
    words = _shown(it, game) if shown else {}
    return ApartGame(**{**own, **_engine(it, game), **words}, apart=it)


def _engine(it: Apart, game: AnyGame) -> dict[str, Any]:
    side_score = None if game.side_score is None else it.side_score
    return {
        "opening": it.opening, "decide": it.decide, "evolve": it.evolve, "legal": it.legal,
        "redact": it.redact, "usual": it.usual, "odds": it.odds, "prospects": it.prospects,
        "sides": it.sides, "domains": it.domains,
        "pending": partial(it.fact, "pending"), "awaiting": partial(it.fact, "awaiting"),
        "result": partial(it.fact, "result"), "secrets": partial(it.fact, "secrets"),
        "scores": partial(it.fact, "scores"), "chances": partial(it.fact, "chances"),
        "side_score": side_score, "courses": (),
        "customs": tuple(_custom(it, each) for each in game.customs),
        "upcasters": {key: partial(it.carried, *key) for key in game.upcasters},
    }  # fmt: skip


def _shown(it: Apart, game: AnyGame) -> dict[str, Any]:
    insight = game.insight
    worth = game.worthwhile if game.worthwhile_form is None else it.worthwhile
    return {
        "describe": it.describe, "preview": it.preview, "says": it.says, "board": it.board,
        "scene": None if game.scene is None else it.scene, "odds_in_short": it.in_short,
        "worthwhile": worth, "odds_later": it.odds_later, "fails": it.fails,
        "roles": {
            kind: read if read is nothing else it.meaning for kind, read in game.roles.items()
        },
        "bots": {name: partial(ApartBot, it, name) for name in game.bots},
        "insight": Insight(
            calls=it.calls, figures=it.figures, suppose=it.suppose, claims=insight.claims,
            forbids=insight.forbids, freed=it.freed,
        ),
    }  # fmt: skip


def _custom(it: Apart, custom: Custom[Any]) -> Custom[Any]:
    return replace(custom, judge=partial(it.faults, custom.kind))


class ApartBot:
    """A bot of the game, which chooses there."""

    def __init__(self, it: Apart, name: str) -> None:
        self._it = it
        self._name = name

    def choose(self, position: Position) -> Item:
        command = self._it.chosen(self._name, position)
        return self._it.offered(command, position.items)


UNREADABLE = (
    msgspec.DecodeError, UnknownEvent, LookupError, ValueError, TypeError, AttributeError,
    ArithmeticError, RecursionError,
)  # fmt: skip
"""What reading comes to where an answer has not the form that was asked for."""


class Memory:
    """What was answered last, so much and so many. Any thread may ask."""

    def __init__(self, most: int, threads: MakesThreads, *, size: int = BYTES) -> None:
        self._most = most
        self._size = size
        self._lock = threads.lock()
        self._kept: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._taken = 0

    def get(self, key: Any) -> Any:
        """What is kept, or UNSET."""
        with self._lock:
            if key not in self._kept:
                return UNSET
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: Any, value: Any, size: int) -> None:
        """``size``: bytes of the text that the value was read from."""
        with self._lock:
            self._taken += size - self._kept.pop(key, (None, 0))[1]
            self._kept[key] = (value, size)
            while len(self._kept) > self._most or self._taken > self._size:
                _, (_, freed) = self._kept.popitem(last=False)
                self._taken -= freed


class Apart:
    """Asks for one ruleset, and remembers."""

    def __init__(self, game: AnyGame, outsider: Outsider, threads: MakesThreads) -> None:
        self._game = game
        self._outsider = outsider
        self._answers = Memory(KEPT, threads)
        self._texts = Memory(AT_HAND, threads)
        self._codec = Codec(game)
        self._states = msgspec.json.Decoder(game.state)
        self._commands = msgspec.json.Decoder(Union[game.commands])  # noqa: UP007

    # How it is asked

    def _text(self, value: Any) -> bytes:
        """Its canonical form; of the very value once."""
        kept = self._texts.get(id(value))
        if kept is not UNSET and kept[0] is value:
            return bytes(kept[1])
        return self._at_hand(value, canonical(value))

    def _at_hand(self, value: Any, text: bytes) -> bytes:
        self._texts.put(id(value), (value, text), len(text))
        return text

    def _raw(self, value: Any) -> Raw:
        return Raw(self._text(value))

    def _event(self, event: Any) -> tuple[str, int, Raw]:
        return self._codec.name(event), type(event).SCHEMA, self._raw(event)

    def _asked(self, decoder: msgspec.json.Decoder[T], call: str, **brought: Any) -> T:
        text = self._outsider.ask(_ENCODE({"call": call, **brought}))
        try:
            return decoder.decode(text)
        except (msgspec.DecodeError, RecursionError):
            raise why_not(text, self._outsider.name) from None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Within it an answer is read. Raises Broken where it has not the form."""
        try:
            yield
        except UNREADABLE as error:
            raise unread(error, self._outsider.name) from None

    def _one(self, form: Any, field: str, call: str, /, **brought: Any) -> Any:
        """The one thing that an answer brings; remembered."""
        key = _key(call, _ENCODE(brought))
        found = self._answers.get(key)
        if found is UNSET:
            answer = self._asked(msgspec.json.Decoder(dict[str, Raw]), call, **brought)
            if field not in answer:
                raise why_not(_ENCODE(answer), self._outsider.name)
            with self._reading():
                found = msgspec.json.decode(answer[field], type=form)
            self._answers.put(key, found, len(bytes(answer[field])))
        return found

    # What decides

    def opening(self, setup: Setup) -> tuple[Any, ...]:
        key = _key("start", canonical(setup))
        return self._led(key, None, lambda: self._whole("start", setup=Raw(canonical(setup))))

    def decide(self, state: Any, seat: str, command: Any) -> tuple[Any, ...]:
        if isinstance(command, Faces):
            given: dict[str, Any] = {"label": command.label, "faces": command.faces}
        else:
            given = {"command": Raw(canonical(command))}
        key = _key("decide", self._text(state), _ENCODE([seat, given]))
        raw = self._raw(state)
        return self._led(key, state, lambda: self._whole("decide", state=raw, seat=seat, **given))

    def _whole(self, call: str, **brought: Any) -> said.WholeSaid:
        return self._asked(WHOLE, call, whole=True, **brought)

    def _led(self, key: bytes, before: Any, ask: Callable[[], said.WholeSaid]) -> tuple[Any, ...]:
        """The events of an answer, and all that it brings besides is remembered."""
        found = self._answers.get(key)
        if found is UNSET:
            answer = ask()
            with self._reading():
                found = self._taken_in(before, answer)
            self._answers.put(key, found, sum(len(bytes(told[2])) for told in answer.events))
        events: tuple[Any, ...] = found
        return events

    def _taken_in(self, before: Any, answer: said.WholeSaid) -> tuple[Any, ...]:
        found = tuple(self._codec.decode(*each) for each in answer.events)
        if not found:
            raise LookupError("an order was taken, and nothing happened")
        for event, told in zip(found, answer.events, strict=True):
            self._at_hand(event, bytes(told[2]))
        self._note_way(before, found, answer)
        for viewer, seen in answer.seen.items():
            for event, text in zip(found, seen, strict=True):
                known = event if bytes(text) == b"null" else self._event_of(event, text)
                self._answers.put(self._seen_key(event, viewer), known, len(bytes(text)))
        return found

    def _event_of(self, event: Any, text: Raw) -> Any:
        return self._codec.decode(self._codec.name(event), type(event).SCHEMA, text)

    def _note_way(self, before: Any, events: Sequence[Any], way: said.WaySaid) -> Sequence[Any]:
        """The state after each of the events."""
        states = []
        for event, raw, facts in zip(events, way.states, way.facts, strict=True):
            after = self._states.decode(raw)
            text = self._at_hand(after, bytes(raw))
            self._answers.put(self._fold_key(before, event), after, len(text))
            self._answers.put(_key("facts", text), facts, len(text))
            states.append(after)
            before = after
        return states

    def _fold_key(self, before: Any, event: Any) -> bytes:
        state = b"" if before is None else self._text(before)
        return _key("evolve", state, self._codec.name(event).encode(), self._text(event))

    def states(self, events: Sequence[Any], state: Any) -> tuple[Any, ...]:
        """The state after each of the events."""
        found: list[Any] = []
        while len(found) < len(events):
            event = events[len(found)]
            after = self._answers.get(self._fold_key(state, event))
            known = [after] if after is not UNSET else self._folded(events[len(found) :], state)
            found += known
            state = found[-1]
        return tuple(found)

    def _folded(self, events: Sequence[Any], state: Any) -> Sequence[Any]:
        """The states after the first of the events, asked for."""
        ahead = events[:STRETCH]
        brought = {} if state is None else {"state": self._raw(state)}
        told = [self._event(event) for event in ahead]
        way = self._asked(WAY, "evolve", events=told, whole=True, **brought)
        with self._reading():
            return self._note_way(state, ahead, way)

    def evolve(self, state: Any, event: Any) -> Any:
        return self.states((event,), state)[-1]

    def fact(self, name: str, state: Any) -> Any:
        """One of the things that follow from a position."""
        key = _key("facts", self._text(state))
        facts = self._answers.get(key)
        if facts is UNSET:
            facts = self._asked(FACTS, "facts", state=self._raw(state)).facts
            self._answers.put(key, facts, len(self._text(state)))
        value = getattr(facts, name)
        if value is UNSET:  # the rules could not say it: this says why
            told = self._asked(FACTS, "facts", state=self._raw(state), name=name).facts
            value = getattr(told, name)
        with self._reading():
            if value is UNSET:
                raise LookupError(name)
            if name == "pending":
                return tuple(each.read() for each in value)
            return value if name in ("scores", "secrets") else said.maybe(value)

    def side_score(self, state: Any, side: Sequence[str]) -> int:
        score: int = self._one(int, "score", "sideScore", state=self._raw(state), seats=side)
        return score

    def sides(self, setup: Setup) -> tuple[tuple[str, ...], ...]:
        form = tuple[tuple[str, ...], ...]
        found: tuple[tuple[str, ...], ...] = self._one(
            form, "sides", "sides", setup=Raw(canonical(setup))
        )
        return found

    def domains(self, setup: Setup) -> tuple[str, ...]:
        form = tuple[str, ...]
        found: tuple[str, ...] = self._one(form, "domains", "domains", setup=Raw(canonical(setup)))
        return found

    def _seen_key(self, event: Any, viewer: str) -> bytes:
        name = self._codec.name(event).encode()
        return _key("redact", name, self._text(event), viewer.encode())

    def redact(self, event: Any, viewer: str) -> Any:
        return self.all_seen((event,), viewer)[0]

    def all_seen(self, events: Sequence[Any], viewer: str) -> Sequence[Any]:
        """The events as the viewer may know them; those that are not known yet are asked for."""
        keys = [self._seen_key(event, viewer) for event in events]
        found = dict(zip(keys, map(self._answers.get, keys), strict=True))
        missing = {k: e for k, e in zip(keys, events, strict=True) if found[k] is UNSET}
        if missing:
            told = [self._event(event) for event in missing.values()]
            answer = self._asked(SEEN, "redact", events=told, viewers=[viewer], whole=True)
            with self._reading():
                self._note_seen(missing, answer.seen[viewer], found)
        return [found[key] for key in keys]

    def _note_seen(
        self, missing: Mapping[bytes, Any], seen: Sequence[Raw], found: dict[bytes, Any]
    ) -> None:
        for (key, event), text in zip(missing.items(), seen, strict=True):
            found[key] = self._event_of(event, text)
            self._answers.put(key, found[key], len(bytes(text)))

    def legal(self, state: Any, seat: str) -> Options[Any]:
        key = _key("legal", self._text(state), seat.encode())
        found = self._answers.get(key)
        if found is UNSET:
            answer = self._asked(LEGAL, "legal", state=self._raw(state), seat=seat)
            with self._reading():
                found = Options(
                    tuple(map(self._commands.decode, answer.commands)),
                    tuple(each.read() for each in answer.templates),
                    tuple(map(self._commands.decode, answer.concessions)),
                )
            size = _size(answer)
            self._answers.put(key, found, size)
            self._answers.put(_key("offered", self._text(state)), found, size)
        options: Options[Any] = found
        return options

    def usual(self, state: Any, question: Pending) -> Any:
        raw = Raw(canonical(question))
        answer = self._asked(COMMAND, "usual", state=self._raw(state), question=raw)
        with self._reading():
            return self._commands.decode(answer.command)

    def odds(self, state: Any, command: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._of_offer(
            "odds", state, command, lambda **brought: self._asked(ODDS, "odds", **brought).odds
        )
        return found

    def prospects(self, state: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._one(
            dict[str, Any] | None, "prospects", "prospects", state=self._raw(state)
        )
        return found

    def faults(self, kind: str, document: Any) -> tuple[Fault, ...]:
        """What the rules say against a document of the right form."""
        found: tuple[Fault, ...] = self._one(
            tuple[Fault, ...], "faults", "check", kind=kind, document=Raw(canonical(document))
        )
        return found

    def carried(self, name: str, schema: int, data: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self._one(
            dict[str, Any], "data", "carry", name=name, schema=schema, document=data
        )
        return found

    # What shows it

    def _of_offer(
        self, call: str, state: Any, command: Any, ask: Callable[..., Sequence[Any]]
    ) -> Any:
        """What is told of a command, together with those that are offered after it."""
        text = self._text(state)
        key = _key(call, text, canonical(command))
        found = self._answers.get(key)
        if found is UNSET:
            wanted = self._offered_from(text, command)
            answer = ask(state=Raw(text), commands=[Raw(canonical(each)) for each in wanted])
            with self._reading():
                for each, told in zip(wanted, answer, strict=True):
                    self._answers.put(_key(call, text, canonical(each)), told, _size(told))
            found = answer[0]
        return found

    def _offered_from(self, text: bytes, command: Any) -> Sequence[Any]:
        options = self._answers.get(_key("offered", text))
        if options is not UNSET and command in options.commands:
            place = options.commands.index(command)
            return [*options.commands[place : place + STRETCH]]
        return [command]

    def describe(self, state: Any, command: Any) -> Described:
        told: said.DescribedSaid = self._of_offer(
            "describe", state, command,
            lambda **brought: self._asked(MANY, "describe", **brought).described,
        )  # fmt: skip
        return told.read()

    def worthwhile(self, state: Any, command: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._of_offer(
            "worthwhile", state, command,
            lambda **brought: self._asked(WORTH, "worthwhile", **brought).worthwhile,
        )  # fmt: skip
        return found

    def odds_later(self, state: Any, command: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._of_offer(
            "later", state, command, lambda **brought: self._asked(LATER, "later", **brought).later
        )
        return found

    def fails(self, state: Any, command: Any) -> str:
        found: str = self._of_offer(
            "fails", state, command, lambda **brought: self._asked(FAILS, "fails", **brought).fails
        )
        return found

    def preview(self, state: Any, command: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._one(
            dict[str, Any] | None, "preview", "preview",
            state=self._raw(state), command=Raw(canonical(command)),
        )  # fmt: skip
        return found

    def in_short(self, odds: Mapping[str, Any]) -> OddsSummary | None:
        found: OddsSummary | None = self._one(OddsSummary | None, "short", "short", document=odds)
        return found

    def _told(self, before: Any, event: Any) -> _Text:
        brought = {} if before is None else {"before": self._raw(before)}
        state = b"" if before is None else self._text(before)
        key = _key("says", state, self._codec.name(event).encode(), self._text(event))
        found = self._answers.get(key)
        if found is UNSET:
            found = self._asked(TEXT, "says", events=[self._event(event)], **brought)
            self._answers.put(key, found, _size(found))
        told: _Text = found
        return told

    def says(self, before: Any, event: Any) -> str:
        return self._told(before, event).text

    def meaning(self, before: Any, event: Any) -> tuple[Role, ...]:
        roles = self._told(before, event).roles
        return tuple(each.read() for each in roles if each.role in PARTS)

    def board(self, state: Any) -> str:
        board: str = self._one(str, "board", "board", state=self._raw(state))
        return board

    def scene(self, state: Any, before: Any, events: Sequence[Any], focus: str) -> Scene:
        known = {} if before is None else {"before": self._raw(before)}
        told = [self._event(event) for event in events]
        scene: Scene = self._one(
            Scene, "scene", "scene", state=self._raw(state), events=told, unit=focus, **known
        )
        return scene

    def calls(self, state: Any, unit: str) -> str:
        called: str = self._one(str, "called", "calls", state=self._raw(state), unit=unit)
        return called

    def figures(self, state: Any, unit: str) -> Mapping[str, Tally]:
        found: Mapping[str, Tally] = self._one(
            dict[str, Tally], "figures", "figures", state=self._raw(state), unit=unit
        )
        return found

    def suppose(self, state: Any, choose: Choose) -> Any:
        """With the seed of who chooses; of any other, what he chooses is one."""
        seed = getattr(choose, "seed", None) or str(choose(1 << 62))
        return self._one(self._game.state, "state", "suppose", state=self._raw(state), seed=seed)

    def freed(self, state: Any) -> bool:
        freed: bool = self._one(bool, "freed", "freed", state=self._raw(state))
        return freed

    def chosen(self, bot: str, position: Position) -> Any:
        return self._one(
            Any, "command", "bot", name=bot, state=position.view, seat=position.seat,
            kind=position.question, unit=position.subject,
        )  # fmt: skip

    def offered(self, command: Any, items: Sequence[Item]) -> Item:
        """The item with that command. Raises Broken where none has it."""
        with self._reading():
            return items[[item["command"] for item in items].index(command)]


def _size(told: Any) -> int:
    """Bytes of what was told."""
    return len(_ENCODE(told))


def _key(*parts: str | bytes) -> bytes:
    """Of what is asked."""
    digest = blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()
