"""Who may attack whom with what: all that is asked before anything is measured (CT-COMB-07).

Nothing here looks at range, arc or line of sight: nothing is measured in advance (CT-GEN-06).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ....kernel.rules import No, rule
from ....kernel.values import Seat
from .ability_words import TorpedoesSubmarines
from .cards import Card, Row, cards
from .criticals import CREW, DEFENSES, SYSTEMS
from .facts import (
    card_of,
    crippled,
    effect,
    flying,
    has_critical,
    is_aircraft,
    is_ship,
    is_submarine,
    own,
)
from .sides import friendly
from .state import Arc, Bearing, State, Unit, Weapon

SIDES: tuple[Arc, ...] = ("starboard", "port")
ARCS: tuple[Arc, ...] = ("forward", "aft", "starboard", "port")
GUNS: tuple[Weapon, ...] = ("primary", "secondary", "tertiary")

PHASE_OF: dict[str, tuple[Weapon, ...]] = {
    "air-defense": ("aaw",),
    "air-attack": ("bombs", "torpedo", "asw", "strafe"),
    "surface-attack": ("primary", "secondary", "tertiary", "torpedo", "asw"),
    "submarine-attack": ("primary", "secondary", "tertiary", "torpedo"),
}
"""Weapons by the phase in which they are used (CT-WPN)."""


@rule("CT-WPN-02")
def row(card: Card, weapon: Weapon, arc: str = "") -> Row:
    """The card's row for a weapon; primary guns have one for each arc."""
    if weapon == "primary":
        rows = {"forward": card.forward, "aft": card.aft}
        return rows.get(arc, card.broadside)
    found: Row = getattr(card, weapon)
    return found


@rule("CT-TORP-05")
def slot(weapon: Weapon, arc: str) -> str:
    """The use that an attack spends: a weapon fires once; primary guns once in each arc."""
    if weapon != "primary":
        return weapon
    return f"primary.{arc if arc in ('forward', 'aft') else 'broadside'}"


@rule("CT-ARC-06", "CT-TORP-06")
def arcs(state: State, unit: Unit, weapon: Weapon) -> tuple[Bearing, ...]:
    """What may be declared as arc: an arc or side of a ship; nothing for all else."""
    return _arcs(card_of(state, unit), weapon)


@rule("CT-ARC-04")
def _arcs(card: Card, weapon: Weapon) -> tuple[Bearing, ...]:
    if card.kind == "aircraft" or weapon in ("aaw", "asw"):
        return ("",)
    if weapon == "primary":
        return ARCS
    if weapon in ("secondary", "tertiary"):
        return SIDES
    return ("",) if card.kind == "submarine" else SIDES


@lru_cache(maxsize=1024)
@rule("CT-UNIT-04")
def armament(name: str, phase: str) -> tuple[tuple[Weapon, tuple[Bearing, ...]], ...]:
    """The weapons of a card in a phase, each with the arcs in which it has any dice."""
    card = cards()[name]
    found = (
        (weapon, tuple(arc for arc in _arcs(card, weapon) if any(row(card, weapon, arc))))
        for weapon in PHASE_OF.get(phase, ())
    )
    return tuple((weapon, bearing) for weapon, bearing in found if bearing)


@rule("CT-SURF-01", "CT-SATK-01", "CT-SATK-04", "CT-AATK-01", "CT-AMB-38", "CT-FSM-06",
      "CT-FSM-07")  # fmt: skip
def why_not_act(state: State, unit: Unit) -> No | None:
    """Why a unit makes no attack at all in this phase."""
    phase = state.step.phase
    if phase == "air-defense":
        return _why_no_defense(state, unit)
    if phase == "air-attack":
        return _why_no_air_attack(state, unit)
    if phase == "surface-attack":
        early = is_submarine(state, unit) and state.options.submarine_guns == "surface-phase"
        if not (is_ship(state, unit) or early):
            return No("attack.wrong-phase", "CT-SURF-01", "Only ships attack now.", "/unit")
    elif phase != "submarine-attack" or not is_submarine(state, unit):
        return No("attack.wrong-phase", "CT-SATK-01", "Only submarines attack now.", "/unit")
    return _why_silenced(state, unit)


