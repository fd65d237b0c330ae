"""What a missed deadline stands for: pass where one may, else the first thing that is legal.

Only a fleet is not the first of the list, which everybody could foresee: it is drawn in secret.
"""

from __future__ import annotations

from ...kernel.options import Pending
from . import commands as c
from .legal import legal
from .state import State


def usual(state: State, pending: Pending) -> c.AnyCommand:
    """The command of an absent seat; every open question has one, so no game hangs (NB-FSM-06)."""
    if pending.question == "commit-fleet":
        return c.DrawFleet()
    return c.Pass() if pending.optional else legal(state, pending.seat).commands[0]
