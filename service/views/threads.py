"""Threads for those who read, so that nobody who looks at the present waits behind who digs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import Stopping
from ..threads import SYSTEM, MakesThreads

READERS = 2
"""Threads that read the store for those who look on."""

DIGGERS = 2
"""Threads that go through whole games for those who ask why or what differs: nobody who only wants
the present or a moment waits behind them."""

T = TypeVar("T")


class Threads:
    """Of one event loop, from its making to ``stop``."""

    def __init__(self, threads: MakesThreads = SYSTEM) -> None:
        self._loop = asyncio.get_running_loop()
        self._readers = threads.pool(READERS, "decklog-reader")
        self.diggers = threads.pool(DIGGERS, "decklog-digger")

    async def read(self, function: Callable[..., T], *arguments: Any, dig: bool = False) -> T:
        """What the function gives, on a thread. Raises Stopping after the end."""
        try:
            threads = self.diggers if dig else self._readers
            reading = self._loop.run_in_executor(threads, function, *arguments)
        except RuntimeError:
            raise Stopping("The service is not running.") from None
        return await reading

    async def stop(self) -> None:
        """Finish what is being read."""
        await asyncio.to_thread(self.diggers.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
