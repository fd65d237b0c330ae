"""What an attack sets off: questions about abilities, and their dice (section 6.4, 8)."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.question import must_act
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import concealment, purposes
from . import events as ev
from .attacks import open_shot, reroll, reroll_offered
from .damage import ask
from .effects import EachDie, Effect, MayAttack, MoreDice, NoMove
from .facts import card_of, why_not_own
from .families import hooks
from .families.effects import of_family, rule_of
from .families.shots import effects_of
from .families.vocabulary import families
from .mechanisms import before, luck, sequels
from .state import Attack, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


@rule("WAS-ABIL-18", "WAS-ABIL-19")
def set_off(
    state: State, attack: Attack, unit: Unit, target: Unit, outcome: str
) -> tuple[str, ...]:
    """Abilities that the outcome sets off: Press the Attack, Determined Attack, Lucky Hit."""
    on = card_of(state, target)
    attacker = card_of(state, unit)
    found = []
    if outcome == "aborted" and attacker.type == "Ship":
        found = [ref.family for ref, _ in effects_of(on, hooks.PressOn)]
    if attack.weapon == "torpedo" and outcome == "hit" and on.subtype == "Battleship":
        found += [ref.family for ref, _ in effects_of(attacker, hooks.Stop)]
    salvo = sequels.salvo(state, attack, unit, target, outcome)
    if salvo:
        found.append(salvo)
    if luck.struck(state, attack) and len(luck.mates(state, unit)) > 1:
        found += [ref.family for ref, _ in effects_of(attacker, hooks.BadLuck)]
    return tuple(found)


def question(state: State) -> tuple[str, str, str] | None:
    """The question that the attack under way puts to a seat: (seat, unit, ability)."""
    attack = state.attack
    if attack is None or state.awaiting is not None:
        return None
    if attack.outcome:
        return _after_outcome(state, attack)
    if not attack.faces:
        return before.question(state)
    family = reroll_offered(state)
    if family:
        return state.units[attack.attacker].seat, attack.attacker, family
    if concealment.declinable(state):
        return state.units[attack.target].seat, attack.target, concealment.CONCEALMENT
    return None


def _after_outcome(state: State, attack: Attack) -> tuple[str, str, str] | None:
    """What the outcome has set off that a seat may decide about; a salvo's die is automatic."""
    unit, target = state.units[attack.attacker], state.units[attack.target]
    for family in set_off(state, attack, unit, target, attack.outcome):
        if family in attack.tried or of_family(family, hooks.Cripple):
            continue
        asked = target if of_family(family, hooks.PressOn) else unit
        return asked.seat, asked.id, family
    return None


def _is_open(state: State, attack: Attack, family: str) -> bool:
    if family in attack.tried:
        return False
    unit, target = state.units[attack.attacker], state.units[attack.target]
    return family in set_off(state, attack, unit, target, attack.outcome)


def compulsory(asked: tuple[str, str, str]) -> bool:
    """Whether the ability may not be declined: only a choice is asked for."""
    return of_family(asked[2], hooks.BadLuck) is not None


def choices(state: State, asked: tuple[str, str, str]) -> tuple[str, ...]:
    """On what the ability that is asked about may be used; most need nothing to be named."""
    if compulsory(asked):
        return luck.mates(state, state.units[asked[1]])
    return ("",)


def why_not_answer(state: State, seat: Seat, command: c.Use) -> No | None:
    """Why a seat may not use an ability now: another one is asked about."""
    barred, asked = why_not_own(state, seat, command.unit), question(state)
    if barred is not None or asked is None:
        return barred
    if (command.unit, command.ability) == asked[1:] and command.on in choices(state, asked):
        return None
    return No("turn.question-open", "RUL-96", f"Use {asked[2]} of {asked[1]}, or pass.")


def why_not_decline(state: State, seat: Seat) -> No | None:
    """Why a seat has to use the ability that it is asked about."""
    asked = question(state)
    return must_act("RUL-96") if asked is not None and compulsory(asked) else None


def answer(flow: BattleFlow, seat: Seat, command: c.Use) -> None:
    """The owner uses the ability that was asked about."""
    attack, unit, target, _ = open_shot(flow.state)
    family = command.ability
    if of_family(family, hooks.BadLuck):
        luck.befall(flow, unit, family, command.on)
        return
    if family == concealment.CONCEALMENT:
        concealment.roll(flow)
        return
    if not attack.faces:
        before.dodge(flow, family)
        return
    if not attack.outcome:
        reroll(flow, family)
        return
    owner = unit if of_family(family, hooks.Stop) else target
    ask(flow, purposes.SetOff(owner.id, family), owner.seat, Dice(1))


def decline(flow: BattleFlow, seat: Seat) -> None:
    """The owner does not use the ability that was asked about."""
    asked = question(flow.state)
    assert asked is not None
    family = asked[2]
    what = "WAS-LOS-12" if family == concealment.CONCEALMENT else rule_of(family)
    flow.emit(ev.AbilityDeclined(unit=asked[1], ability=family, rules=("RUL-96", what)))


def ability_rolled(flow: BattleFlow, unit: str, family: str, face: int) -> None:
    """The die of Press the Attack, Determined Attack or Lucky Hit."""
    state = flow.state
    attack = state.attack
    assert attack is not None
    result, effects = _reading(state, attack, unit, family, face)
    flow.emit(
        ev.AbilityRolled(
            unit=unit, ability=family, face=face, result=result, effects=effects,
            rules=(rule_of(family),),
        )
    )  # fmt: skip
    if result == "doomed":
        flow.emit(ev.UnitDoomed(unit=unit, cause=family, rules=("RUL-87", rule_of(family))))


def _reading(
    state: State, attack: Attack, unit: str, family: str, face: int
) -> tuple[str, tuple[Effect, ...]]:
    """What the die comes to."""
    for what in families()[family].effects:
        match what:
            case hooks.Cripple() if face >= what.needed:
                return "crippled", (sequels.salvo_effect(state, unit, attack.target, family),)
            case hooks.Stop() if face >= what.needed:
                stop = NoMove(
                    unit=attack.target, source=unit, rule=rule_of(family), until=state.turn + 1
                )
                return "stopped", (stop,)
            case hooks.PressOn() if face == 1:
                return "doomed", ()
            case hooks.PressOn() if face >= 4:
                return "may-attack", _permits(state, unit, family, what)
    return "", ()


def _permits(state: State, unit: str, family: str, word: hooks.PressOn) -> tuple[Effect, ...]:
    by, until = rule_of(family), state.turn
    may = MayAttack(unit=unit, attack="bomb", source=unit, rule=by, until=until)
    harder = EachDie(unit=unit, attack="bomb", die=-1, source=unit, rule=by, until=until)
    if not word.torpedoes:
        return may, harder
    torpedo = MayAttack(unit=unit, attack="torpedo", source=unit, rule=by, until=until)
    fewer = MoreDice(unit=unit, attack="torpedo", dice=-1, source=unit, rule=by, until=until)
    return may, harder, torpedo, fewer


def follow_up(flow: BattleFlow, attack: Attack) -> bool:
    if question(flow.state) is not None:
        return False
    unit = flow.state.units[attack.attacker]
    for ref, _ in effects_of(card_of(flow.state, unit), hooks.Cripple):
        if _is_open(flow.state, attack, ref.family):
            ask(flow, purposes.SetOff(unit.id, ref.family), unit.seat, Dice(1))
            return True
    flow.emit(ev.AttackEnded(attacker=attack.attacker))
    return True
