"""What the store needs of a database: SQLite's recorder and PostgreSQL's are alike in this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from .bulk import Statement
from .recorder import EventRow


class Database(Protocol):
    """``put`` and ``query_to_write`` are for the engine thread, the rest for any."""

    @property
    def place(self) -> str:
        """The column of ``stored_events`` that numbers the events of all games."""

    def prepare(self) -> None:
        """Make the tables that are missing."""

    def put(self, events: Sequence[EventRow], statements: Sequence[Statement]) -> None:
        """One transaction. Raises the store's Conflict, StoreFull, StoreUnavailable."""

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples. Raises StoreUnavailable."""

    def query_to_write(self, sql: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """As ``query``, from the thread that writes, of what it has written itself."""

    def exchange(self, guards: Sequence[Statement], statements: Sequence[Statement]) -> bool:
        """One transaction, if each guard changes a row; else nothing, and False.

        Raises Conflict, StoreFull, StoreUnavailable.
        """

    def settled(self) -> int:
        """The place up to which the log will not change any more: whoever reads that far has all.

        Raises StoreUnavailable, also where writers keep it too long.
        """

    def lead(self, office: str) -> bool:
        """Whether this process holds the office, of which a store has one; it tries to get it."""

    def writable(self) -> bool:
        """Whether a write would be taken now. Raises StoreUnavailable."""

    def close(self) -> None:
        """Harmless when repeated."""
