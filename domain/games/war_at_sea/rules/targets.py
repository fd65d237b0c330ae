"""ATK, AIRD, AIRA, SURF, TORP, SUBA: who may attack whom, with what, in which phase."""

from __future__ import annotations

from ....kernel.rules import No, rule
from . import board, darkness
from .air_missions import weapons_of
from .cards import Card, Kind
from .editions import Edition
from .effects import MayAttack, NoAttack
from .facts import card_of, chart_key
from .families import hooks
from .families.effects import (
    armed_with,
    arms,
    bears,
    declared_by,
    extra_among,
    extra_attacks,
    extra_there,
    forbidden_target,
    of_family,
    reaches,
)
from .mechanisms import airfield
from .mechanisms.decoys import why_not_drawn
from .mechanisms.gunnery import why_not_split
from .mechanisms.shields import why_not_shielded
from .rows import alternate_payload, value_at
from .state import State, Unit
from .weather import obscured

GUNS: tuple[Kind, ...] = ("main", "secondary", "tertiary")
SMALL = ("Destroyer", "Torpedo Boat")

TARGETS: dict[Kind, str] = {
    "antiair": "Aircraft",
    "asw": "Submarine",
    "bomb": "Ship",
    "main": "Ship",
    "secondary": "Ship",
    "tertiary": "Ship",
    "strafe": "Ship",
    "torpedo": "Ship",
}
"""Attack kind to the type of unit that it can affect (WAS-ATK-08)."""


def affected(card: Card, weapon: Kind) -> tuple[str, ...]:
    """The types of unit that an attack can affect; Submerged Shot lets torpedoes at Submarines."""
    if weapon == "torpedo" and bears(card, hooks.SubmergedShot):
        return ("Ship", "Submarine")
    return (TARGETS[weapon],)


def covering(declared: tuple[str, ...]) -> bool:
    """Whether the attack is declared with an ability that counts it apart: Fighter Cover."""
    return any(of_family(family, hooks.Apart) for family in declared)


@rule(
    "WAS-ATK-01", "WAS-AIRD-01", "WAS-AIRD-03", "WAS-AIRD-05", "WAS-AIRA-01", "WAS-AIRA-12",
    "WAS-SURF-01", "WAS-SURF-02", "WAS-SURF-08", "WAS-TORP-01", "WAS-TORP-11", "WAS-SUBA-01",
    "RUL-31", "RUL-66", "WAS-GLOSS-07",
)  # fmt: skip
def phase_weapons(state: State, card: Card) -> tuple[Kind, ...]:
    """The attack kinds that a unit of this card may use in the present phase."""
    match state.step.phase, card.type:
        case "air-defense", _:
            return ("antiair",)
        case "air-attack", "Aircraft":
            return ("bomb", "torpedo", "asw", "strafe")
        case "surface-attack", "Ship":
            both = state.rulebook.guns_and_torpedoes
            return (*GUNS, "asw", "torpedo") if both else (*GUNS, "asw")
        case "torpedo-attack", "Ship" | "Submarine":
            return ("torpedo",)
        case "submarine-attack", "Submarine":
            return ("torpedo",)
    return ()


@rule(
    "WAS-ATK-14", "WAS-AIRD-02", "WAS-AIRA-03", "WAS-SURF-04", "WAS-SURF-05", "WAS-SURF-03",
    "WAS-SURF-09", "WAS-SURF-10", "WAS-TORP-02", "WAS-SUBA-02", "RUL-64", "RUL-65", "WAS-AIRD-19",
    "WAS-AIRD-20", "WAS-AIRA-09", "RUL-30", "WAS-SURF-21", "WAS-ABIL-46", "WAS-FLEET-24",
)  # fmt: skip
def why_not_again(
    state: State,
    unit: Unit,
    card: Card,
    weapon: Kind,
    target: Unit,
    declared: tuple[str, ...] = (),
) -> No | None:
    """Why the unit has no such attack left: one a phase, but every battery of a Ship once.

    2007: guns or ASW. 2009: guns and torpedo, or ASW; an Aircraft attacks once a turn.
    """
    split = why_not_split(state, unit, card, weapon, declared)
    if split:
        return split
    made = _made(state, unit, weapon, declared)
    if made or covering(declared):
        saved = why_not_extra(state, unit)
        if saved:
            return saved
    if made:
        extra, elsewhere = extra_attacks(card, weapon, unit.spent)
        if made > extra:
            hint = "Once a phase: it has made that attack."
            return No("attack.already-made", "WAS-ATK-14", hint, "/weapon")
        if elsewhere and _struck_before(state, unit, weapon, target, elsewhere):
            return No("attack.same-target", "WAS-ATK-14", f"Attack another {elsewhere}.", "/target")
        if not _one_is(state, unit, weapon, target, extra_among(card, weapon)):
            return No("attack.already-made", "WAS-ATK-14", "Not at that second target.", "/target")
        if extra_there(card, weapon) and not _same_sector(state, unit, weapon, target):
            return No("attack.other-sector", "WAS-ATK-14", "Attack in the same sector.", "/target")
    if "all" in unit.done:
        return No("attack.given-up", "WAS-ABIL-06", "An ability was used instead of attacks.")
    if "smoke" in unit.done:
        return No("attack.laid-smoke", "WAS-SURF-19", "It lays smoke instead of attacking.")
    if card.type == "Aircraft":
        return _why_not_aircraft_again(state, unit, made)
    others = [kind for kind in unit.done if kind != weapon]
    if others and ("asw" in others or weapon == "asw"):
        rule_ = state.rulebook.attack_classes
        return No("attack.class-chosen", rule_, "ASW excludes its other attacks.", "/weapon")
    return None


