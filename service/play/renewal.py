"""Summaries of another form made anew in the background, beside a service that is ready.

After an update each summary that the former program has stored may be of another form. A game that
somebody asks for is shown as the log has it at once (``summaries.maker``); the rest is gone through
here, by one worker of a store, which says how far it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from ..dice.vault import Vault
from ..errors import ServiceError
from ..store import summaries
from ..store.store import Store
from ..store.summaries import Older
from .staging import AnyGame
from .summaries import PAGE, renewed

log = logging.getLogger(__name__)

OFFICE = "summaries"

BEGIN_SECONDS = 1.0
"""After the start: whoever waits for the service has it first."""

AGAIN_SECONDS = 60.0
"""After which it is looked again: a worker of the former version may still write."""

PAUSE_SECONDS = 0.005
"""Between two games at least; as long as the game took, where that is more, so that players have
half of the time at any rate."""

TOLD_SECONDS = 10.0
"""How often it is said how far it is."""

Read = Callable[..., Awaitable[Any]]


class Renewal:
    """Of one worker. ``read`` runs a function elsewhere than on the event loop."""

    def __init__(
        self, store: Store, games: Mapping[str, AnyGame], vault: Vault, read: Read
    ) -> None:
        self._store = store
        self._read = read
        self._renewed = partial(renewed, store, games, vault)

    async def run(self) -> None:
        """Go through them, until there are none that can be made anew, or it is cancelled."""
        pause = BEGIN_SECONDS
        while True:
            await asyncio.sleep(pause)
            if not await self._try():
                return
            pause = AGAIN_SECONDS

    async def _try(self) -> bool:
        """Whether to look again."""
        try:
            count = await self._read(summaries.count_of_another_form, self._store.recorder)
            if not count:
                return False
            leads = await self._read(self._store.recorder.lead, OFFICE)
            return not leads or await self.go_through(count) > 0
        except ServiceError as error:
            log.warning("summaries of another form stay so for now: %s", error)
            return True

    async def go_through(self, count: int) -> int:
        """Make each anew; of how many that was possible. Raises ServiceError.

        count  how many there are
        """
        log.info(
            "%d summaries of games are in the form of another program, and are made anew in the "
            "background; a game that is asked for is shown as it should be meanwhile", count,
        )  # fmt: skip
        gone = made = place = 0
        said = self._store.monotonic()
        while rows := await self._read(self._page, place):
            for row in rows:
                made += await self._see(row)
                gone += 1
                if self._store.monotonic() - said >= TOLD_SECONDS:
                    said = self._store.monotonic()
                    log.info("%d of %d summaries have been gone over", gone, count)
            place = rows[-1].place
        log.info("%d of %d summaries are made anew", made, count)
        return made

    def _page(self, place: int) -> list[Older]:
        return summaries.of_another_form(self._store.recorder, place, PAGE)

    async def _see(self, row: Older) -> bool:
        """Whether it was made anew."""
        begun = self._store.monotonic()
        made: bool = await self._read(self._renewed, row)
        await asyncio.sleep(max(PAUSE_SECONDS, self._store.monotonic() - begun))
        return made
