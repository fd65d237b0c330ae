"""Between an attack's declaration and its dice: what may spoil it, and who may dodge."""

from __future__ import annotations

from msgspec.structs import replace

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from .....kernel.tally import Reason
from .. import events as ev
from .. import purposes
from ..damage import ask
from ..effects import Effect, MoreDice, NoMove
from ..facts import card_of
from ..families import hooks
from ..families.effects import label_of, of_family, once, rule_of
from ..families.shots import effects_of
from ..families.vocabulary import families
from ..state import Attack, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

FLAWS: tuple[type[hooks.Dud | hooks.Jam], ...] = (hooks.Dud, hooks.Jam)
"""Compulsory dice of the attacker."""


def open_attack(state: State) -> Attack | None:
    """The attack under way whose dice have not been thrown."""
    attack = state.attack
    return attack if attack is not None and not attack.faces and not attack.outcome else None


def flaws(state: State, attack: Attack) -> tuple[str, ...]:
    """Dice that the attacker must still throw before the attack."""
    unit = state.units[attack.attacker]
    card = card_of(state, unit)
    return tuple(
        ref.family
        for sort in FLAWS
        for ref, flaw in effects_of(card, sort)
        if flaw.attack == attack.weapon
        and ref.family not in attack.tried
        and not _jammed(state, unit, ref.family)
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
    for ref, dodge_ in effects_of(card_of(state, target), hooks.Dodge):
        able = ref.family not in target.spent and ref.family not in attack.tried
        if able and dodge_.attack == attack.weapon:
            return target.seat, target.id, ref.family
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
    rule_, used = rule_of(family), of_family(family, hooks.Dodge)
    stays = (NoMove(unit=target.id, source=target.id, rule=rule_, until=turn + 1),)
    flow.emit(
        ev.AbilityUsed(
            unit=target.id,
            ability=family,
            effects=stays if used is not None and used.stays else (),
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
        flow.emit(ev.AttackAmended(attack=jammed(attack, family), rules=(rule_,)))


def jammed(attack: Attack, family: str) -> Attack:
    """The attack with fewer dice."""
    jam, rule_ = of_family(family, hooks.Jam), rule_of(family)
    fewer = Reason(jam.dice if jam else 0, rule_, label_of(rule_), attack.attacker)
    return replace(attack, dice=attack.dice.plus(fewer).at_least(1, "RUL-48"))


def _reading(state: State, name: str, family: str, face: int) -> tuple[str, tuple[Effect, ...]]:
    for what in families()[family].effects:
        match what:
            case hooks.Dodge():
                return ("no-effect" if face >= what.needed else ""), ()
            case hooks.Dud():
                return ("no-effect" if face <= what.up_to else ""), ()
            case hooks.Jam() if face == 1:
                until = state.turn + 1
                fewer = MoreDice(
                    unit=name, attack=what.attack, dice=what.dice,
                    source=name, rule=rule_of(family), until=until,
                )  # fmt: skip
                return "jammed", (fewer,)
    return "", ()


def dud_faces(unit: Unit, state: State, weapon: str) -> int:
    """Faces of a compulsory die that make this attack miss outright (for odds)."""
    duds = effects_of(card_of(state, unit), hooks.Dud)
    return max((dud.up_to for _, dud in duds if dud.attack == weapon), default=0)
