"""The rules of Pennant: what an order and a roll lead to, and the order of play.

Two seats choose a colour in secret at the same time (bold fires three dice that hit on 6, steady
two dice that hit on 5 and 6). Then they take turns: ``fire`` at the hull (each hit a point) or at
the magazine (one die; on a hit a second roll of two dice, whose sum is the points), or ``pass``.
Each seat has a tender, which is lost to ten or more points in the magazine, once. After the last
turn more points win; equal points are a draw.
"""

from __future__ import annotations

import msgspec

from domain.kernel.chance import Awaited, Dice, Faces
from domain.kernel.custom import read_customs
from domain.kernel.flow import Flow
from domain.kernel.play import Course, Hooks, Step
from domain.kernel.question import Question, a_seat, act, dice_first
from domain.kernel.rules import No, Refused
from domain.kernel.setup import Setup
from domain.kernel.tally import Reason, Tally
from domain.kernel.values import Known, Seat

from .commands import AIMS, COLOURS, Aim, Choose, Command, Fire, Pass, PennantOptions
from .customs import CUSTOMS, Regatta
from .events import (
    AnyEvent,
    Chosen,
    Ended,
    FireDeclared,
    FireResolved,
    Opened,
    Revealed,
    TenderLost,
    TurnPassed,
)
from .state import State, evolve

SINKING = 10
"""Points of one shot that cost the enemy its tender: the hull has too few dice for them."""

# --- what an order and a roll lead to -------------------------------------------------------------

PennantFlow = Flow[State, AnyEvent]
Asks = Question[State, AnyEvent, Command]


def tender_of(seat: Seat) -> str:
    """The name of a seat's tender."""
    return f"tender of {seat}"


def dice_tally(state: State, seat: Seat, aim: Aim) -> Tally:
    """How many dice, and why."""
    if aim == "magazine":
        return Tally.of(Reason(1, "PEN-5", "magazine"))
    if state.colours[state.seats.index(seat)] == "bold":
        return Tally.of(Reason(2, "PEN-4", "printed"), Reason(1, "PEN-4", "bold"))
    return Tally.of(Reason(2, "PEN-4", "printed"))


def least(state: State, seat: Seat) -> int:
    """The lowest face that hits."""
    return 6 if state.colours[state.seats.index(seat)] == "bold" else 5


def _choose(flow: PennantFlow, seat: Seat, command: Choose) -> None:
    flow.emit(Chosen(seat=seat, choice=Known((command.colour,)), rules=("PEN-2",)))


def _reveal(flow: PennantFlow) -> bool:
    known = (choice for choice in flow.state.choices if isinstance(choice, Known))
    flow.emit(Revealed(colours=tuple(choice.items[0] for choice in known), rules=("PEN-2",)))
    return True


def _fire(flow: PennantFlow, seat: Seat, command: Fire) -> None:
    count = dice_tally(flow.state, seat, command.aim).total
    awaited = Awaited(f"fire/{flow.state.rolls + 1}", (Dice(count),), seat)
    flow.emit(FireDeclared(seat=seat, aim=command.aim, awaited=awaited, rules=("PEN-4",)))


def _rolled(flow: PennantFlow, answer: Faces) -> None:
    awaited, faces = flow.state.awaited, answer.faces[0]
    assert awaited is not None
    kind, _, number = awaited.label.partition("/")
    hits = sum(face >= least(flow.state, awaited.owner) for face in faces)
    if kind == "fire" and len(faces) == 1 and hits:
        second = Awaited(f"magazine/{number}", (Dice(2),), awaited.owner)
        _resolve(flow, awaited, faces, 0, second)
        return
    points = sum(faces) if kind == "magazine" else hits
    state = _resolve(flow, awaited, faces, points)
    other = state.seats[state.mover]
    if points >= SINKING and state.tenders[state.mover]:
        lost = TenderLost(seat=other, tender=tender_of(other), by=awaited.owner, rules=("PEN-7",))
        flow.emit(lost)


def _resolve(
    flow: PennantFlow,
    awaited: Awaited,
    faces: tuple[int, ...],
    points: int,
    second: Awaited | None = None,
) -> State:
    dice = (
        Reason(len(faces), "PEN-5", "magazine") if second else Reason(len(faces), "PEN-4", "dice")
    )
    return flow.emit(
        FireResolved(
            seat=awaited.owner, label=awaited.label, dice=Tally.of(dice), faces=faces,
            points=points, awaited=second, rules=(dice.rule,),
        )
    )  # fmt: skip


def _end(flow: PennantFlow) -> bool:
    if flow.state.left:
        return False
    most = max(flow.state.points)
    best = [s for s, p in zip(flow.state.seats, flow.state.points, strict=True) if p == most]
    flow.emit(Ended(winners=tuple(best) if len(best) == 1 else (), rules=("PEN-6",)))
    return True


def _elsewhere(state: State, seat: Seat, command: Command, asks: Asks, by: str) -> No:
    return No("turn.wrong-step", by, f"You are asked to {asks.about}.")


# --- the order of play ----------------------------------------------------------------------------

COLOUR = Asks(
    "choose",
    "PEN-2",
    who=lambda state: (s for s, c in zip(state.seats, state.choices, strict=True) if c is None),
    offers=lambda state, seat: map(Choose, COLOURS),
    acts=(act(Choose, _choose),),
    optional=False,
    together=True,
    again=No("choose.again", "PEN-2", "A colour is chosen once.", "/colour"),
    usual=lambda state, seat: Choose("steady"),
)
TURN = Asks(
    "turn",
    "PEN-3",
    who=lambda state: (state.seats[state.mover],),
    offers=lambda state, seat: map(Fire, AIMS),
    acts=(act(Fire, _fire),),
)
COURSE: Course[State, AnyEvent, Command] = Course(
    Hooks(
        evolve=evolve,
        pass_=Pass,
        passed=lambda seat, by: TurnPassed(seat=seat, rules=(by,)),
        rolled=_rolled,
        stranger=lambda state, seat: a_seat(state, seat, "PEN-1"),
        dice_first=lambda state, seat, command: dice_first(state, seat, command, "PEN-3"),
        elsewhere=_elsewhere,
    ),
    once=(Step("colours", COLOUR, finish=_reveal),),
    turn=(Step("battle", TURN, tend=_end),),
)


def opening(setup: Setup) -> tuple[AnyEvent, ...]:
    """The first events of a game. Raises Refused."""
    if len(setup.seats) != 2:
        raise Refused("setup.seats", "PEN-1", "Two seats play.")
    regatta = read_customs(CUSTOMS, setup.customs).get("scenario")
    agreed = msgspec.convert(setup.options, PennantOptions)
    turns = regatta.turns if isinstance(regatta, Regatta) else agreed.turns
    return COURSE.opening(Opened(seats=setup.seats, turns=turns, rules=("PEN-1",)))
