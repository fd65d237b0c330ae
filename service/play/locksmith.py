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

AGAIN_SECONDS = 60.0
"""After which all is gone through once more: another worker may still seal under the former key."""

PAUSE_SECONDS = 0.02
"""Between two pages, in which commands have their turn."""

Read = Callable[..., Awaitable[Any]]


class Locksmith:
    """Of one worker, while its ring has more than one key. ``read`` runs a function elsewhere."""

    def __init__(self, store: Store, read: Read) -> None:
        self._store = store
        self._read = read

    async def run(self) -> None:
        """Go through all again and again, until it is cancelled."""
        await asyncio.sleep(BEGIN_SECONDS)
        while len(self._store.box.names) > 1:
            try:
                await self.go_through()
            except ServiceError as error:
                log.warning("what is under a former key stays so for now: %s", error)
            await asyncio.sleep(AGAIN_SECONDS)

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
