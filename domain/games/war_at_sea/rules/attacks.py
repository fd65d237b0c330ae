"""An attack from its declaration to its dice (section 6.4 of the inventory, 1 to 4)."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.memo import latest
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import purposes
from .cards import Kind
from .damage import ask
from .dice import armor, dice, die, shot_of, successes, torpedo_hits, vital_armor, why_not_dice
from .facts import card_of, why_not_in_play, why_not_own
from .families import hooks
from .families.effects import (
    Shot,
    declarable,
    has,
    of_family,
    once,
    rerolls,
    rule_of,
    spends,
)
from .families.shots import spent_on_more
from .mechanisms import before
from .mechanisms.declared import declared, lasting
from .rows import alternate_payload
from .state import Attack, State, Unit
from .targets import why_not_attack, why_not_begin

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
            its = ", ".join(ref.family for ref in card.abilities) or "none"
            return No("ability.not-its-own", "RUL-96", f"Its abilities: {its}.", "/abilities")
        used = _spent(state, unit, family)
        if family in unit.spent or used:
            return No("ability.spent", rule_of(family), f"{family} is used up.", "/abilities")
    if len(set(abilities)) != len(abilities):
        return No("ability.repeated", "WAS-ABIL-09", "Name each ability once.", "/abilities")
    return None


def _spent(state: State, unit: Unit, family: str) -> bool:
    """Whether it was used this turn; Split Fire is declared with both of its attacks."""
    again = of_family(family, hooks.SplitFire) is not None
    return state.has_used(unit.id, family) and not again


def weapon_abilities(state: State, unit: Unit, weapon: Kind) -> tuple[str, ...]:
    """Optional abilities that may be declared with an attack of this kind now."""
    open_ = declarable(card_of(state, unit), weapon, unit.spent)
    return tuple(f for f in open_ if not _spent(state, unit, f))


def why_not_fire(state: State, seat: Seat, command: c.Fire) -> No | None:
    """Why an attack is not legal."""
    barred = why_not_own(state, seat, command.unit) or why_not_in_play(
        state, command.target, "/target"
    )
    if barred:
        return barred
    if command.weapon not in KINDS:
        hint = f"One of {', '.join(KINDS)}."
        return No("attack.unknown-weapon", "WAS-GLOSS-08", hint, "/weapon")
    unit, target = state.units[command.unit], state.units[command.target]
    return _why_not_with(state, unit, KINDS[command.weapon], target, command.abilities)


def _why_not_with(
    state: State, unit: Unit, weapon: Kind, target: Unit, abilities: tuple[str, ...]
) -> No | None:
    """Why an attack with these abilities is not legal."""
    barred = why_not_declare(state, unit, abilities) if abilities else None
    barred = barred or why_not_begin(state, unit, card_of(state, unit), weapon)
    if barred:
        return barred
    open_ = weapon_abilities(state, unit, weapon)
    if not set(abilities) <= set(open_):
        hint = f"With {weapon} it may declare: {', '.join(sorted(open_)) or 'nothing'}."
        return No("ability.not-now", "RUL-96", hint, "/abilities")
    return why_not_attack(state, unit, weapon, target, abilities) or why_not_dice(
        state, unit, weapon, target, abilities
    )


def fire(flow: BattleFlow, seat: Seat, command: c.Fire) -> None:
    """A seat attacks with a unit."""
    unit, target = flow.state.units[command.unit], flow.state.units[command.target]
    declare(flow, unit, KINDS[command.weapon], target, command.abilities)


@rule("WAS-ABIL-05", "RUL-96")
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
    use_up(flow, unit, automatic)
    declared(flow, unit)
    if state.options.concealment_timing == "after-hit":
        before.proceed(flow)


def _spend(flow: BattleFlow, unit: Unit, weapon: Kind, abilities: tuple[str, ...]) -> None:
    card = card_of(flow.state, unit)
    if weapon in unit.done:
        abilities = (*abilities, *spent_on_more(card))
    payload = alternate_payload(unit, card, weapon)
    use_up(flow, unit, (*abilities, payload) if payload else abilities)


def use_up(flow: BattleFlow, unit: Unit, abilities: tuple[str, ...]) -> None:
    for family in abilities:
        flow.emit(
            ev.AbilityUsed(
                unit=unit.id,
                ability=family,
                effects=lasting(flow.state, unit, family),
                once=once(family),
                rules=(rule_of(family),),
            )
        )


@latest
def open_shot(state: State) -> tuple[Attack, Unit, Unit, Shot]:
    """The attack under way with its units and circumstances."""
    attack = state.attack
    assert attack is not None
    unit, target = state.units[attack.attacker], state.units[attack.target]
    weapon = attack.weapon
    return attack, unit, target, shot_of(state, unit, weapon, target, attack.with_abilities)


@rule("WAS-SURF-22", "WAS-SURF-23", "WAS-AIRD-25", "WAS-AIRD-26", "WAS-AIRD-27", "WAS-AIRA-13",
      "WAS-TORP-14", "WAS-TORP-15")  # fmt: skip
def rolled(flow: BattleFlow, faces: tuple[int, ...]) -> None:
    """Read the attack dice, as the rulebook's examples do."""
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
    weapon = attack.weapon
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
    ask(flow, purposes.Reroll(unit.id, family), unit.seat, Dice(attack.dice.total))
