"""The service's own events in a game's stream: ``decklog.<name>``. They do not touch the state.

Stored for ever: a change of shape is a new schema number. All hex is lower case; "" where a seat
has no dice chain of its own. JSON names are camelCase.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.game import Result, Setup
from domain.kernel.values import Seat

PREFIX = "decklog."
SERVICE = "service"
"""The actor of what the service does by itself."""


class Platform(msgspec.Struct, frozen=True, rename="camel"):
    """Base of the service's events: the stored name and the version of the stored form."""

    NAME: ClassVar[str] = ""
    SCHEMA: ClassVar[int] = 1


class Params(msgspec.Struct, frozen=True, rename="camel"):
    """What NWD-1's G is made of, and ``g`` itself; ``links`` is N.

    game  16 bytes: the game's id, or derived from the seed where the seed is named, so that the
          same seed makes the same dice
    """

    game: str
    rules: str
    scenario: str
    seats: int
    links: int
    g: str


class RulesUsed(msgspec.Struct, frozen=True, rename="camel"):
    """The ruleset, its version, and the digest of its packaged files and the kernel's."""

    ruleset: str
    version: str
    digest: str


class SeatOpened(msgspec.Struct, frozen=True, rename="camel"):
    """How a seat is filled, and its tip r[p,0]."""

    seat: Seat
    hold: Literal["keep", "invite", "open"]
    tip: str = ""


class GameCreated(Platform, frozen=True):
    """First event of every game.

    commitment  C_S
    tips        s[d,0] by domain
    nonce       32 random bytes, so that nobody can guess the first hash
    """

    NAME = "game-created"

    params: Params
    commitment: str
    tips: dict[str, str]
    grade: str
    nonce: str
    setup: Setup
    rules: RulesUsed
    seats: tuple[SeatOpened, ...]
    seed_named: bool = False


class SeatJoined(Platform, frozen=True):
    """A seat was taken; ``tip`` joins its chain to the dice from the next batch on."""

    NAME = "seat-taken"

    seat: Seat
    tip: str = ""


class RolledDice(msgspec.Struct, frozen=True, rename="camel"):
    """One roll of a batch: pools of {count, sides}, and their faces."""

    label: str
    pools: tuple[dict[str, int], ...]
    faces: tuple[tuple[int, ...], ...]


class BatchRolled(Platform, frozen=True):
    """The dice of one command: the server's link s[d,t] opened, and each seat's link or ""."""

    NAME = "batch-rolled"

    t: int
    domain: str
    link: str
    player_links: tuple[str, ...]
    rolls: tuple[RolledDice, ...]


class GameClosed(Platform, frozen=True):
    """The end: the dice master opens every chain and every seal."""

    NAME = "game-closed"

    master: str
    result: Result


AnyPlatform = GameCreated | SeatJoined | BatchRolled | GameClosed

TYPES: dict[str, type[AnyPlatform]] = {
    PREFIX + t.NAME: t for t in (GameCreated, SeatJoined, BatchRolled, GameClosed)
}
_DECODERS: dict[str, msgspec.json.Decoder[AnyPlatform]] = {
    name: msgspec.json.Decoder(t) for name, t in TYPES.items()
}


def decode(name: str, data: bytes | msgspec.Raw) -> AnyPlatform:
    """A platform event. Raises KeyError, msgspec.ValidationError."""
    return _DECODERS[name].decode(data)


def plain(data: bytes | msgspec.Raw) -> dict[str, Any]:
    """The data as plain JSON, for those who only show it."""
    found: dict[str, Any] = msgspec.json.decode(data)
    return found


def encode(event: AnyPlatform) -> bytes:
    """Canonical JSON, as it is hashed."""
    return canonical(event)


def says(event: AnyPlatform) -> str:
    """The event as a sentence."""
    match event:
        case GameCreated():
            named = " Its seed is named: unranked." if event.seed_named else ""
            return f"The game is set up with dice of grade {event.grade}.{named}"
        case SeatJoined():
            return f"{event.seat} takes its seat."
        case BatchRolled():
            rolls = "; ".join(f"{roll.label}: {_faces(roll)}" for roll in event.rolls)
            return f"Dice batch {event.t}. {rolls}."
        case GameClosed():
            return "The record is closed and the dice are opened."


def _faces(roll: RolledDice) -> str:
    return " + ".join(" ".join(map(str, faces)) for faces in roll.faces)
