"""Exact odds: of an order before it is given, and of the roll that is awaited."""

from __future__ import annotations

from typing import Any

from domain.kernel.chances import Chances, Outcome, threshold

from .commands import Command, Fire
from .course import dice_tally, least
from .state import State


def odds(state: State, command: Command) -> dict[str, Any] | None:
    """Chance of at least one hit as an exact fraction."""
    if not isinstance(command, Fire) or not state.colours:
        return None
    seat = state.seats[state.mover]
    count = dice_tally(state, seat, command.aim).total
    misses = least(state, seat) - 1
    return {"hit": {"of": 6**count, "in": 6**count - misses**count}}


def chances(state: State) -> Chances | None:
    """Points: hits of the first roll, the sum of the second one."""
    awaited = state.awaited
    if awaited is None:
        return None
    if awaited.label.startswith("magazine"):
        return Chances("magazine", awaited.owner, (tuple(range(1, 7)),), (), "gun", "pennant")
    worth = (threshold(6, least(state, awaited.owner)),)
    return Chances("hull", awaited.owner, worth, (Outcome("hit", 1),), "gun", "pennant")


def prospects(state: State) -> dict[str, Any] | None:
    """In the words of ``chances``."""
    found = chances(state)
    if found is None or state.awaited is None:
        return None
    return {"kind": found.kind, "best": str(max(found.ways(state.awaited.pools)))}
