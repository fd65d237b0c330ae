"""Commands that the schema of a template describes, drawn at random, and why the rules refuse them.

Long lists are rare, and many lists hold few different things, so that a sum is as often within a
limit as beyond it, and whatever asks for things that differ is met by some that do not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from domain.kernel import conformance
from domain.kernel.options import Template, TemplateRefusal
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.testing.cases import do
from domain.kernel.values import Seat
from tests.support.suites import Suite

AnyGame = Any
Schema = dict[str, Any]
FEW = 3
"""Different things in a list that repeats itself."""


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def drawn(schema: Schema, dice: random.Random) -> Any:
    """Some value of a schema, any with the same chance at each choice."""
    if "oneOf" in schema:
        return drawn(_merged(schema, dice.choice(schema["oneOf"])), dice)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return dice.choice(schema["enum"])
    match schema["type"]:
        case "boolean":
            return dice.random() < 0.5
        case "integer":
            return dice.randint(schema["minimum"], schema["maximum"])
        case "array":
            return _array(schema, dice)
        case _:
            return {
                name: drawn(part, dice)
                for name, part in schema["properties"].items()
                if name in schema["required"] or dice.random() < 0.5
            }


def _merged(schema: Schema, one: Schema) -> Schema:
    """A schema narrowed by one of its branches."""
    whole, narrow = schema.get("properties", {}), one["properties"]
    parts = {name: {**whole.get(name, {}), **narrow.get(name, {})} for name in whole | narrow}
    needed = [*schema.get("required", ()), *one.get("required", ())]
    return {"type": "object", "properties": parts, "required": needed}


def _array(schema: Schema, dice: random.Random) -> list[Any]:
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    differ = schema.get("uniqueItems", False)
    most = len(schema["items"]["enum"]) if most is None else most
    length = dice.choice((dice.randint(least, most), min(most, least + dice.randrange(FEW))))
    found = [drawn(part, dice) for part in schema.get("prefixItems", ())][:length]
    if len(found) == length:
        return found
    pool = [drawn(schema["items"], dice) for _ in range(dice.choice((1, FEW, length)))]
    for _ in range(len(found), length):
        value = dice.choice(pool)
        if not differ or value not in found:
            found.append(value)
    return found


class Tried(NamedTuple):
    """A command that fits a template, and the refusal that it meets; none, if it is accepted."""

    seat: Seat
    template: Template
    command: Schema
    refusal: TemplateRefusal | None


def tried(
    game: AnyGame, state: Any, seat: Seat, template: Template, kinds: Any, dice: random.Random
) -> Tried:
    """Draw a command of a template, and give it. Raises msgspec.ValidationError for no command."""
    command = drawn(plain(template.schema), dice)
    try:
        game.decide(state, seat, msgspec.convert(command, kinds))
    except Refused as refused:
        return Tried(seat, template, command, TemplateRefusal(refused.code, refused.rule))
    return Tried(seat, template, command, None)


def offered(
    game: AnyGame, setup: Setup, dice: random.Random
) -> Iterator[tuple[Any, Seat, Template]]:
    """Every template of a random game that is played on meanwhile, with its state and seat."""
    for step in conformance.play(game, setup, dice.randrange):
        yield from standing(game, step.state)


def standing(game: AnyGame, state: Any) -> Iterator[tuple[Any, Seat, Template]]:
    """Every template of a position, with its seat."""
    if game.result(state) is None and game.awaiting(state) is None:
        for seat in dict.fromkeys(asked.seat for asked in game.pending(state)):
            for template in game.legal(state, seat).templates:
                yield state, seat, template


def positions(suite: Suite, case: Mapping[str, Any]) -> Iterator[Any]:
    """The states that a numbered case comes to: after its set-up, and after each entry.

    None where there is no such set-up: at another value of an option the step may be another one.
    """
    with suite.around():
        try:
            table = suite.begin(case)
        except (Refused, LookupError, msgspec.ValidationError):
            return
        yield table.state
        for entry in case.get("script", ()):
            if "faces" in entry and suite.game.awaiting(table.state) is None:
                return
            with suppress(Refused):
                do(suite.game, table, entry)
                yield table.state
