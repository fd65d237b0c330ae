"""What every game must pass. A third party runs it on its own game; our tests run it on ours.

Randomness comes in from outside: ``choose(n)`` gives an integer from 0 to n - 1. Each check raises
:class:`Nonconformance` with what was wrong, at which event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from .chance import PUBLIC_DOMAIN, SEALED_DOMAIN, Awaited, Faces, domain_seat
from .codec import Codec, canonical
from .commands import tag_of
from .custom import Custom
from .events import StepBegan
from .forked import fork_rules
from .game import Game
from .rules import Refused
from .sameness import differences
from .setup import Setup
from .values import CHANCE, PUBLIC, TRUTH, Choose, Seat

AnyGame = Game[Any, Any, Any]


class Nonconformance(AssertionError):
    """A game breaks a promise that every game makes."""


@dataclass
class Played:
    """A game as it was played: each command with the events that it led to."""

    setup: Setup
    events: list[Any] = field(default_factory=list)
    turns: list[tuple[Seat, Any, int]] = field(default_factory=list)
    state: Any = None


def throw(awaited: Awaited, choose: Choose) -> Faces:
    """Chance's answer to a request, face by face."""
    return Faces(
        awaited.label,
        tuple(tuple(1 + choose(pool.sides) for _ in range(pool.count)) for pool in awaited.pools),
    )


def check_domain(game: AnyGame, setup: Setup, awaited: Awaited) -> None:
    """A roll's domain is one of those that the game named before it began, and of its seats."""
    if awaited.domain not in game.domains(setup):
        raise Nonconformance(f"{awaited.label} is of {awaited.domain}, which the game never named")
    if awaited.domain in (PUBLIC_DOMAIN, SEALED_DOMAIN):
        return
    if domain_seat(awaited.domain) not in setup.seats:
        raise Nonconformance(f"{awaited.domain} is of no seat of the game")


def askable(game: AnyGame, state: Any, seats: Sequence[Seat]) -> list[tuple[Seat, Any]]:
    """Every (seat, command) that may come next, chance excepted; raises on a dead end."""
    asked = game.pending(state)
    moves = [(seat, command) for seat in seats for command in game.legal(state, seat).commands]
    if not asked:
        raise Nonconformance("the game is not over, yet nobody is asked anything")
    able = {seat for seat, _ in moves}
    for question in asked:
        if question.seat not in able:
            raise Nonconformance(f"{question.seat} is asked {question.question} with no answer")
    if able - {question.seat for question in asked}:
        raise Nonconformance("a seat that is not asked has legal commands")
    return moves


def play(
    game: AnyGame, setup: Setup, choose: Choose, patience: int = 1_500, limit: int = 20_000
) -> Iterator[Played]:
    """Random legal play to the end; yields the same record after each command.

    After ``patience`` commands the players take the mildest concession that is open (a game lists
    it first and resigning last), as people do who see that nothing moves any more. A game that
    still has not ended after ``limit`` commands does not conform.
    """
    played = Played(setup)
    played.events.extend(game.opening(setup))
    played.state = game.fold(played.events)
    yield played
    for number in range(limit):
        state = played.state
        if game.result(state) is not None:
            return
        awaited = game.awaiting(state)
        if awaited is not None:
            check_domain(game, setup, awaited)
            seat, command = CHANCE, throw(awaited, choose)
        else:
            moves = askable(game, state, setup.seats)
            seat, command = moves[choose(len(moves))]
            tired = game.legal(state, seat).concessions[:-1] if number >= patience else ()
            command = tired[0] if tired else command
        _take(game, played, seat, command)
        yield played
    raise Nonconformance(f"no end within {limit} commands")


def _take(game: AnyGame, played: Played, seat: Seat, command: Any) -> None:
    events = game.decide(played.state, seat, command)
    if not events:
        raise Nonconformance(f"{seat}'s {command} was accepted and led to nothing")
    played.turns.append((seat, command, len(events)))
    played.events.extend(events)
    played.state = game.fold(events, played.state)


def check_purity(game: AnyGame, state: Any, seat: Seat, command: Any) -> None:
    """The same question twice gives the same answer and leaves the state as it was."""
    before = canonical(state)
    first = _answer(game, state, seat, command)
    second = _answer(game, state, seat, command)
    if first != second:
        raise Nonconformance(f"two answers to {seat}'s {command}")
    if canonical(state) != before:
        raise Nonconformance(f"deciding {command} changed the state it was asked about")


def _answer(game: AnyGame, state: Any, seat: Seat, command: Any) -> bytes:
    try:
        return canonical(game.decide(state, seat, command))
    except Refused as refusal:
        return f"{refusal.code} {refusal.rule}".encode()


