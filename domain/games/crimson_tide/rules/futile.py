"""DMG: attacks that are legal and can do nothing more, because the target is lost already."""

from __future__ import annotations

from . import commands as c
from .facts import sinking
from .state import State

RULE = "CT-DMG-08"


def pointless(state: State, command: c.AnyCommand) -> str:
    """Why an attack can do nothing more, in words; empty for every other command.

    A DESTROYED marker lies open on the table, so that nothing is measured by telling.
    """
    if not isinstance(command, c.Attack) or not _lost(state, command.target):
        return ""
    return f"already destroyed: it leaves play whatever else hits it ({RULE})"


def last(state: State, found: tuple[c.AnyCommand, ...]) -> tuple[c.AnyCommand, ...]:
    """The same commands in their order, but those that can do nothing at the end."""
    aimed_at = {command.target for command in found if isinstance(command, c.Attack)}
    lost = {name for name in aimed_at if _lost(state, name)}
    if not lost:
        return found
    return tuple(sorted(found, key=lambda each: isinstance(each, c.Attack) and each.target in lost))


def _lost(state: State, name: str) -> bool:
    unit = state.units.get(name)
    return unit is not None and sinking(state, unit)
