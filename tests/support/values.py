"""What stands in shown values: who is named as a seat, which fields are never filled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

NAME = re.compile(r"(\w+_)?seats?|winners?|wins|mover|captain")
"""Names of fields that hold seats, whatever type they were given."""


def named(value: Any) -> Iterator[tuple[str, str]]:
    """Every seat that a struct names, and the field that does: by its type, Seat, or its name."""
    for kind in type(value).__mro__:
        for name, said in vars(kind).get("__annotations__", {}).items():
            if re.search(r"\bSeat\b", str(said)) or NAME.fullmatch(name):
                yield from ((f"{kind.__name__}.{name}", seat) for seat in _texts(value, name))
    for name in type(value).__struct_fields__:
        inner = getattr(value, name)
        for each in inner if isinstance(inner, tuple) else (inner,):
            if isinstance(each, msgspec.Struct):
                yield from named(each)


def _texts(value: Any, name: str) -> Iterator[str]:
    found = getattr(value, name)
    if isinstance(found, str):
        yield found
    elif isinstance(found, Mapping | tuple):
        yield from (each for each in found if isinstance(each, str))


def texts(value: Any) -> Iterator[tuple[str, str]]:
    """Every text of a struct with its field, keys of mappings included."""
    for name in type(value).__struct_fields__:
        yield from _inside(f"{type(value).__name__}.{name}", getattr(value, name))


def _inside(where: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, msgspec.Struct):
        yield from texts(value)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield where, str(key)
            yield from _inside(where, each)
    elif isinstance(value, tuple | list | frozenset):
        for each in value:
            yield from _inside(where, each)


def unfilled(form: type[msgspec.Struct], values: list[Any]) -> list[str]:
    """Fields that say the same as nothing in all of the values: what a default, or no value, is."""
    nothing: tuple[Any, ...] = ("", 0, None, (), {}, False)
    return [
        f"{form.__name__}.{field.name}"
        for field in msgspec.structs.fields(form)
        if all(getattr(each, field.name) in (*nothing, field.default) for each in values)
    ]


def structs(value: Any) -> Iterator[msgspec.Struct]:
    """A value, where it is a struct, and all structs inside."""
    if isinstance(value, msgspec.Struct):
        yield value
        for name in type(value).__struct_fields__:
            yield from structs(getattr(value, name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from structs(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from structs(each)
