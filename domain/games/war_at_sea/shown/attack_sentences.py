"""Attacks and abilities in sentences: what was rolled, against what, and what came of it."""

from __future__ import annotations

from typing import assert_never

from ....kernel.shown.wording import count, join
from ..rules import events as ev
from ..rules.state import Attack, State
from . import effect_sentences, names
from .names import unit_name

AttackEvent = (
    ev.AttackDeclared
    | ev.AttackRolled
    | ev.ConcealmentRolled
    | ev.AttackResolved
    | ev.AbilityUsed
    | ev.AbilityDeclined
    | ev.AbilityRolled
    | ev.EffectBegan
)


def attack(state: State | None, event: AttackEvent) -> str:
    """The sentence of one event of an attack, or of an ability."""
    match event:
        case ev.AttackDeclared():
            return _declared(state, event.attack)
        case ev.AttackRolled():
            return _rolled(state, event)
        case ev.ConcealmentRolled():
            return _concealment(state, event)
        case ev.AttackResolved():
            return _resolved(state, event)
        case ev.AbilityUsed():
            return _used(state, event)
        case ev.AbilityDeclined():
            unit, ability = unit_name(state, event.unit), names.ability_name(event.ability)
            return f"{unit} does not use {ability}."
        case ev.AbilityRolled():
            return _ability(state, event)
        case ev.EffectBegan():
            return effect_sentences.sentence(state, event.effect)
        case _:
            assert_never(event)


def _declared(state: State | None, each: Attack) -> str:
    unit, target = unit_name(state, each.attacker), unit_name(state, each.target)
    text = f"{unit} {names.attack_words(each.weapon, target)}, range {each.range}"
    if each.with_abilities:
        text += f", with {join(names.ability_name(a) for a in each.with_abilities)}"
    text += f": {count(each.dice.total, 'die', 'dice')}"
    if len(each.dice.reasons) > 1:
        text += f" ({names.reasons(state, each.dice)})"
    if each.die.reasons:
        text += f", each {each.die.total:+d} ({names.reasons(state, each.die)})"
    if each.weapon == "torpedo":
        return f"{text}; each 6 hits."
    needs = f"{names.number(state, each.armor)} to hit"
    return f"{text}; needs {needs}, {names.number(state, each.vital)} to destroy."


def _rolled(state: State | None, event: ev.AttackRolled) -> str:
    unit = unit_name(state, event.attacker)
    torpedo = state is not None and state.attack is not None and state.attack.weapon == "torpedo"
    many = (
        count(event.successes, "hit") if torpedo else count(event.successes, "success", "successes")
    )
    return f"{unit} rolls {names.faces(event.faces) or 'no dice'}: {many}."


def _concealment(state: State | None, event: ev.ConcealmentRolled) -> str:
    unit, what = unit_name(state, event.unit), "hidden: the attack misses"
    rolled = f"{unit} rolls {event.face} for concealment ({event.needed}+)"
    return f"{rolled}: {what if event.concealed else 'seen'}."


def _resolved(state: State | None, event: ev.AttackResolved) -> str:
    target = unit_name(state, event.target)
    match event.outcome:
        case "miss":
            return f"Miss: {target} is unharmed{_short(state)}."
        case "hit":
            points = count(event.damage, "hull point")
            return f"Hit: {points} pending on {target}{_because(event)}."
        case "destroyed":
            return f"{target} will be destroyed when the phase ends{_because(event)}."
        case "aborted":
            return f"{target} is aborted{_because(event)}."
        case _:
            return f"No effect on {target}{_because(event)}."


def why_in_vain(state: State | None, event: ev.AttackResolved) -> str | None:
    """Why an attack came to nothing; None where it did not, empty where nothing tells."""
    if event.outcome == "miss":
        return _short(state)
    return _cause(event) if event.outcome == "no-effect" else None


def _short(state: State | None) -> str:
    """How far a miss fell short."""
    open_ = state.attack if state is not None else None
    if open_ is None:
        return ""
    if open_.weapon == "torpedo":
        return " (no die hits)"
    return f" ({open_.successes} of {open_.armor.total} needed)"


def _because(event: ev.AttackResolved) -> str:
    return f" ({_cause(event)})" if event.because else ""


def _cause(event: ev.AttackResolved) -> str:
    if not event.because:
        return ""
    return _WHY[event.because] if event.because in _WHY else names.ability_name(event.because)


_WHY = {
    "concealment": "it is concealed",
    "aborted": "it is aborted already",
    "doomed": "it is doomed already",
}
"""What brings an attack to nothing besides abilities."""


def _used(state: State | None, event: ev.AbilityUsed) -> str:
    text = f"{unit_name(state, event.unit)} uses {names.ability_name(event.ability)}"
    if event.on:
        text += f" {names.spot(state, event.on)}"
    if event.bars:
        text += f"; {event.bars} may claim no objective this turn"
    return f"{text}."


_RESULTS = {
    "": "nothing",
    "no-effect": "the attack has no effect",
    "saved-hit": "one hull point instead of destruction",
    "saved-hull": "one hull point instead of destruction",
    "saved-abort": "aborted instead of destroyed",
    "saved-aborted": "aborted instead of destroyed",
    "slowed": "one slower this turn",
    "draws": "enemy Fighters must attack it",
    "stopped": "the target cannot move next turn",
    "doomed": "lost when the phase ends",
    "may-attack": "may attack although aborted",
    "survives": "stays in play",
    "less": "one hull point less",
    "jammed": "three dice fewer until the end of the next turn",
    "repaired": "one hull point is restored",
    "swept": "the mines are swept",
    "crippled": "the target counts as crippled",
    "arrives": "it is ready to fly",
    "returns": "the squadron returns",
    "speed": "its speed changes this turn",
}


def _ability(state: State | None, event: ev.AbilityRolled) -> str:
    unit, ability = unit_name(state, event.unit), names.ability_name(event.ability)
    result = _RESULTS[event.result]
    if not event.face:
        return f"{ability} of {unit}: {result}."
    return f"{unit} rolls {event.face} for {ability}: {result}."
