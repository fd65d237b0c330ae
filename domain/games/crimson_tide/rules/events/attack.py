"""Events of an attack, from the declaration to what it leaves behind (CT-COMB-07)."""

from __future__ import annotations

from typing import ClassVar

from .....kernel.event import Event
from ..state import Bearing, Inbound, Seen, Shot, Weapon


class AttackDeclared(Event, frozen=True, kw_only=True):
    """Unit, weapon, arc and target are named; the weapon counts as used (CT-GEN-06).

    slot  the use that is spent: ``primary.forward``, ``secondary``, ``torpedo``, ``aaw``, ...
    """

    NAME: ClassVar[str] = "attack-declared"
    attacker: str
    weapon: Weapon
    target: str
    slot: str
    arc: Bearing = ""


class AttackMeasured(Event, frozen=True, kw_only=True):
    """Range, arc and line of sight allow it: dice, least face and ratings with their reasons."""

    NAME: ClassVar[str] = "attack-measured"
    shot: Shot


class AttackWasted(Event, frozen=True, kw_only=True):
    """The attack proves impossible (CT-GEN-07).

    reason  ``out-of-range``, ``outside-arc``, ``no-line-of-sight``, ``no-dice``, ``concealed``,
            ``not-detected``, ``too-small``
    taken_back  by agreement the weapon is not used up, but this cannot be tried again
    """

    NAME: ClassVar[str] = "attack-wasted"
    attacker: str
    weapon: Weapon
    target: str
    reason: str
    arc: str = ""
    band: int = 0
    seen: Seen | None = None
    taken_back: bool = False
    slot: str = ""


class ConcealmentRolled(Event, frozen=True, kw_only=True):
    """Whether a target in a storm is seen (CT-WEA-02)."""

    NAME: ClassVar[str] = "concealment-rolled"
    attacker: str
    target: str
    face: int
    needed: int
    passed: bool


class DetectionRolled(Event, frozen=True, kw_only=True):
    """Whether a submarine is found (CT-DET-02)."""

    NAME: ClassVar[str] = "detection-rolled"
    attacker: str
    target: str
    face: int
    needed: int
    detected: bool


class AttackResolved(Event, frozen=True, kw_only=True):
    """The dice are read: all rounds, the hits, and their effects.

    outcome  ``miss``, ``hit``, ``critical``, ``aborted``, ``destroyed``
    hull     hull points that the target loses, pending
    """

    NAME: ClassVar[str] = "attack-resolved"
    attacker: str
    weapon: Weapon
    target: str
    rounds: tuple[tuple[int, ...], ...]
    hits: int
    outcome: str
    hull: int = 0


class CriticalRolled(Event, frozen=True, kw_only=True):
    """The critical table: two dice, and the result of their sum (CT-CRIT).

    result  table number of the marker, which is pending: the sum, or the number that an ability of
            the target makes of it; 0: no marker, after a 12 or a sum without meaning for the unit
    """

    NAME: ClassVar[str] = "critical-rolled"
    target: str
    faces: tuple[int, int]
    result: int


class TorpedoesLaunched(Event, frozen=True, kw_only=True):
    """TORPEDO INBOUND markers on the target (CT-TORP-03)."""

    NAME: ClassVar[str] = "torpedoes-launched"
    attacker: str
    target: str
    inbound: Inbound


class TorpedoesChecked(Event, frozen=True, kw_only=True):
    """The markers of one attack of an earlier turn: each 6 is two hull points (CT-TORP-02).

    least  the face that a torpedo hits on (CT-TORP-10)
    """

    NAME: ClassVar[str] = "torpedoes-checked"
    target: str
    firer: str
    turn: int
    faces: tuple[int, ...]
    hits: int
    hull: int
    least: int = 6


class AttackEnded(Event, frozen=True, kw_only=True):
    """The attack is over."""

    NAME: ClassVar[str] = "attack-ended"
    attacker: str
