"""What is so after the events of attacks and abilities."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from .. import events as ev
from ..state import State, Used
from .common import Folds, changed, tried


def _ability_used(state: State, e: ev.AbilityUsed) -> State:
    units = state.units
    if e.once == "game":
        units = changed(state, e.unit, spent=(*units[e.unit].spent, e.ability))
    barred = (*state.barred, e.bars) if e.bars else state.barred
    return replace(
        state,
        units=units,
        used=(*state.used, Used(e.unit, units[e.unit].seat, e.ability)),
        effects=state.effects + e.effects,
        barred=barred,
        attack=tried(state.attack, e.ability),
    )


def _declined(state: State, e: ev.AbilityDeclined) -> State:
    return replace(state, attack=tried(state.attack, e.ability))


def _ability_rolled(state: State, e: ev.AbilityRolled) -> State:
    changes: dict[str, Any] = {}
    attack = state.attack
    if e.result == "less":
        attack = tried(attack, f"{e.ability}/less")
    elif e.result == "no-effect":
        changes["cancelled"] = e.ability
    elif e.result.startswith("saved-"):
        changes["saved"] = e.result.removeprefix("saved-")
    return replace(
        state,
        attack=tried(attack, e.ability, **changes),
        effects=state.effects + e.effects,
        tended=(*state.tended, f"{e.unit}/{e.ability}"),
    )


def _declared(state: State, e: ev.AttackDeclared) -> State:
    a = e.attack
    unit = state.units[a.attacker]
    units = changed(
        state,
        a.attacker,
        done=(*unit.done, a.weapon),
        struck=(*unit.struck, a.target),
        attacked=True,
    )
    return replace(state, attack=a, active=a.attacker, units=units)


def _rolled(state: State, e: ev.AttackRolled) -> State:
    assert state.attack is not None
    return replace(state, attack=replace(state.attack, faces=e.faces, successes=e.successes))


def _concealment(state: State, e: ev.ConcealmentRolled) -> State:
    cancelled = "concealment" if e.concealed else ""
    return replace(state, attack=tried(state.attack, "concealment", cancelled=cancelled))


def _resolved(state: State, e: ev.AttackResolved) -> State:
    units, target = state.units, state.units[e.target]
    if e.outcome == "destroyed":
        units = changed(state, e.target, doomed=True)
    elif e.outcome == "aborted":
        units = changed(state, e.target, aborted=True)
    elif e.damage:
        units = changed(state, e.target, pending=target.pending + e.damage)
    attack = None
    if e.followups and state.attack is not None:
        attack = replace(state.attack, outcome=e.outcome, tried=())
    progress = state.progress or e.outcome in ("hit", "aborted", "destroyed")
    return replace(state, units=units, attack=attack, progress=progress)


def _attack_ended(state: State, e: ev.AttackEnded) -> State:
    return replace(state, attack=None)


def _effect(state: State, e: ev.EffectBegan) -> State:
    return replace(state, effects=(*state.effects, e.effect))


def _doomed(state: State, e: ev.UnitDoomed) -> State:
    own = not state.units[e.unit].doomed
    return replace(state, units=changed(state, e.unit, doomed=True, own_act=own))


def _spared(state: State, e: ev.UnitSpared) -> State:
    return replace(
        state, units=changed(state, e.unit, doomed=False, own_act=False, pending=e.pending)
    )


def _smoke(state: State, e: ev.SmokeLaid) -> State:
    units = state.units
    if e.unit:
        units = changed(state, e.unit, done=(*units[e.unit].done, "smoke"))
    until = max(e.until, state.smoke.get(e.sector, 0))
    return replace(state, smoke={**state.smoke, e.sector: until}, units=units, active=e.unit)


HOW: Folds = {
    ev.AbilityUsed: _ability_used,
    ev.AbilityDeclined: _declined,
    ev.AbilityRolled: _ability_rolled,
    ev.AttackDeclared: _declared,
    ev.AttackRolled: _rolled,
    ev.ConcealmentRolled: _concealment,
    ev.AttackResolved: _resolved,
    ev.AttackEnded: _attack_ended,
    ev.EffectBegan: _effect,
    ev.UnitDoomed: _doomed,
    ev.UnitSpared: _spared,
    ev.SmokeLaid: _smoke,
}
"""Event type to its fold."""
