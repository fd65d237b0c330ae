"""What is so after the events of movement."""

from __future__ import annotations

from msgspec.structs import replace

from .. import events as ev
from ..state import Inbound, Order, State
from .common import Folds, changed


def _order(state: State) -> Order:
    """The move that is being carried out: its events come only while there is one."""
    order = state.order
    assert order is not None
    return order


def _ordered(state: State, e: ev.MoveOrdered) -> State:
    unit = state.units[e.order.unit]
    units = changed(
        state,
        unit.id,
        moved=True,
        evaded=e.order.evade,
        stopped=unit.stopped and (e.order.astern or not e.order.path),
        must_reverse=unit.must_reverse and not e.settled,
    )
    return replace(state, units=units, order=e.order)


def _evasion(state: State, e: ev.EvasionRolled) -> State:
    if not e.evaded:
        return state
    return replace(
        state, units=changed(state, e.unit, inbound=_one_less(state.units[e.unit].inbound, e.place))
    )


def _one_less(inbound: tuple[Inbound, ...], place: int) -> tuple[Inbound, ...]:
    """One marker of the attack at this place fewer."""
    attack = inbound[place]
    left = (replace(attack, number=attack.number - 1),) if attack.number > 1 else ()
    return (*inbound[:place], *left, *inbound[place + 1 :])


def _moved(state: State, e: ev.UnitMoved) -> State:
    units = changed(
        state,
        e.unit,
        pose=e.track[-1],
        ahead=e.ahead,
        astern=e.astern,
        turned=e.turned,
        must_reverse=state.units[e.unit].must_reverse and not e.freed,
    )
    return replace(state, units=units, order=e.order)


def _tested(state: State, e: ev.GroundingTested) -> State:
    return replace(state, units=changed(state, e.unit, tested=True))


def _aground(state: State, e: ev.RanAground) -> State:
    order = _order(state)
    order = replace(order, path=(), impacts=order.impacts + e.impacts)
    stopped = state.units[e.unit].stopped or not order.drifting
    return replace(state, units=changed(state, e.unit, stopped=stopped), order=order)


def _collided(state: State, e: ev.UnitsCollided) -> State:
    order = _order(state)
    order = replace(order, path=(), impacts=order.impacts + e.impacts)
    if e.drifting:
        return replace(state, order=order)
    units = changed(
        state, e.unit, stopped=True, collided=True, must_reverse=True, away_ahead=e.ahead
    )
    units[e.other] = replace(units[e.other], collided=True)
    return replace(state, units=units, order=order)


def _impact(state: State, e: ev.ImpactRolled) -> State:
    order = _order(state)
    return replace(state, order=replace(order, impacts=order.impacts[1:]))


def _ended(state: State, e: ev.MoveEnded) -> State:
    return replace(state, units=changed(state, e.unit, stopped=e.stopped), order=None)


def _wind(state: State, e: ev.WindDrawn) -> State:
    return replace(state, wind=e.direction)


def _storms(state: State, e: ev.StormsMoved) -> State:
    storms = tuple(
        replace(storm, at=e.at.get(storm.id, storm.at))
        for storm in state.storms
        if storm.id not in e.gone
    )
    return replace(state, storms=storms)


def _drift(state: State, e: ev.DriftBegan) -> State:
    return replace(state, order=e.order)


HOW: Folds = {
    ev.MoveOrdered: _ordered,
    ev.EvasionRolled: _evasion,
    ev.UnitMoved: _moved,
    ev.GroundingTested: _tested,
    ev.RanAground: _aground,
    ev.UnitsCollided: _collided,
    ev.ImpactRolled: _impact,
    ev.MoveEnded: _ended,
    ev.WindDrawn: _wind,
    ev.StormsMoved: _storms,
    ev.DriftBegan: _drift,
}
"""Event type to its fold."""
