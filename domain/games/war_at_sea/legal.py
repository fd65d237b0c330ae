"""What a seat may do now: exactly what ``decide`` accepts, by asking the same rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from ...kernel.memo import latest
from ...kernel.options import Options, Pending
from ...kernel.values import Seat
from . import board
from . import commands as c
from .abilities.effects import roles
from .cards import Kind
from .fleet_options import fleet_template, ready_fleets
from .rules import (
    abilities,
    air_missions,
    air_return,
    attacks,
    convoy,
    damage,
    deployment,
    duties,
    followups,
    futile,
    sea_movement,
    targets,
    victory,
)
from .rules.dice import why_not_dice
from .rules.facts import card_named, card_of, is_aircraft, own
from .rules.mechanisms import airfield, breakout
from .sequence import asked, owner
from .state import State, Unit

Commands = Iterator[c.AnyCommand]

PARTS = ("hunt", "patrol", "before", "after", "end")
"""Parts of phases that have choices of their own."""

_ABOUT = {
    "sides": ("choose-side", "WAS-SETUP-03"),
    "fleets": ("build-fleet", "WAS-SETUP-23"),
    "edges": ("choose-edge", "WAS-SETUP-12"),
    "deployment": ("deploy", "WAS-SETUP-02"),
    "sea-movement": ("move", "WAS-SEA-01"),
    "hunt": ("sub-hunter", "WAS-ABIL-37"),
    "air-mission": ("place-aircraft", "WAS-AIRM-01"),
    "patrol": ("combat-air-patrol", "WAS-ABIL-16"),
    "before": ("use-ability", "WAS-ABIL-08"),
    "after": ("use-ability", "WAS-ABIL-08"),
    "air-defense": ("attack", "WAS-AIRD-01"),
    "air-attack": ("attack", "WAS-AIRA-01"),
    "surface-attack": ("attack", "WAS-SURF-01"),
    "torpedo-attack": ("attack", "WAS-TORP-01"),
    "submarine-attack": ("attack", "WAS-SUBA-01"),
    "end": ("risk-aircraft", "WAS-AIR-10"),
    "air-return": ("return-aircraft", "WAS-RETN-01"),
    "end-of-turn": ("claim", "WAS-EOT-01"),
}


@latest
def pending(state: State) -> tuple[Pending, ...]:
    """The open questions: who is asked, what, and by which rule."""
    question = followups.question(state)
    if question is not None:
        may = not followups.compulsory(question)
        return (Pending(question[0], "use-ability", "RUL-96", optional=may),)
    phase, _, part = state.step.partition(".")
    key = part if part in PARTS else phase
    return tuple(
        Pending(seat, *_ABOUT[key], optional=may_pass(state, seat), together=key == "fleets")
        for seat in asked(state)
    )


def may_pass(state: State, seat: Seat) -> bool:
    """Whether passing is among the answers in this step."""
    phase, _, part = state.step.partition(".")
    question = followups.question(state)
    if question is not None:
        return not followups.compulsory(question)
    if part in ("before", "after"):
        return not breakout.overdue(state, seat)
    if phase in ("sides", "fleets", "edges", "deployment") or part == "end":
        return False
    if phase == "air-return":
        return not air_return.flying(state, seat)
    if phase == "air-mission" and not part:
        home = state.edition == "2007" and state.options.stay_home2007
        return home or not air_missions.waiting(state, seat)
    if phase == "sea-movement":
        return sea_movement.why_not_end(state, seat) is None
    return duties.why_not_end(state, seat) is None


def legal(state: State, seat: Seat) -> Options[c.AnyCommand]:
    """Every command that ``decide`` would accept from the seat."""
    if state.result is not None or seat not in state.seats:
        return Options()
    concessions: tuple[c.AnyCommand, ...] = (c.Resign(),)
    if victory.may_call(state, seat):
        concessions = (c.CallStalemate(), c.Resign())
    question = next((each for each in pending(state) if each.seat == seat), None)
    if question is None:
        return Options(concessions=concessions)
    found = list(actions(state, seat))
    if question.optional:
        found.append(c.Pass())
    templates = (fleet_template(state, seat),) if state.step == "fleets" else ()
    return Options(tuple(futile.last(state, found)), templates, concessions)


def actions(state: State, seat: Seat) -> Commands:
    """What the seat may do in this step besides passing, lazily."""
    question = followups.question(state)
    if question is not None:
        _, unit, ability = question
        return (c.Use(unit, ability, on) for on in followups.choices(state, question))
    phase, _, part = state.step.partition(".")
    return _ACTIONS[part if part in PARTS else phase](state, seat)


def _sides(state: State, seat: Seat) -> Commands:
    return iter((c.ChooseSide("Axis"), c.ChooseSide("Allies")))


def _fleets(state: State, seat: Seat) -> Commands:
    return (c.SubmitFleet(cards) for cards in ready_fleets(state, seat))


def _edges(state: State, seat: Seat) -> Commands:
    return (c.ChooseEdge(edge) for edge in deployment.edges_open(state))


def _deploy(state: State, seat: Seat) -> Commands:
    for name in dict.fromkeys(deployment.undeployed(state, seat)):
        for at in deployment.places(state, seat, card_named(state, name)):
            if deployment.why_not_deploy(state, seat, name, at) is None:
                yield c.Deploy(name, at)


def _moves(state: State, seat: Seat) -> Commands:
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
    yield from abilities.uses(state, seat)


@lru_cache(maxsize=256)
def _placed(unit: str, how: tuple[tuple[str, bool], ...]) -> dict[str, tuple[c.Place, ...]]:
    """By sector, an Aircraft's placements there: once for each role and way of flying."""
    return {
        sector: tuple(c.Place(unit, sector, strafing, role) for role, strafing in how)
        for sector in board.SECTORS
    }


