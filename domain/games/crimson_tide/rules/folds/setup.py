"""What is so after the events of the set-up, and the dice that any part of a battle asks for."""

from __future__ import annotations

from msgspec.structs import replace

from .....kernel.values import Known, StepKey
from .. import events as ev
from ..state import LAND_BASE, State, Unit
from .common import Folds, without


def opened(event: ev.GameOpened) -> State:
    return State(
        scenario=event.scenario,
        options=event.options,
        terms=event.terms,
        seats=event.seats,
        step=StepKey("fleets"),
        land=event.land,
        storms=event.storms,
        objectives=event.objectives,
        scores=dict.fromkeys(event.seats[:2], 0),
        units={unit.id: unit for unit in event.targets},
        title=event.title,
    )


def _locked(state: State, e: ev.FleetLocked) -> State:
    return replace(state, fleets={**state.fleets, e.seat: e.units})


def _revealed(state: State, e: ev.FleetsRevealed) -> State:
    fleets = {seat: Known(picks) for seat, picks in e.fleets.items()}
    return replace(state, fleets=fleets, revealed=True)


def _awaited(state: State, e: ev.DiceAwaited) -> State:
    return replace(state, awaiting=e.awaited, purpose=e.purpose, rolls=state.rolls + 1)


def _thrown(state: State, e: ev.DiceThrown) -> State:
    return replace(state, awaiting=None, purpose=None)


def _storms(state: State, e: ev.StormsGathered) -> State:
    return replace(state, storms=state.storms + e.storms)


def _placed(state: State, e: ev.UnitPlaced) -> State:
    return replace(
        state,
        units={**state.units, e.unit: Unit(e.unit, e.card, e.seat, pose=e.pose)},
        fleets={**state.fleets, e.seat: without(state.fleets[e.seat], e.card)},
        last=e.seat,
    )


def _based(state: State, e: ev.AircraftBased) -> State:
    picked = LAND_BASE if e.base == LAND_BASE else state.units[e.base].card
    return replace(
        state,
        units={**state.units, e.unit: Unit(e.unit, e.card, e.seat, base=e.base)},
        fleets={**state.fleets, e.seat: without(state.fleets[e.seat], e.card, picked)},
    )


HOW: Folds = {
    ev.FleetLocked: _locked,
    ev.FleetsRevealed: _revealed,
    ev.DiceAwaited: _awaited,
    ev.DiceThrown: _thrown,
    ev.StormsGathered: _storms,
    ev.UnitPlaced: _placed,
    ev.AircraftBased: _based,
}
"""Event type to its fold."""
