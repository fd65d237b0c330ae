"""One reading for all who ask the same at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

V = TypeVar("V")


class Reads(Protocol):
    """Runs a function on a reading thread."""

    def __call__(self, function: Callable[[str], V], key: str, /) -> Awaitable[V]: ...


class Together(Generic[V]):
    """Asked on the event loop only.

    Streams of one game wake at the same moment and all ask for the same. Who asks before a reading
    begins shares it, so that no answer is older than its question.
    """

    def __init__(self, reads: Reads, work: Callable[[str], V]) -> None:
        self._reads = reads
        self._work = work
        self._next: dict[str, asyncio.Future[V]] = {}

    async def ask(self, key: str) -> V:
        """What ``work`` gives for the key. Raises what it raises."""
        coming = self._next.get(key)
        if coming is None:
            coming = asyncio.ensure_future(self._reads(self._begun, key))
            self._next[key] = coming
            coming.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(coming)

    def _begun(self, key: str) -> V:
        """On the reading thread: from here on, who asks needs another reading."""
        self._next.pop(key, None)
        return self._work(key)

    def _ended(self, key: str, done: asyncio.Future[V]) -> None:
        if self._next.get(key) is done:  # it never began
            del self._next[key]
        if not done.cancelled():
            done.exception()  # also where nobody waits any more
