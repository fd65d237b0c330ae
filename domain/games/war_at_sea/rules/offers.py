"""What a seat may answer besides passing: the same rules are asked as by ``decide``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from ....kernel.values import Seat
from . import (
    air_missions,
    air_return,
    attacks,
    board,
    convoy,
    damage,
    deployment,
    followups,
    sea_movement,
    targets,
    victory,
)
from . import commands as c
from .cards import Card, Kind
from .dice import why_not_dice
from .facts import card_named, card_of, is_aircraft, own
from .families.effects import roles
from .fleet_options import ready_fleets
from .mechanisms import airfield
from .rows import farthest
from .state import State, Unit

Commands = Iterator[c.AnyCommand]


def sides(state: State, seat: Seat) -> Commands:
    return iter((c.ChooseSide("Axis"), c.ChooseSide("Allies")))


def fleets(state: State, seat: Seat) -> Commands:
    return (c.SubmitFleet(cards) for cards in ready_fleets(state, seat))


def edges(state: State, seat: Seat) -> Commands:
    return (c.ChooseEdge(edge) for edge in deployment.edges_open(state))


def deploy(state: State, seat: Seat) -> Commands:
    for name in dict.fromkeys(deployment.undeployed(state, seat)):
        for at in deployment.places(state, seat, card_named(state, name)):
            command = c.Deploy(name, at)
            if deployment.why_not_deploy(state, seat, command) is None:
                yield command


def moves(state: State, seat: Seat) -> Commands:
    for unit in own(state, seat):
        if is_aircraft(state, unit) or sea_movement.why_not_mobile(state, unit):
            continue
        for boost in ("", *sea_movement.boosts(state, unit)):
            sectors = sea_movement.speed(state, unit, boost).total
            ends = list(sea_movement.reachable(state, unit, sectors))
            if convoy.why_not_leave(state, unit, sectors) is None:
                ends.append(convoy.OFF_MAP)
            for to in ends:
                if not (boost and sea_movement.gets_there(state, unit, to)):
                    yield c.Move(unit.id, to, boost)


@lru_cache(maxsize=256)
def _placed(unit: str, how: tuple[tuple[str, bool], ...]) -> dict[str, tuple[c.Place, ...]]:
    """By sector, an Aircraft's placements there: once for each role and way of flying."""
    return {
        sector: tuple(c.Place(unit, sector, strafing, role) for role, strafing in how)
        for sector in board.SECTORS
    }


def placements(state: State, seat: Seat) -> Commands:
    waiting = air_missions.waiting(state, seat)
    for unit in waiting:
        how: list[tuple[str, bool]] = []
        for role in roles(card_of(state, unit)) or ("",):
            low = air_missions.why_not_strafe(state, unit, role) is None
            how += [(role, False), (role, True)] if low else [(role, False)]
        placed = _placed(unit.id, tuple(how))
        for sector in air_missions.open_sectors(state, unit):
            yield from placed[sector]
    if waiting and air_missions.why_not_home(state, seat) is None:
        for unit in waiting:
            yield c.SendToAirbase(unit.id)


def fire(state: State, seat: Seat) -> Commands:
    enemies = [
        (enemy, card_of(state, enemy).type)
        for enemy in own(state, state.other(seat))
        if enemy.sector or airfield.raided(state, enemy)
    ]
    for unit in own(state, seat):
        yield from _unit_fire(state, unit, enemies)


def _unit_fire(state: State, unit: Unit, enemies: Sequence[tuple[Unit, str]]) -> Commands:
    card_ = card_of(state, unit)
    for weapon in targets.phase_weapons(state, card_):
        open_ = _in_reach(unit, card_, weapon, enemies)
        if not open_ or targets.why_not_begin(state, unit, card_, weapon):
            continue
        extras = _declarations(state, unit, weapon)
        for target in open_:
            for declared in extras:
                if targets.why_not_at(state, unit, card_, weapon, target, declared):
                    continue
                if why_not_dice(state, unit, weapon, target, declared) is None:
                    yield c.Fire(unit.id, weapon, target.id, declared)


def _in_reach(
    unit: Unit, card: Card, weapon: Kind, enemies: Sequence[tuple[Unit, str]]
) -> list[Unit]:
    """The enemies of a type that the weapon affects, none of them beyond its farthest range.

    For most pairs of units that settles it, before any rule is asked about them.
    """
    most = farthest(card, weapon)
    if most < 0:
        return []
    types, here = targets.affected(card, weapon), unit.sector
    return [
        enemy
        for enemy, type_ in enemies
        if type_ in types
        and not (here and enemy.sector and board.distance(here, enemy.sector) > most)
    ]


def _declarations(state: State, unit: Unit, weapon: Kind) -> list[tuple[str, ...]]:
    open_ = sorted(attacks.weapon_abilities(state, unit, weapon))
    if not open_:
        return [()]
    sizes = range(len(open_) + 1)
    return [chosen for size in sizes for chosen in combinations(open_, size)]


def risks(state: State, seat: Seat) -> Commands:
    carrier = damage.open_risk(state)
    if carrier is not None and carrier.seat == seat:
        for unit in damage.at_risk(state, carrier)[1]:
            yield c.Risk(carrier.id, unit.id)


def returns(state: State, seat: Seat) -> Commands:
    if air_return.flying(state, seat) or air_return.movable(state, seat):
        yield from _landings(state, seat, air_return.landing(state, seat))


def _landings(state: State, seat: Seat, side: air_return.Landing) -> Commands:
    for unit in (*side.up, *side.shifting):
        for base in air_return.landing_places(state, unit, side):
            if air_return.why_not_land(state, unit, base, side) is None:
                yield c.Return(unit.id, base)
    for unit in own(state, seat) if side.over else ():
        if air_return.why_not_give_up(state, unit, side) is None:
            yield c.Eliminate(unit.id)


def claims(state: State, seat: Seat) -> Commands:
    if state.options.claims == "asked":
        for sector in victory.claimable(state, seat):
            yield c.Claim(sector)


def answers(state: State, seat: Seat) -> Commands:
    """What an attack under way asks about."""
    asked = followups.question(state)
    if asked is not None:
        for on in followups.choices(state, asked):
            yield c.Use(asked[1], asked[2], on)
