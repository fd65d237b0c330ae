"""Events of attacks and abilities."""

from __future__ import annotations

from typing import ClassVar, Literal

from .....kernel.event import Event
from .....kernel.values import Seat
from ..cards import Kind
from ..effects import Effect
from ..ids import AbilityId, SectorId, UnitId
from ..state import Attack, Outcome


class AbilityUsed(Event, frozen=True, kw_only=True):
    """An optional ability is used, and has its ``effects``.

    once  ``"turn"`` or ``"game"``: how often it may be used
    bars  the fleet claims no objective this turn (WAS-EOT-10)
    """

    NAME: ClassVar[str] = "ability-used"
    unit: UnitId
    ability: AbilityId
    on: str = ""
    effects: tuple[Effect, ...] = ()
    once: Literal["", "turn", "game"] = ""
    bars: Seat = ""


class AbilityDeclined(Event, frozen=True, kw_only=True):
    """The owner was asked about an optional ability during an attack and does not use it."""

    NAME: ClassVar[str] = "ability-declined"
    unit: UnitId
    ability: AbilityId


class AbilityRolled(Event, frozen=True, kw_only=True):
    """A die was rolled for an ability; ``result`` is its outcome, if it has one."""

    NAME: ClassVar[str] = "ability-rolled"
    unit: UnitId
    ability: AbilityId
    face: int
    result: str = ""
    effects: tuple[Effect, ...] = ()


class AttackDeclared(Event, frozen=True, kw_only=True):
    """An attack with all its numbers and their reasons, before any die is thrown."""

    NAME: ClassVar[str] = "attack-declared"
    attack: Attack


class AttackRolled(Event, frozen=True, kw_only=True):
    """The attack dice are down (again, after a reroll)."""

    NAME: ClassVar[str] = "attack-rolled"
    attacker: UnitId
    faces: tuple[int, ...]
    successes: int


class ConcealmentRolled(Event, frozen=True, kw_only=True):
    """The defender's concealment roll (WAS-LOS-10, -11).

    needed  the least face that conceals, less the figures of abilities
    """

    NAME: ClassVar[str] = "concealment-rolled"
    unit: UnitId
    face: int
    needed: int
    concealed: bool


class AttackResolved(Event, frozen=True, kw_only=True):
    """The attack's result: counters are placed now, damage takes effect when the phase ends.

    outcome    ``miss``, ``hit``, ``destroyed``, ``aborted``, ``no-effect``
    damage     hull points now pending on the target because of this attack
    because    the ability that destroyed the target outright; of an attack without effect, always
               the cause that undid it: an ability, ``concealment``, or that the target was
               ``aborted`` or
               ``doomed`` already
    followups  abilities that ask for a roll because of the outcome
    """

    NAME: ClassVar[str] = "attack-resolved"
    attacker: UnitId
    weapon: Kind
    target: UnitId
    outcome: Outcome
    damage: int = 0
    because: str = ""
    followups: tuple[AbilityId, ...] = ()


class AttackEnded(Event, frozen=True, kw_only=True):
    """All that followed from the attack is dealt with."""

    NAME: ClassVar[str] = "attack-ended"
    attacker: UnitId


class EffectBegan(Event, frozen=True, kw_only=True):
    """Something lasting that a rule sets going (ASW Threat)."""

    NAME: ClassVar[str] = "effect-began"
    effect: Effect


class UnitDoomed(Event, frozen=True, kw_only=True):
    """A Destroyed counter is placed by something other than an attack's own result."""

    NAME: ClassVar[str] = "unit-doomed"
    unit: UnitId
    cause: str


class UnitSpared(Event, frozen=True, kw_only=True):
    """A unit that would have been destroyed stays in play and suffers ``pending`` damage."""

    NAME: ClassVar[str] = "unit-spared"
    unit: UnitId
    pending: int


class SmokeLaid(Event, frozen=True, kw_only=True):
    """A smoke screen fills a sector until the end of turn ``until`` (WAS-ABIL-30).

    unit  the unit that lays it; empty when it was there before the battle, by agreement
    """

    NAME: ClassVar[str] = "smoke-laid"
    unit: UnitId
    sector: SectorId
    until: int