@rule("CT-AAW-01", "CT-AAW-04", "CT-AAW-11", "CT-STRAFE-03", "CT-AMB-102")
def _why_no_defense(state: State, unit: Unit) -> No | None:
    """Ships, land targets and aircraft on the table defend; submarines only by agreement, surfaced.

    Those that strafe do not.
    """
    if is_aircraft(state, unit):
        if not flying(unit):
            return No("attack.not-deployed", "CT-AAW-04", "It is not on the table.", "/unit")
        if unit.mission == "strafe":
            return No("attack.strafing", "CT-STRAFE-03", "It strafes this turn.", "/unit")
        return None
    if unit.submerged:
        return No("attack.submerged", "CT-AAW-11", "It is submerged.", "/unit")
    if is_submarine(state, unit) and state.options.submarine_aaw == "never":
        return No("attack.wrong-phase", "CT-AMB-102", "Submarines attack later only.", "/unit")
    return _why_silenced(state, unit)


@rule("CT-AATK-02", "CT-AATK-04", "CT-AATK-06", "CT-AAW-06", "CT-STRAFE-07")
def _why_no_air_attack(state: State, unit: Unit) -> No | None:
    """A squadron that was placed to attack makes one attack, unless it is aborted."""
    if not is_aircraft(state, unit) or not flying(unit):
        return No("attack.wrong-phase", "CT-AATK-01", "Only aircraft attack now.", "/unit")
    if unit.mission == "free":
        return No("attack.flies-free", "CT-AIRD-05", "It was placed at no target.", "/unit")
    if unit.aborted or unit.doomed:
        return No("attack.aborted", "CT-AATK-04", "It is aborted.", "/unit")
    if any(used != "aaw" for used in unit.used):
        return No("attack.already-made", "CT-AATK-02", "One attack a squadron.", "/unit")
    return None


@rule("CT-CV-01")
def _why_silenced(state: State, unit: Unit) -> No | None:
    """A carrier that deployed aircraft fires nothing for the rest of the turn."""
    if unit.launched:
        return No("attack.carrier-launched", "CT-CV-01", "It has deployed aircraft.", "/unit")
    return None


def why_not_use(state: State, unit: Unit, weapon: Weapon, arc: str) -> No | None:
    """Why a weapon cannot be used in an arc, whatever the target."""
    return why_not_act(state, unit) or _why_not_weapon(state, unit, weapon, arc)


@rule("CT-CARD-05")
def _why_not_weapon(state: State, unit: Unit, weapon: Weapon, arc: str) -> No | None:
    """Why a unit that may act cannot use a weapon in an arc."""
    if weapon not in PHASE_OF.get(state.step.phase, ()):
        return No("attack.wrong-phase", "CT-SEQ-01", "Not in this phase.", "/weapon")
    if arc not in arcs(state, unit, weapon):
        named = ", ".join(arcs(state, unit, weapon)) or "none"
        return No("attack.wrong-arc", "CT-ARC-04", f"Arcs of this weapon: {named}.", "/arc")
    if not any(row(card_of(state, unit), weapon, arc)):
        return No("attack.no-weapon", "CT-CARD-05", "Its card has no dice for that.", "/weapon")
    return (
        _why_out_of_order(state, unit, weapon)
        or _why_used(unit, weapon, arc)
        or _why_not_mission(state, unit, weapon)
    )


@rule("CT-AAW-12", "CT-CRIT-08", "CT-CRIT-09", "CT-CRIT-20", "CT-TORP-07")
def _why_out_of_order(state: State, unit: Unit, weapon: Weapon) -> No | None:
    """What critical damage and crippling forbid."""
    if has_critical(unit, CREW) and weapon != "primary":
        return No("attack.crew-casualty", "CT-CRIT-08", "Primary weapons only.", "/weapon")
    if has_critical(unit, DEFENSES) and weapon in ("asw", "aaw"):
        return No("attack.defenses-down", "CT-CRIT-09", "Its defenses are down.", "/weapon")
    if weapon == "torpedo" and not is_aircraft(state, unit) and crippled(state, unit):
        return No("attack.crippled", "CT-TORP-07", "Crippled units launch none.", "/weapon")
    return None


