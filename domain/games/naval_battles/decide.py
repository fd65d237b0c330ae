"""A command in, events out. Each case names the rule's home and lets it refuse or act."""

from __future__ import annotations

from typing import assert_never

import msgspec

from ...kernel.chance import Faces, check_faces
from ...kernel.custom import read_customs
from ...kernel.flow import Flow
from ...kernel.game import Setup
from ...kernel.rules import No, Refused, rule
from ...kernel.values import CHANCE, Known, Seat
from . import commands as c
from . import events as ev
from .deck import Deck
from .evolve import evolve
from .house import CUSTOMS
from .legal import pending, question
from .rules import (
    declaring,
    defending,
    drawing,
    preparing,
    reorganize,
    resolving,
    rolling,
    setup,
    turns,
    winning,
)
from .rules.holding import why_not_held
from .scenarios import check_seats
from .sequence import carry_on
from .state import Purpose, State, Terms

BattleFlow = Flow[State, ev.AnyEvent]
EDITION = "1"


@rule("NB-GEN-01", "NB-GEN-04", "NB-TEAM-03", "NB-RUL-05")
def opening(setup_: Setup) -> tuple[ev.AnyEvent, ...]:
    """The first events of a game; refuses seats and options that no rule knows."""
    if setup_.edition != EDITION:
        raise Refused("setup.unknown-edition", "NB-GEN-01", f"Edition: {EDITION}.", "/edition")
    check_seats(setup_.scenario, len(setup_.seats))
    try:
        options = msgspec.convert(setup_.options, Terms)
    except msgspec.ValidationError as error:
        raise Refused("setup.bad-option", "NB-RUL-05", str(error), "/options") from None
    house = read_customs(CUSTOMS, setup_.customs).get("deck")
    opened = ev.GameOpened(
        edition=setup_.edition,
        scenario=setup_.scenario,
        options=options,
        seats=setup_.seats,
        house=house if isinstance(house, Deck) else None,
        rules=("NB-RUL-05",),
    )
    flow: BattleFlow = Flow(evolve(None, opened), evolve)
    flow.events.append(opened)
    carry_on(flow)
    return tuple(flow.events)


def decide(state: State, seat: Seat, command: c.AnyCommand | Faces) -> tuple[ev.AnyEvent, ...]:
    """What ``command`` by ``seat`` leads to; raises Refused and then nothing has happened."""
    if state.result is not None:
        raise Refused("game.over", state.result.rule, "The game is over.")
    flow: BattleFlow = Flow(state, evolve)
    if isinstance(command, Faces):
        _chance(flow, seat, command)
    elif isinstance(command, c.Resign | c.AgreeToEnd):
        _concede(flow, seat, command)
    else:
        _check_turn(state, seat)
        _act(flow, seat, command)
    carry_on(flow)
    return tuple(flow.events)


def _check_seat(state: State, seat: Seat) -> None:
    if seat not in state.seats:
        raise Refused("turn.no-seat", "NB-GEN-01", f"The seats are {', '.join(state.seats)}.")
    if seat in state.gone:
        raise Refused("turn.left", "NB-RUL-01", "You have left the game.")


def _check_turn(state: State, seat: Seat) -> None:
    _check_seat(state, seat)
    if state.awaiting is not None:
        raise Refused("turn.dice-awaited", "NB-RUL-06", "Dice are being thrown.")
    questions = pending(state)
    if seat not in {each.seat for each in questions}:
        whose = ", ".join(each.seat for each in questions)
        about = questions[0].question.replace("-", " ")
        raise Refused("turn.not-yours", questions[0].rule, f"It is for {whose} to {about}.")


def _refuse(no: No | None) -> None:
    if no is not None:
        raise no.refused()


