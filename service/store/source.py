"""The records of games as they are stored: all that those who only read need of a store."""

from __future__ import annotations

from typing import Protocol

from ..models import GameId
from .store import ALL, StoredGame
from .stored import Row, StoredCommand


class Source(Protocol):
    """The store, or whatever passes its rows on. Any thread may ask. Raises StoreUnavailable."""

    def game(self, game: GameId) -> StoredGame | None:
        """A game's row, with its dice master in clear."""
        ...

    def rows(self, game: GameId, after: int = 0, limit: int = ALL) -> list[Row]:
        """Its events as they are stored, above ``after`` in order; at most ``limit``."""
        ...

    def commands(self, game: GameId) -> list[StoredCommand]:
        """Its orders, in order."""
        ...

    def engine(self, digest: str) -> bytes | None:
        """The archive of what decides in the games that name this digest."""
        ...

    def shown(self, digest: str) -> bytes | None:
        """The archive of what shows these games."""
        ...
