"""What the store needs of a database: SQLite's recorder and PostgreSQL's are alike in this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from .bulk import Held, Statement
from .queries import Archives
from .recorder import EventRow
from .waits import Waits


class Database(Protocol):
    """``put`` and ``query_to_write`` are for the engine thread, the rest for any."""

    archive: Archives | None
    """Where events are that left the table; None until the store is open."""

    @property
    def place(self) -> str:
        """The column of ``stored_events`` that numbers the events of all games."""

    def time(self) -> float | None:
        """The time by its own clock, in seconds since 1970; None where that is ours.

        Raises StoreUnavailable.
        """

    def prepare(self) -> None:
        """Make the tables that are missing."""

    @property
    def lineage(self) -> str:
        """Which history of which database this is: another one may lack what was acknowledged."""

    @property
    def started(self) -> str:
        """When its server was started, by the latest connection; "" where there is none."""

    @property
    def turned(self) -> bool:
        """Whether a connection has met another history than the one that was accepted.

        Until that is accepted nothing is written: whoever writes has decided on what is gone.
        """

    def accept(self) -> None:
        """From now on write into the history that was met last."""

    def when_turned(self, tell: Callable[[], None]) -> None:
        """Have it called as soon as another history is met, from whatever thread meets it."""

    def put(
        self,
        events: Sequence[EventRow],
        statements: Sequence[Statement],
        held: Sequence[Held] = (),
    ) -> None:
        """One transaction, in which each of ``held`` changes all the rows that it has to.

        Raises the store's Conflict, StoreFull, StoreUnavailable; then nothing was written.
        """

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as plain tuples. Raises StoreUnavailable."""

    def query_to_write(self, sql: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """As ``query``, from the thread that writes, of what it has written itself."""

    def exchange(self, guards: Sequence[Statement], statements: Sequence[Statement]) -> bool:
        """One transaction, if each guard changes a row; else nothing, and False.

        False as well where it was undone because another one waited for it: whoever asked looks
        again. Raises Conflict where a key is taken, StoreFull, StoreUnavailable.
        """

    def settled(self) -> int:
        """The place up to which the log will not change any more: whoever reads that far has all.

        Raises StoreUnavailable, also where writers keep it too long.
        """

    def lead(self, office: str) -> bool:
        """Whether this process holds the office, of which a store has one; it tries to get it."""

    def writable(self) -> bool:
        """Whether a write would be taken now. Raises StoreUnavailable."""

    def size(self) -> int:
        """Bytes that the store takes. Raises StoreUnavailable."""

    def waits(self) -> Waits:
        """How its connections keep up; asks nobody."""

    def about(self) -> str:
        """What it is, and its version, for the log: no address, no password."""

    def close(self) -> None:
        """Harmless when repeated."""
