"""What a command comes to by itself, before dice and other units: part of the dry run."""

from __future__ import annotations

from typing import Any

from . import commands as c
from .rules.voyage import open_water
from .state import State


def preview(state: State, command: c.AnyCommand) -> dict[str, Any] | None:
    """The course of an order over open water: the pose after each turn and each klick.

    ``offTable`` tells that the order would carry the unit off the table.
    """
    if not isinstance(command, c.Move):
        return None
    track, left = open_water(state, state.units[command.unit], command)
    poses = [{"x": pose.x, "y": pose.y, "heading": pose.heading} for pose in track]
    return {"track": poses, "offTable": left}
