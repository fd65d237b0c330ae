"""Commands that every game has: a game's own is a subclass, which has a ``tag``."""

from __future__ import annotations

from .values import Value


class Command(Value, frozen=True, tag_field="type"):
    """Base of every command."""


class Pass(Command, frozen=True):
    """Do no more in this step, or decline what is asked."""


class Resign(Command, frozen=True):
    """Give the game up."""
