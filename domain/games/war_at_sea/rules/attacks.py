"""An attack from its declaration to its counters (section 6.4 of the inventory)."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from .. import events as ev
from ..abilities.effects import (
    Shot,
    declarable,
    dooming_roll,
    has,
    negations,
    once,
    rerolls,
    rule_of,
    saves,
    spends,
    torpedo_damage,
)
from ..cards import Kind
from ..state import Attack, Effect, Purpose, State, Unit
from .damage import ask
from .dice import armor, dice, die, reads, shot_of, successes, torpedo_hits, vital_armor
from .facts import card_of, is_aircraft
from .targets import alternate_payload, why_not_attack

BattleFlow = Flow[State, ev.AnyEvent]

KINDS: dict[str, Kind] = {
    "main": "main",
    "secondary": "secondary",
    "tertiary": "tertiary",
    "antiair": "antiair",
    "asw": "asw",
    "torpedo": "torpedo",
    "bomb": "bomb",
    "strafe": "strafe",
}
"""Attack kinds by the word that a command uses."""


def why_not_declare(state: State, unit: Unit, abilities: tuple[str, ...]) -> No | None:
    """Why abilities may not be declared with an attack."""
    card = card_of(state, unit)
    for family in abilities:
        if has(card, family) is None:
            return No("ability.not-its-own", "RUL-96", f"It has no {family}.", "/abilities")
        if family in unit.spent or f"{unit.id}/{family}" in state.used:
            return No("ability.spent", rule_of(family), f"{family} is used up.", "/abilities")
    if len(set(abilities)) != len(abilities):
        return No("ability.repeated", "WAS-ABIL-09", "Name each ability once.", "/abilities")
    return None


def weapon_abilities(state: State, unit: Unit, weapon: Kind) -> tuple[str, ...]:
    """Optional abilities that may be declared with an attack of this kind now."""
    open_ = declarable(card_of(state, unit), weapon, unit.spent, state.turn)
    return tuple(family for family in open_ if f"{unit.id}/{family}" not in state.used)


def why_not_fire(
    state: State, unit: Unit, weapon: Kind, target: Unit, abilities: tuple[str, ...]
) -> No | None:
    """Why an attack with these abilities is not legal."""
    barred = why_not_attack(state, unit, weapon, target)
    if barred or not abilities:
        return barred
    barred = why_not_declare(state, unit, abilities)
    if barred:
        return barred
    if not set(abilities) <= set(weapon_abilities(state, unit, weapon)):
        return No("ability.not-now", "RUL-96", "Not with this attack.", "/abilities")
    return None


@rule("WAS-ATK-17", "WAS-ABIL-05", "RUL-96", "WAS-ABIL-06", "WAS-ABIL-07")
def declare(
    flow: BattleFlow, unit: Unit, weapon: Kind, target: Unit, abilities: tuple[str, ...]
) -> None:
    """Name attacker, attack, target and abilities; then ask for the attack dice."""
    _spend(flow, unit, weapon, abilities)
    state = flow.state
    shot = shot_of(state, unit, weapon, target, abilities)
    automatic = spends(shot)
    attack = Attack(
        attacker=unit.id,
        weapon=weapon,
        target=target.id,
        range=shot.range,
        dice=dice(state, unit, target, shot),
        die=die(state, unit, target, shot),
        armor=armor(state, target, shot),
        vital=vital_armor(state, target, shot),
        with_abilities=abilities,
    )
    flow.emit(ev.AttackDeclared(attack=attack, rules=("WAS-ATK-02",)))
    _use_up(flow, unit, automatic)
    ask(flow, Purpose("attack", unit.id), unit.seat, Dice(attack.dice.total))


def _spend(flow: BattleFlow, unit: Unit, weapon: Kind, abilities: tuple[str, ...]) -> None:
    if weapon in unit.done and has(card_of(flow.state, unit), "audacious-attack"):
        abilities = (*abilities, "audacious-attack")
    if alternate_payload(unit, card_of(flow.state, unit), weapon):
        abilities = (*abilities, "alternate-payload")
    _use_up(flow, unit, abilities)


def _use_up(flow: BattleFlow, unit: Unit, abilities: tuple[str, ...]) -> None:
    for family in abilities:
        flow.emit(
            ev.AbilityUsed(
                unit=unit.id, ability=family, once=once(family), rules=(rule_of(family),)
            )
        )


def open_shot(state: State) -> tuple[Attack, Unit, Unit, Shot]:
    """The attack under way with its units and circumstances."""
    attack = state.attack
    assert attack is not None
    unit, target = state.units[attack.attacker], state.units[attack.target]
    weapon: Kind = attack.weapon  # type: ignore[assignment]
    return attack, unit, target, shot_of(state, unit, weapon, target, attack.with_abilities)


def rolled(flow: BattleFlow, faces: tuple[int, ...]) -> None:
    """Read the attack dice."""
    attack, _, _, shot = open_shot(flow.state)
    number = (
        torpedo_hits(faces, attack.die.total)
        if attack.weapon == "torpedo"
        else successes(shot, attack.die.total, faces)
    )
    rules = ("WAS-TORP-04",) if attack.weapon == "torpedo" else ("WAS-ATK-03",)
    flow.emit(ev.AttackRolled(attacker=attack.attacker, faces=faces, successes=number, rules=rules))


@rule("WAS-ATK-26", "RUL-53")
def reroll_offered(state: State) -> str:
    """An ability by which the attacker may roll the attack dice again; empty when there is none."""
    attack = state.attack
    if attack is None or not attack.faces or attack.outcome or state.awaiting:
        return ""
    unit = state.units[attack.attacker]
    weapon: Kind = attack.weapon  # type: ignore[assignment]
    for family in rerolls(card_of(state, unit), weapon, unit.spent, state.turn):
        if family not in attack.tried:
            return family
    return ""


def reroll(flow: BattleFlow, family: str) -> None:
    """Use the ability: the same dice again, and the new result stands."""
    attack, unit, _, _ = open_shot(flow.state)
    flow.emit(
        ev.AbilityUsed(unit=unit.id, ability=family, once=once(family), rules=(rule_of(family),))
    )
    ask(flow, Purpose("reroll", unit.id, family), unit.seat, Dice(attack.dice.total))


def proceed(flow: BattleFlow) -> bool:
    """Take the attack under way one stage further; false: none, or a seat must answer."""
    attack = flow.state.attack
    if attack is None or not attack.faces:
        return False
    if attack.outcome:
        return _follow_up(flow, attack)
    if reroll_offered(flow.state):
        return False
    return _conceal(flow) or _negate(flow) or _save(flow) or _conclude(flow)


def _result(attack: Attack) -> str:
    if attack.weapon == "torpedo":
        return "hit" if attack.successes else "miss"
    return reads(attack.successes, attack.armor.total, attack.vital.total)


@rule("WAS-LOS-07", "WAS-LOS-08", "WAS-LOS-09", "WAS-LOS-13", "WAS-LOS-14", "RUL-61")
def concealed(state: State, target: Unit) -> bool:
    """A unit in a smoke sector has concealment, whatever its type; firing out is not hindered."""
    return target.sector in state.smoke


@rule("WAS-LOS-12", "RUL-54")
def _conceal(flow: BattleFlow) -> bool:
    """One concealment roll by the defender, only if the attack would hit, before all else."""
    attack, _, target, _ = open_shot(flow.state)
    if "concealment" in attack.tried or _result(attack) == "miss":
        return False
    if not concealed(flow.state, target):
        return False
    ask(flow, Purpose("concealment", target.id), target.seat, Dice(1))
    return True


@rule("WAS-LOS-10", "WAS-LOS-11", "WAS-GLOSS-11")
def concealment_rolled(flow: BattleFlow, face: int) -> None:
    """5 or 6 and the attack misses altogether; from the same sector only a 6."""
    _, _, target, shot = open_shot(flow.state)
    needed = 6 if shot.range == 0 or has(shot.attacker, "sharpshooter") else 5
    helped = 1 if has(shot.target, "bad-weather-fighter") else 0
    flow.emit(
        ev.ConcealmentRolled(
            unit=target.id,
            face=face,
            needed=needed,
            concealed=face + helped >= needed,
            rules=("WAS-LOS-11" if needed == 6 else "WAS-LOS-10",),
        )
    )


def _negate(flow: BattleFlow) -> bool:
    """The target's abilities that may undo a hit: one die each, automatic."""
    attack, _, target, shot = open_shot(flow.state)
    if attack.cancelled or _result(attack) == "miss":
        return False
    for each in negations(shot):
        if each.family not in attack.tried:
            ask(flow, Purpose("negate", target.id, each.family), target.seat, Dice(1))
            return True
    return False


