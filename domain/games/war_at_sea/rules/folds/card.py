"""What is so after the events of single cards' abilities."""

from __future__ import annotations

from msgspec.structs import replace

from .. import events as ev
from ..effects import OnUnit, word_of
from ..state import State, Unit
from .common import Folds, changed, each_changed, stacked


def _given_up(state: State, e: ev.AttackGivenUp) -> State:
    unit = state.units[e.unit]
    units = changed(state, e.unit, done=(*unit.done, e.weapon), struck=(*unit.struck, ""))
    return replace(state, units=units, active=e.unit)


def _amended(state: State, e: ev.AttackAmended) -> State:
    return replace(state, attack=e.attack)


def _effect_ended(state: State, e: ev.EffectEnded) -> State:
    over = (e.word, e.unit, e.source)
    left = tuple(f for f in state.effects if not isinstance(f, OnUnit) or _key(f) != over)
    return replace(state, effects=left)


def _key(effect: OnUnit) -> tuple[str, str, str]:
    return word_of(effect), effect.unit, effect.source


def _mined(state: State, e: ev.MinesLaid) -> State:
    return replace(state, mines=(*state.mines, e.sector))


def _swept(state: State, e: ev.MinesSwept) -> State:
    mines = list(state.mines)
    mines.remove(e.sector)
    return replace(state, mines=tuple(mines))


def _hull_lost(state: State, e: ev.HullLost) -> State:
    pending = state.units[e.unit].pending + e.points
    return replace(
        state,
        units=changed(state, e.unit, pending=pending),
        progress=state.progress or e.points > 0,
    )


def _repaired(state: State, e: ev.HullRepaired) -> State:
    damage = state.units[e.unit].damage - e.points
    return replace(state, units=changed(state, e.unit, damage=damage))


def _rearmed(state: State, e: ev.RearmingEnded) -> State:
    return replace(state, units=changed(state, e.unit, rearming=False))


def _shelled(state: State, e: ev.AirbaseShelled) -> State:
    units = each_changed(state, e.units, rearming=True)
    return replace(state, units=units, effects=state.effects + e.effects)


def _must_rearm(state: State, e: ev.RearmingBegan) -> State:
    return replace(state, units=changed(state, e.unit, rearming=True))


def _joined(state: State, e: ev.SquadronJoined) -> State:
    """A mission that an ability gives is a turn in the Air Mission phase."""
    unit = Unit(e.unit, e.card, e.seat, sector=e.sector, base=e.base, placed=bool(e.sector))
    return replace(
        state,
        units={**state.units, e.unit: unit},
        stacks=state.stacks if e.sector else stacked(state, e.base, e.card),
        last=e.seat if e.sector else state.last,
    )


def _stayed(state: State, e: ev.AircraftStayed) -> State:
    return replace(state, units=each_changed(state, e.units, placed=True), last=e.seat)


def _stack_kept(state: State, e: ev.StackKept) -> State:
    return replace(state, stacks={**state.stacks, e.carrier: e.cards})


HOW: Folds = {
    ev.AttackGivenUp: _given_up,
    ev.AttackAmended: _amended,
    ev.EffectEnded: _effect_ended,
    ev.MinesLaid: _mined,
    ev.MinesSwept: _swept,
    ev.HullLost: _hull_lost,
    ev.HullRepaired: _repaired,
    ev.RearmingEnded: _rearmed,
    ev.AirbaseShelled: _shelled,
    ev.RearmingBegan: _must_rearm,
    ev.SquadronJoined: _joined,
    ev.AircraftStayed: _stayed,
    ev.StackKept: _stack_kept,
}
"""Event type to its fold."""
