"""What is so after the events of an attack."""

from __future__ import annotations

from msgspec.structs import replace

from .. import events as ev
from ..state import Shot, State
from .common import Folds, changed


def _declared(state: State, e: ev.AttackDeclared) -> State:
    used = state.units[e.attacker].used
    shot = Shot(e.attacker, e.weapon, e.target, e.arc)
    return replace(state, units=changed(state, e.attacker, used=(*used, e.slot)), shot=shot)


def _measured(state: State, e: ev.AttackMeasured) -> State:
    return replace(state, shot=e.shot)


def _wasted(state: State, e: ev.AttackWasted) -> State:
    if not e.taken_back:
        return replace(state, shot=None)
    unit = state.units[e.attacker]
    used = tuple(slot for slot in unit.used if slot != e.slot)
    tried = (*unit.tried, f"{state.step.phase}/{e.slot}/{e.target}")
    return replace(state, units=changed(state, e.attacker, used=used, tried=tried), shot=None)


def _concealment(state: State, e: ev.ConcealmentRolled) -> State:
    if not e.passed:
        tried = (*state.units[e.attacker].tried, f"{state.step.phase}/see/{e.target}")
        return replace(state, units=changed(state, e.attacker, tried=tried))
    if state.shot is None:
        return state
    return replace(state, shot=replace(state.shot, checked=(*state.shot.checked, "concealment")))


def _detection(state: State, e: ev.DetectionRolled) -> State:
    tried = (*state.units[e.attacker].tried, f"{state.step.phase}/detect/{e.target}")
    units = changed(state, e.attacker, tried=tried)
    if e.detected:
        units[e.target] = replace(units[e.target], detected=True)
    return replace(state, units=units)


def _resolved(state: State, e: ev.AttackResolved) -> State:
    target = state.units[e.target]
    shot = state.shot and replace(state.shot, rounds=e.rounds, hits=e.hits, outcome=e.outcome)
    changes = {
        "pending": target.pending + e.hull,
        "aborted": target.aborted or e.outcome == "aborted",
        "doomed": target.doomed or e.outcome == "destroyed",
    }
    return replace(state, units=changed(state, e.target, **changes), shot=shot)


def _critical(state: State, e: ev.CriticalRolled) -> State:
    unit = state.units[e.target]
    if not e.result or e.result in unit.criticals + unit.pending_criticals:
        return state
    pending = (*unit.pending_criticals, e.result)
    return replace(state, units=changed(state, e.target, pending_criticals=pending))


def _launched(state: State, e: ev.TorpedoesLaunched) -> State:
    inbound = (*state.units[e.target].inbound, e.inbound)
    return replace(state, units=changed(state, e.target, inbound=inbound))


def _checked(state: State, e: ev.TorpedoesChecked) -> State:
    unit = state.units[e.target]
    units = changed(state, e.target, inbound=unit.inbound[1:], pending=unit.pending + e.hull)
    return replace(state, units=units)


def _ended(state: State, e: ev.AttackEnded) -> State:
    return replace(state, shot=None)


HOW: Folds = {
    ev.AttackDeclared: _declared,
    ev.AttackMeasured: _measured,
    ev.AttackWasted: _wasted,
    ev.ConcealmentRolled: _concealment,
    ev.DetectionRolled: _detection,
    ev.AttackResolved: _resolved,
    ev.CriticalRolled: _critical,
    ev.TorpedoesLaunched: _launched,
    ev.TorpedoesChecked: _checked,
    ev.AttackEnded: _ended,
}
"""Event type to its fold."""
