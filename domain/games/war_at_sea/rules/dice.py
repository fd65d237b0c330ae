"""ATK and DMG: how many dice are rolled, how they are read, and against what armor."""

from __future__ import annotations

from msgspec import structs

from ....kernel.rules import No, rule
from ....kernel.tally import Reason, Tally, worst
from . import board, darkness
from .cards import Card, Kind
from .effects import Aimed, ArmorChange, DiceAt, DiceLater, EachDie, Effect, MoreDice, Threat
from .facts import card_of, crippled, damaged, is_bomber, is_ship, own
from .families import hooks
from .families.effects import (
    Shot,
    armor_modifiers,
    attack_dice,
    bears,
    die_modifiers,
    extra_dice,
    is_a,
    label_of,
    only_sixes,
    rule_of,
    six_counts,
    torpedo_damage,
    vital_modifiers,
)
from .families.shots import applies, not_granted, permits
from .mechanisms import airfield
from .mechanisms.declared import lasting
from .mechanisms.lasting import covered, extra_dice_of
from .rows import value_at
from .state import Outcome, State, Unit
from .targets import GUNS, SMALL, covering


def shot_of(
    state: State, unit: Unit, weapon: Kind, target: Unit, declared: tuple[str, ...] = ()
) -> Shot:
    """The circumstances of an attack, as far as abilities ask about them."""
    if not (unit.sector and target.sector):
        state, unit, target = airfield.together(state, unit, target)
    card, on = card_of(state, unit), card_of(state, target)
    beside = [u for u in state.all_units if u.sector == unit.sector and u.id != unit.id]
    return Shot(
        attacker=card,
        target=on,
        kind=weapon,
        range=board.distance(unit.sector, target.sector),
        edition=state.edition,
        turn=state.turn,
        undamaged=not damaged(unit),
        crippled=crippled(state, unit),
        target_damaged=damaged(target),
        target_moved=target.moved,
        source=unit.id,
        target_id=target.id,
        friends=tuple(card_of(state, u) for u in beside if u.seat == unit.seat),
        guards=tuple(
            card_of(state, u)
            for u in state.all_units
            if u.sector == target.sector and u.seat == target.seat and u.id != target.id
        ),
        fleet=tuple(
            card_of(state, u) for u in state.all_units if u.seat == unit.seat and u.id != unit.id
        ),
        enemy_fighter=any(
            u.seat != unit.seat and card_of(state, u).subtype == "Fighter" for u in beside
        ),
        adjacent=tuple(
            card_of(state, u)
            for u in state.all_units
            if u.seat == unit.seat and u.sector and board.distance(u.sector, unit.sector) == 1
        ),
        crippled_friend=any(
            u.seat == unit.seat and is_ship(state, u) and crippled(state, u) for u in beside
        ),
        won_initiative=unit.seat == state.second,
        initiative_roll=state.thrown.get(unit.seat, 0),
        spotted=_spotted(state, unit, target),
        fighter_attacked=any(
            target.id in u.struck and card_of(state, u).subtype == "Fighter"
            for u in state.all_units
        ),
        dark=darkness.dark(state),
        declared=declared,
        spent=tuple(family for family in unit.spent if family not in declared),
    )


def _spotted(state: State, unit: Unit, target: Unit) -> bool:
    """Whether another friendly Ship has attacked the target with gunnery."""
    return any(
        kind in GUNS and struck == target.id
        for u in state.all_units
        if u.seat == unit.seat and u.id != unit.id
        for kind, struck in zip(u.done, u.struck, strict=False)
    )


@rule("WAS-ATK-02", "WAS-ATK-20", "WAS-ABIL-02", "WAS-ABIL-09", "WAS-FLEET-29", "WAS-GLOSS-08",
      "RUL-51", "RUL-70")  # fmt: skip
def dice(state: State, unit: Unit, target: Unit, shot: Shot) -> Tally:
    """How many dice: the printed value at the range, plus extra dice, less dice penalties."""
    value = value_at(unit, shot.attacker, shot.kind, shot.range, shot.declared, shot.target)
    if shot.kind in unit.done and not covering(shot.declared):
        value = extra_dice(shot.attacker, shot.kind) or value
    tally = Tally.of(Reason(value, "WAS-ATK-02", "printed", unit.id)).plus(*attack_dice(shot))
    tally = tally.plus(*_granted(state, unit, target, shot.kind))
    if shot.kind != "torpedo":
        return tally.at_least(0, "RUL-48")
    if shot.crippled:
        tally = tally.plus(_crippled_torpedo())
    tally = tally.plus(*darkness.torpedo_penalty(state, shot.attacker))
    if shot.attacker.type == "Submarine":
        tally = tally.plus(*asw_threat(state, unit, shot.attacker))
    return torpedo_minimum(tally)


