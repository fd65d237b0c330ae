"""What the game lists of itself: its steps and questions, and where silence is meant.

The completeness check (kernel/testing) asks for everything else. Each entry here is a decision.
"""

from __future__ import annotations

from ...kernel.tables import Tables
from . import events as ev
from . import names
from .sequence import keys
from .state import Options

QUESTIONS = frozenset(
    {
        "build-fleet", "place", "dive", "move", "deploy-aircraft", "attack", "land-aircraft",
    }
)  # fmt: skip
"""Everything that a seat may be asked."""

WAYS = (
    Options(),
    Options(damage_effects="end-of-phase"),
    Options(dive_declaration="first-player-first"),
)
"""Agreements that bring steps of their own."""

QUIET: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.TaskDone,
        ev.TransitEnded,
        ev.TurnEnded,
    }
)
"""Book-keeping: these say nothing."""

UNRULED: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.GameOpened,
        ev.MoveEnded,
        ev.Passed,
        ev.StepBegan,
        ev.TaskDone,
        ev.TurnBegan,
    }
)
"""These carry out what another event decided, and name no rule."""

UNDRAWN: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.GameOpened,
        ev.TaskDone,
        ev.TransitEnded,
        ev.TurnEnded,
    }
)
"""These are in no picture of the last action."""

TABLES = Tables(
    where=__name__,
    step=lambda state: state.step,
    titles={key: names.phase_name(key) for way in WAYS for key in keys(way)},
    titled=names.__name__,
    questions=QUESTIONS,
    quiet=QUIET,
    unruled=UNRULED,
    undrawn=UNDRAWN,
)