@rule("CT-SURF-02", "CT-SURF-03", "CT-SURF-04", "CT-AMB-69", "CT-AMB-70")
def _why_used(unit: Unit, weapon: Weapon, arc: str) -> No | None:
    """Each weapon once; forward and aft, or broadside; guns and torpedoes, or ASW."""
    use = slot(weapon, arc)
    if use in unit.used:
        return No("attack.already-made", "CT-SURF-02", "It has been used this turn.", "/weapon")
    ends, side = ("primary.forward", "primary.aft"), "primary.broadside"
    clash = side in unit.used if use in ends else use == side and any(e in unit.used for e in ends)
    if clash:
        return No("attack.other-arc", "CT-SURF-03", "Forward and aft, or broadside.", "/arc")
    fired = [used for used in unit.used if used not in ("asw", "aaw")]
    if weapon == "asw" and fired:
        return No("attack.has-fired", "CT-SURF-04", "It has fired guns or torpedoes.", "/weapon")
    if weapon not in ("asw", "aaw") and "asw" in unit.used:
        return No("attack.has-used-asw", "CT-AMB-70", "It has used its ASW.", "/weapon")
    return None


@rule("CT-STRAFE-02")
def _why_not_mission(state: State, unit: Unit, weapon: Weapon) -> No | None:
    """An aircraft uses what its mission calls for; a submarine its guns or its torpedoes."""
    if state.step.phase == "air-attack" and (weapon == "strafe") != (unit.mission == "strafe"):
        return No("attack.wrong-mission", "CT-STRAFE-01", "It was placed otherwise.", "/weapon")
    if not is_submarine(state, unit) or weapon == "aaw":
        return None
    if state.step.phase == "surface-attack" and weapon not in GUNS:
        return No("attack.wrong-phase", "CT-SATK-04", "Guns only in this phase.", "/weapon")
    if weapon in GUNS:
        late = state.step.phase == "submarine-attack"
        if late != (state.options.submarine_guns == "submarine-phase"):
            return No("attack.wrong-phase", "CT-SATK-04", "Its guns fire earlier.", "/weapon")
        if unit.submerged:
            return No("attack.submerged", "CT-SATK-04", "It is submerged.", "/unit")
    either = GUNS if weapon == "torpedo" else ("torpedo",)
    if any(used.partition(".")[0] in either for used in unit.used):
        return No("attack.already-made", "CT-SATK-04", "Guns or torpedoes, not both.", "/weapon")
    return None


@rule("CT-SURF-10", "CT-AIRD-05", "CT-AMB-44")
def why_not_at(state: State, unit: Unit, weapon: Weapon, target: Unit) -> No | None:
    """Why this target cannot be attacked with this weapon."""
    if friendly(state, unit.seat, target.seat):
        return No("attack.own-unit", "CT-SURF-10", "It is on your own side.", "/target")
    if weapon == "aaw":
        return _why_not_aaw(state, unit, target)
    if target.pose is None:
        return No("attack.wrong-target", "CT-COMB-07", "Not at aircraft.", "/target")
    placed = state.step.phase == "air-attack" and state.options.air_target == "placed-only"
    if placed and unit.beside != target.id:
        return No("attack.not-placed-there", "CT-AIRD-05", f"It is at {unit.beside}.", "/target")
    return _why_not_kind(state, unit, weapon, target) or _why_not_found(state, unit, target)


@rule("CT-AC-07", "CT-AC-08", "CT-AAW-07", "CT-NIGHT-04", "CT-AMB-75", "CT-AMB-51")
def _why_not_aaw(state: State, unit: Unit, target: Unit) -> No | None:
    """AAW is for aircraft on the table; patrol bombers fly too high for all but aircraft."""
    if not flying(target):
        return No("attack.wrong-target", "CT-AAW-01", "Aircraft on the table only.", "/target")
    high = card_of(state, target).type == "Patrol Bomber"
    if high and not is_aircraft(state, unit):
        return No("attack.patrol-bomber", "CT-AC-08", "Only aircraft reach it.", "/target")
    return None


@rule("CT-WPN-04", "CT-SURF-06", "CT-SURF-09", "CT-AATK-10", "CT-SUB-05", "CT-SUB-07", "CT-AMB-39",
      "CT-AMB-53", "CT-AMB-76", "CT-AC-06", "CT-SUB-06")  # fmt: skip
