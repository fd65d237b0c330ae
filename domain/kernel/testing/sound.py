"""What games have shown is sound: demands on top of completeness, one hook for each.

Completeness asks whether there is an answer at all; these ask whether it is the right one, as far
as that can be told without knowing the game: a number in a sentence is one of the event, what is
not offered is refused, a secret answer is not asked for after another has been seen to be given.
All of it is asked of the same examples (``Seen``), so it costs no game of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace as replace_record
from functools import partial
from typing import Any

import msgspec
from msgspec import inspect as forms
from msgspec.structs import replace

from ..codec import full
from ..commands import deed, tag_of
from ..conformance import AnyGame
from ..options import Pending
from ..play import Course
from ..question import Question
from ..rules import Refused
from ..shown.bot import Bot, Position
from ..values import PUBLIC
from .completeness import Gap, Hook, file_of
from .revealing import hidden_in
from .seen import Seen

FEW = 8
"""Values of a bounded number that are tried one by one."""
BASES = 2
"""Commands of a type that are changed, in one position."""

_NUMBER = re.compile(r"(?<![\w.,-])\d+(?!\w)")
_NONE = re.compile(r"\bno ")
_DIGITS = re.compile(r"\d+")


# --- what is offered, and when -------------------------------------------------------------------


def offered_alone(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """No other value of a field is accepted than those that are offered."""
    for examples in seen.questions.values():
        for state, question in examples[:BASES]:
            for stray in _strays(game, state, question):
                try:
                    game.decide(state, question.seat, stray)
                except Refused:
                    continue
                thing = f"command {deed(tag_of(type(stray)))}"
                yield Gap(thing, f"an offer, or a refusal, of {stray}", file_of(type(stray)))


def _strays(game: AnyGame, state: Any, question: Pending) -> Iterator[Any]:
    """Offered commands with one field changed to another value of its type."""
    options = game.legal(state, question.seat)
    listed = options.commands + options.concessions
    templated = {template.type for template in options.templates}
    for kind in game.commands:
        if tag_of(kind) in templated:
            continue
        for base in [each for each in listed if type(each) is kind][:BASES]:
            for name, value in _values(kind):
                stray = replace(base, **{name: value})
                if stray not in listed:
                    yield stray


def _values(kind: Any) -> Iterator[tuple[str, Any]]:
    """Each field of few values, with each of them."""
    form = forms.type_info(kind)
    assert isinstance(form, forms.StructType)
    for each in form.fields:
        for value in _of(each.type):
            yield each.name, value


def _of(form: Any) -> Iterable[Any]:
    """All values of a type; none where there are many."""
    if isinstance(form, forms.BoolType):
        return (False, True)
    if isinstance(form, forms.LiteralType):
        return form.values
    if isinstance(form, forms.UnionType):
        return [value for each in form.types for value in _of(each)]
    if isinstance(form, forms.IntType) and form.ge is not None and form.le is not None:
        return range(form.ge, form.le + 1) if form.le - form.ge < FEW else ()
    return ()


def asked_together(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """Who answers in secret is not asked before another who is to answer the same in secret."""
    for key, examples in seen.questions.items():
        if any(_in_turn(game, state, question) for state, question in examples):
            lacks = "its seats together: each answers in secret"
            yield Gap(f"question {key}", lacks, _asked_in(game, key))


def sealed_together(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """What is asked of several together is answered in secret, or the last knows all answers."""
    for key, examples in seen.questions.items():
        several = [(s, q) for s, q in examples if q.together and len(game.pending(s)) > 1]
        if several and not any(_sealed(game, state, question) for state, question in several):
            lacks = "answers that the others do not see, or its seats one after another"
            yield Gap(f"question {key}", lacks, _asked_in(game, key))


def _sealed(game: AnyGame, state: Any, question: Pending) -> bool:
    """Whether one of the first answers is sealed."""
    return any(
        hidden_in(game, event, PUBLIC)
        for command in game.legal(state, question.seat).commands[:BASES]
        for event in game.decide(state, question.seat, command)
    )


def _asked_in(game: AnyGame, key: str) -> str:
    """The file in which a question is made, if a course has it."""
    found = (asks.who for name, asks in _asks(game) if name == key)
    return file_of(next(found, game.pending))


def _asks(game: AnyGame) -> Iterator[tuple[str, Question[Any, Any, Any]]]:
    """All questions of the orders of play, with their keys."""
    for course in game.courses:
        if isinstance(course, Course):
            yield from course.questions.items()


def _in_turn(game: AnyGame, state: Any, question: Pending) -> bool:
    """Whether a sealed answer leads to the same question for a seat that was not asked yet."""
    asked = {each.seat for each in game.pending(state)}
    command = next(iter(game.legal(state, question.seat).commands), None)
    if command is None:
        return False
    events = game.decide(state, question.seat, command)
    if not any(hidden_in(game, event, PUBLIC) for event in events):
        return False
    after = game.fold(events, state)
    if game.result(after) is not None or game.awaiting(after) is not None:
        return False
    return any(
        each.question == question.question and each.seat not in asked
        for each in game.pending(after)
    )


def answered_once(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """The refusal of a second answer points into the command that it refuses."""
    for key, question in _asks(game):
        pointer = question.again.pointer if question.again is not None else ""
        kinds = [each.command for each in question.acts]
        if pointer and not all(pointed(kind, pointer) for kind in kinds):
            names = " and ".join(deed(tag_of(kind)) for kind in kinds)
            lacks = f"a pointer of its again into {names}: {pointer} is none"
            yield Gap(f"question {key}", lacks, file_of(question.who))


def pointed(kind: type[Any], pointer: str) -> bool:
    """Whether a JSON pointer begins with a field of a type."""
    names = {each.encode_name for each in msgspec.structs.fields(kind)}
    return pointer.split("/")[1] in names


def titled_apart(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """No two steps have one title, but parts of one: a page tells by it where one is."""
    assert game.tables is not None
    titles: dict[str, str] = {}
    for key, title in game.tables.titles.items():
        other = titles.setdefault(title, key.phase)
        if title and not key.phase.startswith(other) and not other.startswith(key.phase):
            where = file_of(game.tables.titled or game.tables.where)
            yield Gap(f"step {key}", f"a title other than that of {other}: {title}", where)


def opinions(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """A bot that judges a question does not simply take what is listed first."""
    units = {unit.id: msgspec.to_builtins(unit) for unit in game.catalogue.units()}
    for name, make in game.bots.items():
        bot = make()
        for key in sorted(getattr(bot, "judges", frozenset())):
            choices = [
                each
                for state, question in seen.questions.get(key, ())
                if len((each := _position(game, state, question, units)).items) > 1
            ]
            if choices and not any(_opinion(bot, each) for each in choices):
                lacks = f"a judgement of the bot {name}: it takes whatever is listed first"
                yield Gap(f"question {key}", lacks, file_of(type(bot)))


def _position(
    game: AnyGame, state: Any, question: Pending, units: dict[str, dict[str, Any]]
) -> Position:
    items = [
        {"command": msgspec.to_builtins(command), "odds": game.odds(state, command)}
        for command in game.legal(state, question.seat).commands
    ]
    view = partial(full, state)
    return Position(question.seat, question.question, items, view, units, subject=question.subject)


def _opinion(bot: Bot, position: Position) -> bool:
    """Whether it takes the same whatever the order of the list is."""
    turned = replace_record(position, items=position.items[::-1])
    return bool(bot.choose(position)["command"] == bot.choose(turned)["command"])


# --- numbers -------------------------------------------------------------------------------------


def told(reckoned: frozenset[str] = frozenset()) -> tuple[Hook, ...]:
    """Numbers in words are those of what the words are of.

    reckoned  names of events and deeds of commands whose words have numbers that are worked out or
              looked up in the position
    """

    def sentences(game: AnyGame, seen: Seen) -> Iterator[Gap]:
        names = _names(game)
        for kind, examples in seen.events.items():
            name: str = kind.NAME  # type: ignore[attr-defined]
            texts = [(_stripped(game.says(before, e), names), e) for before, e, _ in examples]
            yield from _strange(f"event {name}", name, texts, file_of(game.says))

    def descriptions(game: AnyGame, seen: Seen) -> Iterator[Gap]:
        names = _names(game)
        for kind, examples in seen.commands.items():
            name = deed(tag_of(kind))
            texts = [(_stripped(game.describe(s, c).text, names), c) for s, _, c in examples]
            yield from _strange(f"command {name}", name, texts, file_of(game.describe))

    def _strange(thing: str, name: str, texts: list[tuple[str, Any]], where: str) -> Iterator[Gap]:
        odd = [(text, numbers) for text, of in texts if (numbers := _of_words(text) - _own(of))]
        if odd and name not in reckoned:
            lacks = f"its own numbers, or an entry that they are reckoned: {odd[0][1]} in"
            yield Gap(thing, f"{lacks} {odd[0][0]!r}", where)
        if name in reckoned and texts and not odd:
            yield Gap(thing, "reckoning: it is listed as reckoned, and has its own numbers", where)

    return (sentences, descriptions, scored, ordered, counted)


def scored(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """Points that an event gives or takes are told in its sentence."""
    for kind, examples in seen.events.items():
        for before, event, after in examples:
            if before is None:
                continue
            had, has = game.scores(before), game.scores(after)
            given = {abs(has[seat] - had.get(seat, 0)) for seat in has} - {0}
            said = game.says(before, event)
            if given and not given & _of_words(said):
                thing = f"event {kind.NAME}"  # type: ignore[attr-defined]
                yield Gap(thing, f"its {given} points in {said!r}", file_of(game.says))


def ordered(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """Numbers that an event has in a row are told in that order, or sorted, if all are told."""
    for kind, examples in seen.events.items():
        for before, event, _ in examples:
            said = game.says(before, event)
            numbers = [int(each) for each in _NUMBER.findall(_NONE.sub("0 ", said))]
            for row in _rows(event):
                rows = (row, tuple(sorted(row)))
                if set(row) <= set(numbers) and not any(_within(each, numbers) for each in rows):
                    thing = f"event {kind.NAME}"  # type: ignore[attr-defined]
                    yield Gap(thing, f"{row} in that order in {said!r}", file_of(game.says))


def _rows(event: Any) -> Iterator[tuple[int, ...]]:
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if isinstance(value, tuple) and value and all(type(each) is int for each in value):
            yield value


def _within(row: tuple[int, ...], numbers: list[int]) -> bool:
    left = iter(numbers)
    return all(each in left for each in row)


def counted(game: AnyGame, seen: Seen) -> Iterator[Gap]:
    """A part of a command that is a number reads as that number."""
    for kind, examples in seen.commands.items():
        for state, _, command in examples:
            for part in game.describe(state, command).parts:
                if part.role == "number" and _of_words(part.text) - {int(part.key)}:
                    thing = f"command {deed(tag_of(kind))}"
                    lacks = f"a part that reads as {part.key}: {part.text!r}"
                    yield Gap(thing, lacks, file_of(game.describe))


def _names(game: AnyGame) -> list[str]:
    """What units and abilities are called, the longest first: numbers in a name are no numbers."""
    entries = (*game.catalogue.units(), *game.catalogue.abilities())
    return sorted({each.name for each in entries if _DIGITS.search(each.name)}, key=len)[::-1]


def _stripped(text: str, names: Iterable[str]) -> str:
    for name in names:
        text = text.replace(name, "")
    return text


def _of_words(text: str) -> set[int]:
    """The numbers that stand by themselves in a text."""
    return {int(each) for each in _NUMBER.findall(text)}


def _own(value: Any) -> set[int]:
    """All numbers in an event or a command, those in its keys and words too."""
    return {int(each) for each in _DIGITS.findall(msgspec.json.encode(full(value)).decode())}


SOUND: tuple[Hook, ...] = (
    offered_alone, asked_together, sealed_together, answered_once, titled_apart, opinions
)  # fmt: skip
"""What needs no list of the game's."""
