"""What projections read of the service's own events; fields that they do not need are left out."""

from __future__ import annotations

import msgspec

from domain.kernel.chance import Dice
from domain.kernel.game import Result, Setup

CREATED = "decklog.game-created"
TAKEN = "decklog.seat-taken"
ROLLED = "decklog.batch-rolled"
CLOSED = "decklog.game-closed"


class Created(msgspec.Struct):
    """The first event of a game."""

    setup: Setup
    grade: str
    seed_named: bool = False


class Closed(msgspec.Struct):
    """The last one."""

    result: Result


class Roll(msgspec.Struct):
    """One roll of a batch; without faces for those who may not see them."""

    label: str
    pools: tuple[Dice, ...]
    faces: tuple[tuple[int, ...], ...]


class Batch(msgspec.Struct):
    """Dice of one batch; ``link`` is empty while only one seat sees them."""

    t: int
    domain: str
    link: str
    rolls: tuple[Roll, ...]


read_created = msgspec.json.Decoder(Created).decode
read_closed = msgspec.json.Decoder(Closed).decode
read_batch = msgspec.json.Decoder(Batch).decode
