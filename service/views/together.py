"""One reading for all who ask the same at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Together(Generic[K, V]):
    """Asked on the event loop only.

    Streams of one game wake at the same moment and all ask for the same. Who asks before a reading
    says that it has begun shares it, so that no answer is older than its question; where an old
    answer does no harm, a reading need not say so, and is shared until it ends.
    """

    def __init__(self, reads: Callable[[K, Callable[[], object]], Awaitable[V]]) -> None:
        """``reads``: the key, and what to call, on whatever thread, when it has begun."""
        self._reads = reads
        self._next: dict[K, asyncio.Future[V]] = {}

    async def ask(self, key: K) -> V:
        """What is read for the key. Raises what the reading raises."""
        coming = self._next.get(key)
        if coming is None:
            coming = asyncio.ensure_future(self._reads(key, partial(self._next.pop, key, None)))
            self._next[key] = coming
            coming.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(coming)

    def _ended(self, key: K, done: asyncio.Future[V]) -> None:
        if self._next.get(key) is done:  # it never said that it began
            del self._next[key]
        if not done.cancelled():
            done.exception()  # also where nobody waits any more
