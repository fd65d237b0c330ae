"""The locksmith: seals anew, in the background, what is under a former key of the store."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from ..errors import ServiceError
from ..store.resealing import reseal
from ..store.store import Store

log = logging.getLogger(__name__)

BEGIN_SECONDS = 1.0
"""After the start: whoever waits for the service has it first."""

LOOK_SECONDS = 1.0
"""After which it is seen that the ring is another one."""

AGAIN_SECONDS = 60.0
"""After which all is gone through once more: another worker may still seal under the former key."""

PAUSE_SECONDS = 0.02
"""Between two pages, in which commands have their turn."""

Read = Callable[..., Awaitable[Any]]


class Locksmith:
    """Of one worker, whenever its ring has several keys. ``read`` runs a function elsewhere."""

    def __init__(self, store: Store, read: Read) -> None:
        self._store = store
        self._read = read

    async def run(self) -> None:
        """Go through all again and again, until it is cancelled."""
        await asyncio.sleep(BEGIN_SECONDS)
        done: tuple[str, ...] = ()
        since = 0.0
        while True:
            names = self._store.box.names
            again = names != done or since >= AGAIN_SECONDS
            if len(names) > 1 and again:
                await self._try()
                done, since = names, 0.0
            await asyncio.sleep(LOOK_SECONDS)
            since += LOOK_SECONDS

    async def _try(self) -> None:
        try:
            await self.go_through()
        except ServiceError as error:
            log.warning("what is under a former key stays so for now: %s", error)

    async def go_through(self) -> int:
        """Seal anew what there is; how much is under another key still. Raises ServiceError."""
        left = found = await self._pass()
        if found:
            log.info("%d were under a former key of the store, and are sealed anew", found)
            left = await self._pass()
        if left:
            log.warning("%d are under another key than the first still", left)
        else:
            name = self._store.box.names[0]
            log.info("all is sealed under key %s of the store: the others may go", name)
        return left

    async def _pass(self) -> int:
        found: int = await self._read(reseal, self._store.recorder, self._store.box, _pause)
        return found


def _pause() -> None:
    time.sleep(PAUSE_SECONDS)
