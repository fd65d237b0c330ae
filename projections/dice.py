"""The dice of all games: every roll, with its faces as soon as everybody may know them."""

from __future__ import annotations

from .follow import Document, DocumentStore, Entry, Projection
from .records import ROLLED, read_batch

ROLLS = 1024
"""Rolls of one batch, at most, that are in order of rolling in the list."""


class RolledPool(Document, frozen=True):
    """Dice of one kind in a roll.

    count  number of dice
    sides  faces of each
    faces  their faces, in order of rolling; empty while they are hidden
    """

    count: int
    sides: int
    faces: tuple[int, ...]


class GameRoll(Document, frozen=True):
    """A roll of some game.

    game    its ID
    ruleset the game's
    roll    its label, unique in its game; ``GET /v1/games/{game}/rolls/{roll}`` explains it
    seq     number of the event that tells it
    at      when it was rolled, RFC 3339 UTC
    batch   number of the batch that it was part of
    domain  the domain of the chain it was rolled from
    hidden  whether one seat alone knows the faces: they are told when the game's secrets are opened
    """

    game: str
    ruleset: str
    roll: str
    seq: int
    at: str
    batch: int
    domain: str
    hidden: bool
    pools: tuple[RolledPool, ...]


def take(shelf: DocumentStore, entry: Entry) -> None:
    """A batch when it is rolled; hidden ones again when the game's secrets are opened."""
    if entry.type == ROLLED:
        _keep(shelf, entry)
    for batch in entry.opened:
        _keep(shelf, batch)


def _keep(shelf: DocumentStore, entry: Entry) -> None:
    batch = read_batch(entry.data)
    hidden = not batch.link
    for number, roll in enumerate(batch.rolls):
        faces = [()] * len(roll.pools) if hidden else roll.faces
        told = GameRoll(
            game=entry.game,
            ruleset=entry.ruleset,
            roll=roll.label,
            seq=entry.seq,
            at=entry.at,
            batch=batch.t,
            domain=batch.domain,
            hidden=hidden,
            pools=tuple(
                RolledPool(count=pool.count, sides=pool.sides, faces=shown)
                for pool, shown in zip(roll.pools, faces, strict=True)
            ),
        )
        rank = entry.place * ROLLS + min(number, ROLLS - 1)
        shelf.write(f"{entry.game}/{roll.label}", told, rank=rank, kind=entry.ruleset)


PROJECTION = Projection("dice", 1, take)
