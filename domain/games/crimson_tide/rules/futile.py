"""DMG: attacks that are legal and can do nothing more, because the target is lost already."""

from __future__ import annotations

from .. import commands as c
from ..state import State
from .facts import sinking

RULE = "CT-DMG-08"


def pointless(state: State, command: c.AnyCommand) -> str:
    """Why an attack can do nothing more, in words; empty for every other command.

    A DESTROYED marker lies open on the table, so that nothing is measured by telling.
    """
    target = state.units.get(command.target) if isinstance(command, c.Attack) else None
    if target is None or not sinking(state, target):
        return ""
    return f"already destroyed: it leaves play whatever else hits it ({RULE})"


def last(state: State, found: list[c.AnyCommand]) -> list[c.AnyCommand]:
    """The same commands in their order, but those that can do nothing at the end."""
    return sorted(found, key=lambda command: bool(pointless(state, command)))