def _made(state: State, unit: Unit, weapon: Kind, declared: tuple[str, ...]) -> int:
    """Attacks of the kind made in this phase; Fighter Cover is one apart from all others."""
    if weapon != "antiair":
        return unit.done.count(weapon)
    if covering(declared):
        return 0
    apart = sum(state.has_used(unit.id, family) for family in declared_by(hooks.Apart))
    return unit.done.count(weapon) - apart


def _one_is(state: State, unit: Unit, weapon: Kind, target: Unit, subtype: str) -> bool:
    """Whether this target or one struck before is of the subtype that a second attack asks for."""
    if not subtype:
        return True
    found = (target, *_struck_with(state, unit, weapon))
    return any(card_of(state, other).subtype == subtype for other in found)


def _struck_with(state: State, unit: Unit, weapon: Kind) -> list[Unit]:
    """Units in play that it has attacked in this phase with this kind."""
    pairs = zip(unit.done, unit.struck, strict=False)
    return [state.units[name] for kind, name in pairs if kind == weapon and name in state.units]


def _struck_before(state: State, unit: Unit, weapon: Kind, target: Unit, elsewhere: str) -> bool:
    struck = _struck_with(state, unit, weapon)
    if elsewhere == "target":
        return target in struck
    return any(other.sector == target.sector for other in struck)


def _same_sector(state: State, unit: Unit, weapon: Kind, target: Unit) -> bool:
    return any(u.sector == target.sector for u in _struck_with(state, unit, weapon))


def _why_not_aircraft_again(state: State, unit: Unit, made: int) -> No | None:
    if unit.done and not made:
        return No("attack.already-made", "WAS-AIRA-03", "It has attacked in this phase.")
    if state.rulebook.one_air_attack and unit.attacked and not made:
        return No("attack.once-a-turn", "WAS-AIRA-09", "It has attacked this turn.")
    return None


@rule("RUL-38")
def why_not_active(state: State, unit: Unit, *, extra: bool = False) -> No | None:
    """When another unit begins, who has attacked is finished: by agreement, or with what is extra.

    extra  the attack is one more than the unit has without its ability
    """
    if unit.done and state.active != unit.id and (extra or state.options.activation_lock):
        return No("attack.finished", "RUL-38", "Another unit has begun; it is finished.", "/unit")
    return None


@rule("WAS-ABIL-08")
def why_not_extra(state: State, unit: Unit) -> No | None:
    """Extra actions belong to activating the unit: they are not kept until others have acted."""
    return why_not_active(state, unit, extra=True)


@rule("WAS-AIRA-04", "WAS-AIRD-17", "WAS-AIRD-15", "WAS-AIRD-18", "WAS-AIRD-14", "RUL-35",
      "WAS-SURF-18", "WAS-DMG-18", "WAS-INIT-15", "WAS-TORP-16", "WAS-INIT-16",
      "WAS-DMG-13")  # fmt: skip
def why_not_able(state: State, unit: Unit, weapon: Kind) -> No | None:
    """An aborted Aircraft can only still attack in Air Defense; a doomed unit attacks normally."""
    if not unit.aborted or weapon == "antiair":
        return None
    if any(e.attack == weapon for e in state.lasting_on(MayAttack, unit.id)):
        return None
    hint = "It is aborted: after Air Defense it attacks no more this turn."
    return No("attack.aborted", "WAS-AIRA-04", hint, "/unit")


