"""What the seats order, and what they agree on before."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from domain.kernel.agreed import option
from domain.kernel.values import Value

Colour = Literal["bold", "steady"]
Aim = Literal["hull", "magazine"]
COLOURS: tuple[Colour, ...] = ("bold", "steady")
AIMS: tuple[Aim, ...] = ("hull", "magazine")


class PennantOptions(Value, frozen=True):
    """``turns``: turns of both seats together, 1 to 20,000."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=20_000), option("PEN-1")] = 4


class Choose(Value, frozen=True, tag_field="type", tag="choose"):
    """Choose a colour in secret."""

    colour: Colour


class Fire(Value, frozen=True, tag_field="type", tag="fire"):
    """Fire at a part of the enemy."""

    aim: Aim = "hull"


class Pass(Value, frozen=True, tag_field="type", tag="pass"):
    """Let the turn go by."""


Command = Choose | Fire | Pass
