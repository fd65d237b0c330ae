"""A command in, events out. Each case names the rule's home and lets it refuse or act."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from ...kernel.chance import Faces, check_faces
from ...kernel.flow import Flow
from ...kernel.game import Setup
from ...kernel.rules import No, Refused, rule
from ...kernel.values import CHANCE, Known, Seat
from . import commands as c
from . import events as ev
from . import scenario_dice
from .customs import brought, limits_for
from .evolve import evolve
from .legal import may_pass, pending
from .rules import (
    abilities,
    aftermath,
    air_missions,
    air_return,
    attacks,
    concealment,
    convoy,
    damage,
    darkness,
    deployment,
    duties,
    fleets,
    followups,
    initiative,
    sea_movement,
    tasks,
    victory,
)
from .rules.agreement import check_options, read_options, settled
from .rules.facts import card_named
from .rules.mechanisms import before, mines, placing, ramming, relief, squadrons, upkeep
from .sequence import carry_on, owner
from .state import Edition, Purpose, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]
EDITIONS = ("2007", "2009")


@rule("WAS-SETUP-28", "WAS-SETUP-29", "RUL-104")
def opening(setup: Setup) -> tuple[ev.AnyEvent, ...]:
    """The first events of a battle; refuses options that no rule knows."""
    if setup.edition not in EDITIONS:
        raise Refused("setup.unknown-edition", "RUL-01", "Editions: 2007, 2009.", "/edition")
    if len(setup.seats) != 2:
        raise Refused("setup.wrong-seats", "WAS-SETUP-01", "Two players play.", "/seats")
    options = read_options(setup.options)
    edition: Edition = "2007" if setup.edition == "2007" else "2009"
    options = settled(options, limits_for(setup, edition))
    check_options(edition, options)
    one, two = setup.seats
    opened = ev.GameOpened(
        edition=edition,
        scenario=setup.scenario,
        options=options,
        seats=(one, two),
        rules=("RUL-104",),
    )
    flow: BattleFlow = Flow(evolve(None, opened), evolve)
    flow.events.append(opened)
    if setup.customs:
        flow.emit(brought(setup))
    carry_on(flow)
    return tuple(flow.events)


def decide(state: State, seat: Seat, command: c.AnyCommand | Faces) -> tuple[ev.AnyEvent, ...]:
    """What ``command`` by ``seat`` leads to; raises Refused and then nothing has happened."""
    if state.result is not None:
        raise Refused("game.over", state.result.rule, "The battle is over.")
    flow: BattleFlow = Flow(state, evolve)
    if isinstance(command, Faces):
        _chance(flow, seat, command)
    elif isinstance(command, c.Resign | c.CallStalemate):
        _concede(flow, seat, command)
    else:
        _check_turn(state, seat)
        _act(flow, seat, command)
    carry_on(flow)
    return tuple(flow.events)


def _check_turn(state: State, seat: Seat) -> None:
    if seat not in state.seats:
        raise Refused("turn.no-seat", "WAS-SETUP-01", f"The seats are {', '.join(state.seats)}.")
    if state.awaiting is not None:
        raise Refused("turn.dice-awaited", "RUL-46", "Dice are being thrown.")
    questions = pending(state)
    if seat not in {question.seat for question in questions}:
        whose = ", ".join(question.seat for question in questions)
        about = questions[0].question.replace("-", " ")
        raise Refused("turn.not-yours", questions[0].rule, f"It is for {whose} to {about}.")


def _refuse(no: No | None) -> None:
    if no is not None:
        raise no.refused()


def _in_step(state: State, step: str, rule_: str) -> None:
    here = state.step
    phase, _, part = here.partition(".")
    elsewhere = phase != step or part not in ("", "first", "second")
    if elsewhere or followups.question(state) is not None:
        raise Refused("turn.wrong-phase", rule_, f"The step is {here}; see the legal commands.")


def _unit(state: State, seat: Seat, name: str, pointer: str = "/unit") -> Unit:
    unit = _in_play(state, name, pointer)
    if unit.seat != seat:
        raise Refused("unit.not-yours", "WAS-GLOSS-15", f"{name} is the enemy's.", pointer)
    return unit


def _in_play(state: State, name: str, pointer: str) -> Unit:
    unit = state.units.get(name)
    if unit is None:
        raise Refused("unit.unknown", "WAS-FLEET-01", f"There is no unit {name!r}.", pointer)
    return unit


def _act(flow: BattleFlow, seat: Seat, command: c.AnyCommand) -> None:
    match command:
        case c.ChooseSide():
            _choose_side(flow, seat, command)
        case c.SubmitFleet():
            _submit(flow, seat, command)
        case c.ChooseEdge():
            _choose_edge(flow, command)
        case c.Deploy():
            _deploy(flow, seat, command)
        case c.Move():
            _move(flow, seat, command)
        case c.Place():
            _place(flow, seat, command)
        case c.SendToAirbase():
            _send_home(flow, seat, command)
        case c.Fire():
            _fire(flow, seat, command)
        case c.Use():
            _use(flow, seat, command)
        case c.Risk():
            _risk(flow, command)
        case c.Return():
            _return(flow, seat, command)
        case c.Eliminate():
            _eliminate(flow, seat, command)
        case c.Claim():
            _claim(flow, seat, command)
        case c.Pass():
            _pass(flow, seat)
        case c.Resign() | c.CallStalemate():
            _concede(flow, seat, command)
        case _:
            assert_never(command)


def _choose_side(flow: BattleFlow, seat: Seat, command: c.ChooseSide) -> None:
    _in_step(flow.state, "sides", "WAS-SETUP-02")
    axis = seat if command.alliance == "Axis" else flow.state.other(seat)
    tasks.sides_are(flow, axis)


@rule("WAS-SETUP-23")
def _submit(flow: BattleFlow, seat: Seat, command: c.SubmitFleet) -> None:
    _in_step(flow.state, "fleets", "WAS-SETUP-02")
    fleets.check_fleet(flow.state, seat, command.cards)
    cards = (*command.cards, *convoy.ships(flow.state, seat))
    flow.emit(ev.FleetLocked(seat=seat, cards=Known(cards), rules=("WAS-SETUP-23",)))


def _choose_edge(flow: BattleFlow, command: c.ChooseEdge) -> None:
    _in_step(flow.state, "edges", "WAS-SETUP-02")
    edges = deployment.edges_taken(flow.state, command.edge)
    flow.emit(ev.EdgesChosen(edges=edges, rules=("WAS-SETUP-12",)))


def _deploy(flow: BattleFlow, seat: Seat, command: c.Deploy) -> None:
    state = flow.state
    _in_step(state, "deployment", "WAS-SETUP-02")
    _refuse(deployment.why_not_deploy(state, seat, command.card, command.at))
    deployed = deployment.put(state, seat, card_named(state, command.card), command.at)
    flow.emit(deployed)
    placing.deployed(flow, flow.state.units[deployed.unit])


@rule("WAS-SEA-14", "RUL-23")
def _move(flow: BattleFlow, seat: Seat, command: c.Move) -> None:
    """Move a unit; Aircraft based on it have no place of their own and so travel with it."""
    state = flow.state
    _in_step(state, "sea-movement", "WAS-SEA-01")
    unit = _unit(state, seat, command.unit)
    _refuse(sea_movement.why_not_move(state, unit, command.to, command.boost))
    if command.to == convoy.OFF_MAP:
        if command.boost:
            sea_movement.boosted(flow, unit, command.boost)
        convoy.exit_map(flow, unit)
        return
    sectors = sea_movement.speed(state, unit, command.boost).total
    path = sea_movement.reachable(state, unit, sectors)[command.to]
    if command.boost:
        sea_movement.boosted(flow, unit, command.boost)
    flow.emit(ev.UnitMoved(unit=unit.id, path=path, boost=command.boost, rules=("WAS-SEA-04",)))
    mines.entered(flow, unit.id, path)
    ramming.moved(flow, unit.id)


def _place(flow: BattleFlow, seat: Seat, command: c.Place) -> None:
    state = flow.state
    _in_step(state, "air-mission", "WAS-AIRM-01")
    unit = _unit(state, seat, command.unit)
    if unit not in air_missions.waiting(state, seat):
        raise Refused("place.not-waiting", "WAS-AIRM-03", "It rearms or has flown.", "/unit")
    _refuse(air_missions.why_not_place(state, unit, command.sector))
    _refuse(air_missions.why_not_role(state, unit, command.role))
    if command.strafing:
        _refuse(air_missions.why_not_strafe(state, unit, command.role))
    flow.emit(
        ev.AircraftPlaced(
            unit=unit.id,
            seat=seat,
            sector=command.sector,
            strafing=command.strafing,
            role=command.role,
            rules=("WAS-AIRM-02",),
        )
    )
    darkness.search(flow, unit)


def _send_home(flow: BattleFlow, seat: Seat, command: c.SendToAirbase) -> None:
    state = flow.state
    _in_step(state, "air-mission", "WAS-AIRM-07")
    unit = _unit(state, seat, command.unit)
    going = air_missions.waiting(state, seat)
    if unit not in going:
        raise Refused("place.not-waiting", "WAS-AIRM-03", "It rearms or has flown.", "/unit")
    _refuse(air_missions.why_not_home(state, seat))
    first = [unit, *(other for other in going if other.id != unit.id)]
    squadrons.send_home(flow, seat, first)


def _fire(flow: BattleFlow, seat: Seat, command: c.Fire) -> None:
    state = flow.state
    if state.step.partition(".")[2] not in ("first", "second") or followups.question(state):
        raise Refused("turn.wrong-phase", "WAS-ATK-01", f"No attacks in {state.step}.")
    unit, target = _unit(state, seat, command.unit), _in_play(state, command.target, "/target")
    if command.weapon not in attacks.KINDS:
        raise Refused(
            "attack.unknown-weapon", "WAS-GLOSS-08", f"One of {', '.join(attacks.KINDS)}.",
            "/weapon",
        )  # fmt: skip
    weapon = attacks.KINDS[command.weapon]
    _refuse(attacks.why_not_fire(state, unit, weapon, target, command.abilities))
    attacks.declare(flow, unit, weapon, target, command.abilities)


def _use(flow: BattleFlow, seat: Seat, command: c.Use) -> None:
    state = flow.state
    unit = _unit(state, seat, command.unit)
    question = followups.question(state)
    if question is not None:
        asked = (unit.id, command.ability) == question[1:]
        if not asked or command.on not in followups.choices(state, question):
            raise Refused(
                "turn.question-open", "RUL-96", f"Use {question[2]} of {question[1]}, or pass."
            )
        followups.answer(flow, command.ability, command.on)
        return
    _refuse(abilities.why_not_use(state, unit, command.ability, command.on))
    abilities.use(flow, unit, command.ability, command.on)


def _risk(flow: BattleFlow, command: c.Risk) -> None:
    state = flow.state
    _refuse(damage.why_not_risk(state, command.carrier, command.unit))
    chosen = (*state.carriers[command.carrier].chosen, command.unit)
    rules = damage.loss_rules(state)
    flow.emit(ev.CarrierDoomed(carrier=command.carrier, chosen=chosen, rules=rules))


def _return(flow: BattleFlow, seat: Seat, command: c.Return) -> None:
    _in_step(flow.state, "air-return", "WAS-RETN-01")
    unit = _unit(flow.state, seat, command.unit)
    _refuse(air_return.why_not_return(flow.state, unit, command.base))
    air_return.land(flow, unit, command.base)


def _eliminate(flow: BattleFlow, seat: Seat, command: c.Eliminate) -> None:
    _in_step(flow.state, "air-return", "WAS-RETN-14")
    unit = _unit(flow.state, seat, command.unit)
    _refuse(air_return.why_not_eliminate(flow.state, unit))
    air_return.eliminate(flow, unit)


def _claim(flow: BattleFlow, seat: Seat, command: c.Claim) -> None:
    _in_step(flow.state, "end-of-turn", "WAS-EOT-03")
    asked_for = flow.state.options.claims == "asked"
    if not asked_for or command.sector not in victory.claimable(flow.state, seat):
        raise Refused("claim.not-open", "WAS-EOT-01", "Not held alone by a Ship.", "/sector")
    tasks.claim(flow, seat, command.sector)


def _pass(flow: BattleFlow, seat: Seat) -> None:
    state = flow.state
    question = followups.question(state)
    if question is not None and not followups.compulsory(question):
        followups.decline(flow)
        return
    if not may_pass(state, seat):
        if state.step.startswith("sea-movement"):
            _refuse(sea_movement.why_not_end(state, seat))
        _refuse(duties.why_not_end(state, seat))
        rule_ = pending(state)[0].rule
        raise Refused("turn.must-act", rule_, "Passing is not open here; see the legal commands.")
    left = victory.claimable(state, seat) if state.step == "end-of-turn" else ()
    if left:
        flow.emit(ev.ClaimDeclined(seat=seat, sectors=left, rules=("WAS-EOT-03",)))
    asked = next(each.rule for each in pending(state) if each.seat == seat)
    flow.emit(ev.Passed(seat=seat, rules=(asked,)))


@rule("RUL-89")
def _concede(flow: BattleFlow, seat: Seat, command: c.Resign | c.CallStalemate) -> None:
    """Open at any time: giving up, and asking for a stalemate."""
    state = flow.state
    if seat not in state.seats:
        raise Refused("turn.no-seat", "WAS-SETUP-01", f"The seats are {', '.join(state.seats)}.")
    if isinstance(command, c.Resign):
        flow.emit(
            ev.GameEnded(
                winners=(state.other(seat),), reason="resignation", rule="RUL-89", rules=("RUL-89",)
            )
        )
        return
    if not victory.may_call(state, seat):
        raise Refused("game.stalemate-not-open", "RUL-83", "In play, once a turn.")
    flow.emit(ev.StalemateCalled(seat=seat, rules=("RUL-83",)))


@rule("RUL-46")
def _chance(flow: BattleFlow, seat: Seat, command: Faces) -> None:
    """The dice are down: hand the faces to whoever asked for them."""
    state = flow.state
    if seat != CHANCE:
        raise Refused("turn.not-chance", "RUL-46", "Only the chance seat throws dice.")
    check_faces(state.awaiting, command)
    assert state.awaiting is not None
    assert state.purpose is not None
    purpose = state.purpose
    flow.emit(ev.DiceThrown(label=command.label, faces=command.faces, owner=state.awaiting.owner))
    _ANSWERS[purpose.kind](flow, purpose, command.faces)


Answer = Callable[[BattleFlow, Purpose, tuple[tuple[int, ...], ...]], None]


def _initiative(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    state = flow.state
    totals = {
        seat: initiative.total(state, seat, thrown)
        for seat, thrown in zip(state.seats, faces, strict=True)
    }
    first = initiative.loser(state, totals)
    rules = initiative.why(state, totals, first)
    thrown = {seat: sum(dice) for seat, dice in zip(state.seats, faces, strict=True)}
    flow.emit(ev.InitiativeRolled(totals=totals, thrown=thrown, first=first, rules=rules))


_ANSWERS: dict[str, Answer] = {
    "initiative": _initiative,
    **scenario_dice.ANSWERS,
    "speed": lambda flow, p, faces: tasks.speed_rolled(flow, p.unit, p.ability, faces[0][0]),
    "draw": lambda flow, purpose, faces: tasks.draw_rolled(flow, purpose.unit, faces[0][0]),
    "attack": lambda flow, purpose, faces: attacks.rolled(flow, faces[0]),
    "reroll": lambda flow, purpose, faces: attacks.rolled(flow, faces[0]),
    "concealment": lambda flow, purpose, faces: concealment.rolled(flow, faces[0][0]),
    "negate": lambda flow, p, faces: aftermath.negate_rolled(flow, p.ability, faces[0][0]),
    "save": lambda flow, p, faces: aftermath.saved(flow, p.ability, faces[0][0]),
    "before": lambda flow, p, faces: before.rolled(flow, p.unit, p.ability, faces[0][0]),
    "protect": lambda flow, p, faces: relief.protection_rolled(flow, p.unit, faces[0]),
    "mines": lambda flow, p, faces: mines.struck(flow, p.unit, faces[0]),
    "use": lambda flow, p, faces: upkeep.rolled(flow, p.unit, p.ability, faces[0][0]),
    "spare": lambda flow, purpose, faces: damage.spare_rolled(flow, purpose.unit, faces[0][0]),
    "ability": lambda flow, p, faces: followups.ability_rolled(
        flow, p.unit, p.ability, faces[0][0]
    ),
    "carrier": lambda flow, purpose, faces: damage.carrier_rolled(flow, purpose.unit, faces[0]),
}

__all__ = ["decide", "opening", "owner"]
