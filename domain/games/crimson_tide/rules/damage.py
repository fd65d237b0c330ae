"""DMG, CRIT, EOT: what takes effect at the end of a turn, in its fixed order (CT-EOT-07)."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import events as ev
from .asking import ask
from .criticals import CRIPPLED, EXPLOSION, FIRE, repairable
from .facts import (
    CONVOY_SHIP,
    card_of,
    crippled,
    flying,
    has_critical,
    hull_left,
    in_order,
    sinking,
)
from .sides import of_side
from .state import Purpose, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]
Faces = tuple[tuple[int, ...], ...]

REPAIRED_ON = 5


@rule("CT-DMG-12")
def harm(flow: BattleFlow, event: ev.AnyEvent, name: str, by: str = "") -> None:
    """What may destroy or cripple a unit, and the counter that is placed on it at once."""
    before = counter(flow.state, name)
    flow.emit(event)
    after = counter(flow.state, name)
    if after == before:
        return
    if after == "destroyed":
        flow.emit(ev.UnitDestroyed(unit=name, by=by, rules=("CT-DMG-12", "CT-DMG-08")))
    elif after == "crippled":
        flow.emit(ev.UnitCrippled(unit=name, by=by, rules=("CT-DMG-12", "CT-DMG-07")))


def counter(state: State, name: str) -> str:
    """The counter that lies beside a unit: destroyed, crippled or none."""
    unit = state.units[name]
    if sinking(state, unit):
        return "destroyed"
    if unit.pose is None:
        return ""
    marked = CRIPPLED.number in unit.pending_criticals
    return "crippled" if marked or crippled(state, unit) else ""


def lose_hull(
    flow: BattleFlow, unit: Unit, hull: int, cause: str, by: str, pending: bool = True
) -> None:
    """Hull points lost in a collision or on the ground."""
    rules = ("CT-COLL-12",) if pending else ("CT-EOT-06",)
    lost = ev.HullLost(unit=unit.id, hull=hull, cause=cause, pending=pending, rules=rules)
    harm(flow, lost, unit.id, by if by in flow.state.units else "")


@rule("CT-CRIT-15")
def settle_crippled(flow: BattleFlow) -> None:
    """At the end of a phase a ship with a new CRIPPLED marker is down to its last hull point.

    So hits of a later phase find one hull point and no more, though none is taken off yet.
    """
    if flow.state.options.critical_crippled != "one-hull-point":
        return
    for unit in in_order(flow.state):
        spare = hull_left(flow.state, unit) - unit.pending - 1
        if CRIPPLED.number in unit.pending_criticals and spare > 0:
            rules = ("CT-CRIT-15",)
            flow.emit(ev.HullLost(unit=unit.id, hull=spare, cause="crippling", rules=rules))


@rule("CT-WIN-02", "CT-WIN-05", "CT-AAW-14", "CT-CARD-02", "CT-MOVE-03", "CT-GEN-09")
def remove(flow: BattleFlow, unit: Unit, cause: str, prize: int = 0) -> None:
    """Take a unit out of play: the enemy side scores its cost, once, unless it left by its exit.

    Then its own side scores the ``prize``. Aircraft on board go with it (CT-CV-06).
    """
    safe = cause == "exit"
    state = flow.state
    scorer = state.side(unit.seat) if safe and prize else state.other(unit.seat)
    points = prize if safe else worth(flow.state, unit)
    rules = ("CT-SCN-17",) if safe else ("CT-WIN-02",)
    aboard = on_board(flow.state, unit)
    flow.emit(ev.UnitRemoved(unit=unit.id, scorer=scorer, points=points, cause=cause, rules=rules))
    for aircraft in aboard:
        remove(flow, aircraft, "exit" if safe else "with-carrier")


def worth(state: State, unit: Unit) -> int:
    """What the enemy scores for a unit: its cost, or what the terms say of a convoy's ship."""
    if unit.card == CONVOY_SHIP and state.terms.convoy_points:
        return state.terms.convoy_points
    return card_of(state, unit).points


@rule("CT-CV-06", "CT-AMB-48")
def on_board(state: State, unit: Unit) -> list[Unit]:
    """Aircraft that are at this base, not in the air."""
    side = of_side(state, unit.seat)
    return [each for each in side if each.base == unit.id and not flying(each)]


@rule(
    "CT-DMG-01",
    "CT-DMG-02",
    "CT-DMG-09",
    "CT-CRIT-03",
    "CT-AMB-02",
    "CT-AMB-55",
    "CT-DMG-10",
)
def apply(flow: BattleFlow) -> None:
    """E1: hull points that are pending, then CRIPPLED, then EXPLOSION."""
    for unit in in_order(flow.state):
        if unit.pose is None or not (unit.pending or unit.pending_criticals):
            continue
        full = card_of(flow.state, unit).hull_points
        lost = unit.hull_lost + unit.pending
        to_one = flow.state.options.critical_crippled == "one-hull-point"
        if CRIPPLED.number in unit.pending_criticals and to_one:
            lost = max(lost, full - 1)
        if EXPLOSION.number in unit.pending_criticals:
            lost = max(lost, full)
        also = ("CT-CRIT-15",) if CRIPPLED.number in unit.pending_criticals else ()
        applied = ev.DamageApplied(
            unit=unit.id,
            hull_lost=min(lost, full),
            criticals=unit.pending_criticals,
            rules=("CT-EOT-07", *also),
        )
        harm(flow, applied, unit.id)


@rule("CT-DMG-03", "CT-AAW-08", "CT-AMB-71")
def bury(flow: BattleFlow) -> None:
    """E2: units without hull points, and aircraft with a DESTROYED marker, leave play."""
    for unit in in_order(flow.state):
        if unit.id not in flow.state.units:
            continue
        if unit.doomed or (unit.pose is not None and hull_left(flow.state, unit) <= 0):
            remove(flow, unit, "destroyed")


@rule("CT-EOT-02", "CT-EOT-03", "CT-EOT-04", "CT-AMB-57")
def repair(flow: BattleFlow) -> bool:
    """E3: ask for the next repair check; false when every marker has had its one."""
    state = flow.state
    for unit in in_order(state):
        for number in unit.criticals:
            if not repairable(number) or number in unit.mended:
                continue
            if number in unit.fresh and not state.options.repair_same_turn:
                continue
            ask(flow, Purpose("repair", unit.id, str(number)), unit.seat, Dice(1))
            return True
    return False


def repair_rolled(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    """5 or 6 takes the marker off; hull points never come back."""
    face = faces[0][0]
    flow.emit(
        ev.RepairRolled(
            unit=purpose.unit,
            critical=int(purpose.other),
            face=face,
            repaired=face >= REPAIRED_ON,
            rules=("CT-EOT-02",),
        )
    )


@rule("CT-EOT-05", "CT-CRIT-06", "CT-SEQ-05", "CT-AMB-56")
def burn(flow: BattleFlow) -> None:
    """E4: at the end of even turns a fire costs a hull point; the last one sinks the unit."""
    if flow.state.turn % 2:
        return
    for unit in in_order(flow.state):
        if has_critical(unit, FIRE):
            harm(flow, ev.FireBurned(unit=unit.id, rules=("CT-CRIT-06",)), unit.id)
            if hull_left(flow.state, flow.state.units[unit.id]) <= 0:
                remove(flow, flow.state.units[unit.id], "fire")
