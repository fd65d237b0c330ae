"""SETUP-28: what a scenario settles by agreement: fleets, edges, terrain at the start, the end."""

from __future__ import annotations

from collections import Counter

from ....kernel.flow import Flow
from ....kernel.setup import Result
from ....kernel.values import Known, Seat
from . import events as ev
from .charts import Area
from .convoy import ships
from .facts import chart_of, convoy, limits_of, seat_of, side_of
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]

RULE = ("WAS-SETUP-28",)
"""Players may agree on any fleets, maps and victory conditions."""


def lock_fleets(flow: BattleFlow) -> bool:
    """Fleets that the scenario names are locked by themselves."""
    state = flow.state
    for seat in state.seats:
        side = side_of(state, seat)
        if side is not None and side.fleet and seat not in state.fleets:
            cards = Known((*side.fleet, *ships(state, seat)))
            flow.emit(ev.FleetLocked(seat=seat, cards=cards, rules=RULE))
            return True
    return False


def units(state: State, seat: Seat) -> int:
    """The most units that the seat's fleet may hold."""
    side = side_of(state, seat)
    return (side.units if side is not None else 0) or limits_of(state).units


def first_deployer(flow: BattleFlow) -> bool:
    """Whoever the scenario says sets up first, without a coin."""
    place = limits_of(flow.state).deploys
    if place == "coin":
        return False
    flow.emit(ev.DeployerChosen(seat=seat_of(flow.state, place), rules=RULE))
    return True


def take_edges(flow: BattleFlow) -> bool:
    """The edges that the scenario gives the sides."""
    state = flow.state
    sides = {seat: side_of(state, seat) for seat in state.seats}
    edges = {seat: side.edge for seat, side in sides.items() if side is not None and side.edge}
    if state.edges or not edges:
        return False
    flow.emit(ev.EdgesChosen(edges=edges, rules=RULE))
    return True


def area(state: State, seat: Seat) -> Area:
    """The set-up areas of a seat that differ from the usual: its side's, else the map's."""
    areas = chart_of(state).areas
    mapped = areas.south if state.edges[seat] == "south" else areas.north
    side = side_of(state, seat)
    if side is None:
        return mapped
    return Area(side.area.ships or mapped.ships, side.area.submarines or mapped.submarines)


def lay_out(flow: BattleFlow) -> bool:
    """Squalls and smoke that are there when the battle begins."""
    state, limits = flow.state, limits_of(flow.state)
    if limits.squalls and not state.squalls:
        flow.emit(ev.SquallsMoved(sectors=limits.squalls, rules=RULE))
        return True
    for smoke in limits.smoke:
        if smoke.sector not in state.smoke:
            laid = ev.SmokeLaid(unit="", sector=smoke.sector, until=smoke.turns, rules=RULE)
            flow.emit(laid)
            return True
    return False


def objectives(state: State) -> tuple[str, ...]:
    """The sectors to claim: the scenario's, else the map's; none where a convoy decides."""
    if convoy(state):
        return ()
    named = tuple(each.sector for each in limits_of(state).objectives)
    return named or chart_of(state).objectives


def worth(state: State, sector: str) -> int:
    """Victory Points for the objective in a sector."""
    limits = limits_of(state)
    named = (each.points for each in limits.objectives if each.sector == sector)
    return next(named, 0) or limits.objective


def timed(state: State) -> bool:
    """Whether there is a last turn: then the battle cannot stand still for ever."""
    return convoy(state) or limits_of(state).turns > 0


def time_up(state: State) -> Result | None:
    """When the last turn ends: the points decide, or whoever the scenario says has held out."""
    limits = limits_of(state)
    if not timed(state) or state.turn < limits.turns:
        return None
    if limits.decision == "first" or limits.decision == "second":
        return Result((seat_of(state, limits.decision),), "turn-limit", *RULE)
    (best, most), (_, next_) = Counter(state.scores).most_common(2)
    ahead = limits.decision == "points" and most > next_
    return Result((best,) if ahead else (), "turn-limit", *RULE)
