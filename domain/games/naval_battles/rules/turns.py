"""Player turns and rounds (NB-SEQ)."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.values import Seat
from . import events as ev
from . import facts
from .cards import surprise_attack
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]


@rule("NB-SETUP-07", "NB-FSM-04", "NB-AMB-45", "NB-AMB-41", "NB-WIN-04")
def next_player(state: State) -> Seat:
    """The first player, then clockwise; a player without ships takes his turns too."""
    if not state.active:
        start = state.seats[state.seats.index(state.first) - 1]
    else:
        start = state.active
    return next(seat for seat in facts.clockwise(state, start) if seat not in state.gone)


@rule("NB-RUL-04")
def _round(state: State, seat: Seat) -> int:
    """A round ends when the turn comes past the first player's seat."""
    if not state.active:
        return 1
    order = (state.first, *facts.clockwise(state, state.first))
    return state.round + (order.index(seat) <= order.index(state.active))


@rule("NB-SEQ-02", "NB-RET-05", "NB-PREP-09", "NB-COVER-05")
def begin(flow: BattleFlow) -> None:
    """A turn begins: what its player had in play is discarded before anything else.

    Prepared cards and air cover of all the others are fresh again, for this turn.
    """
    state = flow.state
    seat = next_player(state)
    number = _round(state, seat)
    calm = state.calm
    if number != state.round and state.round:
        calm = 0 if state.progress else state.calm + 1
    rules = ("NB-SETUP-07",)
    flow.emit(ev.TurnBegan(seat=seat, turn=state.turn + 1, round=number, calm=calm, rules=rules))
    expire(flow, seat)


def expire(flow: BattleFlow, seat: Seat) -> None:
    """Prepare cards and Retreat that still lie before a fleet are discarded."""
    lying = surprise_attack.swept(flow.state, seat)
    if lying:
        flow.emit(ev.CardsExpired(seat=seat, cards=lying, rules=("NB-SEQ-02",)))
