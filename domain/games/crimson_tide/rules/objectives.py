"""SCN: sea control of a marker, and troops landed on a beach."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.values import Seat
from . import events as ev
from .ability_words import LandsTroops, NoControl
from .facts import effect, is_ship
from .ranges import near
from .sides import of_side
from .state import Objective, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

PRESENCE_KLICKS = 8
LANDING_KLICKS = 1
TURNS_HELD = 2


@rule("CT-SCN-07", "CT-AMB-62")
def holders(state: State, seat: Seat, objective: Objective) -> list[Unit]:
    """The side's units that count for sea control of a marker: ships within range 1."""
    return [
        unit
        for unit in of_side(state, seat)
        if is_ship(state, unit)
        and effect(unit, NoControl) is None
        and near(state, unit, objective.at, PRESENCE_KLICKS)
    ]


@rule("CT-SCN-06", "CT-AMB-63", "CT-SCN-05")
def control(flow: BattleFlow) -> None:
    """E8: a marker held alone at two turn ends in a row scores, and leaves the game."""
    for objective in flow.state.objectives:
        if objective.kind != "control":
            continue
        there = {s: bool(holders(flow.state, s, objective)) for s in flow.state.sides}
        turns = {
            seat: objective.turns.get(seat, 0) + 1
            if there[seat] and not there[flow.state.other(seat)]
            else 0
            for seat in flow.state.sides
        }
        if any(turns.values()) or any(objective.turns.values()):
            rules = ("CT-SCN-07",)
            flow.emit(ev.ControlChecked(objective=objective.id, turns=turns, rules=rules))
        for seat, held in turns.items():
            if held >= TURNS_HELD:
                _gain(flow, objective, seat, "", "CT-SCN-06")


@rule("CT-SCN-10")
def landings(flow: BattleFlow) -> None:
    """E9: a ship with troops that lies stopped at the landing place puts them ashore, once."""
    for objective in flow.state.objectives:
        if objective.kind != "landing":
            continue
        for unit in flow.state.all_units:
            side = flow.state.side(unit.seat)
            lander = flow.state.terms.lander or side
            if unit.id in objective.landed or side != lander or not unit.stopped:
                continue
            troops = effect(unit, LandsTroops)
            if troops and near(flow.state, unit, objective.at, LANDING_KLICKS):
                _gain(flow, objective, side, unit.id, "CT-SCN-10")


def _gain(flow: BattleFlow, objective: Objective, seat: Seat, unit: str, rule_: str) -> None:
    flow.emit(
        ev.ObjectiveGained(
            objective=objective.id, seat=seat, points=objective.points, unit=unit, rules=(rule_,)
        )
    )