@rule("WAS-AIRA-06", "WAS-AIRA-07", "WAS-FLEET-25")
def why_not_strafe(state: State, unit: Unit, weapon: Kind) -> No | None:
    """2009: Aircraft Gunnery only for who announced strafing when placed."""
    if weapon == "antiair" and unit.strafing and not state.options.strafing_antiair:
        return No("attack.strafing", "RUL-29", "It strafes; it does not attack Aircraft.")
    announced = state.rulebook.strafing_announced
    if weapon == "strafe" and announced and not unit.strafing:
        return No("attack.not-strafing", "WAS-AIRA-07", "Strafing is announced at placement.")
    return None


def why_not_in_role(unit: Unit, card: Card, weapon: Kind) -> No | None:
    """A unit with Mission Selection attacks only as the role it has taken allows."""
    if unit.role and weapon not in weapons_of(card, unit.role):
        return No("attack.wrong-role", "WAS-AIRM-13", f"It flies as {unit.role}.", "/weapon")
    return None


@rule("WAS-ATK-08", "WAS-ATK-09", "WAS-ATK-10", "WAS-AIRA-05", "WAS-TORP-03", "WAS-ABIL-21",
      "WAS-GLOSS-06", "WAS-GLOSS-28", "WAS-ATK-11", "WAS-ATK-13")  # fmt: skip
def why_not_target_type(unit: Unit, card: Card, weapon: Kind, target: Unit, on: Card) -> No | None:
    """Each attack kind affects one type; Submerged Shot lets torpedoes at a local Submarine."""
    if on.type == TARGETS[weapon]:
        return None
    if weapon == "torpedo" and on.type == "Submarine" and bears(card, hooks.SubmergedShot):
        if unit.sector == target.sector:
            return None
        return No("attack.not-local", "WAS-ABIL-21", "Submerged Shot is local.", "/target")
    return No("attack.wrong-target-type", "WAS-ATK-08", f"{TARGETS[weapon]}s only.", "/target")


@rule("WAS-FLEET-30", "WAS-ATK-24", "WAS-ATK-15", "WAS-ATK-16", "WAS-AIRD-04", "WAS-AIRA-02",
      "WAS-SURF-11", "WAS-FLEET-23", "WAS-FLEET-26", "WAS-FLEET-27", "WAS-FLEET-28",
      "WAS-ABIL-22")  # fmt: skip
def why_not_range(
    state: State,
    unit: Unit,
    card: Card,
    weapon: Kind,
    reach: int,
    declared: tuple[str, ...] = (),
    on: Card | None = None,
) -> No | None:
    """A dash, or no number at all, means that the attack cannot be made at that range."""
    if weapon == "asw" and card.type == "Ship" and state.rulebook.local_asw and reach:
        return No("attack.not-local", "WAS-SURF-11", "A Ship's ASW attack is local.", "/target")
    if value_at(unit, card, weapon, reach, declared, on) < 1:
        return No("attack.out-of-range", "WAS-FLEET-30", f"No dice at range {reach}.", "/target")
    if reaches(card, declared) and value_at(unit, card, weapon, reach) > 0:
        return No("ability.not-needed", "RUL-96", "It reaches so far without it.", "/abilities")
    return None


@rule("WAS-SURF-12", "WAS-SURF-16", "RUL-67", "RUL-68")
def why_not_small(state: State, weapon: Kind, reach: int, on: Card) -> No | None:
    """2009, Small Ship Evasion: no Gunnery from 4 or more, no torpedoes at Torpedo Boats."""
    if not state.rulebook.small_ship_evasion or on.subtype not in SMALL:
        return None
    if weapon in GUNS and reach >= 4:
        return No("attack.small-ship", "WAS-SURF-12", "Too small at that range.", "/target")
    if weapon == "torpedo" and on.subtype == "Torpedo Boat":
        return No("attack.small-ship", "WAS-SURF-16", "Torpedoes pass under it.", "/target")
    return None


@rule("WAS-LOS-01", "WAS-SURF-20", "WAS-TORP-12", "RUL-56", "WAS-ATK-12", "WAS-LOS-18")
def why_not_seen(state: State, unit: Unit, target: Unit) -> No | None:
    """Every attack at range 1 or more needs line of sight; units never block it."""
    reading: Edition = "2009" if state.options.island_sector2007 == "as-2009" else state.edition
    sighting = board.line_of_sight(
        chart_key(state), _hazes(state, unit), unit.sector, target.sector, reading
    )
    if sighting.clear:
        return None
    where = f" by {sighting.blocker}" if sighting.blocker else ""
    return No("attack.no-line-of-sight", sighting.rule, f"Blocked{where}.", "/target")


