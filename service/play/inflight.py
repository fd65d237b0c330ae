"""Requests under way, by idempotency key: who comes second waits for the first one's answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ..errors import KeyBusy
from ..store.idempotency import key_reused
from .engine import Replayed

PATIENCE_SECONDS = 10.0
"""How long a repeated request waits for the first one."""


class Joined(Replayed):
    """The answer that another request with the same key has just got."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        super().__init__(b"")
        self.value = value


class InFlight:
    """On the event loop only."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, str], tuple[bytes, asyncio.Future[Any]]] = {}

    async def once(
        self,
        key: tuple[str, str],
        fingerprint: bytes,
        begin: Callable[[], asyncio.Future[Any]],
    ) -> Any:
        """The answer of the first request with the key; ``Joined`` for those who came after it.

        Raises KeyReused for another request with the same key, KeyBusy after PATIENCE_SECONDS.
        """
        running = self._running.get(key)
        if running is None:
            future = begin()
            self._running[key] = (fingerprint, future)
            future.add_done_callback(lambda done: self._ended(key, done))
            return await asyncio.shield(future)
        first, future = running
        if first != fingerprint:
            raise key_reused()
        try:
            value = await asyncio.wait_for(asyncio.shield(future), PATIENCE_SECONDS)
        except TimeoutError:
            raise KeyBusy("The first request with this key is still running.") from None
        return value if isinstance(value, Replayed) else Joined(value)

    def _ended(self, key: tuple[str, str], done: asyncio.Future[Any]) -> None:
        self._running.pop(key, None)
        if not done.cancelled():
            done.exception()  # seen, even if whoever asked has gone