_QUESTIONS: dict[type, tuple[str, ...]] = {
    c.ChooseNation: ("choose-nation",),
    c.CommitFleet: ("commit-fleet",),
    c.DrawFleet: ("commit-fleet",),
    c.Arrange: ("lay-out", "reorganize"),
    c.Retreat: ("reorganize",),
    c.RemoveDamage: ("remove-damage",),
    c.Reinforce: ("reorganize",),
    c.Prepare: ("prepare",),
    c.DeclareAttack: ("declare",),
    c.LandRaid: ("declare",),
    c.AimRaid: ("aim-raid",),
    c.AirRaid: ("declare",),
    c.SurpriseAttack: ("declare",),
    c.Defend: ("defend",),
    c.AirCover: ("defend",),
    c.RunSilent: ("defend",),
    c.Plan: ("plan",),
    c.DiscardCards: ("discard",),
}
"""Command type to the questions that it answers."""


@rule("NB-FSM-05")
def _act(flow: BattleFlow, seat: Seat, command: c.AnyCommand) -> None:
    """A command answers the open question, or it is refused whole and nothing leaves the hand."""
    key, rule_, _ = question(flow.state)
    if key not in _QUESTIONS.get(type(command), (key,)):
        about = key.replace("-", " ")
        raise Refused(
            "turn.wrong-step", rule_, f"You are asked to {about}; see the legal commands."
        )
    match command:
        case c.Pass():
            _pass(flow, seat)
        case c.ChooseNation() | c.CommitFleet() | c.DrawFleet() | c.Arrange() | c.DiscardCards():
            _set_up(flow, seat, command)
        case c.Retreat() | c.RemoveDamage() | c.Reinforce() | c.Prepare():
            _make_ready(flow, seat, command)
        case c.DeclareAttack() | c.LandRaid() | c.AimRaid() | c.AirRaid() | c.SurpriseAttack():
            _attack(flow, seat, command)
        case c.Defend() | c.AirCover() | c.RunSilent() | c.Plan():
            _defend(flow, seat, command)
        case c.AgreeToEnd() | c.Resign():
            _concede(flow, seat, command)
        case _:
            assert_never(command)


def _set_up(
    flow: BattleFlow,
    seat: Seat,
    command: c.ChooseNation | c.CommitFleet | c.DrawFleet | c.Arrange | c.DiscardCards,
) -> None:
    state = flow.state
    match command:
        case c.ChooseNation():
            _refuse(setup.why_not_nation(state, command.nation))
            setup.take_nation(flow, seat, command.nation, "NB-SETUP-01")
        case c.CommitFleet():
            _refuse(setup.why_not_fleet(state, seat, command.ships))
            setup.commit(flow, seat, command.ships)
        case c.DrawFleet():
            setup.draw_fleet(flow, seat)
        case c.Arrange():
            _arrange(flow, seat, command)
        case c.DiscardCards():
            _refuse(why_not_held(state, seat, *command.cards, pointer="/cards"))
            drawing.discard(flow, seat, command.cards)
        case _:
            assert_never(command)


def _arrange(flow: BattleFlow, seat: Seat, command: c.Arrange) -> None:
    """A fleet is laid out, or rearranged in the reorganize step."""
    rows, active = command.rows, command.active
    if flow.state.step == "layout":
        _refuse(setup.why_not_lay_out(flow.state, seat, command))
        setup.lay_out(flow, seat, rows, active)
    else:
        _refuse(reorganize.why_not_arrange(flow.state, seat, rows, active))
        rules = ("NB-REORG-01",)
        flow.emit(ev.FleetArranged(seat=seat, rows=rows, active=active, rules=rules))


def _make_ready(
    flow: BattleFlow, seat: Seat, command: c.Retreat | c.RemoveDamage | c.Reinforce | c.Prepare
) -> None:
    state = flow.state
    match command:
        case c.Retreat():
            _refuse(reorganize.why_not_retreat(state, seat, command.card))
            reorganize.play_retreat(flow, seat, command.card)
        case c.RemoveDamage():
            _refuse(reorganize.why_not_remove(state, seat, command.ship, command.card))
            ship, card = command.ship, command.card
            flow.emit(ev.DamageRemoved(seat=seat, ship=ship, card=card, rules=("NB-RET-02",)))
        case c.Reinforce():
            _refuse(reorganize.why_not_reinforce(state, seat, command))
            reorganize.reinforce(flow, seat, command)
        case c.Prepare():
            _refuse(preparing.why_not_prepare(state, seat, command.card, command.ship))
            preparing.prepare(flow, seat, command.card, command.ship)
        case _:
            assert_never(command)


