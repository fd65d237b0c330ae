"""What is asked in a battle: of whom, by which rule, and how each answer is judged and done.

Where a choice is a whole space (a place, a course, a point) a template describes it, and a few
ready commands are listed besides. Nothing here measures: targets are offered whether or not they
will prove to be in range (CT-FSM-10).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from ....kernel.question import Question, act
from ....kernel.rules import No
from ....kernel.values import Seat
from . import air_missions, attacks, diving, fleets, helm, placing, sides, targets, transit, voyage
from . import commands as c
from . import events as ev
from .facts import card_of, flying, own
from .fleet_options import fleet_template, ready_fleets
from .initiative import owner
from .state import PointOfTable, State, Unit
from .templates import deploy_template, dive_template, place_template

Asks = Question[State, ev.AnyEvent, c.AnyCommand]
Commands = Iterator[c.AnyCommand]
Seats = tuple[Seat, ...]

FEW = 3
"""Up to so many submarines every way to dive is listed."""


def _must_act(by: str) -> No:
    return No("turn.must-act", by, "Passing is not open; see the legal commands.")


# --- set-up --------------------------------------------------------------------------------------


def _places(state: State, seat: Seat) -> Commands:
    for name in dict.fromkeys(placing.to_place(state, seat)):
        for pose in placing.ready_places(state, seat, name):
            yield c.PlaceUnit(name, pose.x, pose.y, pose.heading)


FLEET = Asks(
    "build-fleet",
    "CT-FLEET-01",
    who=fleets.builders,
    offers=lambda state, seat: map(c.SubmitFleet, ready_fleets(state, seat)),
    acts=(act(c.SubmitFleet, fleets.lock),),
    must_act=lambda state, seat: _must_act("CT-FLEET-01"),
    together=True,
    templates=lambda state, seat: (fleet_template(state, seat),),
)
PLACE = Asks(
    "place",
    "CT-SETUP-03",
    who=placing.placers,
    offers=_places,
    acts=(act(c.PlaceUnit, placing.place, placing.why_not_set_up),),
    anyone=True,
    must_act=lambda state, seat: (
        None if placing.has_no_room(state, seat) else _must_act("CT-SETUP-03")
    ),
    templates=lambda state, seat: (place_template(state, seat),),
)


# --- dives and movement --------------------------------------------------------------------------


def _dives(state: State, seat: Seat) -> Commands:
    mine = [unit.id for unit in diving.submarines(state, seat)]
    sizes = range(len(mine) + 1) if len(mine) <= FEW else (0, 1, len(mine))
    return (c.Dive(chosen) for size in sizes for chosen in combinations(mine, size))


def _moving(state: State) -> Seats:
    if state.order is not None:
        return ()
    return sides.able(state, owner(state), lambda seat: bool(helm.movable(state, seat)))


def _moves(state: State, seat: Seat) -> Commands:
    for unit in helm.movable(state, seat):
        yield from helm.ready(state, unit)


DIVE = Asks(
    "dive",
    "CT-SUB-02",
    who=diving.choosing,
    offers=_dives,
    acts=(act(c.Dive, diving.choose, diving.why_not_choose),),
    must_act=lambda state, seat: _must_act("CT-SUB-02"),
    together=True,
    templates=lambda state, seat: (
        dive_template(tuple(unit.id for unit in diving.submarines(state, seat))),
    ),
    # To come up under the enemy's guns is no way to do nothing.
    usual=lambda state, seat: c.Dive(diving.as_they_are(state, seat)),
)
MOVE = Asks(
    "move",
    "CT-MOVE-01",
    who=_moving,
    offers=_moves,
    acts=(act(c.Move, voyage.set_out, voyage.why_not_set_out),),
    anyone=True,
    templates=lambda state, seat: tuple(
        helm.template(state, unit) for unit in helm.movable(state, seat)
    ),
)


# --- aircraft and attacks ------------------------------------------------------------------------


def _deployments(state: State, seat: Seat) -> Commands:
    friends = state.members(seat)
    enemies = [u for u in state.all_units if u.seat not in friends and u.pose is not None]
    points = tuple(dict.fromkeys(_points(state)))
    for unit in own(state, seat):
        if air_missions.why_not_fly(state, unit) is None:
            yield from _missions(state, unit, enemies, points)


def _missions(
    state: State, unit: Unit, enemies: list[Unit], points: tuple[PointOfTable, ...]
) -> Commands:
    for mission in air_missions.missions(card_of(state, unit)):
        if mission == "free":
            yield from (c.Deploy(unit.id, mission, at=point) for point in points)
            continue
        ordnance = mission == "ordnance"
        for side in air_missions.LONG_SIDES if ordnance else air_missions.SHORT_SIDES:
            yield from (c.Deploy(unit.id, mission, enemy.id, side) for enemy in enemies)


def _points(state: State) -> Iterator[PointOfTable]:
    """Where aircraft usually fly free: over ships and over other aircraft.

    One beside a ship at the edge may be beyond the table, where nobody flies free (CT-AIRD-04).
    """
    for unit in state.all_units:
        if unit.pose is not None:
            yield unit.pose.x, unit.pose.y
        elif flying(unit) and unit.at is not None and not air_missions.beyond(state, unit.at):
            yield unit.at


def _attacking(state: State) -> Seats:
    if state.shot is not None:
        return ()
    return sides.able(state, owner(state), lambda seat: targets.any_choice(state, seat))


def _landing(state: State) -> Seats:
    return sides.able(state, owner(state), lambda seat: transit.can_land(state, seat))


def _attacks(state: State, seat: Seat) -> Commands:
    for unit in own(state, seat):
        for weapon, arc, target in targets.choices(state, unit):
            yield c.Attack(unit.id, weapon, target.id, arc)


def _landings(state: State, seat: Seat) -> Commands:
    for unit in transit.aloft(state, seat):
        for base in transit.bases(state, seat):
            if transit.why_not_land(state, unit, base) is None:
                yield c.LandAircraft(unit.id, base)


DEPLOY = Asks(
    "deploy-aircraft",
    "CT-AIRD-01",
    who=air_missions.deployers,
    offers=_deployments,
    acts=(act(c.Deploy, air_missions.deploy, air_missions.why_not_deploy),),
    anyone=True,
    templates=lambda state, seat: (
        deploy_template(
            state,
            tuple(u.id for u in own(state, seat) if air_missions.why_not_fly(state, u) is None),
        ),
    ),
)
AIR_DEFENSE = Asks(
    "attack",
    "CT-AAW-01",
    who=_attacking,
    offers=_attacks,
    acts=(act(c.Attack, attacks.declare, attacks.why_not_declare),),
    anyone=True,
)
AIR_ATTACK = replace(AIR_DEFENSE, rule="CT-AATK-01")
SURFACE_ATTACK = replace(AIR_DEFENSE, rule="CT-SURF-01")
SUBMARINE_ATTACK = replace(AIR_DEFENSE, rule="CT-SATK-01")
LAND = Asks(
    "land-aircraft",
    "CT-TRANS-01",
    who=_landing,
    offers=_landings,
    acts=(act(c.LandAircraft, transit.land, transit.why_not_bring_home),),
    must_act=lambda state, seat: _must_act("CT-TRANS-01"),
    anyone=True,
)
