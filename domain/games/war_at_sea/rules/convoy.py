"""SCEN: the Convoy scenario: who escorts, the convoy Ships, leaving the map, and who wins."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.setup import Result
from ....kernel.values import Seat
from . import board, purposes
from . import events as ev
from .damage import ask, leave
from .facts import convoy, limits_of, seat_of, side_of
from .state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

SHIP = "convoy-ship"
OFF_MAP = "off-map"
"""Where a convoy Ship moves to when it leaves over the enemy's edge."""

EXITED, LOST = "exited", "stranded"


@rule("WAS-SCEN-21")
def set_roles(flow: BattleFlow) -> bool:
    """Who escorts, by agreement or by a coin; the other intercepts."""
    state = flow.state
    if state.escort or not convoy(state):
        return False
    agreed = limits_of(state).escort
    if agreed != "agreed":
        escorts(flow, seat_of(state, agreed))
    elif state.options.escort == "coin":
        ask(flow, purposes.Escort(), "", Dice(1, 2))
    else:
        one, two = state.seats
        escorts(flow, one if state.options.escort == "p1" else two)
    return True


def escorts(flow: BattleFlow, seat: Seat) -> None:
    """This seat escorts the convoy."""
    flow.emit(ev.EscortChosen(seat=seat, rules=("WAS-SCEN-21",)))


@rule("WAS-SCEN-23")
def deploys_first(flow: BattleFlow) -> None:
    """The escort sets up first and takes a side of the map; there is no coin."""
    flow.emit(ev.DeployerChosen(seat=flow.state.escort, rules=("WAS-SCEN-23",)))


@rule("WAS-SCEN-22", "WAS-SCEN-33")
def ships(state: State, seat: Seat) -> tuple[str, ...]:
    """Convoy Ships that come with the escort's fleet, outside its points and its units."""
    return (SHIP,) * limits_of(state).convoy if seat == state.escort else ()


@rule("WAS-SCEN-24", "WAS-SCEN-25", "WAS-SCEN-40", "RUL-93")
def points(state: State, seat: Seat) -> int:
    """The most that the seat's fleet may cost; in 2009 the interceptor has less."""
    limits, side = limits_of(state), side_of(state, seat)
    if side is not None and side.points:
        return side.points
    intercepts = convoy(state) and seat != state.escort
    return limits.interceptor if intercepts and limits.interceptor else limits.points


@rule("WAS-SCEN-26")
def why_not_leave(state: State, unit: Unit, speed: int) -> No | None:
    """Why a unit may not leave the map: only convoy Ships do, from the far row, with a sector left.

    It has not moved this turn, so that it was in the far row when the last turn ended.
    """
    if unit.card != SHIP:
        return No("move.off-map", "WAS-SETUP-27", "Only convoy Ships leave the map.", "/to")
    if unit.sector not in far_row(state, unit.seat):
        return No("move.not-at-far-edge", "WAS-SCEN-26", "It is not in the far row yet.", "/to")
    if speed < 1:
        return No("move.out-of-reach", "RUL-92", "Leaving costs one sector of its move.", "/to")
    return None


def far_row(state: State, seat: Seat) -> tuple[str, ...]:
    """The row along the enemy's edge."""
    return board.edge_row(state.edges[state.other(seat)])


def exit_map(flow: BattleFlow, unit: Unit) -> None:
    """It is out of play and counts for the escort."""
    leave(flow, unit, EXITED, "WAS-SCEN-26")


@rule("WAS-SCEN-27", "WAS-EOT-14")
def last_turn(flow: BattleFlow) -> None:
    """After the last turn Ships in the far row count as out (RUL-92), the others as sunk."""
    state = flow.state
    if not convoy(state) or state.turn < limits_of(state).turns:
        return
    for unit in [u for u in state.all_units if u.card == SHIP]:
        out = unit.sector in far_row(state, unit.seat)
        leave(flow, unit, EXITED if out else LOST, "RUL-92" if out else "WAS-SCEN-27")


def tally(state: State) -> tuple[int, int]:
    """How many Ships of the convoy are through, and how many are lost."""
    gone = [lost.cause for lost in state.lost if lost.card == SHIP]
    out = gone.count(EXITED)
    return out, len(gone) - out


@rule("WAS-SCEN-28", "RUL-92")
def result(state: State) -> Result | None:
    """Three Ships of five out: the escort wins; three sunk: the interceptor. Nothing else decides.

    Of other numbers: so many that are out as the scenario asks for, or so many lost that they
    cannot be any more.
    """
    limits = limits_of(state)
    out, sunk = tally(state)
    if out >= limits.through:
        return Result((state.escort,), "convoy-through", "WAS-SCEN-28")
    if sunk > limits.convoy - limits.through:
        return Result((state.other(state.escort),), "convoy-sunk", "WAS-SCEN-28")
    return None
