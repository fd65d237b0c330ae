"""An order that is built by its parts: what has no list to choose from, asked part after part.

The closed set of each part is that of the template which the service gives. Where a game is played
in klicks, as Crimson Tide is, lengths are typed in klicks and turns in degrees; the record counts
in finer units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]
HALVES = ("heading", "path")
"""Parts that the record counts in half degrees, where a game is played in klicks."""
LENGTHS = ("x", "y", "at")
YES = {"y": True, "yes": True, "n": False, "no": False, "": False}


class Unfit(ValueError):
    """What was typed is no such part; its text says what is."""


def asked(template: Json, klick: int, ask: Callable[[str], str]) -> Json:
    """The command, from an answer for each part that is open. Raises Unfit.

    klick  how many units of the record are one, 0 in a game without them
    ask    puts a question, and gives the answer
    """
    parts: Mapping[str, Json] = template["schema"]["properties"]
    command: Json = {}
    for name, schema in parts.items():
        if "const" in schema:
            command[name] = schema["const"]
        elif len(schema.get("enum", ())) == 1:
            command[name] = schema["enum"][0]
        else:
            scale = scale_of(name, klick)
            command[name] = read(name, schema, ask(question(name, schema, scale)), scale)
    return command


def scale_of(name: str, klick: int) -> int:
    """How many units of the record one that is typed stands for."""
    if not klick:
        return 1
    return 2 if name in HALVES else klick if name in LENGTHS else 1


def question(name: str, schema: Json, scale: int) -> str:
    """What is asked: "heading, 0 to 359.5"."""
    if "enum" in schema:
        return f"{name}: {', '.join(_word(each) for each in schema['enum'])}"
    if schema["type"] == "boolean":
        return f"{name}? y or n"
    if schema["type"] == "integer":
        return f"{name}, {_bounds(schema, scale)}"
    inner = _inner(name, schema)
    kinds = ", ".join(inner["enum"]) if "enum" in inner else f"numbers, {_bounds(inner, scale)}"
    most = schema.get("maxItems", len(inner.get("enum", ())))
    return f"{name}, up to {most} of: {kinds}"


def read(name: str, schema: Json, typed: str, scale: int) -> Any:
    """The part that was typed. Raises Unfit."""
    said = typed.strip()
    if "enum" in schema:
        return _one_of(name, schema["enum"], said)
    if schema["type"] == "boolean":
        if said not in YES:
            raise Unfit(f"{name}: y or n.")
        return YES[said]
    if schema["type"] == "integer":
        return _number(name, said, scale)
    inner = _inner(name, schema)
    words = said.replace(",", " ").split()
    if "enum" in inner:
        return [_one_of(name, inner["enum"], word) for word in words]
    return [_number(name, word, scale) for word in words]


def _inner(name: str, schema: Json) -> Json:
    """Of a list, what each of it is. Raises Unfit for what cannot be typed in a line."""
    inner: Json = schema.get("items") or [*schema.get("prefixItems", ()), {}][0]
    if "enum" not in inner and inner.get("type") != "integer":
        raise Unfit(f"{name} cannot be typed here: give this order at the table.")
    return inner


def _one_of(name: str, values: list[Any], said: str) -> Any:
    fits = [each for each in values if _word(each) == said]
    fits = fits or [each for each in values if said and _word(each).startswith(said)]
    if len(fits) != 1:
        raise Unfit(f"{name}: one of {', '.join(_word(each) for each in values)}.")
    return fits[0]


def _number(name: str, said: str, scale: int) -> int:
    try:
        return round(float(said) * scale)
    except (ValueError, OverflowError):
        raise Unfit(f"{name}: {said!r} is no number.") from None


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _bounds(schema: Json, scale: int) -> str:
    least, most = (schema[end] / scale for end in ("minimum", "maximum"))
    return f"{least:g} to {most:g}"
