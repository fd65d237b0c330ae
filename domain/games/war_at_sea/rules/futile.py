"""DMG: attacks that are legal and can do nothing more, because what they would do is certain."""

from __future__ import annotations

from typing import NamedTuple

from ....kernel.rules import rule
from . import commands as c
from .facts import is_aircraft, sinking
from .families import deeds
from .families.effects import of_family
from .state import State, Unit

ATTACKS: tuple[type[deeds.Rams | deeds.AttacksAgain | deeds.Directs], ...] = (
    deeds.Rams,
    deeds.AttacksAgain,
    deeds.Directs,
)
"""Words of abilities that are an attack when they are used."""


def is_attack(family: str) -> bool:
    """Whether the ability is an attack when it is used."""
    return any(of_family(family, word) for word in ATTACKS)


class Certain(NamedTuple):
    """What is certain of a unit already: ``aborted`` or ``doomed``, and the rule that says so."""

    what: str
    rule: str

    @property
    def words(self) -> str:
        """For whoever is about to attack it."""
        more = "nothing more happens to it"
        if self.rule == "RUL-39":
            more = "no further damage or points, though abilities may still answer"
        return f"already {self.what}: {more} ({self.rule})"


@rule("RUL-36", "RUL-39")
def certain(state: State, target: Unit) -> Certain | None:
    """What makes attacks at a unit pointless; None where one may still do something.

    They stay legal: an Aircraft with a counter is immune to everything further, and a Ship or
    Submarine that goes down at the end of the phase is neither sunk nor scored twice.
    """
    if is_aircraft(state, target):
        if target.doomed or target.aborted:
            return Certain("doomed" if target.doomed else "aborted", "RUL-36")
        return None
    return Certain("doomed", "RUL-39") if sinking(state, target) else None


def pointless(state: State, command: c.AnyCommand) -> str:
    """Why an attack can do nothing more, in words; empty for every other command."""
    found = _certain_of(state, _target(command))
    return found.words if found is not None else ""


def _certain_of(state: State, name: str) -> Certain | None:
    target = state.units.get(name)
    return certain(state, target) if target is not None else None


def _target(command: c.AnyCommand) -> str:
    if isinstance(command, c.Fire):
        return command.target
    if isinstance(command, c.Use) and is_attack(command.ability):
        return command.on
    return ""


def last(state: State, found: tuple[c.AnyCommand, ...]) -> tuple[c.AnyCommand, ...]:
    """The same commands in their order, but those that can do nothing at the end."""
    if not any(u.pending or u.doomed or u.aborted for u in state.all_units):
        return found
    past = {name for name in set(map(_target, found)) if _certain_of(state, name)}
    return tuple(sorted(found, key=lambda each: _target(each) in past)) if past else found