@rule("RUL-48")
def why_not_dice(
    state: State, unit: Unit, weapon: Kind, target: Unit, declared: tuple[str, ...] = ()
) -> No | None:
    """An attack that abilities bring to no dice at all cannot be made; a torpedo keeps one."""
    idle = why_not_idle(state, unit, weapon, target, declared) if declared else None
    if idle:
        return idle
    worn = _worn_out(state, unit) if weapon == "torpedo" else ""
    if worn:
        return No("attack.worn-out", worn, "It is under ASW Threat.", "/unit")
    fewer = any(e.dice < 0 for e in state.lasting_on(MoreDice, unit.id))
    if weapon == "torpedo" or not fewer:
        return None
    left = dice(state, unit, target, shot_of(state, unit, weapon, target, declared))
    if left.total > 0:
        return None
    return No("attack.no-dice", "RUL-48", "No dice are left for that attack.", "/weapon")


@rule("RUL-107")
def why_not_idle(
    state: State, unit: Unit, weapon: Kind, target: Unit, declared: tuple[str, ...]
) -> No | None:
    """An ability that would change nothing about this attack is not declared, nor used up."""
    shot = shot_of(state, unit, weapon, target, declared)
    for family in declared:
        if not _changes(state, unit, target, shot, family):
            hint = f"{family} would change nothing about this attack."
            return No("ability.not-needed", rule_of(family), hint, "/abilities")
    return None


def _changes(state: State, unit: Unit, target: Unit, shot: Shot, family: str) -> bool:
    """Whether a declared ability applies to the attack, and its dice show it or it goes on."""
    if not applies(shot, family):
        return False
    if permits(shot.attacker, shot.kind, family) or lasting(state, unit, family):
        return True
    others = tuple(other for other in shot.declared if other != family)
    without = structs.replace(shot, declared=others)
    return _figures(state, unit, target, shot) != _figures(state, unit, target, without)


def _figures(state: State, unit: Unit, target: Unit, shot: Shot) -> tuple[int | bool, ...]:
    """All numbers that an attack is rolled and read with."""
    tallies = (
        dice(state, unit, target, shot), die(state, unit, target, shot),
        armor(state, target, shot), vital_armor(state, target, shot), torpedo_damage(shot),
    )  # fmt: skip
    return (*(tally.total for tally in tallies), six_counts(shot), only_sixes(shot))


def _worn_out(state: State, unit: Unit) -> str:
    """Worn Out Boat: its rule while an ASW Threat applies to it; it may not attack at all then."""
    card = card_of(state, unit)
    worn = bears(card, hooks.WornOut)
    return worn[0].rule if worn and asw_threat(state, unit, card) else ""


def _granted(state: State, unit: Unit, target: Unit, kind: Kind) -> list[Reason]:
    """Dice that other units' abilities give this unit, or give to attacks at this target."""
    far = unit.sector != target.sector
    lost = not_granted(card_of(state, unit), afar=True) if far and state.effects else ()

    def harassing(effect: MoreDice) -> bool:
        return any(effect.rule == rule_of(family) for family in lost)

    def gives(effect: Effect) -> int:
        if type(effect) is MoreDice:
            mine = effect.unit == unit.id and effect.attack == kind
            return effect.dice if mine and not harassing(effect) else 0
        if type(effect) is DiceAt:
            marked = effect.unit == target.id and _marked_for(state, effect, unit, kind)
            return effect.dice if marked else 0
        if type(effect) is Aimed or type(effect) is DiceLater:
            return effect.dice if extra_dice_of(state, effect, unit, target, kind) else 0
        return 0

    found = ((gives(e), e) for e in state.effects)
    return [Reason(dice_, e.rule, label_of(e.rule), e.source) for dice_, e in found if dice_]


def _marked_for(state: State, effect: DiceAt, unit: Unit, kind: Kind) -> bool:
    """Whether a mark on the target helps this unit: its own side's, its type, its attack."""
    mine = effect.seat == unit.seat and effect.attack == kind
    return mine and (not effect.to or is_a(card_of(state, unit), effect.to))


@rule("WAS-TORP-09", "WAS-DMG-08")
def _crippled_torpedo() -> Reason:
    return Reason(-1, "WAS-TORP-09", "crippled")


