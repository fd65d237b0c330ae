"""The set-up of a battle in sentences: sides, fleets, the map, who deploys what and where."""

from __future__ import annotations

from typing import assert_never

from ....kernel.order import ordered
from ....kernel.shown.wording import count, join
from ....kernel.values import Known
from ..rules import events as ev
from ..rules.charts import shipped_charts
from ..rules.facts import charts_of
from ..rules.state import State
from . import names

SetUpEvent = (
    ev.GameOpened
    | ev.CustomsBrought
    | ev.SideChooserFound
    | ev.SidesSet
    | ev.EscortChosen
    | ev.FleetLocked
    | ev.ZoneSelected
    | ev.LightSet
    | ev.WeatherRolled
    | ev.DeployerChosen
    | ev.EdgesChosen
    | ev.UnitDeployed
    | ev.FleetDeployed
)


def set_up(state: State | None, event: SetUpEvent) -> str:
    """An event of the set-up; ``state`` is the state before it."""
    match event:
        case ev.GameOpened():
            return _opened(event)
        case ev.CustomsBrought():
            return _brought(event)
        case ev.SideChooserFound():
            return f"{event.seat} wins the coin and picks a side."
        case ev.SidesSet():
            sides = (f"{seat} commands the {side}" for seat, side in ordered(event.alliances))
            return f"{join(sides)}."
        case ev.FleetLocked():
            return _locked(event)
        case ev.ZoneSelected():
            return _zone(state, event)
        case ev.EscortChosen():
            return f"{event.seat} escorts the convoy."
        case ev.LightSet():
            return f"{_LIGHTS[event.light]}."
        case ev.WeatherRolled():
            return f"Weather: {count(event.squalls, 'squall') if event.squalls else 'clear'}."
        case ev.DeployerChosen():
            if "WAS-SCEN-23" in event.rules:
                return f"{event.seat} deploys first, as the escort."
            won = "" if "WAS-SETUP-28" in event.rules else "wins the coin and "
            return f"{event.seat} {won}deploys first."
        case ev.EdgesChosen():
            edges = (f"{seat} has the {edge} edge" for seat, edge in ordered(event.edges))
            return f"{join(edges)}."
        case ev.UnitDeployed():
            unit = f"{names.card_name(event.card)} ({event.unit})"
            at = event.sector or event.base
            return f"{event.seat} deploys {unit} {names.place_name(state, at)}."
        case ev.FleetDeployed():
            return f"{event.seat}'s fleet is deployed."
        case _:
            assert_never(event)


_LIGHTS = {
    "day": "The battle is fought by day",
    "night": "The battle is fought by night",
    "dusk": "The battle is fought at dusk: it gets dark on turn 4",
    "dawn": "The battle is fought at dawn: it gets light on turn 4",
}


def _zone(state: State | None, event: ev.ZoneSelected) -> str:
    charts = shipped_charts("zone") if state is None else charts_of(state)
    where = names.chart_name(charts[event.zone - 1], event.zone)
    if not event.objectives:
        return f"{where}."
    return f"{where}: objectives in {join(event.objectives)}."


def _opened(event: ev.GameOpened) -> str:
    what = names.scenario_name(event.scenario)
    return f"{what}, {event.edition} edition: {join(event.seats)} take their seats."


def _brought(event: ev.CustomsBrought) -> str:
    named = [
        f"the {kind} {document['name']}"
        for kind, document in (("scenario", event.scenario), ("map", event.map))
        if document
    ]
    return f"The players bring {join(named)}."


def _locked(event: ev.FleetLocked) -> str:
    if not isinstance(event.cards, Known):
        return f"{event.seat} locks a secret fleet."
    cost = names.fleet_cost(event.cards.items)
    return f"{event.seat} locks the fleet of {names.fleet(event.cards.items)} ({cost} points)."
