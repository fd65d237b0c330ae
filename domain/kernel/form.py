"""Does a JSON document have the form that a JSON Schema asks for? Every fault at once, in words.

Only the keywords that msgspec writes for structs are read (JSON Schema 2020-12). msgspec's own
decoder stops at the first fault, and whoever writes a document by hand wants to see them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .values import Value

GREATEST = 2**53 - 1
"""The largest integer that every JSON reader holds exactly (RFC 8259 section 6)."""

LONGEST = 200
"""A fault never repeats more of the document than this."""


class Fault(Value, frozen=True):
    """One thing that is wrong with a document.

    code     stable, machine-readable: ``"document.missing-field"``, ``"map.cut-off"``
    pointer  RFC 6901 pointer to the place; empty: the document as a whole
    text     what is wrong, one sentence for whoever wrote the document
    rule     ID of the rule that asks for it; empty where none speaks
    hint     what would be right, one sentence
    """

    code: str
    pointer: str
    text: str
    rule: str = ""
    hint: str = ""


def form_faults(schema: dict[str, Any], document: Any) -> Iterator[Fault]:
    """Every way in which ``document`` is not what ``schema`` describes, in order of the document.

    schema  as :func:`msgspec.json.schema` makes it: closed objects, definitions under ``$defs``
    """
    yield from _Reader(schema.get("$defs", {})).faults(schema, document, "")


def step(pointer: str, name: str | int) -> str:
    """``pointer`` one level deeper, escaped as RFC 6901 asks."""
    return f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}"


_NAMES = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


class _Reader:
    """The definitions that a schema refers to, and the walk along schema and document."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions

    def faults(self, schema: dict[str, Any], value: Any, at: str) -> Iterator[Fault]:
        if "$ref" in schema:
            schema = self._definitions[schema["$ref"].rpartition("/")[2]]
        if "anyOf" in schema:
            yield from self._any(schema["anyOf"], value, at)
        elif "enum" in schema or "const" in schema:
            yield from _choice(schema.get("enum") or [schema["const"]], value, at)
        else:
            yield from self._typed(schema, value, at)

    def _any(self, branches: list[dict[str, Any]], value: Any, at: str) -> Iterator[Fault]:
        """The branch that comes nearest speaks: of the right kind, then with the fewest faults."""
        tried = [tuple(self.faults(branch, value, at)) for branch in branches]
        if all(tried):
            yield from min(tried, key=lambda found: (found[0].pointer == at, len(found)))

    def _typed(self, schema: dict[str, Any], value: Any, at: str) -> Iterator[Fault]:
        wanted = schema.get("type")
        if wanted is not None and _kind(value) != wanted:
            hint = f"Write {_NAMES[wanted]} here."
            yield Fault("document.wrong-type", at, f"This is not {_NAMES[wanted]}.", hint=hint)
        elif isinstance(value, dict):
            yield from self._object(schema, value, at)
        elif isinstance(value, list):
            yield from self._list(schema, value, at)
        elif isinstance(value, str):
            yield from _text(schema, value, at)
        elif _kind(value) == "integer":
            yield from _number(schema, value, at)

    def _object(self, schema: dict[str, Any], value: dict[str, Any], at: str) -> Iterator[Fault]:
        known: dict[str, Any] = schema.get("properties", {})
        rest = schema.get("additionalProperties", {})
        yield from _size(schema, len(value), at, "Properties", "entries")
        for name in schema.get("required", ()):
            if name not in value:
                text = f"The field {name!r} is missing."
                yield Fault("document.missing-field", at, text, hint=f"Add {name!r}.")
        for name, item in value.items():
            inside = step(at, name[:LONGEST])
            if name in known:
                yield from self.faults(known[name], item, inside)
            elif rest is False:
                yield _unknown(name, sorted(known), inside)
            else:
                yield from _text(schema.get("propertyNames", {}), name, inside)
                yield from self.faults(rest, item, inside)

    def _list(self, schema: dict[str, Any], value: list[Any], at: str) -> Iterator[Fault]:
        yield from _size(schema, len(value), at, "Items", "entries")
        first: list[dict[str, Any]] = schema.get("prefixItems", [])
        for number, item in enumerate(value):
            inner = first[number] if number < len(first) else schema.get("items", {})
            if inner is not False:
                yield from self.faults(inner, item, step(at, number))


def _kind(value: Any) -> str:
    """The JSON Schema type; a number with a fraction has none that a document may hold."""
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    types = ((dict, "object"), (list, "array"), (str, "string"), (int, "integer"))
    return next((name for type_, name in types if isinstance(value, type_)), "")


def _unknown(name: str, known: list[str], at: str) -> Fault:
    text = f"There is no field {name[:LONGEST]!r} here."
    hint = f"The fields are: {', '.join(known)}."
    return Fault("document.unknown-field", at, text, hint=hint)


def _choice(choices: list[Any], value: Any, at: str) -> Iterator[Fault]:
    if not any(_kind(value) == _kind(choice) and value == choice for choice in choices):
        hint = f"Choose one of: {', '.join(map(repr, choices))}."
        yield Fault("document.not-a-choice", at, "This is none of the choices.", hint=hint)


def _text(schema: dict[str, Any], value: str, at: str) -> Iterator[Fault]:
    yield from _size(schema, len(value), at, "Length", "characters")
    pattern = schema.get("pattern")
    if not value.isprintable():
        hint = "Texts are single lines of letters, digits, signs and plain spaces."
        yield Fault("document.bad-text", at, "A character here cannot be printed.", hint=hint)
    elif pattern is not None and re.search(pattern, value) is None:
        text = f"{value[:LONGEST]!r} is not written as it must be."
        yield Fault("document.bad-text", at, text, hint=f"The form is {pattern}.")
    if "enum" in schema:
        yield from _choice(schema["enum"], value, at)


def _number(schema: dict[str, Any], value: int, at: str) -> Iterator[Fault]:
    least, most = schema.get("minimum", -GREATEST), schema.get("maximum", GREATEST)
    if not least <= value <= most:
        hint = f"From {least} to {most}."
        yield Fault("document.out-of-range", at, "The number is out of range.", hint=hint)


def _size(schema: dict[str, Any], size: int, at: str, what: str, unit: str) -> Iterator[Fault]:
    least, most = schema.get(f"min{what}", 0), schema.get(f"max{what}")
    if size < least:
        text = f"There are too few {unit} here: {size}."
        yield Fault("document.too-short", at, text, hint=f"At least {least}.")
    if most is not None and size > most:
        text = f"There are too many {unit} here: {size}."
        yield Fault("document.too-long", at, text, hint=f"At most {most}.")