def check_legality(game: AnyGame, state: Any, seats: Sequence[Seat], strays: Sequence[Any]) -> None:
    """``decide`` accepts all that ``legal`` offers and, of the strays, only what it offers."""
    for seat in seats:
        options = game.legal(state, seat)
        offered = options.commands + options.concessions
        listed = {canonical(command) for command in offered}
        templated = {template.type for template in options.templates}
        if len(listed) != len(offered):
            raise Nonconformance(f"{seat} is offered the same command twice")
        for command in offered:
            try:
                game.decide(state, seat, command)
            except Refused as refusal:
                raise Nonconformance(f"offered, but refused: {seat} {command}: {refusal}") from None
        for stray in strays:
            if canonical(stray) in listed or tag_of(type(stray)) in templated:
                continue
            try:
                game.decide(state, seat, stray)
            except Refused as refusal:
                if not refusal.code:
                    raise Nonconformance(f"refused without a code: {stray}") from None
            else:
                raise Nonconformance(f"accepted, but not offered: {seat} {stray}")


def check_canonical(
    game: AnyGame, state: Any, seats: Sequence[Seat], choose: Choose, most: int = 3
) -> None:
    """A state is its canonical form: read back, it answers every question as it did before.

    The digest of that form is all that a record holds of a state, and a fork begins with it. So
    what the form leaves out means nothing: the order of a dict's keys, and which of two equal
    values stands in a field. Events are folded and told as they are read, too.

    most  as many of a seat's commands, drawn by ``choose``, and chance's answer are decided
    """
    awaited = game.awaiting(state)
    orders = [(CHANCE, throw(awaited, choose))] if awaited is not None else []
    for seat in seats:
        options = game.legal(state, seat)
        orders += [(seat, each) for each in _some(options.commands, choose, most)]
        orders += [(seat, each) for each in options.concessions[-1:]]
    check_answers(game, state, seats, orders)


def _some(offered: Sequence[Any], choose: Choose, most: int) -> list[Any]:
    left = list(offered)
    return [left.pop(choose(len(left))) for _ in range(min(most, len(left)))]


def check_answers(
    game: AnyGame, state: Any, seats: Sequence[Seat], orders: Sequence[tuple[Seat, Any]]
) -> None:
    """As :func:`check_canonical`, with these commands and faces."""
    for difference in differences(game, state, tuple(seats), orders):
        raise Nonconformance(f"a state is not its canonical form: {difference}")


def check_roundtrip(game: AnyGame, events: Sequence[Any]) -> None:
    """Every event, as every viewer sees it, survives its stored form."""
    codec: Codec[Any] = Codec(game)
    for number, event in enumerate(events, 1):
        data = codec.encode(event)
        back = codec.decode(codec.name(event), event.SCHEMA, data)
        if back != event or codec.encode(back) != data:
            raise Nonconformance(f"event {number} ({codec.name(event)}) does not round-trip")


def check_upcasters(game: AnyGame) -> None:
    """Every form that an event, or the position of a fork, ever had leads to the present one."""
    numbers = {kind.NAME: kind.SCHEMA for kind in fork_rules(game).events}
    due = {(name, old) for name, schema in numbers.items() for old in range(1, schema)}
    for name, old in sorted(due - game.upcasters.keys()):
        raise Nonconformance(f"Game.upcasters has none for {(name, old)}: {name} is at {old + 1}")
    for name, old in sorted(game.upcasters.keys() - due):
        raise Nonconformance(f"Game.upcasters has one for {(name, old)}, which no event had")


def check_replay(game: AnyGame, played: Played) -> None:
    """Folding the events gives the state that was played to, and re-deciding gives the events."""
    if canonical(game.fold(played.events)) != canonical(played.state):
        raise Nonconformance("the replayed state is not the live state")
    opening = game.opening(played.setup)
    events, state = list(opening), game.fold(opening)
    for seat, command, _ in played.turns:
        new = game.decide(state, seat, command)
        events.extend(new)
        state = game.fold(new, state)
    if canonical(events) != canonical(played.events):
        raise Nonconformance("deciding the same commands again gave other events")


def check_steps(game: AnyGame, played: Played, choose: Choose, most: int = 3) -> None:
    """The record of a step says where one is and clears what belongs to a step, nothing else.

    So one that is overtaken at once leaves nothing behind, and needs no place on record
    (``play.Step``): whichever other step began right before, the state is the same.

    most  as many other steps, drawn by ``choose``, are tried before each
    """
    begun = [event for event in played.events if isinstance(event, StepBegan)]
    keys = sorted({event.step for event in begun})
    state = None
    for number, event in enumerate(played.events, 1):
        after = game.evolve(state, event)
        for key in _some(keys, choose, most) if isinstance(event, StepBegan) else ():
            overtaken = msgspec.structs.replace(event, step=key)
            if game.evolve(game.evolve(state, overtaken), event) != after:
                raise Nonconformance(f"event {number}: {key} leaves something to {event.step}")
        state = after


