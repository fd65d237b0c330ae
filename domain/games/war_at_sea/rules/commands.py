"""What a seat may ask. Every command is a body ready to post."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ....kernel import commands
from ....kernel.commands import named
from .state import Alliance, Edge

RULESET = "war-at-sea"
called = named(RULESET)

Name = Annotated[str, Meta(max_length=80)]


class Command(commands.Command, frozen=True, tag=called):
    """Base of every command but those that every game has."""


class ChooseSide(Command, frozen=True):
    """The winner of the coin picks the side to command (WAS-SETUP-03)."""

    alliance: Alliance


class SubmitFleet(Command, frozen=True):
    """Lock a secret fleet: card IDs, one for each unit (WAS-SETUP-23)."""

    cards: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=60)]


class ChooseEdge(Command, frozen=True):
    """The first deployer takes one side of the map (WAS-SETUP-12)."""

    edge: Edge


class Deploy(Command, frozen=True):
    """Set up one unit of the fleet: ``at`` is a sector, ``"airbase"`` or a Carrier's unit ID."""

    card: Name
    at: Name


class Move(Command, frozen=True):
    """Move a Ship or Submarine to a sector in reach; ``boost`` is an ability that adds speed."""

    unit: Name
    to: Name
    boost: Name = ""


class Place(Command, frozen=True):
    """Give an Aircraft its mission in a sector; say now if it strafes or which role it takes."""

    unit: Name
    sector: Name
    strafing: bool = False
    role: Name = ""


class SendToAirbase(Command, frozen=True):
    """2009: give an Aircraft the land airbase as its mission; all others follow (WAS-AIRM-08)."""

    unit: Name


class Fire(Command, frozen=True, tag=called("Attack")):
    """Attack ``target`` with one attack row; ``abilities`` are optional ones declared with it."""

    unit: Name
    weapon: Name
    target: Name
    abilities: Annotated[tuple[Name, ...], Meta(max_length=4)] = ()


class Use(Command, frozen=True):
    """Use an optional ability of a unit, on a unit or a sector where it needs one."""

    unit: Name
    ability: Name
    on: Name = ""


class Risk(Command, frozen=True):
    """Choose an Aircraft that may go down with a lost Carrier (WAS-AIR-10, WAS-AIR-14)."""

    carrier: Name
    unit: Name


class Return(Command, frozen=True):
    """Return an Aircraft to a Carrier or to the land airbase."""

    unit: Name
    base: Name


class Eliminate(Command, frozen=True):
    """Give up an Aircraft that no base has room for (WAS-RETN-14)."""

    unit: Name


class Claim(Command, frozen=True):
    """Claim the objective in a sector (WAS-EOT-01), where the option ``claims`` is ``asked``."""

    sector: Name


class Pass(commands.Pass, frozen=True, tag=called):
    """Do no more in this step, or decline the question."""


class CallStalemate(Command, frozen=True):
    """Ask for the game to be ended as a stalemate at the end of this turn (RUL-83)."""


class Resign(commands.Resign, frozen=True, tag=called):
    """Give the game up (RUL-89)."""


AnyCommand = (
    ChooseSide
    | SubmitFleet
    | ChooseEdge
    | Deploy
    | Move
    | Place
    | SendToAirbase
    | Fire
    | Use
    | Risk
    | Return
    | Eliminate
    | Claim
    | Pass
    | CallStalemate
    | Resign
)