def _attack(
    flow: BattleFlow,
    seat: Seat,
    command: c.DeclareAttack | c.LandRaid | c.AimRaid | c.AirRaid | c.SurpriseAttack,
) -> None:
    state = flow.state
    match command:
        case c.DeclareAttack():
            _refuse(declaring.why_not_attack(state, seat, command))
            declaring.attack(flow, seat, command)
        case c.LandRaid():
            _refuse(declaring.why_not_land_raid(state, seat, command.card, command.target))
            declaring.land_raid(flow, seat, command.card, command.target)
        case c.AimRaid():
            _refuse(declaring.why_not_aim(state, seat, command.target))
            declaring.aim(flow, seat, command.target)
        case c.AirRaid():
            _refuse(declaring.why_not_air_raid(state, seat, command.carrier, command.target))
            declaring.air_raid(flow, seat, command.carrier, command.target)
        case c.SurpriseAttack():
            _refuse(declaring.why_not_surprise(state, seat, command.card, command.seat))
            declaring.surprise(flow, seat, command.card, command.seat)
        case _:
            assert_never(command)


def _defend(
    flow: BattleFlow, seat: Seat, command: c.Defend | c.AirCover | c.RunSilent | c.Plan
) -> None:
    state = flow.state
    match command:
        case c.Defend():
            _refuse(defending.why_not_defend(state, seat, command))
            defending.defend(flow, seat, command)
        case c.AirCover():
            _refuse(defending.why_not_cover(state, seat, command.carrier, command.attack))
            defending.cover(flow, seat, command.carrier, command.attack)
        case c.RunSilent():
            _refuse(defending.why_not_silent(state, seat, command.attack))
            defending.silent(flow, seat, command.attack)
        case c.Plan():
            _refuse(rolling.why_not_plan(state, command.cards))
            rolling.plan(flow, command.cards)
        case _:
            assert_never(command)


def _pass(flow: BattleFlow, seat: Seat) -> None:
    if rolling.window(flow.state) is not None:
        rolling.plan(flow, 0)
        return
    if not pending(flow.state)[0].optional:
        rule_ = pending(flow.state)[0].rule
        raise Refused("turn.must-act", rule_, "Passing is not open here; see the legal commands.")
    flow.emit(ev.Passed(seat=seat, rules=(pending(flow.state)[0].rule,)))


def _concede(flow: BattleFlow, seat: Seat, command: c.Resign | c.AgreeToEnd) -> None:
    """Open at any time: leaving, and agreeing to end."""
    _check_seat(flow.state, seat)
    if isinstance(command, c.AgreeToEnd):
        _refuse(winning.why_not_agree(flow.state, seat))
        winning.agree(flow, seat)
        return
    winning.leave(flow, seat)
    if flow.state.result is None:
        turns.expire(flow, seat)


@rule("NB-RUL-06")
def _chance(flow: BattleFlow, seat: Seat, command: Faces) -> None:
    """The dice are down: hand the faces to whoever asked for them."""
    state = flow.state
    if seat != CHANCE:
        raise Refused("turn.not-chance", "NB-RUL-06", "Only the chance seat throws dice.")
    check_faces(state.awaiting, command)
    awaited, purpose = state.awaiting, state.purpose
    assert awaited is not None
    assert purpose is not None
    flow.emit(
        ev.DiceThrown(
            label=command.label,
            faces=Known(command.faces),
            owner=awaited.owner,
            domain=awaited.domain,
        )
    )
    _score(flow, purpose, command.faces)


def _score(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    match purpose.kind:
        case "nations":
            setup.nations_dealt(flow, purpose, faces)
        case "first":
            setup.first_rolled(flow, purpose, faces)
        case "fleet":
            setup.fleet_drawn(flow, purpose.seats[0], faces[0][0])
        case "draw":
            drawing.take(flow, purpose.seats[0], purpose.count, Known(faces))
        case "roll":
            resolving.rolled(flow, faces[0][0])
        case _:
            assert_never(purpose.kind)


__all__ = ["decide", "opening"]
