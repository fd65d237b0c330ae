"""What a seat may ask. Every command is a body ready to post."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ....kernel import commands
from ....kernel.commands import named
from .state import Bearing, Mission, Pick, Place, Weapon

RULESET = "crimson-tide"
called = named(RULESET)

Name = Annotated[str, Meta(max_length=80)]
Ticks = Annotated[int, Meta(ge=-180, le=180)]
Coordinate = Annotated[int, Meta(ge=0, le=4_194_303)]
Heading = Annotated[int, Meta(ge=0, le=719)]


class Command(commands.Command, frozen=True, tag=called):
    """Base of every command but those that every game has."""


class SubmitFleet(Command, frozen=True):
    """Lock a secret fleet: cards, and for aircraft their bases (CT-FLEET-01, -06)."""

    units: Annotated[tuple[Pick, ...], Meta(min_length=1, max_length=60)]


class PlaceUnit(Command, frozen=True, tag=called("Place")):
    """Set up a ship or submarine: the middle of its base in wu and its heading in ticks."""

    card: Name
    x: Coordinate
    y: Coordinate
    heading: Heading


class Dive(Command, frozen=True):
    """Name the submarines that are submerged this turn; all others are surfaced (CT-SUB-02)."""

    submerged: Annotated[tuple[Name, ...], Meta(max_length=60)] = ()


class Move(Command, frozen=True):
    """Order the whole move for a ship or submarine (CT-MOVE-21).

    path    one number for each klick: ticks turned before it, starboard positive
    astern  go astern
    evade   spend half the movement on evasive maneuvers (CT-EVA-01)
    ram     submerged: do not avoid units that are submerged as well (CT-AMB-99)
    stop    take a STOPPED marker at the end; with no path: stay stopped
    """

    unit: Name
    path: Annotated[tuple[Ticks, ...], Meta(max_length=12)] = ()
    astern: bool = False
    evade: bool = False
    stop: bool = False
    ram: bool = False


class Deploy(Command, frozen=True):
    """Place an aircraft: beside a target to attack it, or free at any point (CT-AIRD-04)."""

    unit: Name
    mission: Mission
    target: Name = ""
    side: Place | Literal[""] = ""
    at: tuple[Coordinate, Coordinate] | None = None


class Attack(Command, frozen=True):
    """Declare an attack; range, arc and line of sight are measured afterwards (CT-GEN-06).

    arc  primary guns: an arc; secondary and tertiary guns, ship torpedoes: a side; else empty
    """

    unit: Name
    weapon: Weapon
    target: Name
    arc: Bearing = ""


class LandAircraft(Command, frozen=True, tag=called("Land")):
    """Return an aircraft to a ship or to the land base (CT-TRANS-01)."""

    unit: Name
    base: Name


class Pass(commands.Pass, frozen=True, tag=called):
    """Do no more in this step."""


class OfferDraw(Command, frozen=True):
    """Offer a draw; the game is drawn when both seats have offered in the same turn."""


class Resign(commands.Resign, frozen=True, tag=called):
    """Give the game up (CT-WIN-08)."""


AnyCommand = (
    SubmitFleet
    | PlaceUnit
    | Dive
    | Move
    | Deploy
    | Attack
    | LandAircraft
    | Pass
    | OfferDraw
    | Resign
)
