"""What a seat may ask. Every command is a body ready to post."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import force_setattr

from ....kernel import commands
from ....kernel.commands import named
from ....kernel.values import Seat, Value
from .ships import Nation, place

RULESET = "naval-battles"
called = named(RULESET)

Name = Annotated[str, Meta(max_length=80)]
Number = Annotated[int, Meta(ge=0, le=1000)]


class Command(commands.Command, frozen=True, tag=called):
    """Base of every command but those that every game has."""


class ChooseNation(Command, frozen=True):
    """Take one of the nations that are left (NB-SETUP-08)."""

    nation: Nation


class CommitFleet(Command, frozen=True):
    """Choose the starting fleet in secret: ship IDs (NB-SETUP-02)."""

    ships: Annotated[tuple[Name, ...], Meta(max_length=13)]


class DrawFleet(Command, frozen=True):
    """Have the starting fleet drawn by sealed dice, from all that are worth 25 (NB-RUL-09)."""


class Arrange(Command, frozen=True):
    """Put every surface ship into a row and every submarine on a side.

    It lays out a fleet, and rearranges it in the reorganize step (NB-SETUP-05, NB-REORG-01, -02).

    rows    ship IDs of rows 1, 2, 3, the front row first
    active  submarines that lie with their active side up; all others are passive
    """

    rows: Annotated[
        tuple[Annotated[tuple[Name, ...], Meta(max_length=13)], ...],
        Meta(max_length=5),
    ]
    active: Annotated[tuple[Name, ...], Meta(max_length=13)] = ()


class Retreat(Command, frozen=True):
    """Play a Retreat (NB-RET-01). Damage cards are removed one by one afterwards."""

    card: Name


class RemoveDamage(Command, frozen=True):
    """Discard a damage card from under a ship, by virtue of Retreat (NB-RET-02)."""

    ship: Name
    card: Name


class Posting(Value, frozen=True):
    """A new ship and where it goes: a row, or for a submarine 0 and the side that is up."""

    ship: Name
    row: Annotated[int, Meta(ge=0, le=3)] = 0
    active: bool = False


class Reinforce(Command, frozen=True):
    """Play Reinforcements, one card or several together (NB-REIN-01 to -04)."""

    cards: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=7)]
    ships: Annotated[tuple[Posting, ...], Meta(max_length=13)] = ()


class Prepare(Command, frozen=True):
    """Play a prepare card by a ship or active submarine (NB-PREP-01)."""

    card: Name
    ship: Name


class DeclareAttack(Command, frozen=True, tag=called("Attack")):
    """Fire a salvo, torpedoes or depth charges: card, ships, the mount of each, target.

    Two ships fire together: in whatever order they are named, it is the same command (NB-SEC-05).
    """

    card: Name
    ships: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=2)]
    mounts: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=2)]
    target: Name

    def __post_init__(self) -> None:
        """Put the ships, each with its mount, as the ship cards are listed."""
        if len(self.ships) == len(self.mounts) == 2 and place(self.ships[1]) < place(self.ships[0]):
            force_setattr(self, "ships", self.ships[::-1])
            force_setattr(self, "mounts", self.mounts[::-1])


class LandRaid(Command, frozen=True):
    """Play a Land-Based Air Raid and aim its first raid (NB-LBAR-01)."""

    card: Name
    target: Name


class AimRaid(Command, frozen=True):
    """Aim the next raid of the card just played (NB-LBAR-06); pass to leave the rest unused."""

    target: Name


class AirRaid(Command, frozen=True):
    """Launch a carrier's air raid (NB-AIR-02)."""

    carrier: Name
    target: Name


class SurpriseAttack(Command, frozen=True):
    """Play a Surprise Attack against an enemy player (NB-SURP-01)."""

    card: Name
    seat: Seat


class Defend(Command, frozen=True):
    """Use a card against an attack: from the hand, or one that lies prepared.

    attack    number of the attack
    prepared  a card before the fleet instead of one from the hand
    to        Escort Ship: the ship to which the attack is moved
    """

    card: Name
    attack: Number
    prepared: bool = False
    to: Name = ""


class AirCover(Command, frozen=True):
    """Roll one air cover symbol of a carrier against an air raid (NB-COVER-02)."""

    carrier: Name
    attack: Number


class RunSilent(Command, frozen=True):
    """Roll for a passive submarine that is attacked (NB-SUB-04)."""

    attack: Number


class Plan(Command, frozen=True):
    """Add Planning cards to the die that is about to be rolled (NB-PLAN-02, -03)."""

    cards: Annotated[int, Meta(ge=1, le=100)]


class DiscardCards(Command, frozen=True, tag=called("Discard")):
    """Discard cards from the hand, all at once (NB-DISC-01)."""

    cards: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=102)]


class Pass(commands.Pass, frozen=True, tag=called):
    """Do no more in this step, or decline the question."""


class AgreeToEnd(Command, frozen=True):
    """Agree to end a battle in which nothing happens any more (NB-WIN-05)."""


class Resign(commands.Resign, frozen=True, tag=called):
    """Leave the game (NB-RUL-01)."""


AnyCommand = (
    ChooseNation
    | CommitFleet
    | DrawFleet
    | Arrange
    | Retreat
    | RemoveDamage
    | Reinforce
    | Prepare
    | DeclareAttack
    | LandRaid
    | AimRaid
    | AirRaid
    | SurpriseAttack
    | Defend
    | AirCover
    | RunSilent
    | Plan
    | DiscardCards
    | Pass
    | AgreeToEnd
    | Resign
)
