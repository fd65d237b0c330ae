"""What projections read of the service's own events; fields that they do not need are left out."""

from __future__ import annotations

import msgspec

from domain.kernel.chance import Dice
from domain.kernel.chances import Chances
from domain.kernel.setup import Result, Setup

from .follow import Document

CREATED = "decklog.game-created"
TAKEN = "decklog.seat-taken"
ROLLED = "decklog.batch-rolled"
RENEWED = "decklog.chain-renewed"
STARTED = "decklog.epoch-started"
BEACON = "decklog.beacon-seen"
CLOSED = "decklog.game-closed"
FORFEITED = "decklog.forfeited"
ENDED = (CLOSED, FORFEITED)
"""Types of the ends that have a result."""
TAKEBACK = "decklog.takeback"
"""A step is taken back: the one right before it."""
ABANDONED = "decklog.game-abandoned"
"""The end of a game that nobody joined: without a result, and in no list of results."""


class Rules(Document, frozen=True):
    """The rules by which a game is judged.

    ruleset  its name
    edition  of the rules, as agreed
    version  of the ruleset: raised when it decides otherwise
    digest   SHA-256 of the engine: the archive of the files that decide
    """

    ruleset: str
    edition: str
    version: str
    digest: str


class RulesUsed(msgspec.Struct):
    """The same as the first event has it, where the edition stands in the set-up."""

    ruleset: str
    version: str
    digest: str


class Params(msgspec.Struct):
    """What the dice of a game are bound to."""

    g: str


class Created(msgspec.Struct, rename="camel"):
    """The first event of a game."""

    setup: Setup
    rules: RulesUsed
    grade: str
    seed_named: bool = False
    params: Params | None = None


class Renewed(msgspec.Struct):
    """The dice go on with new chains, those of an epoch."""

    epoch: int


class Started(msgspec.Struct):
    """A new start after a store went back: chains that hang on a nonce, those of an epoch."""

    epoch: int
    nonce: str


class BeaconCame(msgspec.Struct, frozen=True):
    """A round of a public beacon for a batch."""

    t: int
    round: int
    signature: str


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


class RollInFull(Roll):
    """The same with what each face was worth, where a score is kept and all may see it."""

    odds: Chances | None = None


class BatchInFull(msgspec.Struct, rename="camel"):
    """A batch with all that it is recomputed from."""

    t: int
    domain: str
    link: str
    player_links: tuple[str, ...]
    rolls: tuple[RollInFull, ...]


def rules_of(created: Created) -> Rules:
    """The rules by which the game is judged."""
    used = created.rules
    return Rules(
        ruleset=used.ruleset,
        edition=created.setup.edition,
        version=used.version,
        digest=used.digest,
    )


read_created = msgspec.json.Decoder(Created).decode
read_closed = msgspec.json.Decoder(Closed).decode
read_batch = msgspec.json.Decoder(Batch).decode
read_renewed = msgspec.json.Decoder(Renewed).decode
read_started = msgspec.json.Decoder(Started).decode
read_beacon = msgspec.json.Decoder(BeaconCame).decode
