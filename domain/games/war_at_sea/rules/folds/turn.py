"""What is so after the events of the course of a turn: initiative, steps, moves and missions."""

from __future__ import annotations

from msgspec.structs import replace

from .. import events as ev
from ..state import State, Used
from .common import Folds, changed, each_changed, stacked


def _turn(state: State, e: ev.TurnBegan) -> State:
    return replace(state, turn=e.turn, first="", last="")


def _light(state: State, e: ev.LightChanged) -> State:
    """Nothing that is kept: the light is worked out from the turn."""
    return state


def _initiative(state: State, e: ev.InitiativeRolled) -> State:
    return replace(state, first=e.first, thrown=e.thrown)


def _step(state: State, e: ev.StepBegan) -> State:
    return replace(state, step=e.step, last=e.last, tended=(), passed=(), active="")


def _task(state: State, e: ev.TaskDone) -> State:
    return replace(state, tended=(*state.tended, e.task))


def _passed(state: State, e: ev.Passed) -> State:
    return replace(state, passed=(*state.passed, e.seat), last=e.seat)


def _moved(state: State, e: ev.UnitMoved) -> State:
    return replace(state, units=changed(state, e.unit, sector=e.path[-1], moved=True))


def _shifted(state: State, e: ev.UnitShifted) -> State:
    return replace(
        state,
        units=changed(state, e.unit, sector=e.sector),
        used=(*state.used, Used(e.unit, state.units[e.unit].seat, e.ability)),
        last=e.seat,
    )


def _placed(state: State, e: ev.AircraftPlaced) -> State:
    units = changed(state, e.unit, sector=e.sector, placed=True, strafing=e.strafing, role=e.role)
    return replace(state, units=units, last=e.seat)


def _sent_home(state: State, e: ev.AircraftSentHome) -> State:
    return replace(
        state, units=each_changed(state, e.units, base="airbase", placed=True), last=e.seat
    )


def _search(state: State, e: ev.SearchRolled) -> State:
    if e.found:
        return state
    units = changed(state, e.unit, aborted=True)
    return replace(state, units=units, effects=state.effects + e.effects)


def _recovery(state: State, e: ev.RecoveryRolled) -> State:
    return replace(state, tended=(*state.tended, "recovery"))


def _return_began(state: State, e: ev.ReturnBegan) -> State:
    stacks = {
        carrier: cards
        for carrier, cards in state.stacks.items()
        if carrier in state.units and state.units[carrier].seat != e.seat
    }
    return replace(
        state,
        units=each_changed(state, e.rearmed, rearming=False),
        stacks=stacks,
        tended=(*state.tended, "return"),
    )


def _returned(state: State, e: ev.AircraftReturned) -> State:
    unit = state.units[e.unit]
    units = changed(
        state, e.unit, sector="", base=e.base, rearming=e.rearming, strafing=False, role="",
        placed=False,
    )  # fmt: skip
    return replace(state, units=units, stacks=stacked(state, e.base, unit.card))


def _return_ended(state: State, e: ev.ReturnEnded) -> State:
    units = {
        name: replace(unit, aborted=False, placed=False)
        if unit.seat == e.seat and (unit.aborted or unit.placed)
        else unit
        for name, unit in state.units.items()
    }
    return replace(state, units=units)


HOW: Folds = {
    ev.TurnBegan: _turn,
    ev.LightChanged: _light,
    ev.InitiativeRolled: _initiative,
    ev.StepBegan: _step,
    ev.TaskDone: _task,
    ev.Passed: _passed,
    ev.UnitMoved: _moved,
    ev.UnitShifted: _shifted,
    ev.AircraftPlaced: _placed,
    ev.AircraftSentHome: _sent_home,
    ev.SearchRolled: _search,
    ev.RecoveryRolled: _recovery,
    ev.ReturnBegan: _return_began,
    ev.AircraftReturned: _returned,
    ev.ReturnEnded: _return_ended,
}
"""Event type to its fold."""
