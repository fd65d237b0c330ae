"""MOVE: carrying out an order, sub-step by sub-step, until it is done or cut short."""

from __future__ import annotations

from msgspec.structs import replace

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import events as ev
from .asking import ask
from .collisions import contact, roll, run_aground
from .commands import Move
from .damage import remove
from .dice import Rounds
from .edges import crossed
from .facts import CONVOY_SHIP, hull_left, in_order, size_of, why_not_own
from .geography import grounds_on, must_test, peril_at, waters
from .geometry.hull import Size, base
from .geometry.pose import SUBSTEPS, Pose
from .geometry.track import Stretch, Table, Waters, in_hazard, sail, swing
from .helm import may_be_ordered, movable, ready, template
from .initiative import owner
from .movement import after_evading, allowance, astern_most, why_not_mobile
from .options import Exit
from .sides import of_side
from .state import Order, Purpose, State, Unit
from .steering import barred, duty, why_not_move

BattleFlow = Flow[State, ev.AnyEvent]


def why_not_set_out(state: State, seat: Seat, command: Move) -> No | None:
    """Why an order is refused: it is legal as a whole, or refused before any die is thrown."""
    no = why_not_own(state, seat, command.unit)
    if no is not None:
        return no
    unit = state.units[command.unit]
    if unit not in movable(state, seat):
        return No("move.not-movable", "CT-MOVE-21", "It has no move to make now.", "/unit")
    return why_not_move(state, unit, command)


def set_out(flow: BattleFlow, seat: Seat, command: Move) -> None:
    """A seat orders the whole move of a unit."""
    order(flow, flow.state.units[command.unit], command)


@rule("CT-MOVE-08", "CT-MOVE-15")
def order(flow: BattleFlow, unit: Unit, move: Move) -> None:
    """A legal order begins; evasive maneuvers are rolled for before anything moves.

    A STOPPED marker comes off a unit that goes ahead, and stays on one that goes astern.
    """
    most = allowance(flow.state, unit).total
    if move.astern:
        most = astern_most(most, move.evade)
    elif move.evade:
        most = after_evading(most)
    clears = bool(move.path) and duty(flow.state, unit) == ("astern" if move.astern else "ahead")
    settled = unit.must_reverse and flow.state.options.reverse_duty == "next-turn"
    begun = Order(
        unit.id,
        move.path,
        klicks=len(move.path),
        allowed=most,
        astern=move.astern,
        evade=move.evade,
        stop=move.stop,
        clears=clears,
        ram=move.ram,
    )
    rules = ("CT-MOVE-21", "CT-AMB-32") if settled else ("CT-MOVE-21",)
    flow.emit(ev.MoveOrdered(order=begun, settled=settled, rules=rules))
    if move.evade:
        ask(flow, Purpose("evasion", unit.id), unit.seat, Dice(1))


@rule("CT-AMB-09")
def evaded(state: State, unit: Unit) -> int:
    """The place of the inbound attack that is evaded: the oldest, or by agreement the easiest."""
    if state.options.evades == "oldest":
        return 0
    return min(range(len(unit.inbound)), key=lambda i: (unit.inbound[i].evaded_on, i))


@rule("CT-EVA-02")
def evasion_rolled(flow: BattleFlow, purpose: Purpose, faces: Rounds) -> None:
    """One attempt, one marker: 4 to 6 shakes it off, those of long lances 5 and 6."""
    unit = flow.state.units[purpose.unit]
    place = evaded(flow.state, unit)
    face, needed = faces[0][0], unit.inbound[place].evaded_on
    flow.emit(
        ev.EvasionRolled(
            unit=purpose.unit,
            face=face,
            needed=needed,
            evaded=face >= needed,
            place=place,
            rules=("CT-EVA-02",),
        )
    )


def tend(flow: BattleFlow) -> bool:
    """Carry the open order on; false when there is none."""
    order = flow.state.order
    if order is None:
        return False
    if order.impacts:
        roll(flow, order.impacts[0])
    elif order.path:
        _advance(flow, flow.state.units[order.unit], order)
    else:
        _end(flow, flow.state.units[order.unit], order)
    return True


