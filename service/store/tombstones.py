"""What is known of a game that an operator has deleted."""

from __future__ import annotations

import msgspec

from ..errors import Deleted
from ..models import GameId
from .queries import Queries

_FIND = "SELECT at, version, head, reason FROM tombstones WHERE game = ?"


class Tombstone(msgspec.Struct, frozen=True):
    """A game that is no more: when it was deleted, how many events it had, the hash of the last
    one, by which evidence of it is known, and why."""

    at: str
    version: int
    head: str
    reason: str

    def told(self) -> str:
        """For whoever asks for the game."""
        reason = f" {self.reason}" if self.reason else ""
        return (
            f"The game was deleted on {self.at} by the operator; its last event was "
            f"number {self.version}, {self.head}.{reason}"
        )


def tombstone(recorder: Queries, game: GameId) -> Tombstone | None:
    """Of a game that was deleted; None of any other."""
    found = recorder.query(_FIND, (game,))
    return Tombstone(*found[0]) if found else None


def check_deleted(recorder: Queries, game: GameId) -> None:
    """Raises Deleted of a game that is no more."""
    found = tombstone(recorder, game)
    if found is not None:
        raise Deleted(found.told())
