"""What is known of a game that an operator has deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ..errors import Deleted
from ..models import GameId
from .queries import Queries

_FIND = "SELECT at, version, head, reason FROM tombstones WHERE game = ?"
_LOGGED = (
    "SELECT a.game, a.at, a.details, t.at, t.version, t.head, t.reason FROM acts a "
    "LEFT JOIN tombstones t ON t.game = a.game WHERE a.act = 'delete' ORDER BY a.place"
)
_UNLOGGED = (
    "SELECT game FROM tombstones WHERE game NOT IN "
    "(SELECT game FROM acts WHERE act = 'delete') ORDER BY game"
)


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


class _Logged(msgspec.Struct):
    """What the operator's log says of a deletion; ``head`` is "" in older ones, and of a fork."""

    tell: str = ""
    version: str = ""
    head: str = ""


def faults(recorder: Queries) -> Iterator[tuple[GameId, str]]:
    """Deleted games whose tombstone is not what the operator's log tells of the deletion."""
    # The last deletion of a game counts: it may have been put back out of a copy before.
    last = {game: told for game, *told in recorder.query(_LOGGED)}
    for game, told in last.items():
        if fault := _fault(*told):
            yield game, f"Game {game} was deleted, and {fault}."
    for (game,) in recorder.query(_UNLOGGED):
        yield game, f"Game {game} has a tombstone, and nobody has deleted it."


def _fault(at: str, details: Any, *stone: Any) -> str:
    """What is wrong with the tombstone of a game that was deleted then."""
    try:
        logged = msgspec.json.decode(bytes(details), type=_Logged)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "what the operator's log tells of it cannot be read"
    if stone[0] is None:
        return "its tombstone is gone" if logged.head else ""
    known = [at, logged.version, logged.head, logged.tell]
    found = [stone[0], str(stone[1]), stone[2], stone[3]]
    if not logged.head:
        known[1:3] = found[1:3]
    return "" if known == found else "its tombstone is not the one of that act"
