"""Rows of the games in which a bot of the service is asked: by them each worker finds its work.

They are kept in step with the game by being in its transaction, so that a service that was stopped
goes on where it was.
"""

from __future__ import annotations

from ..models import GameId, GameSummary
from .bulk import Statement
from .database import Database

_ASKED = "INSERT INTO bot_turns (game) VALUES (?) ON CONFLICT (game) DO NOTHING"
_DONE = "DELETE FROM bot_turns WHERE game = ?"
_DUE = "SELECT game FROM bot_turns ORDER BY game LIMIT ?"


def noted(summary: GameSummary) -> list[Statement]:
    """What is to be stored of it with the game's row; of a game without bots nothing."""
    bots = {seat.seat for seat in summary.seats if seat.bot}
    if not bots:
        return []
    goes_on = summary.status == "playing" and summary.paused is None and summary.locked is None
    asked = goes_on and any(question.seat in bots for question in summary.to_move)
    return [(_ASKED if asked else _DONE, (summary.id,))]


def due(recorder: Database, limit: int) -> list[GameId]:
    """Games in which a bot is asked now, at most so many."""
    return [game for (game,) in recorder.query(_DUE, (limit,))]
