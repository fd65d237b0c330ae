"""A moment of a recorded game as a numbered case: position, command, faces, expectation.

What the command and its dice lead to does not need is left out of the position, piece by piece and
field by field, as long as the rules do the very same with what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from importlib.resources import files
from operator import or_
from typing import Any, NamedTuple

import msgspec

from domain.kernel.chance import Faces
from domain.kernel.codec import canonical, full
from domain.kernel.event import UnknownEvent
from domain.kernel.rules import Refused
from domain.kernel.values import CHANCE, TRUTH, Seat

from ..evidence.casefile import Case
from ..evidence.changed import Reading, carry, in_force
from ..evidence.papers import Batch
from ..evidence.records import BatchRolled
from ..models import GameId
from ..views.rulesets import AnyGame
from .games import Filed

Plain = dict[str, Any]
Fallen = tuple[tuple[int, ...], ...]
"""Faces of a roll, pool by pool."""


class NoCase(Exception):
    """The moment makes no case; the message says why, in a sentence."""


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the positions of a ruleset are written (``cases.toml``)."""

    number: str
    folder: str
    pieces: str
    usual: Plain
    dropped: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()


class Moment(NamedTuple):
    """What was ordered, and how the dice fell.

    faces  by label, as they were asked for
    """

    seat: Seat
    command: Plain
    faces: Mapping[str, Fallen]


class Table(NamedTuple):
    """What a case begins with: its set-up, and what was done before."""

    setup: Plain
    script: list[Plain]


class Played(NamedTuple):
    """What came of it; ``thrown``: the faces in the order in which they were asked for."""

    events: tuple[Any, ...]
    thrown: tuple[Fallen, ...]
    state: Any

    def same(self, game: AnyGame, other: Played) -> bool:
        ours, theirs = (
            (list(map(canonical, p.events)), p.thrown, canonical(game.pending(p.state)))
            for p in (self, other)
        )
        return ours == theirs


