"""Between an attack's declaration and its dice: what may spoil it, and who may dodge."""

from __future__ import annotations

from msgspec.structs import replace

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from .....kernel.tally import Reason
from ... import events as ev
from ... import purposes
from ...abilities.effects import has, label_of, once, rule_of
from ...effects import Effect, MoreDice, NoMove
from ...state import Attack, State, Unit
from ..damage import ask
from ..facts import card_of

BattleFlow = Flow[State, ev.AnyEvent]

DODGES = {"evade-bombs": ("bomb", 4), "evade-torpedoes": ("torpedo", 3)}
"""Optional dice of the target: against which attacks, and the face needed."""

JAM = "jammed-mount"
FLAWS = {"defective-torpedoes": "torpedo", JAM: "main"}
"""Compulsory dice of the attacker, and with which attacks."""

DUD = 2
"""Defective Torpedoes: this face or less, and the attack misses outright."""


def open_attack(state: State) -> Attack | None:
    """The attack under way whose dice have not been thrown."""
    attack = state.attack
    return attack if attack is not None and not attack.faces and not attack.outcome else None


def flaws(state: State, attack: Attack) -> tuple[str, ...]:
    """Dice that the attacker must still throw before the attack."""
    unit = state.units[attack.attacker]
    card = card_of(state, unit)
    return tuple(
        family
        for family, weapon in FLAWS.items()
        if weapon == attack.weapon
        and has(card, family)
        and family not in attack.tried
        and not _jammed(state, unit, family)
    )


def _jammed(state: State, unit: Unit, family: str) -> bool:
    rule_ = rule_of(family)
    return any(e.rule == rule_ for e in state.lasting_on(MoreDice, unit.id))


def question(state: State) -> tuple[str, str, str] | None:
    """Whether the target may dodge: (seat, unit, ability)."""
    attack = open_attack(state)
    if attack is None or state.awaiting is not None or attack.cancelled or flaws(state, attack):
        return None
    target = state.units[attack.target]
    for family, (weapon, _) in DODGES.items():
        able = has(card_of(state, target), family) and family not in target.spent
        if able and weapon == attack.weapon and family not in attack.tried:
            return target.seat, target.id, family
    return None


def proceed(flow: BattleFlow) -> bool:
    """The next die before the attack, or the attack dice; false: the target is asked."""
    attack = open_attack(flow.state)
    assert attack is not None
    due = flaws(flow.state, attack)
    unit = flow.state.units[attack.attacker]
    if due:
        ask(flow, purposes.Before(unit.id, due[0]), unit.seat, Dice(1))
        return True
    if question(flow.state) is not None:
        return False
    ask(flow, purposes.AttackDice(unit.id), unit.seat, Dice(attack.dice.total))
    return True


def dodge(flow: BattleFlow, family: str) -> None:
    """The target uses its ability: a die, and for Evade Torpedoes no move in the next turn."""
    attack = open_attack(flow.state)
    assert attack is not None
    target, turn = flow.state.units[attack.target], flow.state.turn
    rule_ = rule_of(family)
    stays = (NoMove(target.id, 0, target.id, rule_, turn + 1),)
    flow.emit(
        ev.AbilityUsed(
            unit=target.id,
            ability=family,
            effects=stays if family == "evade-torpedoes" else (),
            once=once(family),
            rules=(rule_,),
        )
    )
    ask(flow, purposes.Before(target.id, family), target.seat, Dice(1))


def rolled(flow: BattleFlow, name: str, family: str, face: int) -> None:
    """The die of an ability that comes before the attack dice."""
    rule_ = rule_of(family)
    result, effects = _reading(flow.state, name, family, face)
    flow.emit(
        ev.AbilityRolled(
            unit=name, ability=family, face=face, result=result, effects=effects, rules=(rule_,)
        )
    )
    attack = flow.state.attack
    if result == "jammed" and attack is not None:
        flow.emit(ev.AttackAmended(attack=jammed(attack), rules=(rule_,)))


def jammed(attack: Attack) -> Attack:
    """The attack with three dice fewer."""
    fewer = Reason(-3, rule_of(JAM), label_of(rule_of(JAM)), attack.attacker)
    return replace(attack, dice=attack.dice.plus(fewer).at_least(1, "RUL-48"))


def _reading(state: State, name: str, family: str, face: int) -> tuple[str, tuple[Effect, ...]]:
    if family in DODGES:
        return ("no-effect" if face >= DODGES[family][1] else ""), ()
    if family == "defective-torpedoes":
        return ("no-effect" if face <= DUD else ""), ()
    if face != 1:
        return "", ()
    jam = MoreDice(name, -3, name, rule_of(family), state.turn + 1, "main")
    return "jammed", (jam,)


def spoiled(unit: Unit, state: State, weapon: str) -> bool:
    """Whether a compulsory die may make this attack miss outright (for odds)."""
    return weapon == "torpedo" and has(card_of(state, unit), "defective-torpedoes") is not None