def _advance(flow: BattleFlow, unit: Unit, order: Order) -> None:
    """As far as it goes until a die is needed, the table's edge is passed or the order is done.

    The grounding test is made at the first sub-step in treacherous waters, or at the start.
    """
    state, size = flow.state, size_of(flow.state, unit)
    assert unit.pose is not None
    sea = waters(state, unit, must_test(state, unit, order.klicks, order.allowed), order.ram)
    if in_hazard(base(unit.pose, size), sea.hazards):
        _ask_grounding(flow, unit, size)
        return
    track, left, stretch = _run(unit.pose, order, size, state.options.klick, sea)
    if track:
        _moved(flow, unit, track, left)
    if stretch is not None and stretch.left:
        _leave(flow, unit.id)
    elif stretch is not None and stretch.hazard:
        _ask_grounding(flow, flow.state.units[unit.id], size)
    elif stretch is not None:
        contact(flow, left, stretch.met)


def _run(
    pose: Pose, order: Order, size: Size, klick: int, sea: Waters
) -> tuple[list[Pose], Order, Stretch | None]:
    """Turns and klicks one after the other: the poses, what is left, what cut it short."""
    track: list[Pose] = []
    while order.path:
        if order.path[0] and not order.substep:
            stretch = swing(pose, size, order.path[0], sea)
            order = _after_turn(order, stretch.steps)
        else:
            stretch = sail(pose, size, klick, order.astern, sea, order.substep)
            order = _after_run(order, stretch.steps)
        pose = stretch.pose
        if stretch.steps:
            track.append(pose)
        if stretch.cut:
            return track, order, stretch
    return track, order, None


@rule("CT-FSM-16")
def open_water(state: State, unit: Unit, move: Move) -> tuple[list[Pose], bool]:
    """Where an order would bring the unit if there were nothing but water; whether off the table.

    Neither other bases nor land are looked at: nothing is measured before it is declared.
    """
    assert unit.pose is not None
    order = Order(unit.id, move.path, len(move.path), len(move.path), astern=move.astern)
    sea = Waters(Table(*state.table))
    track, _, stretch = _run(unit.pose, order, size_of(state, unit), state.options.klick, sea)
    return track, stretch is not None and stretch.left


def past_others(state: State, unit: Unit, order: Order) -> tuple[list[Pose], tuple[str, ...], bool]:
    """Where an order would bring the unit past what lies there now, if no die stopped it.

    The poses, what it would run into, and whether a test in treacherous waters comes first.
    """
    assert unit.pose is not None
    size, klick = size_of(state, unit), state.options.klick
    sea = waters(state, unit, must_test(state, unit, order.klicks, order.allowed), order.ram)
    track, _, stretch = _run(unit.pose, order, size, klick, sea._replace(hazards=()))
    *_, first = _run(unit.pose, order, size, klick, sea)
    tested = in_hazard(base(unit.pose, size), sea.hazards) or (first is not None and first.hazard)
    return track, () if stretch is None else stretch.met, tested


def _after_turn(order: Order, ticks: int) -> Order:
    """The order with so many ticks of its present turn made."""
    due, *later = order.path
    return replace(order, path=(due - ticks if due > 0 else due + ticks, *later))


def _after_run(order: Order, steps: int) -> Order:
    """The order with so many sub-steps more of its present klick made."""
    substep = order.substep + steps
    if substep < SUBSTEPS:
        return replace(order, substep=substep)
    return replace(order, path=order.path[1:], substep=0, done=order.done + 1)


def _moved(flow: BattleFlow, unit: Unit, track: list[Pose], left: Order) -> None:
    assert unit.pose is not None
    assert flow.state.order is not None
    made = left.done - flow.state.order.done
    headings = {unit.pose.heading, *(pose.heading for pose in track)}
    freed = left.clears and left.done > 0
    flow.emit(
        ev.UnitMoved(
            unit=unit.id,
            track=tuple(track),
            ahead=unit.ahead + (0 if left.astern else made),
            astern=unit.astern + (made if left.astern else 0),
            turned=unit.turned or len(headings) > 1,
            order=left,
            freed=freed,
            rules=("CT-MOVE-05", "CT-COLL-09") if freed else ("CT-MOVE-05",),
        )
    )