def _why_not_kind(state: State, unit: Unit, weapon: Weapon, target: Unit) -> No | None:
    """Which weapons go with which target: ASW is for submarines and the only one for the deep."""
    deep, boat = target.submerged, is_submarine(state, target)
    if weapon == "asw" and not boat:
        return No("attack.wrong-target", "CT-WPN-04", "ASW is for submarines.", "/target")
    if is_submarine(state, unit) and weapon == "torpedo":
        if boat:
            return _why_not_boat(state, unit, target)
        if unit.submerged:
            return No("attack.submerged", "CT-SUB-05", "Surface to attack ships.", "/unit")
    elif deep and weapon != "asw":
        return No("attack.too-deep", "CT-SURF-06", "Submerged: ASW only.", "/target")
    if card_of(state, target).kind == "land" and weapon == "torpedo":
        return No("attack.wrong-target", "CT-AMB-76", "Not at a land target.", "/target")
    return None


@rule("CT-DET-08", "CT-AMB-117")
def _why_not_boat(state: State, unit: Unit, target: Unit) -> No | None:
    """Submarines torpedo submarines with the ability only; by agreement surfaced ones without."""
    if effect(unit, TorpedoesSubmarines):
        return None
    surfaced = not (unit.submerged or target.submerged)
    if surfaced and state.options.submarine_torpedoes == "surfaced-freely":
        return None
    return No("attack.no-submerged-shot", "CT-DET-08", "Only with Submerged Shot.", "/target")


@rule("CT-DET-01", "CT-DET-05", "CT-DET-07", "CT-AMB-40", "CT-AATK-09")
def _why_not_found(state: State, unit: Unit, target: Unit) -> No | None:
    """An undetected submarine may be sought once a phase, by a unit whose systems work."""
    if not needs_detection(state, target):
        return None
    if has_critical(unit, SYSTEMS):
        return No("attack.cannot-detect", "CT-DET-07", "Its systems are down.", "/unit")
    if f"{state.step.phase}/detect/{target.id}" in unit.tried:
        return No("attack.already-searched", "CT-DET-05", "It has failed to find it.", "/target")
    return None


def needs_detection(state: State, target: Unit) -> bool:
    """Whether the target is a submarine without a DETECTED marker."""
    return is_submarine(state, target) and not target.detected


def _why_tried(state: State, unit: Unit, weapon: Weapon, target: Unit, arc: str) -> No | None:
    """An attack that was taken back is not tried again, nor a target that the unit does not see."""
    unseen = state.options.failed_check == "kept"
    if unseen and f"{state.step.phase}/see/{target.id}" in unit.tried:
        return No("attack.not-seen", "CT-AMB-97", "It does not see it in this phase.", "/target")
    if unit.tried and f"{state.step.phase}/{slot(weapon, arc)}/{target.id}" in unit.tried:
        return No("attack.tried", "CT-GEN-07", "That attack was taken back.", "/target")
    return None


def why_not_attack(
    state: State, unit: Unit, weapon: Weapon, target: Unit, arc: Bearing
) -> No | None:
    """Why an attack may not be declared."""
    return (
        why_not_use(state, unit, weapon, arc)
        or why_not_at(state, unit, weapon, target)
        or _why_tried(state, unit, weapon, target, arc)
    )


@rule("CT-FSM-10")
def choices(state: State, unit: Unit) -> Iterator[tuple[Weapon, Bearing, Unit]]:
    """Every attack that the unit may declare, whether or not it will prove possible."""
    if why_not_act(state, unit) is not None:
        return
    air = state.step.phase == "air-defense"
    friends = state.members(unit.seat)
    enemies = [
        u for u in state.all_units if u.seat not in friends and (flying(u) if air else u.pose)
    ]
    if not enemies:
        return
    for weapon, arcs_ in armament(unit.card, state.step.phase):
        if _why_out_of_order(state, unit, weapon) or _why_not_mission(state, unit, weapon):
            continue
        bearing = [arc for arc in arcs_ if _why_used(unit, weapon, arc) is None]
        if not bearing:
            continue
        for target in enemies:
            if why_not_at(state, unit, weapon, target) is None:
                for arc in bearing:
                    if _why_tried(state, unit, weapon, target, arc) is None:
                        yield weapon, arc, target


def any_choice(state: State, seat: Seat) -> bool:
    """Whether a seat may declare any attack."""
    return any(True for unit in own(state, seat) for _ in choices(state, unit))
