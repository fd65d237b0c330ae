"""Rows of the games that are over and whose master is not opened yet.

A game has one from its end on, unless its master is opened with the end, which is the rule where no
public log is kept.
"""

from __future__ import annotations

from ..models import GameId, GameSummary
from .bulk import Statement
from .database import Database

_WAITS = "INSERT INTO unopened (game) VALUES (?) ON CONFLICT (game) DO NOTHING"
_DONE = "DELETE FROM unopened WHERE game = ?"
_DUE = (
    "SELECT unopened.game FROM unopened JOIN games ON games.game = unopened.game "
    "JOIN log_leaves ON log_leaves.game = games.game AND log_leaves.seq = games.version "
    "WHERE log_leaves.number < ? ORDER BY unopened.game LIMIT ?"
)


def noted(summary: GameSummary) -> list[Statement]:
    """What is to be stored of it with the game's row; of a game in play nothing."""
    if summary.status != "finished":
        return []
    return [(_DONE if summary.opened else _WAITS, (summary.id,))]


def due(recorder: Database, leaves: int | None, limit: int) -> list[GameId]:
    """Games whose master is to be opened now: their end is in the public log for good.

    leaves  of the public log that nobody can take back; None: none is kept, and nothing waits
    """
    if leaves is None:
        asked = "SELECT game FROM unopened ORDER BY game LIMIT ?"
        return [game for (game,) in recorder.query(asked, (limit,))]
    return [game for (game,) in recorder.query(_DUE, (leaves, limit))]


def games(recorder: Database) -> list[GameId]:
    """All that wait for the public log."""
    return [game for (game,) in recorder.query("SELECT game FROM unopened ORDER BY game")]


def count(recorder: Database) -> int:
    """How many games wait for the public log."""
    ((found,),) = recorder.query("SELECT count(*) FROM unopened")
    return int(found)
