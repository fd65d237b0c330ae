"""What a missed deadline stands for: pass where one may, else the first thing that is legal."""

from __future__ import annotations

from ...kernel.options import Pending
from ...kernel.rules import rule
from . import commands as c
from .legal import legal
from .state import State


@rule("CT-FSM-14")
def usual(state: State, pending: Pending) -> c.AnyCommand:
    """The command of an absent seat; every open question has one, so no game hangs."""
    return c.Pass() if pending.optional else legal(state, pending.seat).commands[0]
