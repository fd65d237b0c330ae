"""A player's die: the Planning window, the request, the score (NB-FSM-03, NB-PLAN)."""

from __future__ import annotations

from msgspec.structs import replace

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.tally import Reason, Tally
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import reckoning
from .asking import ask
from .cards import planning
from .state import Purpose, Roll, State

BattleFlow = Flow[State, ev.AnyEvent]

RULES = {
    "torpedo": "NB-TORP-05",
    "raid": "NB-LBAR-05",
    "cover": "NB-COVER-03",
    "silent": "NB-SUB-04",
}
"""The rule that a roll is judged by."""


@rule("NB-FSM-03")
def intend(flow: BattleFlow, roll: Roll) -> None:
    """Before a die: the roller is asked once if he has an unused Planning card, else it rolls."""
    if roll.seat not in flow.state.gone and planning.unused(flow.state, roll.seat):
        flow.emit(ev.RollIntended(roll=roll, rules=("NB-FSM-03",)))
    else:
        throw(flow, replace(roll, asked=True))


def window(state: State) -> Roll | None:
    """The roll that somebody may still add Planning to."""
    roll = state.roll
    if roll is None or roll.asked or roll.seat in state.gone:
        return None
    return roll


@rule("NB-PLAN-02")
def why_not_plan(state: State, seat: Seat, command: c.Plan) -> No | None:
    """As many as lie unused, declared before the die."""
    roll = window(state)
    if roll is None:
        return No("plan.no-roll", "NB-PLAN-02", "No roll of yours is about to be made.")
    unused = len(planning.unused(state, roll.seat))
    if not 1 <= command.cards <= unused:
        return No("plan.cards", "NB-PLAN-03", f"Use 1 to {unused}.", "/cards")
    return None


def plan(flow: BattleFlow, seat: Seat, command: c.Plan) -> None:
    """So many Planning cards are added."""
    _close(flow, command.cards)


def roll_plainly(flow: BattleFlow, seat: Seat) -> None:
    """None is added."""
    _close(flow, 0)


def _close(flow: BattleFlow, cards: int) -> None:
    """The window closes with so many cards; then the die is rolled."""
    roll = flow.state.roll
    assert roll is not None
    used = planning.unused(flow.state, roll.seat)[:cards]
    flow.emit(ev.PlanningUsed(seat=roll.seat, cards=used, rules=("NB-PLAN-02",)))


def proceed(flow: BattleFlow) -> bool:
    """Throw the die of a roll whose window is closed."""
    roll = flow.state.roll
    if roll is None or window(flow.state) is not None:
        return False
    throw(flow, roll)
    return True


def throw(flow: BattleFlow, roll: Roll) -> None:
    """One open die."""
    ask(flow, Purpose("roll"), roll.seat, (Dice(1),), roll=roll)


@rule("NB-COMP-03")
def scored(flow: BattleFlow, face: int) -> Roll:
    """The die with what is added to it against what it had to reach; returns the roll."""
    state = flow.state
    roll = state.roll
    assert roll is not None
    total = Tally.of(Reason(face, RULES[roll.kind], "die"), *reckoning.added(roll))
    needed = reckoning.needed(state, roll)
    flow.emit(
        ev.RollScored(
            kind=roll.kind,
            seat=roll.seat,
            attack=roll.attack,
            ship=roll.ship,
            face=face,
            total=total,
            needed=needed,
            success=total.total >= needed.total,
            rules=(RULES[roll.kind],),
        )
    )
    return roll
