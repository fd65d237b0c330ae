"""STEER: how a unit may turn on its way, and what makes a path legal."""

from __future__ import annotations

from typing import Literal

from ....kernel.memo import latest
from ....kernel.rules import No, rule
from .commands import Move
from .criticals import STEERING
from .facts import has_critical, size_of
from .geography import waters_around
from .geometry.fixed import RIGHT_ANGLE
from .geometry.hull import Size
from .geometry.track import Stretch, Way, begun
from .movement import after_evading, allowance, astern_most, why_not_evade, why_not_mobile
from .state import State, Unit

TEMPLATES: dict[Size, int] = {"capital": 45, "large": 60, "medium": 72, "small": 90}


@rule("CT-STEER-01", "CT-STEER-02", "CT-STEER-03", "CT-UNIT-02")
def template_angle(size: Size) -> int:
    """Ticks that a unit of this size may turn before a klick: 22.5, 30, 36 or 45 degrees."""
    return TEMPLATES[size]


@rule("CT-MOVE-21", "CT-FSM-04", "CT-SUB-08")
def why_not_move(state: State, unit: Unit, move: Move) -> No | None:
    """Why an order may not be carried out; it is refused whole, before any die is rolled."""
    barred_ = why_not_mobile(state, unit)
    if barred_ is None and move.evade:
        barred_ = why_not_evade(state, unit)
    barred_ = barred_ or _why_not_ram(state, unit, move)
    if barred_ is not None:
        return barred_
    if not move.path:
        return _why_not_stay(state, unit, move)
    return (
        _why_not_turn(unit, move.path)
        or _why_not_away(state, unit, move)
        or (
            _why_not_astern(state, unit, move) if move.astern else _why_not_ahead(state, unit, move)
        )
        or _why_no_way(state, unit, move)
    )


@rule("CT-AMB-99")
def _why_not_ram(state: State, unit: Unit, move: Move) -> No | None:
    """Only submerged units choose to collide: on the surface whatever bases meet does."""
    if not move.ram or (unit.submerged and state.options.deep_ramming == "voluntary"):
        return None
    return No("move.no-ram", "CT-AMB-99", "Only what is submerged may choose to ram.", "/ram")


@rule("CT-MOVE-04", "CT-MOVE-09", "CT-AMB-85")
def _why_not_stay(state: State, unit: Unit, move: Move) -> No | None:
    """Only a unit that is stopped already, cannot move or is barred ahead may stay where it is."""
    if move.astern:
        return No("move.nothing-astern", "CT-MOVE-12", "At least one klick astern.", "/path")
    away = _why_not_away(state, unit, move)
    if away is not None or unit.stopped or not allowance(state, unit).total:
        return away
    if not barred(state, unit):
        return No("move.must-move", "CT-MOVE-04", "It must move at least one klick ahead.", "/path")
    return None if move.stop else No("move.must-stop", "CT-AMB-95", "Barred ahead: stop.", "/stop")


@rule("CT-AMB-95")
def barred(state: State, unit: Unit) -> bool:
    """Whether something lies in the way of one klick straight ahead: then it may stop at once."""
    return bool(_klick(state, unit, astern=False).met)


@latest
def _tried(state: State) -> dict[tuple[str, Way, bool], Stretch]:
    """Beginnings by unit, way and ramming, filled in as they are asked for in the last state."""
    return {}


def _try(state: State, unit: Unit, way: Way, ram: bool) -> Stretch:
    """How one klick straight, or one tick of a turn, would go.

    A unit's orders by the dozen begin in the same few ways; each is followed once a state.
    """
    if unit is not state.units.get(unit.id):
        return _followed(state, unit, way, ram)
    tried, key = _tried(state), (unit.id, way, ram)
    found = tried.get(key)
    if found is None:
        found = tried[key] = _followed(state, unit, way, ram)
    return found


def _followed(state: State, unit: Unit, way: Way, ram: bool) -> Stretch:
    """Treacherous waters bar neither."""
    assert unit.pose is not None
    sea = waters_around(state, unit, 1 if way in ("ahead", "astern") else 0, ram)
    return begun(unit.pose, size_of(state, unit), state.options.klick, way, sea)


def _klick(state: State, unit: Unit, astern: bool, ram: bool = False) -> Stretch:
    """How one klick straight would go."""
    return _try(state, unit, "astern" if astern else "ahead", ram)


@rule("CT-COLL-09", "CT-AMB-32", "CT-MOVE-16")
def duty(state: State, unit: Unit) -> Literal["", "ahead", "astern"]:
    """Which way a unit has to go now to leave what it ran into; empty: it need not, or cannot.

    It cannot without a movement, nor where a straight klick that way would meet something or leave
    the table. By agreement the duty waits, and then only something right at its base bars it.
    """
    if not unit.must_reverse or not allowance(state, unit).total:
        return ""
    gone = _klick(state, unit, astern=not unit.away_ahead)
    waits = state.options.reverse_duty == "until-done"
    able = gone.steps > 0 if waits else not gone.cut
    return "" if not able else "ahead" if unit.away_ahead else "astern"


def _why_not_away(state: State, unit: Unit, move: Move) -> No | None:
    """Why a unit that has run into something may not go, or stay, like this."""
    if not unit.must_reverse:
        return None
    course = duty(state, unit)
    waiting = state.options.reverse_duty == "until-done" and move.path and not move.astern
    if course == "ahead" and (move.astern or not move.path):
        return No("move.must-go-ahead", "CT-AMB-93", "It has to go ahead now.", "/astern")
    if (course == "astern" and not move.astern) or (waiting and not unit.away_ahead):
        return No("move.must-reverse", "CT-COLL-09", "It has to go astern first.", "/astern")
    return None


@rule("CT-AMB-94")
def _why_no_way(state: State, unit: Unit, move: Move) -> No | None:
    """An order that could not begin, because of what the base lies against, is no order."""
    if state.options.touching == "collides":
        return None
    if move.path[0]:
        first = _try(state, unit, "starboard" if move.path[0] > 0 else "port", move.ram)
    else:
        first = _klick(state, unit, move.astern, move.ram)
    if first.steps or not first.met:
        return None
    return No("move.in-contact", "CT-AMB-94", f"It lies against {first.met[0]}.", "/path/0")


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
