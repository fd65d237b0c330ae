"""WIN: when a battle ends and who has won."""

from __future__ import annotations

from typing import Literal

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.setup import Result
from ....kernel.values import Seat
from . import events as ev
from .commands import OfferDraw, Resign
from .facts import CONVOY_SHIP, ashore
from .sides import next_of, of_side
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]
Fate = Literal["convoy-through", "convoy-lost"]
"""What has become of a convoy, and why a battle ends."""


@rule("CT-WIN-01", "CT-WIN-04", "CT-FSM-13", "CT-SCN-08")
def ended(state: State) -> Result | None:
    """E11: whether the battle is over at the end of this turn, and how."""
    if state.terms.convoy and not state.terms.convoy_points:
        return _convoy(state)
    return _target(state) or _last_turn(state) or _empty(state)


def _leader(state: State) -> tuple[Seat, ...]:
    one, two = state.sides
    if state.scores[one] == state.scores[two]:
        return ()
    return (one,) if state.scores[one] > state.scores[two] else (two,)


@rule("CT-WIN-06", "CT-AMB-64")
def _target(state: State) -> Result | None:
    """The target is reached; of two who have it the higher score wins, equal scores play on."""
    target = state.terms.target
    if target and max(state.scores.values()) >= target and _leader(state):
        return Result(_leader(state), "target-reached", "CT-WIN-06")
    return None


def _last_turn(state: State) -> Result | None:
    """After the agreed turns the higher score wins; equal scores are a draw."""
    if state.terms.turns and state.turn >= state.terms.turns:
        return Result(_leader(state), "last-turn", "CT-WIN-01")
    return None


@rule("CT-WIN-07", "CT-AMB-65", "CT-AMB-91")
def _empty(state: State) -> Result | None:
    """A side without units: the points decide, or by agreement the survivor wins.

    What stands ashore is no unit that could fight on.
    """
    left = [side for side in state.sides if _fights_on(state, side)]
    if len(left) == len(state.sides):
        return None
    if state.options.elimination == "survivor-wins" and left:
        return Result((left[0],), "elimination", "CT-WIN-07")
    return Result(_leader(state), "elimination", "CT-WIN-07")


def _fights_on(state: State, side: Seat) -> bool:
    return any(not ashore(state, unit) for unit in of_side(state, side))


@rule("CT-SCN-12", "CT-SCN-13")
def _convoy(state: State) -> Result | None:
    """Most of a convoy through or lost decides; on the last turn whoever is not off is lost."""
    fates: dict[Seat, Fate] = {}
    most = state.terms.convoy // 2 + 1
    last = state.terms.turns and state.turn >= state.terms.turns
    for side in state.terms.escorts:
        ships = [s for s in state.lost if s.card == CONVOY_SHIP and state.side(s.seat) == side]
        safe = sum(ship.cause == "exit" for ship in ships)
        if safe >= most:
            fates[side] = "convoy-through"
        elif len(ships) - safe >= most or last:
            fates[side] = "convoy-lost"
    if not fates:
        return None
    if state.terms.other_escort:
        return _of_both(state, fates)
    escort, fate = state.terms.escort, fates[state.terms.escort]
    return Result((escort if fate == "convoy-through" else state.other(escort),), fate, "CT-SCN-13")


@rule("CT-AMB-116")
def _of_both(state: State, fates: dict[Seat, Fate]) -> Result:
    """Where both sides have a convoy: one's own through counts like the enemy's lost."""
    gains = {
        side: (fates.get(side) == "convoy-through")
        + (fates.get(state.other(side)) == "convoy-lost")
        for side in state.sides
    }
    most = max(gains.values())
    ahead = tuple(side for side in state.sides if gains[side] == most)
    through: Fate = "convoy-through"
    why = through if any(fates.get(side) == through for side in ahead) else "convoy-lost"
    return Result(ahead if len(ahead) == 1 else (), why, "CT-AMB-116")


def end_if(flow: BattleFlow, result: Result | None) -> bool:
    """End the battle if there is a result: who shares the winning side has won."""
    if result is None:
        return False
    state = flow.state
    winners = tuple(seat for seat in state.seats if state.side(seat) in result.winners)
    flow.emit(
        ev.GameEnded(winners=winners, reason=result.reason, rule=result.rule, rules=(result.rule,))
    )
    return True


def present(state: State) -> tuple[Seat, ...]:
    """The seats that have not left."""
    return tuple(seat for seat in state.seats if seat not in state.gone)


@rule("CT-WIN-08")
def resign(flow: BattleFlow, seat: Seat, command: Resign) -> None:
    """Whoever gives up loses; of a side whose others fight on he leaves."""
    heir = next_of(flow.state, seat)
    if heir:
        leave(flow, seat, heir)
    else:
        end_if(flow, Result((flow.state.other(seat),), "resignation", "CT-WIN-08"))


@rule("CT-AMB-109")
def leave(flow: BattleFlow, seat: Seat, heir: Seat) -> None:
    """A partner takes over what a seat commands; all who are left may have agreed on a draw."""
    flow.emit(ev.PlayerLeft(seat=seat, heir=heir, rules=("CT-AMB-109",)))
    draw_if_agreed(flow)


@rule("CT-FSM-03")
def why_not_offer(state: State, seat: Seat, command: OfferDraw) -> No | None:
    """Offers are open in turn and out of turn, once in each."""
    if seat in state.draw:
        return No("game.draw-offered", "CT-FSM-03", "Your offer stands for this turn.")
    return None


def offer_draw(flow: BattleFlow, seat: Seat, command: OfferDraw) -> None:
    """Offers of one turn from all who are there end the battle as a draw."""
    flow.emit(ev.DrawOffered(seat=seat, rules=("CT-FSM-03",)))
    draw_if_agreed(flow)


def draw_if_agreed(flow: BattleFlow) -> None:
    """End the battle as a draw if nobody who is there has not offered it in this turn."""
    if set(present(flow.state)) <= set(flow.state.draw):
        end_if(flow, Result((), "draw-agreed", "CT-FSM-13"))
