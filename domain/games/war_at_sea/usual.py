"""What a missed deadline stands for: pass where one may, else what is due, or legal, first."""

from __future__ import annotations

from ...kernel.options import Pending
from . import commands as c
from .legal import legal
from .rules.duties import duties
from .state import State


def usual(state: State, pending: Pending) -> c.AnyCommand:
    """The command of an absent seat; every open question has one, so no game hangs."""
    if pending.optional:
        return c.Pass()
    return next(duties(state, pending.seat), None) or legal(state, pending.seat).commands[0]
