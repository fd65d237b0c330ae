"""What a missed deadline stands for: pass where one may, else what changes least."""

from __future__ import annotations

from ...kernel.options import Pending
from ...kernel.rules import rule
from . import commands as c
from .legal import legal
from .rules.diving import as_they_are
from .state import State


@rule("CT-FSM-14")
def usual(state: State, pending: Pending) -> c.AnyCommand:
    """The command of an absent seat; every open question has one, so no game hangs.

    Submarines stay as they are: to come up under the enemy's guns is no way to do nothing. Where
    something has to be done, a fleet, a place, a landing, it is the first thing on offer.
    """
    if pending.optional:
        return c.Pass()
    if state.phase == "dive":
        return c.Dive(as_they_are(state, pending.seat))
    return legal(state, pending.seat).commands[0]
