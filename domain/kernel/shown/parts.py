"""What an offer is made of, so that a page asks part after part until one command is left.

A game has a table: for each type of command, for each of its fields, how the field is told. What
tells a field gets the state, the field's value and the command, and gives one part, several (a
list of ships) or none (a field at its default). :func:`parts_of` puts them together in the table's
order, which is the order in which they are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ..options import PartOf, PartRole

Told = tuple[PartOf, ...]
Tells = Callable[[Any, Any, Any], Told]
"""(state, value of the field, command) -> its parts."""

Parts = Mapping[type, Mapping[str, Tells]]
"""By type of command, by name of field."""


def pieces(
    called: Callable[[str, str], str], unit_name: Callable[[Any, str], str]
) -> Callable[[PartRole], Tells]:
    """Tells fields that name a unit, by its role; none where the field is empty.

    called     (card, unit): how a unit that is in play reads
    unit_name  (state, unit): how any other does
    """

    @lru_cache(maxsize=4096)
    def made(role: PartRole, unit: str, card: str) -> Told:
        """Made once: a list of hundreds of offers names few units."""
        return (PartOf(role, unit, called(card, unit)),)

    def piece(role: PartRole) -> Tells:
        def tells(state: Any, unit: str, command: object) -> Told:
            known = state.units.get(unit)
            if known is not None:
                return made(role, unit, known.card)
            return (PartOf(role, unit, unit_name(state, unit)),) if unit else ()

        return tells

    return piece


def with_another(state: Any, value: Any, command: Any) -> Told:
    """Of a field that is told together with another one of its command."""
    return ()


def no_choice(state: Any, value: Any, command: Any) -> Told:
    """Of a field that follows from the others: nobody is asked for it."""
    return ()


def parts_of(parts: Parts, state: Any, command: Any) -> Told:
    """The parts of a command, in the order in which they are asked; none that nobody listed."""
    if type(command) not in parts:
        return ()
    found: Told = ()
    for name, tells in parts[type(command)].items():
        found += tells(state, getattr(command, name), command)
    return found