def negate_rolled(flow: BattleFlow, family: str, face: int) -> None:
    """The die of an evading ability."""
    _, _, target, shot = open_shot(flow.state)
    needed = next(each.needed for each in negations(shot) if each.family == family)
    flow.emit(
        ev.AbilityRolled(
            unit=target.id,
            ability=family,
            face=face,
            result="no-effect" if face >= needed else "",
            rules=(rule_of(family),),
        )
    )


@rule("WAS-ABIL-15")
def _save(flow: BattleFlow) -> bool:
    """Abilities that replace destruction, once for each attack that reaches vital armor."""
    attack, _, target, shot = open_shot(flow.state)
    if attack.cancelled or attack.saved or attack.weapon == "torpedo":
        return False
    if _result(attack) != "destroyed":
        return False
    for each in saves(shot, attack.successes, attack.vital.total):
        if each.family in attack.tried or each.family in target.spent:
            continue
        if each.needed:
            ask(flow, Purpose("save", target.id, each.family), target.seat, Dice(1))
        else:
            saved(flow, each.family, 0)
        return True
    return False


def saved(flow: BattleFlow, family: str, face: int) -> None:
    """The die (0: none is needed) of an ability that replaces destruction."""
    _, _, target, shot = open_shot(flow.state)
    attack = flow.state.attack
    assert attack is not None
    each = next(s for s in saves(shot, attack.successes, attack.vital.total) if s.family == family)
    if face >= each.needed and once(family) == "game":
        _use_up(flow, target, (family,))
    flow.emit(
        ev.AbilityRolled(
            unit=target.id,
            ability=family,
            face=face,
            result=f"saved-{each.result}" if face >= each.needed else "",
            rules=(rule_of(family),),
        )
    )


