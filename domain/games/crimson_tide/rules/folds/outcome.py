"""What is so after the events of the end of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from .....kernel.setup import Result
from .....kernel.values import Hidden, Known, Seat
from .. import events as ev
from ..state import Lost, Pick, State, Unit
from .common import Folds, changed, scored


def _hull(state: State, e: ev.HullLost) -> State:
    unit = state.units[e.unit]
    if e.pending:
        return replace(state, units=changed(state, e.unit, pending=unit.pending + e.hull))
    return replace(state, units=changed(state, e.unit, hull_lost=unit.hull_lost + e.hull))


def _damage(state: State, e: ev.DamageApplied) -> State:
    unit = state.units[e.unit]
    units = changed(
        state,
        e.unit,
        hull_lost=e.hull_lost,
        pending=0,
        criticals=tuple(sorted({*unit.criticals, *e.criticals})),
        pending_criticals=(),
        fresh=unit.fresh + e.criticals,
    )
    return replace(state, units=units)


def _removed(state: State, e: ev.UnitRemoved) -> State:
    units = state.units.copy()
    unit = units.pop(e.unit)
    lost = Lost(unit.id, unit.card, unit.seat, state.turn, e.cause, e.points)
    scores = scored(state, e.scorer, e.points) if e.points else state.scores
    return replace(state, units=units, lost=(*state.lost, lost), scores=scores)


def _counter(state: State, e: ev.UnitDestroyed | ev.UnitCrippled) -> State:
    """The counter shows what the losses have done already."""
    return state


def _repair(state: State, e: ev.RepairRolled) -> State:
    unit = state.units[e.unit]
    criticals = tuple(c for c in unit.criticals if c != e.critical or not e.repaired)
    units = changed(state, e.unit, criticals=criticals, mended=(*unit.mended, e.critical))
    return replace(state, units=units)


def _fire(state: State, e: ev.FireBurned) -> State:
    unit = state.units[e.unit]
    return replace(state, units=changed(state, e.unit, hull_lost=unit.hull_lost + 1))


def _control(state: State, e: ev.ControlChecked) -> State:
    objectives = tuple(
        replace(each, turns=e.turns) if each.id == e.objective else each
        for each in state.objectives
    )
    return replace(state, objectives=objectives)


def _gained(state: State, e: ev.ObjectiveGained) -> State:
    objectives = tuple(
        replace(each, landed=(*each.landed, e.unit)) if each.id == e.objective else each
        for each in state.objectives
        if e.unit or each.id != e.objective
    )
    return replace(state, objectives=objectives, scores=scored(state, e.seat, e.points))


_CLEAN = Unit("", "", "")
_TURN_LONG = (
    "moved", "ahead", "astern", "turned", "evaded", "tested", "collided", "used", "tried",
    "launched", "fresh", "mended",
)  # fmt: skip


def _turn_ended(state: State, e: ev.TurnEnded) -> State:
    fresh = {name: getattr(_CLEAN, name) for name in _TURN_LONG}
    units = {name: replace(unit, **fresh) for name, unit in state.units.items()}
    return replace(state, units=units, draw=(), wind=-1)


def _draw(state: State, e: ev.DrawOffered) -> State:
    return replace(state, draw=(*state.draw, e.seat))


def _left(state: State, e: ev.PlayerLeft) -> State:
    """What a seat had is its heir's: units, what is still to be placed, and the choices to make.

    A dive that either had settled is open again, since it is now about the submarines of both.
    """
    units = {
        name: replace(unit, seat=e.heir) if unit.seat == e.seat else unit
        for name, unit in state.units.items()
    }
    both = (e.seat, e.heir)
    acts_on = e.seat not in state.passed
    return replace(
        state,
        units=units,
        fleets=_taken_over(state, e.seat, e.heir),
        dives={seat: dive for seat, dive in state.dives.items() if seat not in both},
        passed=tuple(s for s in state.passed if not (acts_on and s == e.heir)),
        draw=tuple(seat for seat in state.draw if seat != e.seat),
        gone=(*state.gone, e.seat),
    )


def _taken_over(state: State, seat: Seat, heir: Seat) -> dict[Seat, Known[Pick] | Hidden]:
    """The fleets with one added to another; before they lie open each stays by itself."""
    held, other = state.fleets.get(seat), state.fleets.get(heir)
    if not isinstance(held, Known) or not isinstance(other, Known) or not state.revealed:
        return state.fleets
    return {**state.fleets, seat: Known(()), heir: Known(other.items + held.items)}


def _game_ended(state: State, e: ev.GameEnded) -> State:
    result = Result(e.winners, e.reason, e.rule)
    return replace(state, result=result, awaiting=None, purpose=None)


HOW: Folds = {
    ev.HullLost: _hull,
    ev.DamageApplied: _damage,
    ev.UnitDestroyed: _counter,
    ev.UnitCrippled: _counter,
    ev.UnitRemoved: _removed,
    ev.RepairRolled: _repair,
    ev.FireBurned: _fire,
    ev.ControlChecked: _control,
    ev.ObjectiveGained: _gained,
    ev.TurnEnded: _turn_ended,
    ev.DrawOffered: _draw,
    ev.PlayerLeft: _left,
    ev.GameEnded: _game_ended,
}
"""Event type to its fold."""
