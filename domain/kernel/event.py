"""What happened, with its outcome. Events are stored for ever: what was written once is read again.

A field more, with a default, is no new form: what was stored is read without it and written as it
was. Any other change of an event, or of a value in it, is a new form and needs two lines: a new
``SCHEMA`` number on the event, and an :data:`Upcaster` from the number before in
:attr:`Game.upcasters <domain.kernel.game.Game.upcasters>` under ``(NAME, number before)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

from .values import Value

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""From an event's data of one schema number to its data of the next: plain JSON, pure, total."""


class Event(Value, frozen=True, omit_defaults=True):
    """Base of every event.

    NAME     stable stored name without the ruleset, kebab-case: ``"attack-resolved"``
    SCHEMA   version of the stored form; a new form is a new number and an upcaster from the old
    rules    IDs of the rules that decided
    """

    NAME: ClassVar[str] = ""
    SCHEMA: ClassVar[int] = 1

    rules: tuple[str, ...] = ()


class UnknownEvent(Exception):
    """A stored event of a type or a schema number that this version of the game cannot read."""


def carried(
    type_: type[Event],
    schema: int,
    fields: dict[str, Any],
    upcasters: Mapping[tuple[str, int], Upcaster],
) -> dict[str, Any]:
    """The data of an old ``schema`` as the present one has it, one number after the other.

    Raises UnknownEvent for a number that was never there or has no upcaster, ValidationError for
    data that its upcaster cannot read.
    """
    if not 1 <= schema <= type_.SCHEMA:
        raise UnknownEvent(f"{type_.NAME}.v{schema}")
    for number in range(schema, type_.SCHEMA):
        upcaster = upcasters.get((type_.NAME, number))
        if upcaster is None:
            raise UnknownEvent(f"{type_.NAME}.v{number}: no upcaster")
        try:
            fields = upcaster(fields)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            found = f"{type_.NAME}.v{number}: {type(error).__name__}: {error}"
            raise msgspec.ValidationError(found) from None
    return fields