@rule("WAS-TORP-10", "WAS-SUBA-06", "RUL-49")
def torpedo_minimum(tally: Tally) -> Tally:
    """A Torpedo attack is rolled with at least one die."""
    return tally.at_least(1, "WAS-TORP-10")


@rule(
    "WAS-SUBA-03", "WAS-SUBA-04", "WAS-SUBA-05", "WAS-SUBA-07", "WAS-SUBA-08", "WAS-SUBA-09",
    "WAS-SUBA-10", "RUL-69", "WAS-AIRA-11",
)  # fmt: skip
def asw_threat(state: State, unit: Unit, card: Card) -> list[Reason]:
    """2009: one die less for each enemy ASW Ship near and each Aircraft that attacked it by ASW."""
    if not state.rulebook.asw_threat or bears(card, hooks.IgnoresThreat):
        return []
    threats = [
        Reason(e.dice, "WAS-SUBA-03", "ASW attack by Aircraft", e.source)
        for e in state.lasting_on(Threat, unit.id)
    ]
    threats.extend(
        Reason(-1, "WAS-SUBA-04", "ASW Ship near", ship.id)
        for ship in state.all_units
        if ship.seat != unit.seat and ship.sector and _threatens(state, ship, unit)
    )
    return threats


def _threatens(state: State, ship: Unit, unit: Unit) -> bool:
    if not is_ship(state, ship) or board.distance(ship.sector, unit.sector) > 1:
        return False
    card = card_of(state, ship)
    if bears(card, hooks.LocalThreat) and ship.sector != unit.sector:
        return False
    return any(value >= 1 for value in card.attacks.get("asw", ()))


@rule("WAS-ATK-18", "RUL-50", "WAS-SURF-14", "WAS-ABIL-03", "WAS-AIRD-09", "RUL-33")
def die(state: State, unit: Unit, target: Unit, shot: Shot) -> Tally:
    """The penalty on each die. Penalties overlap: only the worst one counts."""
    small = _small_ship(shot)
    penalties = [*_crippled_die(shot), *_escorted(state, unit, target, shot)]
    penalties += [
        Reason(e.die, e.rule, label_of(e.rule), e.source)
        for e in state.lasting_on(EachDie, unit.id)
        if e.attack in ("", shot.kind)
    ]
    penalties += darkness.die_penalties(state, shot)
    penalties += covered(state, unit, target, shot.kind)
    modifiers = die_modifiers(shot)
    penalties += [m for m in modifiers if m.value < 0]
    bonuses = [m for m in modifiers if m.value > 0]
    if state.options.die_penalties_overlap:
        return worst((*penalties, *small)).plus(*bonuses)
    return _apart(penalties, small).plus(*bonuses)


def _apart(penalties: list[Reason], small: list[Reason]) -> Tally:
    """The other reading of RUL-50: penalties add up, and only small-ship evasion overlaps them."""
    counts = Tally.of(*small).total < Tally.of(*penalties).total
    beaten = penalties if counts else small
    shown = [Reason(r.value, r.rule, r.label, r.source, counted=False) for r in beaten]
    return Tally.of(*(small if counts else penalties), *shown)


@rule("WAS-ATK-23", "WAS-DMG-09", "WAS-AIRD-21", "WAS-SURF-17")
def _crippled_die(shot: Shot) -> list[Reason]:
    """Crippled: -1 on each die of Gunnery, Antiair and ASW; never on Bombs or Torpedoes."""
    if shot.crippled and shot.kind not in ("bomb", "torpedo") and not _stalwart(shot):
        return [Reason(-1, "WAS-ATK-23", "crippled")]
    return []


def _stalwart(shot: Shot) -> bool:
    return shot.kind in GUNS and bears(shot.attacker, hooks.Stalwart) is not None


@rule("WAS-SURF-13", "WAS-SURF-15", "WAS-GLOSS-33", "WAS-FLEET-08", "WAS-FLEET-09",
      "WAS-FLEET-10")  # fmt: skip
def _small_ship(shot: Shot) -> list[Reason]:
    """2009: a Battleship's Main battery takes -2 on each die at Destroyers and Torpedo Boats."""
    battery = shot.kind == "main" and shot.attacker.subtype == "Battleship"
    if shot.rulebook.small_ship_evasion and battery and shot.target.subtype in SMALL:
        return [Reason(-2, "WAS-SURF-13", "small ship")]
    return []


