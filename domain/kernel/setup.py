"""What is agreed before a game, who plays with whom, and how it ended."""

from __future__ import annotations

from typing import Any

import msgspec

from .custom import Kind
from .fork import Fork
from .values import Seat, Value

Side = tuple[Seat, ...]
"""Seats that play, and win, together."""


def _no_options() -> dict[str, Any]:
    """A default that is written out even where defaults are left out (msgspec knows ``dict``)."""
    return {}


class Setup(Value, frozen=True, omit_defaults=True):
    """The agreement before a game: everything that ``opening`` may depend on.

    The dice are bound to its canonical form, which leaves ``customs`` out where there are none: so
    it is the same as before there were any.

    options  the ruleset's own options as plain JSON; :attr:`Game.options` is their typed form
    customs  documents that the players bring, by kind, as plain JSON; :attr:`Game.customs` reads
             them. With a scenario among them, ``scenario`` is ``"custom"``.
    fork     the position of another game that this one goes on from; the rest is that game's set-up
    """

    ruleset: str
    edition: str
    scenario: str
    seats: tuple[Seat, ...]
    options: dict[str, Any] = msgspec.field(default_factory=_no_options)
    customs: dict[Kind, Any] = msgspec.field(default_factory=dict)
    fork: Fork | None = None


class Result(Value, frozen=True):
    """The end of a game. ``winners`` is empty for a draw; ``rule`` is the rule that ended it."""

    winners: tuple[Seat, ...]
    reason: str
    rule: str
