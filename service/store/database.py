"""What the store needs of a database: SQLite's recorder and PostgreSQL's are alike in this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from .bulk import Statement
from .recorder import EventRow


class Database(Protocol):
    """``put`` is for the engine thread, ``query`` for any."""

    def prepare(self) -> None:
        """Make the tables that are missing."""

    def put(self, events: Sequence[EventRow], statements: Sequence[Statement]) -> None:
        """One transaction. Raises the store's Conflict, StoreFull, StoreUnavailable."""

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples. Raises StoreUnavailable."""

    def writable(self) -> bool:
        """Whether a write would be taken now. Raises StoreUnavailable."""

    def close(self) -> None:
        """Harmless when repeated."""
