"""What a client may bring to a game: a scenario, a map, a deck, as a document that is checked.

A document is plain JSON. It becomes part of the set-up, so it is in the game's first record and in
the digest that the dice are bound to: a bundle judges itself without the service that made it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

import msgspec

from .form import Fault, form_faults
from .rules import Refused

Kind = Literal["scenario", "map", "deck"]
"""What kinds of documents there are. A ruleset says which of them it takes."""

CUSTOM = "custom"
"""The name of the scenario of a game whose set-up brings one."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

D = TypeVar("D", bound=msgspec.Struct)


def _nothing() -> tuple[dict[str, Any], ...]:
    return ()


@dataclass(frozen=True)
class Custom(Generic[D]):
    """One kind of document that a ruleset takes.

    kind         scenario, map or deck; a ruleset takes at most one of each
    title, text  what it is, for people
    form         the struct that a document is read as: closed (``forbid_unknown_fields``), every
                 field with a description, no floats; its JSON Schema is the document's
    judge        what the rules say against a document of the right form; empty: nothing
    examples     documents that pass, to start from
    """

    kind: Kind
    title: str
    text: str
    form: type[D]
    judge: Callable[[D], Iterable[Fault]]
    examples: Callable[[], tuple[dict[str, Any], ...]] = _nothing

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the document, for editors and for :meth:`check`."""
        made = _even(msgspec.json.schema(self.form))
        return {"$schema": DIALECT, "title": self.title, "description": self.text, **made}

    def check(self, document: Any) -> tuple[Fault, ...]:
        """Everything that is wrong with ``document``, plain JSON; empty if a game can use it.

        The rules judge only a document of the right form: they need not guess what was meant.
        """
        faults = tuple(form_faults(self.schema, document))
        return faults or tuple(self.judge(msgspec.convert(document, self.form)))

    def read(self, document: Any, pointer: str = "") -> D:
        """The document as a value; raises :class:`Unfit`, whose pointers begin with ``pointer``."""
        faults = self.check(document)
        if faults:
            raise Unfit(tuple(moved(fault, pointer) for fault in faults))
        return msgspec.convert(document, self.form)


def _even(schema: Any) -> Any:
    """A tuple of equal places as a list of that length: many tools read no ``prefixItems``."""
    if isinstance(schema, list):
        return [_even(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: _even(value) for name, value in schema.items()}
    places = made.get("prefixItems", [])
    if places and all(place == places[0] for place in places):
        del made["prefixItems"]
        made["items"] = places[0]
    return made


class Unfit(Refused):
    """A document that the ruleset does not take. ``faults`` lists all that is wrong with it."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        rule = next((fault.rule for fault in faults if fault.rule), "")
        more = f" There are {len(faults) - 1} more faults." if faults[1:] else ""
        first = faults[0]
        super().__init__("document.faulty", rule, f"{first.text}{more}", first.pointer)
        self.faults = faults


def moved(fault: Fault, pointer: str) -> Fault:
    """The fault of a document that stands at ``pointer`` in a larger one."""
    return msgspec.structs.replace(fault, pointer=pointer + fault.pointer)


def read_customs(
    takes: Iterable[Custom[Any]], brought: Mapping[Kind, Any]
) -> dict[Kind, msgspec.Struct]:
    """The documents of a set-up by kind, each as its ruleset reads it.

    takes    the ruleset's :attr:`~domain.kernel.game.Game.customs`
    brought  :attr:`~domain.kernel.setup.Setup.customs`
    Raises :class:`Unfit` with the faults of all of them.
    """
    known = {custom.kind: custom for custom in takes}
    faults: list[Fault] = []
    for kind, document in brought.items():
        found = known[kind].check(document) if kind in known else (_unknown(kind, known),)
        faults += [moved(fault, f"/customs/{kind}") for fault in found]
    if faults:
        raise Unfit(tuple(faults))
    return {kind: msgspec.convert(document, known[kind].form) for kind, document in brought.items()}


def _unknown(kind: Kind, known: Iterable[Kind]) -> Fault:
    hint = f"It takes: {', '.join(known) or 'none at all'}."
    text = f"The ruleset takes no document of the kind {kind!r}."
    return Fault("document.unknown-kind", "", text, hint=hint)
