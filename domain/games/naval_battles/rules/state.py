"""The state of a battle: all that the rules may ask about, and nothing that can be derived."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ....kernel.agreed import option
from ....kernel.chance import Awaited
from ....kernel.setup import Result
from ....kernel.values import Hidden, Known, Part, Seat, StepKey
from .deck import Deck

Hand = Known[str] | Hidden
"""Cards, in the deck's order; hidden from those who may only count them."""

Rolled = Known[tuple[int, ...]] | Hidden
"""Faces, one tuple for each pool; hidden from all where they are of the deck's sealed dice."""

RollKind = Literal["torpedo", "raid", "cover", "silent"]


class Terms(Part, frozen=True, kw_only=True):
    """The options that players may agree on; a default is our ruling and is never changed.

    The text of each option is in options.toml.
    """

    nations: Annotated[Literal["seat-order", "random"], option("NB-SETUP-08")] = "seat-order"
    starting_fleet: Annotated[Literal["exactly", "at-most"], option("NB-AMB-01")] = "exactly"
    prepared_carrier_raids: Annotated[bool, option("NB-AMB-17")] = True
    defense_order: Annotated[Literal["one-each", "whole-player"], option("NB-AMB-05")] = "one-each"
    consecutive_retreats: Annotated[bool, option("NB-RET-10")] = True
    surprise_attack: Annotated[Literal["on-play", "on-resolve"], option("NB-AMB-14")] = "on-play"
    carrier_raid_submarines: Annotated[Literal["no", "row-3-number"], option("NB-AMB-26")] = "no"
    stall_rounds: Annotated[int, Meta(ge=0, le=100), option("NB-WIN-05")] = 10
    mikuma: Annotated[Literal["as-example", "historical"], option("NB-AMB-04")] = "as-example"
    linked_nations: Annotated[Literal["kept", "anew"], option("NB-LINK-04")] = "kept"
    resolve_order: Annotated[Literal["declared", "sure-first"], option("NB-AMB-50")] = "declared"
    reshuffle: Annotated[Literal["emptied", "wanted"], option("NB-AMB-34")] = "emptied"
    first_hand: Annotated[int, Meta(ge=0, le=7), option("NB-RUL-10")] = 7
    carriers: Annotated[Literal["any", "one"], option("NB-RUL-11")] = "any"
    handicap: Annotated[Literal["none", "house"], option("NB-RUL-12")] = "none"


class Ship(Part, frozen=True):
    """A ship or submarine in play; its ID is that of its card, since every ship exists once.

    row      1 to 3; 0 for a submarine, which is in no row
    active   submarines: which side is up
    damage   IDs of the damage cards under it, in order
    used     mounts that have fired this turn, once for each
    prepared has played a prepare card this turn (NB-PREP-03)
    raided   carriers: has launched its air raid this turn
    covered  carriers: air cover symbols used in this player turn
    """

    id: str
    seat: Seat
    row: int = 0
    active: bool = False
    damage: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    prepared: bool = False
    raided: bool = False
    covered: int = 0


class Prepared(Part, frozen=True):
    """A prepare card before its player's fleet; ``used`` in the present player turn."""

    card: str
    ship: str
    used: bool = False


class Attack(Part, frozen=True):
    """A declared attack that is not finished.

    number  order of declaration in this attack step, from 1
    kind    family of the card, or ``air-raid`` for a carrier's
    target  the ship it is aimed at now
    card    the action card; empty for a carrier's raid
    ships   the attackers: one or two ships, or a carrier; none for a land-based raid
    mounts  the mount of each
    batch   number of the first raid of the same card; 0 for all that is no land-based raid
    needed  air raids: the least face that hits
    silent  run silent has been rolled for it
    """

    number: int
    kind: str
    target: str
    card: str = ""
    ships: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()
    batch: int = 0
    needed: int = 0
    silent: bool = False


class Aim(Part, frozen=True):
    """A land-based air raid card with raids that are not aimed yet (NB-LBAR-06)."""

    card: str
    batch: int
    left: int


class Surprise(Part, frozen=True):
    """A Surprise Attack that works only in the resolve part (NB-AMB-14)."""

    card: str
    target: Seat


