"""What is so after the events of the set-up, and the dice that any part of a battle asks for."""

from __future__ import annotations

from msgspec import convert
from msgspec.structs import replace

from .....kernel.values import Known, StepKey
from .. import events as ev
from ..charts import Map
from ..scenarios import Scenario, in_edition
from ..state import State, Unit
from .common import Folds, stacked, without


def opened(event: ev.GameOpened) -> State:
    return State(
        edition=event.edition,
        scenario=event.scenario,
        options=event.options,
        seats=event.seats,
        alliances={},
        step=StepKey("sides"),
        scores=dict.fromkeys(event.seats, 0),
    )


def _customs(state: State, e: ev.CustomsBrought) -> State:
    scenario = in_edition(convert(e.scenario, Scenario), state.edition) if e.scenario else None
    map_ = convert(e.map, Map) if e.map else None
    return replace(state, custom_scenario=scenario, custom_map=map_)


def _side_chooser(state: State, e: ev.SideChooserFound) -> State:
    return replace(state, side_chooser=e.seat)


def _sides(state: State, e: ev.SidesSet) -> State:
    return replace(state, alliances=e.alliances)


def _escort(state: State, e: ev.EscortChosen) -> State:
    return replace(state, escort=e.seat)


def _locked(state: State, e: ev.FleetLocked) -> State:
    return replace(state, fleets={**state.fleets, e.seat: e.cards})


def _awaited(state: State, e: ev.DiceAwaited) -> State:
    return replace(state, awaiting=e.awaited, purpose=e.purpose, rolls=state.rolls + 1)


def _thrown(state: State, e: ev.DiceThrown) -> State:
    return replace(state, awaiting=None, purpose=None)


def _zone(state: State, e: ev.ZoneSelected) -> State:
    return replace(state, zone=e.zone, objectives=e.objectives)


def _light(state: State, e: ev.LightSet) -> State:
    return replace(state, light=e.light)


def _weather(state: State, e: ev.WeatherRolled) -> State:
    return replace(state, weather=e.squalls)


def _deployer(state: State, e: ev.DeployerChosen) -> State:
    return replace(state, first_deployer=e.seat)


def _edges(state: State, e: ev.EdgesChosen) -> State:
    return replace(state, edges=e.edges)


def _deployed(state: State, e: ev.UnitDeployed) -> State:
    unit = Unit(e.unit, e.card, e.seat, sector=e.sector, base=e.base)
    return replace(
        state,
        units={**state.units, e.unit: unit},
        fleets={**state.fleets, e.seat: without(state.fleets[e.seat], e.card)},
        stacks=stacked(state, e.base, e.card),
    )


def _fleet_deployed(state: State, e: ev.FleetDeployed) -> State:
    fleets = {**state.fleets, e.seat: Known(())}
    return replace(state, fleets=fleets, tended=(*state.tended, "deployed"))


HOW: Folds = {
    ev.CustomsBrought: _customs,
    ev.SideChooserFound: _side_chooser,
    ev.SidesSet: _sides,
    ev.EscortChosen: _escort,
    ev.FleetLocked: _locked,
    ev.DiceAwaited: _awaited,
    ev.DiceThrown: _thrown,
    ev.ZoneSelected: _zone,
    ev.LightSet: _light,
    ev.WeatherRolled: _weather,
    ev.DeployerChosen: _deployer,
    ev.EdgesChosen: _edges,
    ev.UnitDeployed: _deployed,
    ev.FleetDeployed: _fleet_deployed,
}
"""Event type to its fold."""