@rule("WAS-AIRD-06", "WAS-AIRD-08", "RUL-32", "WAS-ABIL-20")
def _escorted(state: State, unit: Unit, target: Unit, shot: Shot) -> list[Reason]:
    """Escort: -1 on each die of an enemy Fighter at a Bomber that has a friendly Fighter beside it.

    An aborted or doomed escort still counts in its phase; a strafing one does not (2009).
    """
    covers = covering(shot.declared)
    if shot.kind != "antiair" or not (covers or shot.attacker.subtype == "Fighter"):
        return []
    if not is_bomber(shot.target.subtype) or not target.sector:
        return []
    guard = _escort_of(state, target)
    return [Reason(-1, "WAS-AIRD-06", "escort", guard.id)] if guard else []


@rule("WAS-AIRD-10")
def _covers(state: State, unit: Unit) -> bool:
    if unit.strafing or darkness.astray(state, unit):
        return False
    return bears(card_of(state, unit), hooks.Escort) is not None


def _escort_of(state: State, target: Unit) -> Unit | None:
    """The Fighter that covers a Bomber: any escort there, or by agreement each covers one only."""
    beside = [u for u in own(state, target.seat) if u.sector == target.sector]
    guards = [u for u in beside if _covers(state, u)]
    if state.options.escort_coverage == "all":
        return guards[0] if guards else None
    bombers = [u.id for u in beside if is_bomber(card_of(state, u).subtype)]
    return dict(zip(bombers, guards, strict=False)).get(target.id)


@rule("WAS-FLEET-19", "WAS-DMG-07", "WAS-AIRA-08", "WAS-GLOSS-05", "RUL-55")
def armor(state: State, target: Unit, shot: Shot) -> Tally:
    """Armor met: printed, -1 crippled, -2 strafing, and abilities; never below 1."""
    base = Reason(shot.target.armor, "WAS-FLEET-19", "printed", target.id)
    return (
        weakened(state, target, Tally.of(base)).plus(*armor_modifiers(shot)).at_least(1, "RUL-55")
    )


@rule("WAS-FLEET-20", "WAS-FLEET-50", "RUL-98")
def vital_armor(state: State, target: Unit, shot: Shot) -> Tally:
    """Vital armor met, with the same modifiers."""
    base = Reason(shot.target.vital_armor, "WAS-FLEET-20", "printed", target.id)
    return (
        weakened(state, target, Tally.of(base)).plus(*vital_modifiers(shot)).at_least(1, "RUL-55")
    )


def weakened(state: State, target: Unit, tally: Tally) -> Tally:
    """A rating with what the unit's own state takes off, whoever attacks it."""
    if crippled(state, target):
        tally = tally.plus(Reason(-1, "WAS-DMG-07", "crippled"))
    if target.strafing and not bears(card_of(state, target), hooks.SafeStrafing):
        tally = tally.plus(Reason(-2, "WAS-AIRA-08", "strafing"))
    laden = bears(card_of(state, target), hooks.HeavyLoad) if target.role == "Dive Bomber" else None
    if laden:
        tally = tally.plus(Reason(-1, laden[0].rule, "dive bomber", target.id))
    for effect in state.lasting_on(ArmorChange, target.id):
        tally = tally.plus(Reason(effect.armor, effect.rule, label_of(effect.rule), effect.source))
    return tally


@rule("WAS-ATK-03", "WAS-ATK-19", "RUL-52", "WAS-ABIL-04", "WAS-AIRD-07", "WAS-ABIL-25")
def successes(shot: Shot, penalty: int, faces: tuple[int, ...]) -> int:
    """4 or 5 one success, a natural 6 two, whatever the penalty; the rest must still reach 4."""
    six = six_counts(shot)
    if only_sixes(shot):
        return six * faces.count(6)
    return sum(six if face == 6 else int(face + penalty >= 4) for face in faces)


@rule("WAS-TORP-04", "WAS-TORP-08", "WAS-ATK-25")
def torpedo_hits(faces: tuple[int, ...], bonus: int) -> int:
    """Each natural 6 is a hit; a bonus on each die (Torpedo Salvo) lets lower faces hit too."""
    return sum(face == 6 or (bonus > 0 and face + bonus >= 6) for face in faces)


@rule("WAS-ATK-04", "WAS-ATK-05", "WAS-ATK-06", "WAS-ATK-07", "WAS-AIRD-11", "WAS-FLEET-22",
      "WAS-GLOSS-17")  # fmt: skip
def reads(number: int, armor_: int, vital: int) -> Outcome:
    """One attack's successes against one target: ``miss``, ``hit`` or ``destroyed``."""
    if number >= vital:
        return "destroyed"
    return "hit" if number >= armor_ else "miss"