def _placements(state: State, seat: Seat) -> Commands:
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
    yield from abilities.uses(state, seat)


def _uses(state: State, seat: Seat) -> Commands:
    return abilities.uses(state, seat)


def _fire(state: State, seat: Seat) -> Commands:
    others = (u for u in state.all_units if u.seat != seat)
    there = (u for u in others if u.sector or airfield.raided(state, u))
    enemies = [(enemy, card_of(state, enemy).type) for enemy in there]
    for unit in own(state, seat):
        yield from _unit_fire(state, unit, enemies)
    yield from abilities.uses(state, seat)


def _unit_fire(state: State, unit: Unit, enemies: Sequence[tuple[Unit, str]]) -> Commands:
    card_ = card_of(state, unit)
    for weapon in targets.open_weapons(state, unit, card_):
        types = targets.affected(card_, weapon)
        open_ = [enemy for enemy, type_ in enemies if type_ in types]
        extras = _declarations(state, unit, weapon) if open_ else []
        for target in open_:
            for declared in extras:
                if targets.why_not_at(state, unit, card_, weapon, target, declared):
                    continue
                if why_not_dice(state, unit, weapon, target, declared) is None:
                    yield c.Fire(unit.id, weapon, target.id, declared)


def _declarations(state: State, unit: Unit, weapon: Kind) -> list[tuple[str, ...]]:
    open_ = sorted(attacks.weapon_abilities(state, unit, weapon))
    if not open_:
        return [()]
    sizes = range(len(open_) + 1)
    return [chosen for size in sizes for chosen in combinations(open_, size)]


def _risks(state: State, seat: Seat) -> Commands:
    carrier = damage.open_risk(state)
    if carrier is not None and carrier.seat == seat:
        for unit in damage.at_risk(state, carrier)[1]:
            yield c.Risk(carrier.id, unit.id)


def _returns(state: State, seat: Seat) -> Commands:
    if air_return.flying(state, seat) or air_return.movable(state, seat):
        yield from _landings(state, seat, air_return.landing(state, seat))
    yield from abilities.uses(state, seat)


def _landings(state: State, seat: Seat, side: air_return.Landing) -> Commands:
    for unit in (*side.up, *side.shifting):
        for base in air_return.landing_places(state, unit, side):
            if air_return.why_not_return(state, unit, base, side) is None:
                yield c.Return(unit.id, base)
    for unit in own(state, seat) if side.over else ():
        if air_return.why_not_eliminate(state, unit, side) is None:
            yield c.Eliminate(unit.id)


def _claims(state: State, seat: Seat) -> Commands:
    if state.options.claims == "asked":
        for sector in victory.claimable(state, seat):
            yield c.Claim(sector)
    yield from abilities.uses(state, seat)


_ACTIONS: dict[str, Callable[[State, Seat], Commands]] = {
    "sides": _sides,
    "fleets": _fleets,
    "edges": _edges,
    "deployment": _deploy,
    "sea-movement": _moves,
    "hunt": _uses,
    "air-mission": _placements,
    "patrol": _uses,
    "air-defense": _fire,
    "air-attack": _fire,
    "surface-attack": _fire,
    "torpedo-attack": _fire,
    "submarine-attack": _fire,
    "before": _uses,
    "after": _uses,
    "end": _risks,
    "air-return": _returns,
    "end-of-turn": _claims,
}

__all__ = ["actions", "legal", "may_pass", "owner", "pending"]