@cache
def forms() -> Mapping[str, Form]:
    """By ruleset."""
    text = files(__package__).joinpath("cases.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Form])


def of_event(filed: Filed, id: GameId, seq: int, rules: AnyGame, number: str, title: str) -> Plain:
    """The order that led to an event as a case of these rules. Raises NoCase."""
    case = filed.case(id)
    if not case.sees_all:
        raise NoCase(f"the file shows the game as {case.manifest.viewer} sees it, and no more")
    batch = next(each for each in case.batches if each.first <= seq <= each.last)
    if batch.order is None:
        raise NoCase(f"no order led to event {seq}")
    moment = _moment(case, batch)
    named = title or f"As in events {batch.first} to {batch.last} of game {id}"
    form = forms().get(rules.ruleset)
    if form is None:
        raise NoCase(f"there is no form for cases of {rules.ruleset}")
    try:
        state = _position(filed, id, batch.first - 1, rules)
        played = play(rules, state, moment)
        _compare(rules, case, batch, played)
        if getattr(state, form.pieces):
            less = _reduced(rules, form, full(state), moment, played)
            table = Table(_setup(rules, form, less), [])
        else:
            table = _begun(rules, case, batch)
        return _case(rules, state, moment, played, table, (number, named))
    except Refused as error:
        raise NoCase(f"the installed rules refuse it: {error.hint} ({error.code})") from None
    except msgspec.ValidationError as error:
        raise NoCase(f"the installed rules do not read it: {error}") from None


def _moment(case: Case, batch: Batch) -> Moment:
    assert batch.order is not None
    command: Plain = msgspec.json.decode(batch.order.command)
    type_ = str(command.get("type", ""))
    if "." not in type_:  # of before commands were called by their ruleset
        command["type"] = f"{case.created.setup.ruleset}.{type_}"
    return Moment(batch.order.seat, command, _fallen(case, batch))


def _fallen(case: Case, batch: Batch) -> dict[str, Fallen]:
    """Faces of the dice of an order, or of the opening."""
    records = (case.records.get(envelope.seq) for envelope in batch.envelopes)
    rolls = [roll for each in records if isinstance(each, BatchRolled) for roll in each.rolls]
    return {roll.label: roll.faces for roll in rolls}


def _position(filed: Filed, id: GameId, version: int, rules: AnyGame) -> Any:
    """The true position; of older rules carried over, as one that a fork begins with."""
    state = filed.materials.views.of(id).at(TRUTH, version)
    if state is None or isinstance(state, rules.state):
        return state
    try:
        return carry(in_force(filed.played(id), version), state, rules)
    except (ValueError, LookupError) as error:
        told = "its position is of older rules, which the installed ones do not read"
        raise NoCase(f"{told}: {error}") from None


def _compare(rules: AnyGame, case: Case, batch: Batch, played: Played) -> None:
    """Whether the record says the same. Raises NoCase."""
    reading, told = Reading(rules), []
    try:
        for envelope in batch.envelopes:
            event = reading.event(envelope, case.data(envelope, TRUTH))
            told += [] if event is None else [canonical(event)]
    except (UnknownEvent, msgspec.ValidationError) as error:
        raise NoCase(f"the installed rules do not read its events: {error}") from None
    if told != list(map(canonical, played.events)):
        raise NoCase("the installed rules decide otherwise; decklog impact tells how")


def play(game: AnyGame, state: Any, moment: Moment) -> Played:
    """The command, and its dice as they fell. Raises Refused, NoCase."""
    events = tuple(game.decide(state, moment.seat, _read(game, moment)))
    return _thrown(game, events, game.fold(events, state), moment.faces)


def _thrown(
    game: AnyGame, events: tuple[Any, ...], state: Any, faces: Mapping[str, Fallen]
) -> Played:
    """The dice that are awaited, as they fell. Raises Refused, NoCase."""
    thrown = list[Fallen]()
    while (awaited := game.awaiting(state)) is not None:
        fallen = faces.get(awaited.label)
        if fallen is None:
            raise NoCase(f"the rules ask for dice that did not fall: {awaited.label}")
        more = tuple(game.decide(state, CHANCE, Faces(awaited.label, fallen)))
        thrown.append(fallen)
        events, state = (*events, *more), game.fold(more, state)
    return Played(events, tuple(thrown), state)


def _case(
    rules: AnyGame, state: Any, moment: Moment, played: Played, table: Table, names: tuple[str, str]
) -> Plain:
    """``names``: number and title."""
    decided = sorted({rule for event in played.events for rule in event.rules})
    if not decided:
        decided = [rule for rule in [rules.describe(state, _read(rules, moment)).rule] if rule]
    if not decided:
        raise NoCase("no rule decided anything of it")
    return {
        "id": names[0],
        "title": names[1],
        "rules": decided,
        "edition": getattr(state, "edition", rules.editions[0]),
        "setup": table.setup,
        "script": [*table.script, *_entries(moment, played)],
        "expect": {
            "events": [_pattern(event) for event in played.events],
            "asked": [question.seat for question in rules.pending(played.state)],
        },
    }


def _entries(moment: Moment, played: Played) -> Iterator[Plain]:
    yield {"seat": moment.seat, "command": moment.command}
    yield from ({"faces": [list(pool) for pool in each]} for each in played.thrown)


def _begun(rules: AnyGame, case: Case, upto: Batch) -> Table:
    """The game from its opening on, as long as nothing lies on the table."""
    given = case.created.setup
    if given.fork is not None:
        raise NoCase("a what-if game has no set-up that a case could begin with")
    setup: Plain = {"scenario": given.scenario, "seats": list(given.seats), **given.options}
    setup |= {"customs": given.customs} if given.customs else {}
    events = tuple(rules.opening(given))
    state, script = rules.fold(events), list[Plain]()
    for batch in case.batches:
        if batch.first >= upto.first:
            break
        fallen = _fallen(case, batch)
        if batch.order is not None:
            moment = _moment(case, batch)
            played = play(rules, state, moment)
            script += _entries(moment, played)
        elif fallen:
            played = _thrown(rules, (), state, fallen)
            script += [{"faces": [list(pool) for pool in each]} for each in played.thrown]
        else:
            continue
        state = played.state
    return Table(setup, script)


def _read(game: AnyGame, moment: Moment) -> Any:
    return msgspec.convert(moment.command, reduce(or_, game.commands))


def _pattern(event: Any) -> Plain:
    """The event with all that it says, fields that hold their defaults left out."""
    return {"type": event.NAME, **_fitting(msgspec.json.decode(canonical(event)), full(event))}


def _fitting(said: Any, whole: Any) -> Any:
    """What is said of an object, and all of a list: a pattern fits so."""
    if not isinstance(said, dict):
        return whole
    return {name: _fitting(each, whole[name]) for name, each in said.items()}


# --- what is left out -----------------------------------------------------------------------------


def _reduced(game: AnyGame, form: Form, plain: Plain, moment: Moment, played: Played) -> Plain:
    """The position with as little as leads to the same."""
    asked = canonical(game.pending(_state(game, plain)))
    for change in [*_without_pieces(form, plain), *_as_usual(game, form, plain)]:
        less = {**plain, **change(plain)}
        if less != plain and _leads(game, less, moment, played, asked):
            plain = less
    return plain


def _without_pieces(form: Form, plain: Plain) -> Iterator[Any]:
    def without(name: str) -> Any:
        return lambda now: {form.pieces: {k: v for k, v in now[form.pieces].items() if k != name}}

    return map(without, plain[form.pieces])


def _as_usual(game: AnyGame, form: Form, plain: Plain) -> Iterator[Any]:
    usual = _usual(game, form)
    for name in plain:
        if name not in (*form.dropped, *form.counted, form.pieces) and name in usual:
            yield lambda now, name=name: {name: usual[name]}


def _leads(game: AnyGame, plain: Plain, moment: Moment, played: Played, asked: bytes) -> bool:
    """Whether less leads to the same. Rules may stumble over half of a position."""
    try:
        state = _state(game, plain)
        if game.awaiting(state) is not None or canonical(game.pending(state)) != asked:
            return False
        return played.same(game, play(game, state, moment))
    except (Refused, NoCase, msgspec.ValidationError, ArithmeticError, LookupError):
        return False
    except (AssertionError, AttributeError, TypeError, ValueError, StopIteration):
        return False


def _state(game: AnyGame, plain: Plain) -> Any:
    return msgspec.convert(plain, game.state)


def _usual(game: AnyGame, form: Form) -> Plain:
    """What each field is where a set-up leaves it out, as JSON."""
    found: Plain = {}
    for each in msgspec.structs.fields(game.state):
        if each.default is not msgspec.NODEFAULT:
            found[each.encode_name] = full(each.default)
        elif each.default_factory is not msgspec.NODEFAULT:
            found[each.encode_name] = full(each.default_factory())
    return {**found, **form.usual}


# --- how it is written ----------------------------------------------------------------------------


def _setup(game: AnyGame, form: Form, plain: Plain) -> Plain:
    usual = _usual(game, form)
    state: Plain = msgspec.json.decode(canonical(_state(game, plain)))
    setup: Plain = {}
    for name, value in plain.items():
        if name in form.dropped or name == form.pieces:
            continue
        if name in form.counted:
            setup[name] = len(value)
        elif name not in usual or value != usual[name]:
            setup[name] = _written(form, name, state.get(name, value))
    pieces: Plain = state.get(form.pieces, {})
    return {**setup, form.pieces: [_piece(form, id, each) for id, each in pieces.items()]}


def _piece(form: Form, id: str, piece: Plain) -> Plain:
    return {"id": id, **{name: value for name, value in piece.items() if name not in form.implied}}


def _written(form: Form, name: str, value: Any) -> Any:
    if name not in form.opened:
        return value
    return {seat: _items(each) for seat, each in value.items() if _items(each)}


def _items(value: Any) -> Sequence[Any]:
    """What everybody knows of a list that may be hidden from some."""
    found: Sequence[Any] = value.get("items", ()) if isinstance(value, dict) else value
    return found
