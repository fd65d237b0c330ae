"""What the engine tells about its own work, for counters and traces. By default nobody listens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context

Fact = str | int


class Watch:
    """Told from the engine thread; it must be quick and must not raise."""

    def grouped(self, size: int) -> None:
        """A group of ``size`` requests was taken from the queue."""

    def stored(self, seconds: float, batches: int) -> None:
        """A commit became durable in ``seconds``; it opened so many dice batches."""

    def turned(self) -> None:
        """The store has become another one, in which some of what was acknowledged may lack."""

    def span(
        self, name: str, of: Sequence[Context] = (), **facts: Fact
    ) -> AbstractContextManager[object]:
        """Round a piece of work, in the present context.

        of     contexts of the requests that it was done for, where it is not done for one
        facts  numbers and names, never anything that a player would have to keep secret
        """
        return nullcontext()


QUIET = Watch()
