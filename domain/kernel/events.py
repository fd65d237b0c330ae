"""Events that every game has: a game's own is a subclass, which may say more.

The kernel reads them in games of any ruleset; what they are called in store is the same in all.
"""

from __future__ import annotations

from typing import ClassVar

from .event import Event


class StepBegan(Event, frozen=True, kw_only=True):
    """A step begins. It says where one is, and clears what belongs to a step alone."""

    NAME: ClassVar[str] = "step-began"
    step: str
