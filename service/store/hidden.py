"""Games that an operator has taken out of all lists. Whoever knows an id finds its game still."""

from __future__ import annotations

from ..models import GameId
from .bulk import Statement
from .queries import Queries

_HIDE = "INSERT INTO hidden (game) VALUES (?) ON CONFLICT (game) DO NOTHING"
_SHOW = "DELETE FROM hidden WHERE game = ?"


def shown_of(game: str) -> str:
    """The condition that a game is in lists; ``game``: the SQL that gives its id."""
    return f"NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.game = {game})"


def hiding(game: GameId, *, hides: bool) -> Statement:
    """Takes a game out of all lists, or puts it back."""
    return (_HIDE if hides else _SHOW), (game,)


def is_hidden(recorder: Queries, game: GameId) -> bool:
    return bool(recorder.query("SELECT 1 FROM hidden WHERE game = ?", (game,)))
