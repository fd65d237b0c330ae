"""An attack from its dice to its counters (section 6.4 of the inventory, 5 to 7)."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import concealment, futile, purposes
from . import events as ev
from .attacks import open_shot, reroll_offered, use_up
from .concealment import result_of
from .damage import ask
from .effects import Threat
from .facts import card_of, is_aircraft
from .families import hooks
from .families.effects import (
    Shot,
    bears,
    dooming_roll,
    negations,
    once,
    rule_of,
    saves,
    torpedo_damage,
)
from .followups import follow_up, set_off
from .mechanisms import before, relief, sequels
from .state import Attack, Outcome, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def proceed(flow: BattleFlow) -> bool:
    """Take the attack under way one stage further; false: none, or a seat must answer."""
    attack = flow.state.attack
    if attack is None:
        return False
    if not attack.faces:
        return _before_dice(flow, attack)
    if attack.outcome:
        return follow_up(flow, attack)
    if immune(flow.state, flow.state.units[attack.target]):
        return _conclude(flow)
    if reroll_offered(flow.state) or concealment.declinable(flow.state):
        return False
    return (
        concealment.conceal(flow)
        or _negate(flow)
        or relief.protect(flow, attack, flow.state.units[attack.target])
        or _save(flow)
        or _conclude(flow)
    )


def _before_dice(flow: BattleFlow, attack: Attack) -> bool:
    """What comes before the dice: concealment where it is rolled for first (RUL-54), and dodges."""
    if attack.cancelled:
        return _conclude(flow)
    if concealment.declinable(flow.state):
        return False
    return concealment.conceal(flow) or before.proceed(flow)


def _negate(flow: BattleFlow) -> bool:
    """The target's abilities that may undo a hit: one die each, automatic."""
    attack, _, target, shot = open_shot(flow.state)
    if attack.cancelled or result_of(attack) == "miss":
        return False
    for each in negations(shot, attack.successes, target.spent):
        if each.family not in attack.tried:
            ask(flow, purposes.Negate(target.id, each.family), target.seat, Dice(1))
            return True
    return False


def negate_rolled(flow: BattleFlow, family: str, face: int) -> None:
    """The die of an evading ability."""
    attack, _, target, shot = open_shot(flow.state)
    offered = negations(shot, attack.successes)
    needed = next(each.needed for each in offered if each.family == family)
    if once(family) == "game":
        use_up(flow, target, (family,))
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
    if result_of(attack) != "destroyed":
        return False
    for each in saves(shot, attack.successes, attack.vital.total):
        if each.family in attack.tried or each.family in target.spent:
            continue
        if each.needed:
            ask(flow, purposes.Save(target.id, each.family), target.seat, Dice(1))
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
        use_up(flow, target, (family,))
    flow.emit(
        ev.AbilityRolled(
            unit=target.id,
            ability=family,
            face=face,
            result=f"saved-{each.result}" if face >= each.needed else "",
            rules=(rule_of(family),),
        )
    )


@rule("WAS-AIRD-13", "RUL-34")
def immune(state: State, target: Unit) -> bool:
    """An Aircraft that has a counter: nothing further happens to it, and it defends in no way."""
    return is_aircraft(state, target) and (target.aborted or target.doomed)


@rule("WAS-AIRD-12", "WAS-TORP-05", "RUL-43", "WAS-DMG-19", "RUL-47")
def outcome_of(state: State, attack: Attack, target: Unit, shot: Shot) -> tuple[Outcome, int]:
    """The counter to place and the hull points now pending.

    An Aircraft that has a counter is immune to everything further; a torpedo hit is 2 hull points
    each and ignores armor.
    """
    if attack.cancelled:
        return "no-effect", 0
    if immune(state, target):
        return "no-effect", 0
    if attack.weapon == "torpedo":
        damage = attack.successes * torpedo_damage(shot).total
        damage = max(0, damage - relief.relieved(attack))
        return ("hit", damage) if damage else ("no-effect" if attack.successes else "miss", 0)
    result = attack.saved or result_of(attack)
    if result == "hit" and is_aircraft(state, target):
        return "aborted", 0
    return relief.toughened(state, attack, target, (result, int(result == "hit")))


def _conclude(flow: BattleFlow) -> bool:
    """Place the counters."""
    attack, unit, target, shot = open_shot(flow.state)
    outcome: Outcome
    outcome, damage = outcome_of(flow.state, attack, target, shot)
    fatal = dooming_roll(shot, attack.faces)
    if fatal and not attack.cancelled and not target.doomed:
        outcome, damage = "destroyed", 0
    follow = set_off(flow.state, attack, unit, target, outcome)
    why = _why_nothing(flow.state, attack, target, shot) if outcome == "no-effect" else ("",)
    flow.emit(
        ev.AttackResolved(
            attacker=unit.id,
            weapon=attack.weapon,
            target=target.id,
            outcome=outcome,
            damage=damage,
            because=why[0] or fatal,
            followups=follow,
            rules=why[1:] or _result_rules(flow.state, attack, target, outcome, fatal),
        )
    )
    _record_threat(flow, attack, unit, shot)
    sequels.after(flow, attack, outcome)
    return True


def _why_nothing(state: State, attack: Attack, target: Unit, shot: Shot) -> tuple[str, ...]:
    """What kept an attack from having any effect, and the rules of it."""
    if attack.cancelled == concealment.CONCEALMENT:
        return attack.cancelled, *concealment.needed(shot)[1]
    if attack.cancelled:
        return attack.cancelled, rule_of(attack.cancelled)
    already = futile.certain(state, target) if immune(state, target) else None
    if already is not None:
        return already.what, "WAS-AIRD-13", already.rule
    on = card_of(state, target)
    softens = bears(on, hooks.Protection) if attack.weapon == "torpedo" else bears(on, hooks.Tough)
    assert softens is not None
    return softens[0].family, softens[0].rule


def _result_rules(
    state: State, attack: Attack, target: Unit, outcome: str, fatal: str
) -> tuple[str, ...]:
    """What decided the result, and that it changes nothing for a unit that is lost already."""
    already = futile.certain(state, target)
    more = (already.rule,) if already is not None and outcome != "miss" else ()
    if fatal and outcome == "destroyed":
        return (rule_of(fatal), *more)
    if attack.weapon == "torpedo":
        return ("WAS-TORP-04" if outcome == "miss" else "WAS-TORP-05", *more)
    return (_RESULTS[outcome], *more)


_RESULTS = {
    "miss": "WAS-ATK-04",
    "hit": "WAS-ATK-05",
    "destroyed": "WAS-ATK-06",
    "aborted": "WAS-AIRD-11",
}


def _record_threat(flow: BattleFlow, attack: Attack, unit: Unit, shot: Shot) -> None:
    """2009: an Aircraft's ASW attack, hit or miss, reduces that Submarine's torpedoes this turn."""
    threatens = shot.rulebook.asw_threat
    if attack.weapon != "asw" or shot.attacker.type != "Aircraft" or not threatens:
        return
    threat = Threat(
        unit=attack.target, dice=-1, source=unit.id, rule="WAS-SUBA-03", until=flow.state.turn
    )
    flow.emit(ev.EffectBegan(effect=threat, rules=("WAS-AIRA-11",)))