class Roll(Part, frozen=True):
    """A die that a player is about to roll.

    kind    the purpose
    seat    the seat of the die
    attack  number of the attack it is about
    ship    the ship of a guidance, air raid, air cover or run silent; empty for a land-based raid
    asked   the Planning window is closed (NB-FSM-03)
    planned Planning cards that are added
    """

    kind: RollKind
    seat: Seat
    attack: int
    ship: str = ""
    asked: bool = False
    planned: int = 0


class Purpose(Part, frozen=True):
    """The purpose of awaited dice.

    kind   ``nations``, ``fleet``, ``first``, ``draw``, ``roll``
    seats  first: who rolls; fleet and draw: who draws; nations: who gets one
    count  draw: how many cards
    """

    kind: Literal["nations", "fleet", "first", "draw", "roll"]
    seats: tuple[Seat, ...] = ()
    count: int = 0


class State(Part, frozen=True, dict=True):
    """A battle, or the battles of a linked game.

    step      the step being played (sequence.py)
    battle    number of the battle; more than 1 in linked games only
    house     the deck the players brought; None: the shipped one
    committed secret fleets, until they are laid out
    reserves  reinforcement piles
    lacking   by seat: points that its starting fleet lacked of 25 (NB-RUL-13)
    sunk      by each seat: the ships it sank in this battle
    earlier   points of each seat in earlier battles
    deck      the cards left to draw: they have no order, and nobody knows them
    renewed   the cards that became the deck when the discards last did: all have seen them
    drawn     number of cards that each seat has drawn from that deck
    discards  the discard pile in order of discarding
    tied      seats that must roll again for the first turn (NB-SETUP-04)
    first     first player of this battle
    active   the player whose turn it is
    turn      player turns begun in this battle
    round     full rounds begun
    calm      rounds in a row without damage and sinking (NB-WIN-05)
    progress  whether there was any in this round
    calls     seats that agree to end
    passed    seats that ended their part of this step; in the defense: that passed in a row
    retreats  Retreat cards that lie before a fleet
    withdrew  round in which a seat last retreated (NB-RET-10)
    removing  damage cards that a retreating player may still remove
    attacks   open attacks in order of declaration
    declared  attacks declared in this step
    last      defense: who acted last; at first the attacker
    roll      the die a player is about to roll
    gone      seats that have left the game
    rolls     requests for dice so far
    """

    edition: str
    scenario: str
    options: Terms
    seats: tuple[Seat, ...]
    step: StepKey
    battle: int = 1
    house: Deck | None = None
    nations: dict[Seat, str] = msgspec.field(default_factory=dict)
    committed: dict[Seat, Hand] = msgspec.field(default_factory=dict)
    ships: dict[str, Ship] = msgspec.field(default_factory=dict)
    reserves: dict[Seat, tuple[str, ...]] = msgspec.field(default_factory=dict)
    lacking: dict[Seat, int] = msgspec.field(default_factory=dict)
    sunk: dict[Seat, tuple[str, ...]] = msgspec.field(default_factory=dict)
    earlier: dict[Seat, int] = msgspec.field(default_factory=dict)
    hands: dict[Seat, Hand] = msgspec.field(default_factory=dict)
    deck: Hand = Hidden(0)
    renewed: tuple[str, ...] = ()
    drawn: dict[Seat, int] = msgspec.field(default_factory=dict)
    discards: tuple[str, ...] = ()
    tied: tuple[Seat, ...] = ()
    first: Seat = ""
    active: Seat = ""
    turn: int = 0
    round: int = 0
    calm: int = 0
    progress: bool = False
    calls: tuple[Seat, ...] = ()
    passed: tuple[Seat, ...] = ()
    prepared: dict[Seat, tuple[Prepared, ...]] = msgspec.field(default_factory=dict)
    retreats: dict[Seat, tuple[str, ...]] = msgspec.field(default_factory=dict)
    withdrew: dict[Seat, int] = msgspec.field(default_factory=dict)
    removing: int = 0
    attacks: tuple[Attack, ...] = ()
    surprises: tuple[Surprise, ...] = ()
    declared: int = 0
    aim: Aim | None = None
    last: Seat = ""
    roll: Roll | None = None
    awaiting: Awaited | None = None
    purpose: Purpose | None = None
    gone: tuple[Seat, ...] = ()
    rolls: int = 0
    result: Result | None = None
