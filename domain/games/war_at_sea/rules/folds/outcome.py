"""What is so after the events at the end of phases, turns and battles: losses, claims, points."""

from __future__ import annotations

from msgspec.structs import replace

from .....kernel.setup import Result
from .. import events as ev
from ..state import CarrierLoss, Lost, State
from .common import Folds, changed, each_changed, scored


def _smoke_cleared(state: State, e: ev.SmokeCleared) -> State:
    smoke = {sector: until for sector, until in state.smoke.items() if sector not in e.sectors}
    return replace(state, smoke=smoke)


def _squalls(state: State, e: ev.SquallsMoved) -> State:
    return replace(state, squalls=e.sectors)


def _carrier(state: State, e: ev.CarrierDoomed) -> State:
    return replace(state, carriers={**state.carriers, e.carrier: CarrierLoss(e.chosen)})


def _carrier_rolled(state: State, e: ev.CarrierLossRolled) -> State:
    loss = CarrierLoss(e.units, rolled=True)
    return replace(
        state,
        carriers={**state.carriers, e.carrier: loss},
        units=each_changed(state, e.lost, doomed=True),
    )


def _damage(state: State, e: ev.DamageApplied) -> State:
    unit = state.units[e.unit]
    return replace(state, units=changed(state, e.unit, damage=unit.damage + e.damage, pending=0))


def _removed(state: State, e: ev.UnitRemoved) -> State:
    units = state.units.copy()
    unit = units.pop(e.unit)
    scores = state.scores
    if e.points:
        scores = {**scores, e.scorer: scores[e.scorer] + e.points}
    lost = Lost(e.unit, unit.card, unit.seat, state.turn, e.cause, e.points)
    return replace(state, units=units, scores=scores, lost=(*state.lost, lost), progress=True)


def _phase_ended(state: State, e: ev.PhaseEnded) -> State:
    units = {
        name: replace(unit, done=(), struck=(), pending=0)
        if unit.done or unit.struck or unit.pending
        else unit
        for name, unit in state.units.items()
    }
    return replace(state, units=units, carriers={}, active="", attack=None)


def _claimed(state: State, e: ev.ObjectiveClaimed) -> State:
    return replace(
        state,
        objectives=tuple(s for s in state.objectives if s != e.sector),
        claimed={**state.claimed, e.sector: e.seat},
        scores=scored(state, e.seat, e.points),
        progress=True,
    )


def _claim_declined(state: State, e: ev.ClaimDeclined) -> State:
    return replace(state, declined=state.declined + e.sectors)


def _points(state: State, e: ev.PointsScored) -> State:
    bonus = (*state.bonus, e.seat) if e.cause == "no-ships" else state.bonus
    return replace(state, scores=scored(state, e.seat, e.points), bonus=bonus)


def _stalemate(state: State, e: ev.StalemateCalled) -> State:
    return replace(state, stalemate=(*state.stalemate, e.seat))


def _turn_ended(state: State, e: ev.TurnEnded) -> State:
    units = {
        name: replace(unit, moved=False, attacked=False) if unit.moved or unit.attacked else unit
        for name, unit in state.units.items()
    }
    return replace(
        state,
        units=units,
        effects=tuple(effect for effect in state.effects if effect.until > e.turn),
        used=(),
        barred=(),
        declined=(),
        stalemate=(),
        calm=e.calm,
        progress=False,
    )


def _ended(state: State, e: ev.GameEnded) -> State:
    return replace(state, result=Result(e.winners, e.reason, e.rule), awaiting=None, purpose=None)


HOW: Folds = {
    ev.SmokeCleared: _smoke_cleared,
    ev.SquallsMoved: _squalls,
    ev.CarrierDoomed: _carrier,
    ev.CarrierLossRolled: _carrier_rolled,
    ev.DamageApplied: _damage,
    ev.UnitRemoved: _removed,
    ev.PhaseEnded: _phase_ended,
    ev.ObjectiveClaimed: _claimed,
    ev.ClaimDeclined: _claim_declined,
    ev.PointsScored: _points,
    ev.StalemateCalled: _stalemate,
    ev.TurnEnded: _turn_ended,
    ev.GameEnded: _ended,
}
"""Event type to its fold."""
