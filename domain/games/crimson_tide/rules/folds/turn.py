"""What is so after the events of the course of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from .. import events as ev
from ..state import State
from .common import Folds, changed, each_changed


def _turn(state: State, e: ev.TurnBegan) -> State:
    return replace(state, turn=e.turn, first="", led=state.first, last="", dives={})


def _initiative(state: State, e: ev.InitiativeRolled) -> State:
    return replace(state, first=e.first, led="" if e.first else state.led)


def _step(state: State, e: ev.StepBegan) -> State:
    return replace(state, step=e.step, tended=(), passed=(), last="")


def _task(state: State, e: ev.TaskDone) -> State:
    return replace(state, tended=(*state.tended, e.task))


def _passed(state: State, e: ev.Passed) -> State:
    return replace(state, passed=(*state.passed, e.seat), last=e.seat)


def _dives_chosen(state: State, e: ev.DivesChosen) -> State:
    return replace(state, dives={**state.dives, e.seat: e.submerged})


def _dives_revealed(state: State, e: ev.DivesRevealed) -> State:
    units = {
        name: replace(
            unit,
            submerged=name in e.submerged,
            detected=unit.detected and name not in e.vanished,
        )
        if unit.seat in e.seats and (unit.submerged or name in e.submerged)
        else unit
        for name, unit in state.units.items()
    }
    return replace(state, units=units, dives={}, tended=(*state.tended, "dives"))


def _deployed(state: State, e: ev.AircraftDeployed) -> State:
    units = changed(state, e.unit, mission=e.mission, at=e.at, beside=e.beside, side=e.side)
    if e.carrier:
        units[e.carrier] = replace(units[e.carrier], launched=True)
    return replace(state, units=units, last=e.seat)


def _spotting(state: State, e: ev.SpottingRolled) -> State:
    return state if e.found else replace(state, units=changed(state, e.unit, aborted=True))


def _rearmed(state: State, e: ev.Rearmed) -> State:
    units = state.units.copy()
    for name in e.units:
        units[name] = replace(units[name], rearming=units[name].rearming - 1)
    return replace(state, units=units)


def _landed(state: State, e: ev.AircraftLanded) -> State:
    units = changed(
        state, e.unit, base=e.base, rearming=e.rearming, mission="", beside="", side="", at=None
    )
    return replace(state, units=units)


def _recovery(state: State, e: ev.RecoveryRolled) -> State:
    return state


def _transit_ended(state: State, e: ev.TransitEnded) -> State:
    side = state.members(e.seat)
    names = tuple(u.id for u in state.all_units if u.seat in side and u.aborted)
    return replace(
        state,
        units=each_changed(state, names, aborted=False),
        tended=(*state.tended, "transit"),
    )


HOW: Folds = {
    ev.TurnBegan: _turn,
    ev.InitiativeRolled: _initiative,
    ev.StepBegan: _step,
    ev.TaskDone: _task,
    ev.Passed: _passed,
    ev.DivesChosen: _dives_chosen,
    ev.DivesRevealed: _dives_revealed,
    ev.AircraftDeployed: _deployed,
    ev.SpottingRolled: _spotting,
    ev.Rearmed: _rearmed,
    ev.AircraftLanded: _landed,
    ev.RecoveryRolled: _recovery,
    ev.TransitEnded: _transit_ended,
}
"""Event type to its fold."""
