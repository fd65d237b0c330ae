"""The notary: sees that the service signs with no key that has ended.

The list of keys lies beside them (``decklog keys``), and changes while the service runs. What a key
signs after its end counts nowhere, so that it is worse than nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from ..errors import StoreRefused
from ..store.store import Store

log = logging.getLogger(__name__)

LOOK_SECONDS = 30.0

Read = Callable[..., Awaitable[Any]]


class Notary:
    """Of one worker. ``now`` gives the time as the list has it."""

    def __init__(self, store: Store, read: Read, now: Callable[[], str]) -> None:
        self._store = store
        self._read = read
        self._now = now
        self._warned = ""

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._read(self.look)

    def look(self) -> None:
        """Stop signing where a key that signs has ended; say ahead that one will."""
        if self._store.signers is None:
            return
        try:
            until = self._store.signing_ends()
        except StoreRefused as error:
            log.warning("whether the keys that sign are still good cannot be told: %s", error)
            return
        if until and until <= self._now():
            self._store.stop_signing()
            log.error(
                "a key that signs has ended at %s: nothing is signed any more, until the keys in "
                "the folder are read again (decklog admin reload, or SIGHUP)", until,
            )  # fmt: skip
        elif until != self._warned:
            self._warned = until
            if until:
                log.warning("a key that signs ends at %s: have the keys read again", until)
