"""What players may agree on before a game: each option is one value, its field.

The field of a ruleset's options says all that decides: name, type, default, and with :func:`option`
the rule that it comes from and the editions in which it does something. What people read of it
(``shown/option_texts.py``) and how often it is played at random hang on its name and decide
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import Meta, inspect

RULE = "x-rule"
EDITIONS = "x-editions"


def option(rule: str, *editions: str) -> Meta:
    """Annotates the type of an option: ``year: Annotated[Year, option("WAS-SCEN-61")] = 0``.

    rule      ID of the rule or ruling that leaves it to the players
    editions  in which it does something; none: in all. Elsewhere its default is all that may be.
    """
    found: dict[str, Any] = {RULE: rule}
    return Meta(extra_json_schema=found | ({EDITIONS: list(editions)} if editions else {}))


class Agreed(NamedTuple):
    """One option of a ruleset.

    name      on the wire; ``field`` in code
    editions  in which it may be set; empty: in all
    values    all that it may be, where its type lists them: of a bool, of a Literal
    """

    name: str
    field: str
    rule: str
    editions: tuple[str, ...]
    default: Any
    values: tuple[Any, ...]

    def works(self, edition: str) -> bool:
        """Whether it does something in that edition."""
        return not self.editions or edition in self.editions


@cache
def options_of(options: type[msgspec.Struct]) -> tuple[Agreed, ...]:
    """Every option of a ruleset, in the order of its fields. One that has no rule says ""."""
    described = inspect.type_info(options)
    assert isinstance(described, inspect.StructType)
    fields = {field.encode_name: field.name for field in msgspec.structs.fields(options)}
    return tuple(_option(each, fields[each.encode_name]) for each in described.fields)


def _option(field: inspect.Field, name: str) -> Agreed:
    type_, told = field.type, dict[str, Any]()
    if isinstance(type_, inspect.Metadata):
        told = type_.extra_json_schema or told
        type_ = type_.type
    rule, editions = told.get(RULE, ""), tuple(told.get(EDITIONS, ()))
    return Agreed(field.encode_name, name, rule, editions, field.default, _values(type_))


def _values(type_: inspect.Type) -> tuple[Any, ...]:
    if isinstance(type_, inspect.BoolType):
        return (False, True)
    return tuple(type_.values) if isinstance(type_, inspect.LiteralType) else ()


def idle(options: msgspec.Struct, edition: str) -> Iterator[Agreed]:
    """The options that were given something else than their default and do nothing in the edition:
    a ruleset refuses them, or players would agree on what does not happen."""
    for each in options_of(type(options)):
        if not each.works(edition) and getattr(options, each.field) != each.default:
            yield each