def _hazes(state: State, unit: Unit) -> frozenset[str]:
    """What hides targets from this unit: smoke and squalls, but not from Improved Radar."""
    hidden = obscured(state)
    if hidden and bears(card_of(state, unit), hooks.SeesThrough):
        return frozenset()
    return hidden


def why_not_begin(state: State, unit: Unit, card: Card, weapon: Kind) -> No | None:
    """Why the unit may make no attack of that kind now, whatever the target."""
    if weapon not in phase_weapons(state, card):
        open_ = ", ".join(phase_weapons(state, card)) or "none"
        return No(
            "attack.wrong-phase", "WAS-ATK-01", f"Its attacks in this phase: {open_}.", "/weapon"
        )
    return _why_not_there(state, unit) or _why_not_ready(state, unit, card, weapon)


def _why_not_there(state: State, unit: Unit) -> No | None:
    if unit.sector or airfield.defends(state, unit):
        return None
    return No("attack.not-on-map", "WAS-AIR-19", "It is at its base.", "/unit")


def _why_not_ready(state: State, unit: Unit, card: Card, weapon: Kind) -> No | None:
    armed = arms(card, weapon, unit.spent) or alternate_payload(unit, card, weapon)
    if weapon not in card.attacks and not armed:
        has_ = ", ".join(card.attacks) or "none"
        return No("attack.no-value", "WAS-ATK-24", f"Its attacks: {has_}.", "/weapon")
    return (
        why_not_active(state, unit)
        or why_not_able(state, unit, weapon)
        or (None if armed else why_not_strafe(state, unit, weapon))
        or why_not_in_role(unit, card, weapon)
        or _why_not_stunned(state, unit, weapon)
        or darkness.why_not_found(state, unit)
    )


def _why_not_stunned(state: State, unit: Unit, weapon: Kind) -> No | None:
    for effect in state.lasting_on(NoAttack, unit.id):
        if effect.attack in ("", weapon) and effect.after_turn < state.turn:
            hint = f"An ability keeps it from that attack until the end of turn {effect.until}."
            return No("attack.barred", effect.rule, hint, "/unit")
    return None


@rule("WAS-SURF-06", "WAS-SURF-07", "RUL-63", "WAS-AIR-19")
def why_not_at(
    state: State,
    unit: Unit,
    card: Card,
    weapon: Kind,
    target: Unit,
    declared: tuple[str, ...] = (),
    again: bool = False,
) -> No | None:
    """Why that target may not be attacked. Each attack chooses its own; doomed ones stay legal.

    again  an ability gives it one more attack of the kind
    """
    if target.seat == unit.seat:
        return No("attack.friendly", "WAS-GLOSS-15", "Attack the enemy.", "/target")
    based = not (unit.sector and target.sector)
    barred = airfield.why_not_engage(state, unit, target) if based else None
    if barred:
        return barred
    on = card_of(state, target)
    reach = 0 if based else board.distance(unit.sector, target.sector)
    return (
        why_not_target_type(unit, card, weapon, target, on)
        or (None if armed_with(card, weapon, declared) else why_not_strafe(state, unit, weapon))
        or why_not_range(state, unit, card, weapon, reach, declared, on)
        or (None if again else why_not_again(state, unit, card, weapon, target, declared))
        or darkness.why_not_found(state, target)
        or darkness.why_not_so_far(state, unit, weapon, reach)
        or why_not_small(state, weapon, reach, on)
        or _why_not_card(card, weapon, on)
        or why_not_drawn(state, unit, card, target)
        or why_not_shielded(state, unit, target)
        or (None if based else why_not_seen(state, unit, target))
    )


def _why_not_card(card: Card, weapon: Kind, on: Card) -> No | None:
    rule_ = forbidden_target(card, weapon, on)
    return No("attack.forbidden", rule_, "Its ability forbids it.", "/target") if rule_ else None


def why_not_attack(
    state: State, unit: Unit, weapon: Kind, target: Unit, declared: tuple[str, ...] = ()
) -> No | None:
    """Why a unit may not make this attack: first what concerns itself, then the target."""
    card = card_of(state, unit)
    return why_not_begin(state, unit, card, weapon) or why_not_at(
        state, unit, card, weapon, target, declared
    )
