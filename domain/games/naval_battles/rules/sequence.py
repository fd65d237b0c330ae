"""The order of play: set-up, then player turns, each a list of steps (NB-SEQ, NB-FSM)."""

from __future__ import annotations

from functools import cache

from ....kernel.chance import Faces
from ....kernel.flow import Flow
from ....kernel.play import Course, Hooks, Step, Way
from ....kernel.question import Question, a_seat, act, dice_first
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import defending, drawing, resolving, rolling, rows, setup, turns, winning
from . import events as ev
from . import questions as q
from .cards import retreat
from .evolve import evolve
from .rolls import rolled
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]
BattleStep = Step[State, ev.AnyEvent, c.AnyCommand]
BattleWay = Way[State, ev.AnyEvent, c.AnyCommand]
Asks = Question[State, ev.AnyEvent, c.AnyCommand]


@cache
@rule("NB-FSM-01", "NB-SEQ-01", "NB-SEQ-04", "NB-ATK-02", "NB-ATK-09")
def battle() -> Course[State, ev.AnyEvent, c.AnyCommand]:
    """Set-up once, then turns; after a Retreat no attack step; there is no way back.

    Looked at first, wherever a turn stands: a die, the rest of a card that was played.
    """
    return Course(
        HOOKS,
        once=(
            BattleStep("nations", q.NATION, tend=setup.deal_nations),
            BattleStep("fleets", q.FLEET),
            BattleStep("first-roll", tend=setup.roll_first),
            BattleStep("layout", q.LAYOUT),
            BattleStep("deal", tend=_deal),
        ),
        turn=(
            BattleStep("reorganize", q.REORGANIZE),
            BattleStep("prepare", q.PREPARE),
            BattleStep("declare", q.DECLARE, skip=lambda s: retreat.withdrawn(s, s.active)),
            BattleStep(
                "defense",
                q.DEFEND,
                finish=defending.run_silent_at_last,
                skip=lambda state: not state.attacks,
            ),
            BattleStep(
                "resolve",
                finish=resolving.resolve_next,
                skip=lambda state: not (state.attacks or state.surprises),
                leave=rows.close_up,
            ),
            BattleStep("discard", q.DISCARD),
            BattleStep("draw", tend=_draw),
        ),
        above=(
            BattleStep("roll", q.PLAN, tend=rolling.proceed),
            BattleStep("retreat", q.REMOVE),
            BattleStep("raid", q.AIM),
        ),
        ways=(
            BattleWay(c.AgreeToEnd(), act(c.AgreeToEnd, winning.agree, winning.why_not_agree)),
            BattleWay(c.Resign(), act(c.Resign, _leave)),
        ),
    )


def _deal(flow: BattleFlow) -> bool:
    begun = drawing.undealt(flow.state) and winning.check_begun(flow)
    return begun or drawing.deal(flow)


def _draw(flow: BattleFlow) -> bool:
    seat = flow.state.active
    return seat not in flow.state.gone and drawing.draw(flow, seat)


def _leave(flow: BattleFlow, seat: Seat, command: c.Resign) -> None:
    winning.leave(flow, seat)
    if flow.state.result is None:
        turns.expire(flow, seat)


def _stranger(state: State, seat: Seat) -> No | None:
    if seat in state.gone:
        return No("turn.left", "NB-RUL-01", "You have left the game.")
    return a_seat(state, seat, "NB-GEN-01")


@rule("NB-RUL-06")
def _dice_first(state: State, seat: Seat, command: c.AnyCommand | Faces) -> No | None:
    """No player acts while dice or a draw are awaited; only chance throws."""
    return dice_first(state, seat, command, "NB-RUL-06")


@rule("NB-FSM-05")
def _elsewhere(state: State, seat: Seat, command: c.AnyCommand, asks: Asks, by: str) -> No:
    """A command answers the open question, or it is refused whole and nothing leaves the hand."""
    hint = f"You are asked to {asks.about}; see the legal commands."
    return No("turn.wrong-step", by, hint)


HOOKS: Hooks[State, ev.AnyEvent, c.AnyCommand] = Hooks(
    evolve=evolve,
    pass_=c.Pass,
    passed=lambda seat, by: ev.Passed(seat=seat, rules=(by,)),
    rolled=rolled,
    began=lambda key: ev.StepBegan(step=key),
    begin_turn=turns.begin,
    stranger=_stranger,
    dice_first=_dice_first,
    elsewhere=_elsewhere,
)
