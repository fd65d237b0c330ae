"""The example of how a game is made, for tests of everything that is not one of our three games.

The game is ``domain.examples.pennant``; here are its set-ups and its mutants.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from domain.examples.pennant.game import GAME, RULES
from domain.examples.pennant.rules.commands import Choose, Command, Fire, Pass
from domain.examples.pennant.rules.course import tender_of
from domain.examples.pennant.rules.customs import REGATTA
from domain.examples.pennant.rules.events import (
    AnyEvent,
    Chosen,
    FireDeclared,
    FireResolved,
    TenderLost,
    TurnPassed,
    redact,
)
from domain.examples.pennant.rules.state import State
from domain.examples.pennant.shown.words import ROLES
from domain.kernel.game import Game
from domain.kernel.setup import Setup

SETUP = Setup("pennant", "first", "standard", ("p1", "p2"), {})


def setup(turns: int) -> Setup:
    """A set-up for so many turns."""
    return msgspec.structs.replace(SETUP, options={"turns": turns})


def mutant(**functions: Any) -> Game[State, Command, AnyEvent]:
    """The game with some functions exchanged, to show that a check can fail."""
    return replace(GAME, **functions)


__all__ = [
    "GAME", "REGATTA", "ROLES", "RULES", "SETUP", "AnyEvent", "Choose", "Chosen", "Command", "Fire",
    "FireDeclared", "FireResolved", "Pass", "State", "TenderLost", "TurnPassed", "mutant", "redact",
    "setup", "tender_of",
]  # fmt: skip
