"""What a seat may do now: exactly what ``decide`` accepts, by asking the same rules.

Where a choice is a whole space (a place, a course, a point) a template describes it, and a few
ready commands are listed besides. Nothing here measures: targets are offered whether or not they
will prove to be in range (CT-FSM-10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from ...kernel.memo import latest
from ...kernel.options import Options, Pending, Template
from ...kernel.values import Seat
from . import commands as c
from .fleet_options import fleet_template, ready_fleets
from .rules import air_missions, diving, futile, helm, placing, targets, transit, victory
from .rules.facts import card_of, flying, own
from .sequence import asked, movable
from .state import PointOfTable, State, Unit
from .templates import deploy_template, dive_template, place_template

Commands = Iterator[c.AnyCommand]

FEW = 3
"""Up to so many submarines every way to dive is listed."""

_ABOUT = {
    "fleets": ("build-fleet", "CT-FLEET-01"),
    "placing": ("place", "CT-SETUP-03"),
    "dive": ("dive", "CT-SUB-02"),
    "movement": ("move", "CT-MOVE-01"),
    "air-deployment": ("deploy-aircraft", "CT-AIRD-01"),
    "air-defense": ("attack", "CT-AAW-01"),
    "air-attack": ("attack", "CT-AATK-01"),
    "surface-attack": ("attack", "CT-SURF-01"),
    "submarine-attack": ("attack", "CT-SATK-01"),
    "air-transit": ("land-aircraft", "CT-TRANS-01"),
}
"""What is asked in a phase, and the rule that asks."""

OBLIGING = ("fleets", "placing", "dive", "air-transit")
"""Phases in which one cannot simply do nothing."""


@latest
def pending(state: State) -> tuple[Pending, ...]:
    """The open questions: who is asked, what, and by which rule."""
    seats = asked(state)
    return tuple(
        Pending(
            seat,
            *_ABOUT[state.phase],
            optional=may_pass(state, seat),
            together=state.phase in ("fleets", "dive"),
        )
        for seat in seats
    )


def may_pass(state: State, seat: Seat) -> bool:
    """Whether passing is among the answers in this step."""
    if state.phase == "placing":
        return placing.has_no_room(state, seat)
    return state.phase not in OBLIGING


def legal(state: State, seat: Seat) -> Options[c.AnyCommand]:
    """Every command that ``decide`` would accept from the seat."""
    if state.result is not None or seat not in victory.present(state):
        return Options()
    concessions: tuple[c.AnyCommand, ...] = (c.Resign(),)
    if seat not in state.draw:
        concessions = (c.OfferDraw(), c.Resign())
    if state.awaiting is not None or seat not in asked(state):
        return Options(concessions=concessions)
    found = list(actions(state, seat))
    if may_pass(state, seat):
        found.append(c.Pass())
    return Options(tuple(futile.last(state, found)), templates(state, seat), concessions)


def actions(state: State, seat: Seat) -> Commands:
    """What the seat may do in this step besides passing, lazily."""
    return _ACTIONS[state.phase](state, seat)


def _fleets(state: State, seat: Seat) -> Commands:
    return (c.SubmitFleet(picks) for picks in ready_fleets(state, seat))


def _places(state: State, seat: Seat) -> Commands:
    for name in dict.fromkeys(placing.to_place(state, seat)):
        for pose in placing.ready_places(state, seat, name):
            yield c.PlaceUnit(name, pose.x, pose.y, pose.heading)


def _dives(state: State, seat: Seat) -> Commands:
    mine = [unit.id for unit in diving.submarines(state, seat)]
    sizes = range(len(mine) + 1) if len(mine) <= FEW else (0, 1, len(mine))
    return (c.Dive(chosen) for size in sizes for chosen in combinations(mine, size))


def _moves(state: State, seat: Seat) -> Commands:
    for unit in movable(state, seat):
        yield from helm.ready(state, unit)


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


def _attacks(state: State, seat: Seat) -> Commands:
    for unit in own(state, seat):
        for weapon, arc, target in targets.choices(state, unit):
            yield c.Attack(unit.id, weapon, target.id, arc)


def _landings(state: State, seat: Seat) -> Commands:
    for unit in transit.aloft(state, seat):
        for base in transit.bases(state, seat):
            if transit.why_not_land(state, unit, base) is None:
                yield c.LandAircraft(unit.id, base)


_ACTIONS: dict[str, Callable[[State, Seat], Commands]] = {
    "fleets": _fleets,
    "placing": _places,
    "dive": _dives,
    "movement": _moves,
    "air-deployment": _deployments,
    "air-defense": _attacks,
    "air-attack": _attacks,
    "surface-attack": _attacks,
    "submarine-attack": _attacks,
    "air-transit": _landings,
}


def templates(state: State, seat: Seat) -> tuple[Template, ...]:
    """The commands of this step that cannot all be listed."""
    match state.phase:
        case "fleets":
            return (fleet_template(state, seat),)
        case "placing":
            return (place_template(state, seat),)
        case "dive":
            mine = tuple(unit.id for unit in diving.submarines(state, seat))
            return (dive_template(mine),)
        case "movement":
            return tuple(helm.template(state, unit) for unit in movable(state, seat))
        case "air-deployment":
            able = [u.id for u in own(state, seat) if air_missions.why_not_fly(state, u) is None]
            return (deploy_template(state, tuple(able)),)
        case _:
            return ()


__all__ = ["actions", "legal", "may_pass", "pending"]