def _ask_grounding(flow: BattleFlow, unit: Unit, size: Size) -> None:
    assert unit.pose is not None
    peril = peril_at(flow.state, base(unit.pose, size))
    ask(flow, Purpose("grounding", unit.id, peril.id), unit.seat, Dice(1))


def grounding_tested(flow: BattleFlow, purpose: Purpose, faces: Rounds) -> None:
    """On a high enough face it goes on; else it runs aground there (CT-TERR-06)."""
    unit, face = flow.state.units[purpose.unit], faces[0][0]
    most = grounds_on(size_of(flow.state, unit))
    flow.emit(
        ev.GroundingTested(
            unit=unit.id,
            face=face,
            grounds_on=most,
            aground=face <= most,
            hazard=purpose.other,
            rules=("CT-TERR-06",),
        )
    )
    if face <= most:
        piece = next(each for each in flow.state.land if each.id == purpose.other)
        run_aground(flow, flow.state.units[unit.id], piece)


def _leave(flow: BattleFlow, name: str) -> None:
    """Off the table: lost to the enemy, unless it left by an exit of its side."""
    unit = flow.state.units[name]
    way_out = exit_of(flow.state, unit)
    flow.emit(ev.MoveEnded(unit=name, stopped=unit.stopped))
    if way_out is None:
        remove(flow, flow.state.units[name], "left-table")
    else:
        remove(flow, flow.state.units[name], "exit", way_out.points)


@rule("CT-SCN-17")
def exit_of(state: State, unit: Unit) -> Exit | None:
    """The exit by which a unit has left the table, if it did.

    Ships of a convoy leave by the far edge; other exits are the scenario's.
    """
    assert unit.pose is not None
    edge = crossed(state, unit.seat, unit.pose.position)
    side = state.side(unit.seat)
    if unit.card == CONVOY_SHIP and side in state.terms.escorts and edge == "far":
        return Exit(side, "far", state.terms.convoy_points)
    for each in state.terms.exits:
        if (each.seat, each.edge) == (side, edge) and unit.card in (each.cards or (unit.card,)):
            return each
    return None


def _end(flow: BattleFlow, unit: Unit, order: Order) -> None:
    """The order is done, or cut short: a stop at its end leaves a STOPPED marker.

    A derelict that drifted may have sunk something, or itself: that leaves play at once.
    """
    flow.emit(ev.MoveEnded(unit=unit.id, stopped=unit.stopped or order.stop))
    if order.drifting:
        for each in in_order(flow.state):
            if each.pose is not None and hull_left(flow.state, each) <= 0:
                remove(flow, each, "destroyed")


@rule("CT-MOVE-22", "CT-AMB-80")
def finish(flow: BattleFlow) -> bool:
    """The next unit that has not moved but has to goes one klick straight ahead.

    It is one of the side whose step it is. One that has to go astern goes one klick straight
    astern; one that is barred ahead stops. No unit is sent into anything. False when none owes a
    move.
    """
    for unit in of_side(flow.state, owner(flow.state)):
        if why_not_mobile(flow.state, unit) is not None:
            continue
        owed = _owed(flow.state, unit)
        if owed is not None:
            order(flow, unit, owed)
            return True
    return False


def _owed(state: State, unit: Unit) -> Move | None:
    """The least that a unit has to do, if it has to do anything."""
    away = duty(state, unit)
    if away:
        return Move(unit.id, (0,), astern=away == "astern")
    if unit.stopped or not allowance(state, unit).total:
        return None
    return Move(unit.id, stop=True) if barred(state, unit) else Move(unit.id, (0,))


ANSWERS = {"evasion": evasion_rolled, "grounding": grounding_tested}
"""What this module does with the dice it asked for."""

__all__ = [
    "ANSWERS", "finish", "may_be_ordered", "open_water", "order", "ready", "set_out",
    "template", "tend", "why_not_set_out",
]  # fmt: skip
