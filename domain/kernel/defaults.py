"""Defaults are left out by equality.

msgspec leaves a field out where its value is the very object of the default. Of two equal texts,
one from JSON and one from a program, one would be written and the other not: two digests for one
state. Here equal values become the default itself before they are written.

What a type can hold is worked out once, so a value in which nothing can differ costs one look-up.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import NODEFAULT, UNSET, inspect
from msgspec.structs import fields, replace

_SINGLE = frozenset({bool, type(None), type(UNSET), type(NODEFAULT)})
"""Types whose equal values are always one object."""


class _Field(NamedTuple):
    """A field that may hold an equal of its default, or something with such a field inside."""

    name: str
    default: Any
    deep: bool


def settled(value: Any) -> Any:
    """``value`` with every default that is left out in place of its equals."""
    if isinstance(value, msgspec.Struct):
        plan = _plan(type(value))
        return _struct(value, plan) if plan else value
    if isinstance(value, list | tuple):
        found = [settled(item) for item in value]
        return value if _alike(found, value) else found
    if isinstance(value, dict):
        built = {key: settled(item) for key, item in value.items()}
        return value if _alike(list(built.values()), list(value.values())) else built
    return value


def _struct(value: Any, plan: tuple[_Field, ...]) -> Any:
    changes = {}
    for name, default, deep in plan:
        old = getattr(value, name)
        new = settled(old) if deep else old
        if new is not default and type(new) is type(default) and new == default:
            new = default
        if new is not old:
            changes[name] = new
    return replace(value, **changes) if changes else value


def _alike(found: list[Any], before: list[Any] | tuple[Any, ...]) -> bool:
    return all(new is old for new, old in zip(found, before, strict=True))


@cache
def _plan(kind: type[msgspec.Struct]) -> tuple[_Field, ...]:
    """The fields that have to be looked at."""
    omits = kind.__struct_config__.omit_defaults
    found = (
        _Field(field.name, field.default if omits else NODEFAULT, _holds(field.type))
        for field in fields(kind)
    )
    return tuple(field for field in found if field.deep or not is_single(field.default))


def is_single(default: Any) -> bool:
    """Whether every value that equals ``default`` is the same object, as CPython makes them."""
    if type(default) in _SINGLE or (isinstance(default, str | tuple) and not default):
        return True
    return type(default) is int and -5 <= default <= 256


def _holds(type_: Any) -> bool:
    """Whether a value of the type can hold a field that has to be looked at."""
    return _holding(inspect.type_info(type_), frozenset())


def _holding(type_: inspect.Type, within: frozenset[Any]) -> bool:
    match type_:
        case inspect.AnyType() | inspect.RawType() | inspect.CustomType():
            return isinstance(type_, inspect.AnyType)
        case inspect.UnionType():
            return any(_holding(each, within) for each in type_.types)
        case inspect.DictType():
            return _holding(type_.value_type, within)
        case inspect.TupleType():
            return any(_holding(each, within) for each in type_.item_types)
        case inspect.CollectionType():
            return _holding(type_.item_type, within)
        case inspect.StructType() if type_.cls not in within:
            return _looked_at(type_, within | {type_.cls})
        case _:
            return False


def _looked_at(type_: inspect.StructType, within: frozenset[Any]) -> bool:
    kind = getattr(type_.cls, "__origin__", type_.cls)
    if kind.__struct_config__.omit_defaults and any(
        not is_single(field.default) for field in fields(kind)
    ):
        return True
    return any(_holding(field.type, within) for field in type_.fields)
