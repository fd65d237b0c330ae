"""Rows of the games in which nobody has given a command yet: when each is to be looked at next.

By the store's own time (ageing.py), which no clock can put forward, and which stands still while
nobody serves. Whether the game really was not played, and is old by its own record too, is asked
then (``service/play/unplayed.py``); so a command costs nothing here.
"""

from __future__ import annotations

from datetime import datetime

from ..clock import stamp
from ..models import GameId, GameSummary
from .bulk import Statement
from .database import Database

_ROW = "INSERT INTO unplayed (game, at) VALUES (?,?) ON CONFLICT (game) DO NOTHING"
_DUE = "SELECT game FROM unplayed WHERE at <= ? ORDER BY at, game LIMIT ?"


def beginning(summary: GameSummary, now: str, at: str) -> list[Statement]:
    """The row of a new game, at the store's time ``at``; a fork, which is deleted, has none.

    One of before there were such rows gets it when its summary is made again.
    """
    if summary.expires_at is None or summary.fork is not None:
        return []
    return [(_ROW, (summary.id, _after(summary, now, at)))]


def again(summary: GameSummary, now: str, at: str) -> Statement:
    """The game is looked at again when as much has passed as it has yet to be kept."""
    return ("UPDATE unplayed SET at = ? WHERE game = ?", (_after(summary, now, at), summary.id))


def later(game: GameId, at: str) -> Statement:
    """The game cannot be read now, and is looked at again at ``at``."""
    return ("UPDATE unplayed SET at = ? WHERE game = ?", (at, game))


def forgotten(game: GameId) -> Statement:
    """Somebody has played, or the game is over."""
    return ("DELETE FROM unplayed WHERE game = ?", (game,))


def due(recorder: Database, at: str, limit: int) -> list[GameId]:
    """Games that are to be looked at, at the store's time ``at``."""
    return [game for (game,) in recorder.query(_DUE, (at, limit))]


def _after(summary: GameSummary, now: str, at: str) -> str:
    assert summary.expires_at is not None
    rest = datetime.fromisoformat(summary.expires_at) - datetime.fromisoformat(now)
    return stamp(datetime.fromisoformat(at) + rest)
