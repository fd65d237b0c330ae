"""What can be asked of a database, and of the archive beside it."""

from __future__ import annotations

from typing import Any, Protocol

from ..models import GameId
from .stored import ArchivedGame, LogRow


class Queries(Protocol):
    """What can be asked."""

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples."""


class Placed(Queries, Protocol):
    """The same of one that says which column numbers the events of all games."""

    @property
    def place(self) -> str:
        """Of ``stored_events``."""


class Archives(Protocol):
    """Where events are that left the table (archive.py)."""

    def game(self, recorder: Queries, game: GameId) -> ArchivedGame | None:
        """A game that is in a file; None of any other."""

    def between(
        self, recorder: Queries, after: int, upto: int, limit: int
    ) -> tuple[int, list[LogRow]]:
        """Archived events of the log above a place, and the place up to which they are all."""