@rule("WAS-AIRD-12", "WAS-AIRD-13", "RUL-34", "WAS-TORP-05", "RUL-43", "WAS-DMG-19", "RUL-47")
def _outcome(state: State, attack: Attack, target: Unit, shot: Shot) -> tuple[str, int]:
    """The counter to place and the hull points now pending.

    An Aircraft that has a counter is immune to everything further; a torpedo hit is 2 hull points
    each and ignores armor.
    """
    if attack.cancelled:
        return "no-effect", 0
    if is_aircraft(state, target) and (target.aborted or target.doomed):
        return "no-effect", 0
    if attack.weapon == "torpedo":
        damage = attack.successes * torpedo_damage(shot).total
        return ("hit", damage) if damage else ("no-effect" if attack.successes else "miss", 0)
    result = attack.saved or _result(attack)
    if result == "hit" and is_aircraft(state, target):
        return "aborted", 0
    return result, int(result == "hit")


def _conclude(flow: BattleFlow) -> bool:
    """Place the counters."""
    attack, unit, target, shot = open_shot(flow.state)
    outcome, damage = _outcome(flow.state, attack, target, shot)
    fatal = dooming_roll(shot, attack.faces)
    if fatal and not attack.cancelled and not target.doomed:
        outcome, damage = "destroyed", 0
    follow = _followups(flow.state, attack, unit, target, outcome)
    flow.emit(
        ev.AttackResolved(
            attacker=unit.id,
            weapon=attack.weapon,
            target=target.id,
            outcome=outcome,
            damage=damage,
            because=attack.cancelled or fatal,
            followups=follow,
            rules=_result_rules(attack, outcome),
        )
    )
    _record_threat(flow, attack, unit, shot)
    return True


def _result_rules(attack: Attack, outcome: str) -> tuple[str, ...]:
    if attack.weapon == "torpedo":
        return ("WAS-TORP-05",)
    return {
        "miss": ("WAS-ATK-04",),
        "hit": ("WAS-ATK-05",),
        "destroyed": ("WAS-ATK-06",),
        "aborted": ("WAS-AIRD-11",),
    }.get(outcome, ())