def check_views(game: AnyGame, played: Played) -> None:
    """Each viewer's redacted stream folds, keeps its numbers, and shows the same public facts."""
    truth = played.state
    for viewer in (*played.setup.seats, PUBLIC):
        seen = [game.seen(event, viewer) for event in played.events]
        for event, shown in zip(played.events, seen, strict=True):
            if type(event) is not type(shown):
                raise Nonconformance(f"{viewer} sees {type(shown)} for {type(event)}")
            if canonical(game.seen(shown, viewer)) != canonical(shown):
                raise Nonconformance(f"redacting {type(event).__name__} twice differs from once")
        check_roundtrip(game, seen)
        view = game.fold(seen)
        if game.result(view) != game.result(truth) or game.scores(view) != game.scores(truth):
            raise Nonconformance(f"{viewer} sees another result or score")
        if game.secrets(view) != game.secrets(truth):
            raise Nonconformance(f"{viewer} cannot tell whether anything is still secret")
        if game.awaiting(view) != game.awaiting(truth):
            raise Nonconformance(f"{viewer} sees another request for dice")
        if game.pending(view) != game.pending(truth):
            raise Nonconformance(f"{viewer} sees other open questions")
        if viewer in played.setup.seats and game.legal(view, viewer) != game.legal(truth, viewer):
            raise Nonconformance(f"{viewer}'s own view offers other commands than the truth")


def check_dry_runs(game: AnyGame, played: Played, strays: Sequence[Any]) -> None:
    """A seat that asks first is answered from its own view, and hears what the truth would say.

    So ``decide`` must find in a view all that it needs to accept or refuse the seat's command.
    """
    for seat in played.setup.seats:
        view = game.fold([game.seen(event, seat) for event in played.events])
        options = game.legal(played.state, seat)
        for command in (*options.commands, *options.concessions, *strays):
            told, true = (_verdict(game, state, seat, command) for state in (view, played.state))
            if told != true:
                raise Nonconformance(f"{seat}'s {command} is {true}, but {told} on its own view")


def _verdict(game: AnyGame, state: Any, seat: Seat, command: Any) -> str:
    try:
        game.decide(state, seat, command)
    except Refused as refusal:
        return f"refused: {refusal.code} {refusal.rule}"
    return "accepted"


def check_two_worlds(game: AnyGame, one: Played, other: Played, viewer: Seat) -> None:
    """Two games that differ only in what ``viewer`` may not know look the same, byte for byte."""
    if viewer == TRUTH:
        raise ValueError("the truth sees everything")
    first, second = (
        [canonical(game.seen(event, viewer)) for event in world.events] for world in (one, other)
    )
    for number, (a, b) in enumerate(zip(first, second, strict=True), 1):
        if a != b:
            raise Nonconformance(f"event {number} tells {viewer} which world this is: {a!r} {b!r}")


def check_customs(game: AnyGame) -> None:
    """The documents that a game takes: each kind once, closed, its examples good, no check fails.

    Every example must pass; the same with a field too many, with each field of the first level
    missing or turned into something else, must be judged without an exception.
    """
    kinds = [custom.kind for custom in game.customs]
    if len(set(kinds)) != len(kinds):
        raise Nonconformance("a kind of document is taken twice")
    for custom in game.customs:
        if not custom.examples():
            raise Nonconformance(f"no example of a {custom.kind}")
        for example in custom.examples():
            if faults := custom.check(example):
                raise Nonconformance(f"an example of a {custom.kind} is faulty: {faults}")
            if not custom.check(example | {"noSuchField": 1}):
                raise Nonconformance(f"a {custom.kind} is open to unknown fields")
            for spoilt in _spoilt(example):
                _check_judged(custom, spoilt)


def _spoilt(example: dict[str, Any]) -> Iterator[Any]:
    yield from ([], None, 7, "text", {})
    for name in example:
        yield {key: item for key, item in example.items() if key != name}
        others: tuple[Any, ...] = (None, [], {}, "", -1, [{}], {"": ""})
        yield from (example | {name: other} for other in others)


def _check_judged(custom: Custom[Any], document: Any) -> None:
    for fault in custom.check(document):
        if not fault.code or not fault.text or (fault.pointer and fault.pointer[0] != "/"):
            raise Nonconformance(f"a fault of a {custom.kind} does not say what or where: {fault}")
