"""STEER: how a unit may turn on its way, and what makes a path legal."""

from __future__ import annotations

from ....kernel.rules import No, rule
from ..commands import Move
from ..criticals import STEERING
from ..geometry.fixed import RIGHT_ANGLE
from ..geometry.hull import Size
from ..geometry.track import sail
from ..state import State, Unit
from .facts import has_critical, size_of
from .geography import waters
from .movement import after_evading, allowance, astern_most, why_not_evade, why_not_mobile

TEMPLATES: dict[Size, int] = {"capital": 45, "large": 60, "medium": 72, "small": 90}


@rule("CT-STEER-01", "CT-STEER-02", "CT-STEER-03", "CT-UNIT-02")
def template_angle(size: Size) -> int:
    """Ticks that a unit of this size may turn before a klick: 22.5, 30, 36 or 45 degrees."""
    return TEMPLATES[size]


@rule("CT-MOVE-21", "CT-FSM-04", "CT-SUB-08")
def why_not_move(state: State, unit: Unit, move: Move) -> No | None:
    """Why an order may not be carried out; it is refused whole, before any die is rolled."""
    barred = why_not_mobile(state, unit)
    if barred is None and move.evade:
        barred = why_not_evade(state, unit)
    if barred is not None:
        return barred
    if not move.path:
        return _why_not_stay(state, unit, move)
    return _why_not_turn(unit, move.path) or (
        _why_not_astern(state, unit, move) if move.astern else _why_not_ahead(state, unit, move)
    )


@rule("CT-MOVE-04", "CT-MOVE-09", "CT-AMB-85")
def _why_not_stay(state: State, unit: Unit, move: Move) -> No | None:
    """Only a unit that is stopped already, or cannot move at all, may stay where it is."""
    if move.astern:
        return No("move.nothing-astern", "CT-MOVE-12", "At least one klick astern.", "/path")
    if owes_sternway(state, unit):
        return No("move.must-reverse", "CT-COLL-09", "It has to go astern now.", "/astern")
    if unit.stopped or not allowance(state, unit).total:
        return None
    return No("move.must-move", "CT-MOVE-04", "It must move at least one klick ahead.", "/path")


@rule("CT-COLL-09", "CT-AMB-32", "CT-MOVE-16")
def owes_sternway(state: State, unit: Unit) -> bool:
    """Whether a unit has to go astern after a collision, and can: else the duty waits.

    It cannot without a movement, or when something touches its base right astern.
    """
    if not unit.must_reverse or not allowance(state, unit).total:
        return False
    assert unit.pose is not None
    klick, sea = state.options.klick, waters(state, unit, tested=False)
    return sail(unit.pose, size_of(state, unit), klick, True, sea).steps > 0


@rule("CT-MOVE-17", "CT-CRIT-04")
def _why_not_turn(unit: Unit, path: tuple[int, ...]) -> No | None:
    """With STEERING BREAKDOWN a unit runs straight, ahead or astern."""
    if has_critical(unit, STEERING) and any(path):
        return No("move.steering-breakdown", "CT-MOVE-17", "It may not turn.", "/path")
    return None


@rule("CT-STEER-04", "CT-STEER-06", "CT-STEER-07", "CT-STEER-09", "CT-MOVE-06", "CT-MOVE-07",
      "CT-AMB-35")  # fmt: skip
def _why_not_ahead(state: State, unit: Unit, move: Move) -> No | None:
    """Straight for the first klick, then up to the template's angle before each klick made."""
    if unit.must_reverse:
        return No("move.must-reverse", "CT-COLL-09", "It has to go astern first.", "/astern")
    most = allowance(state, unit).total
    most = after_evading(most) if move.evade else most
    if len(move.path) > most:
        return No("move.too-far", "CT-MOVE-01", f"At most {most} klicks.", "/path")
    if move.path[0]:
        return No("move.first-klick", "CT-STEER-06", "The first klick is straight.", "/path/0")
    angle = template_angle(size_of(state, unit))
    for number, ticks in enumerate(move.path):
        if abs(ticks) > angle:
            hint = f"At most {angle} ticks either way before a klick."
            return No("move.turn-too-sharp", "CT-STEER-04", hint, f"/path/{number}")
    return None


@rule("CT-MOVE-10", "CT-MOVE-13", "CT-MOVE-14", "CT-AMB-33", "CT-AMB-34")
def _why_not_astern(state: State, unit: Unit, move: Move) -> No | None:
    """Only from a stop made in an earlier turn; turns as one likes, 90 degrees in all."""
    if not unit.stopped:
        return No("move.not-stopped", "CT-MOVE-10", "Only a stopped unit goes astern.", "/astern")
    most = astern_most(allowance(state, unit).total, move.evade)
    if len(move.path) > most:
        return No("move.too-far", "CT-MOVE-11", f"At most {most} klicks astern.", "/path")
    if sum(map(abs, move.path)) > RIGHT_ANGLE:
        hint = f"At most {RIGHT_ANGLE} ticks of turn in all."
        return No("move.turn-too-sharp", "CT-MOVE-14", hint, "/path")
    return None
