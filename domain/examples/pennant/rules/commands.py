"""What the seats order, and what they agree on before."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from domain.kernel import commands
from domain.kernel.agreed import option
from domain.kernel.commands import named
from domain.kernel.values import Value

RULESET = "pennant"
called = named(RULESET)

Colour = Literal["bold", "steady"]
Aim = Literal["hull", "magazine"]
COLOURS: tuple[Colour, ...] = ("bold", "steady")
AIMS: tuple[Aim, ...] = ("hull", "magazine")


class PennantOptions(Value, frozen=True):
    """``turns``: turns of both seats together, 1 to 20,000."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=20_000), option("PEN-1")] = 4


class Order(commands.Command, frozen=True, tag=called):
    """Base of every order: ``Choose`` is posted as ``pennant.choose``."""


class Choose(Order, frozen=True):
    """Choose a colour in secret."""

    colour: Colour


class Fire(Order, frozen=True):
    """Fire at a part of the enemy."""

    aim: Aim = "hull"


class Pass(commands.Pass, frozen=True, tag=called):
    """Let the turn go by."""


Command = Choose | Fire | Pass