def _record_threat(flow: BattleFlow, attack: Attack, unit: Unit, shot: Shot) -> None:
    """2009: an Aircraft's ASW attack, hit or miss, reduces that Submarine's torpedoes this turn."""
    if attack.weapon != "asw" or shot.attacker.type != "Aircraft" or shot.edition != "2009":
        return
    threat = Effect("threat", attack.target, -1, unit.id, "WAS-SUBA-03", flow.state.turn)
    flow.emit(ev.EffectBegan(effect=threat, rules=("WAS-AIRA-11",)))


@rule("WAS-ABIL-18", "WAS-ABIL-19")
def _followups(
    state: State, attack: Attack, unit: Unit, target: Unit, outcome: str
) -> tuple[str, ...]:
    """Abilities that the outcome sets off: Press the Attack, Determined Attack, Lucky Hit."""
    on = card_of(state, target)
    attacker = card_of(state, unit)
    found = []
    if outcome == "aborted" and attacker.type == "Ship":
        found = [f for f in ("press-the-attack", "determined-attack") if has(on, f)]
    if attack.weapon == "torpedo" and outcome == "hit" and on.subtype == "Battleship":
        found += [f for f in ("lucky-hit",) if has(attacker, f)]
    return tuple(found)


def question(state: State) -> tuple[str, str, str] | None:
    """The question that the attack under way puts to a seat: (seat, unit, ability)."""
    attack = state.attack
    if attack is None or state.awaiting is not None:
        return None
    if attack.outcome:
        for family in ("press-the-attack", "determined-attack"):
            target = state.units[attack.target]
            if _is_open(state, attack, family):
                return target.seat, target.id, family
        if _is_open(state, attack, "lucky-hit"):
            unit = state.units[attack.attacker]
            return unit.seat, unit.id, "lucky-hit"
        return None
    family = reroll_offered(state)
    if family:
        return state.units[attack.attacker].seat, attack.attacker, family
    return None


def _is_open(state: State, attack: Attack, family: str) -> bool:
    if family in attack.tried:
        return False
    unit, target = state.units[attack.attacker], state.units[attack.target]
    return family in _followups(state, attack, unit, target, attack.outcome)


def answer(flow: BattleFlow, family: str) -> None:
    """The owner uses the ability that was asked about."""
    attack, unit, target, _ = open_shot(flow.state)
    if not attack.outcome:
        reroll(flow, family)
        return
    owner = unit if family == "lucky-hit" else target
    ask(flow, Purpose("ability", owner.id, family), owner.seat, Dice(1))


def decline(flow: BattleFlow) -> None:
    """The owner does not use the ability that was asked about."""
    asked = question(flow.state)
    assert asked is not None
    flow.emit(ev.AbilityDeclined(unit=asked[1], ability=asked[2]))


def ability_rolled(flow: BattleFlow, unit: str, family: str, face: int) -> None:
    """The die of Press the Attack, Determined Attack or Lucky Hit."""
    state = flow.state
    attack = state.attack
    assert attack is not None
    result = ""
    effects: tuple[Effect, ...] = ()
    if family == "lucky-hit":
        if face >= 5:
            stop = Effect("no-move", attack.target, 0, unit, rule_of(family), state.turn + 1)
            result, effects = "stopped", (stop,)
    elif face == 1:
        result = "doomed"
    elif face >= 4:
        result, effects = "may-attack", _permits(state, unit, family)
    flow.emit(
        ev.AbilityRolled(
            unit=unit, ability=family, face=face, result=result, effects=effects,
            rules=(rule_of(family),),
        )
    )  # fmt: skip
    if result == "doomed":
        flow.emit(ev.UnitDoomed(unit=unit, cause=family, rules=("RUL-87", rule_of(family))))


def _permits(state: State, unit: str, family: str) -> tuple[Effect, ...]:
    by, until = rule_of(family), state.turn
    may = Effect("may-attack", unit, 0, unit, by, until, "bomb")
    harder = Effect("die", unit, -1, unit, by, until, "bomb")
    if family == "press-the-attack":
        return may, harder
    torpedo = Effect("may-attack", unit, 0, unit, by, until, "torpedo")
    fewer = Effect("dice", unit, -1, unit, by, until, "torpedo")
    return may, harder, torpedo, fewer


def _follow_up(flow: BattleFlow, attack: Attack) -> bool:
    if question(flow.state) is not None:
        return False
    flow.emit(ev.AttackEnded(attacker=attack.attacker))
    return True
