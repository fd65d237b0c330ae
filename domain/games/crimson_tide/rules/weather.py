"""WEA: the wind of a turn, storms that move with it, and derelicts that drift (EOT)."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import events as ev
from .asking import ask
from .collisions import contact
from .criticals import ENGINE
from .damage import remove
from .dice import Rounds
from .facts import has_critical, in_order, size_of
from .geography import waters
from .geometry.fixed import TURN
from .geometry.pose import Pose, carried
from .geometry.track import Table, glide, off_table
from .sight_lines import afloat
from .state import Order, PointOfTable, Purpose, State, Storm, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def derelict(state: State, unit: Unit) -> bool:
    """A ship or surfaced submarine with ENGINE BREAKDOWN: the wind has it."""
    return has_critical(unit, ENGINE) and afloat(state, unit)


@rule("CT-WEA-07", "CT-AMB-61")
def draw_wind(flow: BattleFlow) -> bool:
    """Ask for the direction of the wind, and the storms' speed; nothing if neither is needed."""
    state = flow.state
    needed = state.storms or any(derelict(state, unit) for unit in in_order(state))
    if state.wind >= 0 or not needed:
        return False
    speed = (Dice(1),) if state.storms else ()
    ask(flow, Purpose("wind"), "", Dice(1, TURN), *speed)
    return True


@rule("CT-WEA-08", "CT-WEA-06")
def wind_drawn(flow: BattleFlow, purpose: Purpose, faces: Rounds) -> None:
    """The wind blows toward one of the 720 ticks; all storms move with it, as far as the die says.

    A storm whose center has left the table is gone.
    """
    wind = faces[0][0] - 1
    flow.emit(ev.WindDrawn(direction=wind, rules=("CT-WEA-08",)))
    state = flow.state
    if not state.storms:
        return
    klicks = faces[1][0]
    at = {storm.id: _blown(state, storm, wind, klicks) for storm in state.storms}
    gone = tuple(name for name, spot in at.items() if off_table(spot, Table(*state.table)))
    flow.emit(ev.StormsMoved(klicks=klicks, at=at, gone=gone, rules=("CT-WEA-06",)))


def _blown(state: State, storm: Storm, wind: int, klicks: int) -> PointOfTable:
    """Klick by klick, as ships go."""
    pose = Pose(*storm.at)
    for _ in range(klicks):
        pose = carried(pose, wind, state.options.klick)
    return pose.position


@rule("CT-EOT-06")
def drift(flow: BattleFlow) -> bool:
    """The next derelict goes one klick downwind, heading unchanged, until it meets something."""
    for unit in in_order(flow.state):
        task = f"drift/{unit.id}"
        if derelict(flow.state, unit) and task not in flow.state.tended:
            flow.emit(ev.TaskDone(task=task))
            _drift(flow, unit)
            return True
    return False


def _drift(flow: BattleFlow, unit: Unit) -> None:
    state = flow.state
    assert unit.pose is not None
    sea = waters(state, unit, tested=False)
    gone = glide(unit.pose, size_of(state, unit), state.wind, state.options.klick, sea)
    order = Order(unit.id, (), klicks=0, allowed=0, drifting=True)
    flow.emit(ev.DriftBegan(order=order, rules=("CT-EOT-06",)))
    if gone.steps:
        _carried(flow, unit, gone.pose, order)
    if gone.left:
        flow.emit(ev.MoveEnded(unit=unit.id, stopped=unit.stopped))
        remove(flow, flow.state.units[unit.id], "left-table")
    elif gone.met:
        contact(flow, order, gone.met)


def _carried(flow: BattleFlow, unit: Unit, pose: Pose, order: Order) -> None:
    flow.emit(
        ev.UnitMoved(
            unit=unit.id,
            track=(pose,),
            ahead=unit.ahead,
            astern=unit.astern,
            turned=unit.turned,
            order=order,
            rules=("CT-EOT-06",),
        )
    )


ANSWERS = {"wind": wind_drawn}
"""What this module does with the dice it asked for."""
