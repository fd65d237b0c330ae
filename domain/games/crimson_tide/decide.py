"""A command in, events out. Each case names the rule's home and lets it refuse or act."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import msgspec

from ...kernel.chance import Faces, check_faces
from ...kernel.flow import Flow
from ...kernel.game import Setup
from ...kernel.rules import Refused, rule
from ...kernel.values import CHANCE, Seat
from . import commands as c
from . import events as ev
from .charts import land, objectives, storms, targets
from .customs import agreed_on
from .evolve import evolve
from .fleet_options import check_terms
from .geometry.pose import Pose
from .legal import may_pass, pending
from .rules import (
    air_missions,
    asking,
    attacks,
    collisions,
    damage,
    diving,
    fleets,
    initiative,
    placing,
    steering,
    torpedoes,
    transit,
    victory,
    voyage,
    weather,
)
from .scenarios import terms
from .sequence import carry_on, movable
from .sides import check_seats
from .state import Options, Purpose, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]
EDITIONS = ("1",)


@rule("CT-GEOM-01", "CT-FSM-11", "CT-AMB-77", "CT-AMB-67")
def opening(setup: Setup) -> tuple[ev.AnyEvent, ...]:
    """The first events of a battle; refuses options that no rule knows."""
    if setup.edition not in EDITIONS:
        raise Refused("setup.unknown-edition", "CT-GEN-01", "Edition: 1.", "/edition")
    check_seats(setup.seats)
    try:
        options = msgspec.convert(setup.options, Options)
    except msgspec.ValidationError as error:
        raise Refused("setup.bad-option", "CT-AMB-67", str(error), "/options") from None
    found, chart, options, title = agreed_on(setup, options)
    agreed = terms(found, options, setup.seats)
    check_terms(agreed, options, setup.seats)
    opened = ev.GameOpened(
        scenario=setup.scenario,
        options=options,
        terms=agreed,
        seats=setup.seats,
        land=land(chart, options),
        storms=storms(chart, options),
        objectives=objectives(chart, options),
        targets=targets(chart, options, setup.seats),
        title=title,
        rules=("CT-AMB-67",),
    )
    flow: BattleFlow = Flow(evolve(None, opened), evolve)
    flow.events.append(opened)
    carry_on(flow)
    return tuple(flow.events)


def decide(state: State, seat: Seat, command: c.AnyCommand | Faces) -> tuple[ev.AnyEvent, ...]:
    """What ``command`` by ``seat`` leads to; raises Refused and then nothing has happened."""
    if state.result is not None:
        raise Refused("game.over", state.result.rule, "The battle is over.")
    flow: BattleFlow = Flow(state, evolve)
    if isinstance(command, Faces):
        _chance(flow, seat, command)
    elif isinstance(command, c.Resign | c.OfferDraw):
        _concede(flow, seat, command)
    else:
        _check_turn(state, seat)
        _act(flow, seat, command)
    carry_on(flow)
    return tuple(flow.events)


@rule("CT-FSM-03")
def _check_turn(state: State, seat: Seat) -> None:
    """Refuse whoever is not asked now."""
    _check_seat(state, seat)
    if state.awaiting is not None:
        raise Refused("turn.dice-awaited", "CT-RND-06", "Dice are being thrown.")
    questions = pending(state)
    if seat not in {question.seat for question in questions}:
        whose = ", ".join(question.seat for question in questions)
        about = questions[0].question.replace("-", " ")
        raise Refused("turn.not-yours", questions[0].rule, f"It is for {whose} to {about}.")


def _check_seat(state: State, seat: Seat) -> None:
    if seat not in state.seats:
        raise Refused("turn.no-seat", "CT-GEN-13", f"The seats are {', '.join(state.seats)}.")
    if seat in state.gone:
        raise Refused("turn.left", "CT-AMB-109", "You have left; a partner commands for you.")


def _in_phase(state: State, phase: str) -> None:
    if state.phase != phase:
        raise Refused(
            "turn.wrong-phase", "CT-SEQ-01", f"The step is {state.step}; see the legal commands."
        )


def _unit(state: State, seat: Seat, name: str) -> Unit:
    unit = _in_play(state, name, "/unit")
    if unit.seat != seat:
        raise Refused("unit.not-yours", "CT-GEN-13", f"{name} is {unit.seat}'s.", "/unit")
    return unit


def _in_play(state: State, name: str, pointer: str) -> Unit:
    unit = state.units.get(name)
    if unit is None:
        raise Refused("unit.unknown", "CT-GEN-15", f"There is no unit {name!r}.", pointer)
    return unit


def _act(flow: BattleFlow, seat: Seat, command: c.AnyCommand) -> None:
    state = flow.state
    match command:
        case c.SubmitFleet():
            _in_phase(state, "fleets")
            fleets.lock(flow, seat, command.units)
        case c.PlaceUnit():
            _in_phase(state, "placing")
            placing.check_pose(state, command.x, command.y)
            placing.place(flow, seat, command.card, Pose(command.x, command.y, command.heading))
        case c.Dive():
            _in_phase(state, "dive")
            diving.choose(flow, seat, command.submerged)
        case c.Move():
            _move(flow, seat, command)
        case c.Deploy():
            _in_phase(state, "air-deployment")
            unit = _unit(state, seat, command.unit)
            air_missions.deploy(
                flow, unit, command.mission, command.target, command.side, command.at
            )
        case c.Attack():
            _attack(flow, seat, command)
        case c.LandAircraft():
            _in_phase(state, "air-transit")
            transit.land(flow, _unit(state, seat, command.unit), command.base)
        case c.Pass():
            _pass(flow, seat)
        case c.OfferDraw() | c.Resign():
            _concede(flow, seat, command)
        case _:
            assert_never(command)


def _move(flow: BattleFlow, seat: Seat, command: c.Move) -> None:
    """An order is legal as a whole, or refused before any die is thrown."""
    state = flow.state
    _in_phase(state, "movement")
    unit = _unit(state, seat, command.unit)
    if unit not in movable(state, seat):
        raise Refused("move.not-movable", "CT-MOVE-21", "It has no move to make now.", "/unit")
    no = steering.why_not_move(state, unit, command)
    if no is not None:
        raise no.refused()
    voyage.order(flow, unit, command)


def _attack(flow: BattleFlow, seat: Seat, command: c.Attack) -> None:
    state = flow.state
    unit = _unit(state, seat, command.unit)
    target = _in_play(state, command.target, "/target")
    attacks.declare(flow, unit, command.weapon, target, command.arc)


def _pass(flow: BattleFlow, seat: Seat) -> None:
    """Do no more in this step, where nothing obliges."""
    state = flow.state
    if not may_pass(state, seat):
        raise Refused(
            "turn.must-act", pending(state)[0].rule, "Passing is not open; see the legal commands."
        )
    asked = next(each.rule for each in pending(state) if each.seat == seat)
    flow.emit(ev.Passed(seat=seat, rules=(asked,)))


def _concede(flow: BattleFlow, seat: Seat, command: c.Resign | c.OfferDraw) -> None:
    """Open at any time: giving up, and offering a draw."""
    _check_seat(flow.state, seat)
    if isinstance(command, c.Resign):
        victory.resign(flow, seat)
        return
    if seat in flow.state.draw:
        raise Refused("game.draw-offered", "CT-FSM-03", "Your offer stands for this turn.")
    victory.offer_draw(flow, seat)


@rule("CT-RND-06", "CT-AMB-78")
def _chance(flow: BattleFlow, seat: Seat, command: Faces) -> None:
    """The dice are down: sixes of attack dice are thrown again, then whoever asked is told."""
    state = flow.state
    if seat != CHANCE:
        raise Refused("turn.not-chance", "CT-RND-06", "Only the chance seat throws dice.")
    check_faces(state.awaiting, command)
    assert state.awaiting is not None
    assert state.purpose is not None
    purpose, whose = state.purpose, state.awaiting.owner
    flow.emit(ev.DiceThrown(label=command.label, faces=command.faces, owner=whose))
    faces = command.faces
    if purpose.number:
        faces = asking.again(flow, purpose, whose, faces[0])
        if not faces:
            return
    _ANSWERS[purpose.kind](flow, purpose, faces)


Answer = Callable[[BattleFlow, Purpose, tuple[tuple[int, ...], ...]], None]

_ANSWERS: dict[str, Answer] = {
    "initiative": initiative.rolled,
    "weather": placing.weather_rolled,
    "spotting": air_missions.spotting_rolled,
    "recovery": transit.recovery_rolled,
    "repair": lambda flow, purpose, faces: damage.repair_rolled(flow, purpose, faces[0][0]),
    **attacks.ANSWERS,
    **torpedoes.ANSWERS,
    **voyage.ANSWERS,
    **collisions.ANSWERS,
    **weather.ANSWERS,
}

__all__ = ["decide", "opening"]
