"""What a command comes to by itself, before dice and other units: part of the dry run."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from ....kernel.rules import rule
from ....kernel.values import Value
from ..rules import commands as c
from ..rules import events as ev
from ..rules.decide import decide
from ..rules.geometry.pose import Pose
from ..rules.state import State
from ..rules.voyage import open_water, past_others


class Point(Value, frozen=True):
    """The middle of a base, and its heading."""

    x: int
    y: int
    heading: int


class CoursePreview(Value, frozen=True):
    """The course of a move over open water; or, where measuring is free, what an attack measures.

    track       the pose after each turn and each klick
    off_table   whether the order would carry the unit off the table
    meets, stops, tested  where measuring is free: units and land that it would run into, the pose
                in which it ends, and whether there is a die before
    band        of an attack: the band of its range; ``sight`` and ``spotter`` by whom it is seen
    dice, least its dice, and the least face of them that hits
    armor, critical  ratings that hits have to overcome
    impossible  the reason why the attack would be impossible
    """

    track: tuple[Point, ...] | UnsetType = UNSET
    off_table: bool | UnsetType = UNSET
    meets: tuple[str, ...] | UnsetType = UNSET
    stops: Point | UnsetType = UNSET
    tested: bool | UnsetType = UNSET
    band: int | UnsetType = UNSET
    sight: str | UnsetType = UNSET
    spotter: str | UnsetType = UNSET
    dice: int | UnsetType = UNSET
    least: int | UnsetType = UNSET
    armor: int | UnsetType = UNSET
    critical: int | UnsetType = UNSET
    impossible: str | UnsetType = UNSET


@rule("CT-AMB-103")
def free(state: State) -> bool:
    """By agreement everybody may measure before declaring; otherwise nobody (CT-GEN-06)."""
    return state.options.measuring == "free"


def preview(state: State, command: c.AnyCommand) -> dict[str, Any] | None:
    """The course of an order over open water: the pose after each turn and each klick.

    ``offTable`` tells that the order would carry the unit off the table. Where measuring is free,
    also what it would run into, and of an attack all that is measured once it is declared.
    """
    match command:
        case c.Move():
            return _course(state, command)
        case c.Attack() if free(state):
            return _measure(state, command)
    return None


def _course(state: State, move: c.Move) -> dict[str, Any]:
    track, left = open_water(state, state.units[move.unit], move)
    told = {"track": [_plain(pose) for pose in track], "offTable": left}
    return told | _among_others(state, move) if free(state) else told


def _among_others(state: State, move: c.Move) -> dict[str, Any]:
    """``meets`` units and land that it would run into, ``stops`` where; ``tested`` before a die."""
    unit = state.units[move.unit]
    told = decide(state, unit.seat, move)
    order = next(event.order for event in told if isinstance(event, ev.MoveOrdered))
    track, met, tested = past_others(state, unit, order)
    assert unit.pose is not None
    return {"meets": list(met), "stops": _plain([unit.pose, *track][-1]), "tested": tested}


def _plain(pose: Pose) -> dict[str, int]:
    return {"x": pose.x, "y": pose.y, "heading": pose.heading}


def _measure(state: State, attack: c.Attack) -> dict[str, Any]:
    """Band, sight, dice and ratings; or the band and why the attack would be impossible."""
    for event in decide(state, state.units[attack.unit].seat, attack):
        match event:
            case ev.AttackMeasured(shot=shot):
                return {
                    "band": shot.band,
                    "sight": shot.seen.sight if shot.seen else "",
                    "spotter": shot.spotter,
                    "dice": shot.dice.total,
                    "least": shot.least.total,
                    "armor": shot.armor.total,
                    "critical": shot.critical.total,
                }
            case ev.AttackWasted():
                return {
                    "band": event.band,
                    "sight": event.seen.sight if event.seen else "",
                    "impossible": event.reason,
                }
    raise AssertionError("an attack that is declared is measured")
