"""What an engine answers, as whoever asks reads it: what is unknown is passed over.

The border between an engine's own structs and those of the record. An engine of another time may
have a field more or less in each of them, and no judge becomes blind by it.
"""

from __future__ import annotations

from typing import Any, TypeVar, get_args

import msgspec

from domain.kernel.chance import PUBLIC_DOMAIN, Awaited, Dice
from domain.kernel.chances import Chances, Outcome
from domain.kernel.custom import Unfit
from domain.kernel.form import Fault
from domain.kernel.options import (
    Described,
    PartOf,
    PartRole,
    Pending,
    Template,
    TemplateRefusal,
)
from domain.kernel.rules import Refused
from domain.kernel.setup import Result
from domain.kernel.shown.roles import Role

T = TypeVar("T")

PART_ROLES = frozenset(get_args(PartRole))
"""Roles of the parts of an offer; an engine of another time may have others, which nobody reads."""


class Said(msgspec.Struct, frozen=True):
    """Base of what an engine answers; fields that it has besides are passed over."""


class DiceSaid(Said, frozen=True):
    count: int
    sides: int = 6


class AwaitedSaid(Said, frozen=True):
    label: str
    pools: tuple[DiceSaid, ...]
    owner: str = ""
    domain: str = PUBLIC_DOMAIN

    def read(self) -> Awaited:
        pools = tuple(Dice(pool.count, pool.sides) for pool in self.pools)
        return Awaited(self.label, pools, self.owner, self.domain)


class OutcomeSaid(Said, frozen=True):
    name: str
    least: int


class ChancesSaid(Said, frozen=True):
    kind: str
    seat: str
    worth: tuple[tuple[int, ...], ...]
    outcomes: tuple[OutcomeSaid, ...] = ()
    weapon: str = ""
    unit: str = ""
    target: str = ""

    def read(self) -> Chances:
        outcomes = tuple(Outcome(each.name, each.least) for each in self.outcomes)
        rest = (self.weapon, self.unit, self.target)
        return Chances(self.kind, self.seat, self.worth, outcomes, *rest)


class PendingSaid(Said, frozen=True):
    seat: str
    question: str
    rule: str = ""
    optional: bool = False
    together: bool = False
    subject: str = ""

    def read(self) -> Pending:
        return Pending(
            self.seat, self.question, self.rule, self.optional, self.together, self.subject
        )


class ResultSaid(Said, frozen=True):
    winners: tuple[str, ...]
    reason: str
    rule: str = ""

    def read(self) -> Result:
        return Result(self.winners, self.reason, self.rule)


class RefusedSaid(Said, frozen=True):
    """Why not; ``faults``: all that is wrong with a document."""

    code: str
    rule: str = ""
    hint: str = ""
    pointer: str = ""
    faults: tuple[Fault, ...] = ()

    def read(self) -> Refused:
        if self.faults:
            return Unfit(self.faults)
        return Refused(self.code, self.rule, self.hint, self.pointer)


class FactsSaid(Said, frozen=True):
    """What follows from a position, as far as its rules can tell."""

    awaiting: AwaitedSaid | msgspec.UnsetType | None = msgspec.UNSET
    chances: ChancesSaid | msgspec.UnsetType | None = msgspec.UNSET
    pending: tuple[PendingSaid, ...] | msgspec.UnsetType = msgspec.UNSET
    result: ResultSaid | msgspec.UnsetType | None = msgspec.UNSET
    scores: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    secrets: bool | msgspec.UnsetType = msgspec.UNSET


class WaySaid(Said, frozen=True):
    """Each position of several, and what follows from it."""

    states: tuple[msgspec.Raw, ...]
    facts: tuple[FactsSaid, ...]


class WholeSaid(WaySaid, frozen=True, kw_only=True):
    """What an order leads to, with each position on the way and what everybody sees of it: null
    where that is the truth."""

    events: tuple[tuple[str, int, msgspec.Raw], ...]
    seen: dict[str, tuple[msgspec.Raw, ...]]


class TemplateRefusalSaid(Said, frozen=True):
    code: str
    rule: str = ""


class TemplateSaid(Said, frozen=True):
    type: str
    text: str
    schema: dict[str, msgspec.Raw]
    refusals: tuple[TemplateRefusalSaid, ...] = ()

    def read(self) -> Template:
        refusals = tuple(TemplateRefusal(each.code, each.rule) for each in self.refusals)
        return Template(self.type, self.text, self.schema, refusals)


class LegalSaid(Said, frozen=True):
    commands: tuple[msgspec.Raw, ...]
    templates: tuple[TemplateSaid, ...] = ()
    concessions: tuple[msgspec.Raw, ...] = ()


class PositionSaid(Said, frozen=True):
    """What follows from a state."""

    state: msgspec.Raw
    secrets: bool
    awaiting: AwaitedSaid | None = None
    chances: ChancesSaid | None = None
    pending: tuple[PendingSaid, ...] = ()
    result: ResultSaid | None = None


class AfterSaid(PositionSaid, frozen=True, kw_only=True):
    """What an order leads to: events, whether secrets are kept after each, and the position."""

    events: tuple[tuple[str, int, msgspec.Raw], ...]
    kept: tuple[bool, ...]


class SeenSaid(Said, frozen=True):
    seen: dict[str, tuple[msgspec.Raw, ...]]
    schemas: tuple[int, ...]


class AboutSaid(Said, frozen=True):
    """What an engine says of itself; those of before games could change their rules say less."""

    position: int = 1


class CommandSaid(Said, frozen=True):
    command: msgspec.Raw


class PartSaid(Said, frozen=True):
    role: str
    key: str
    text: str


class DescribedSaid(Said, frozen=True):
    text: str
    unit: str = ""
    target: str = ""
    rule: str = ""
    pointless: str = ""
    parts: tuple[PartSaid, ...] = ()

    def read(self) -> Described:
        known = (part for part in self.parts if part.role in PART_ROLES)
        parts = tuple(PartOf(part.role, part.key, part.text) for part in known)  # type: ignore[arg-type]
        rest = (self.unit, self.target, self.rule, self.pointless)
        return Described(self.text, *rest, parts)


class RoleSaid(Said, frozen=True, rename="camel"):
    role: str
    unit: str = ""
    seat: str = ""
    by: str = ""
    cause: str = ""
    number: int = 0

    def read(self) -> Role:
        rest = (self.unit, self.seat, self.by, self.cause, self.number)
        return Role(self.role, *rest)  # type: ignore[arg-type]


class Without(Said, frozen=True):
    """An answer that is none: why."""

    refused: RefusedSaid | None = None
    malformed: str | None = None
    crashed: str | None = None


def decoder(type_: type[T]) -> msgspec.json.Decoder[T]:
    return msgspec.json.Decoder(type_)


def maybe(said: Any) -> Any:
    """What was said, as the record has it; None where there is nothing."""
    return None if said is None else said.read()
