"""The archivist: in the background, finished games leave the table of events when they are old
enough. One worker of a store at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import Any

from ..clock import SteadyClock
from ..deadlines import DAY
from ..errors import PASSING, ServiceError
from ..models import GameId
from ..store.store import Store
from .archiving import (
    SERVICE,
    Judged,
    Unarchivable,
    before,
    candidates,
    clear_deleted,
    put_away,
    still_there,
)

log = logging.getLogger(__name__)

OFFICE = "archivist"

BEGIN_SECONDS = 60.0
"""After the start: whoever waits for the service has it first."""

LOOK_SECONDS = 600.0
"""How often it is looked whether there are any."""

PAUSE_SECONDS = 0.2
"""Between two games, in which players have their turn."""

GAMES = 64
"""Games that are looked for at a time."""

AGAIN_SECONDS = float(DAY)
"""After which one that had to stay is tried again."""

Read = Callable[..., Awaitable[Any]]
Judge = Callable[[GameId], Awaitable[Judged]]


class Archivist:
    """Of one worker. ``judge``: the evidence of a game, judged elsewhere than on the event loop.

    A game that is not upheld, or cannot be judged here, stays in the table; it is named in the log,
    counted, and tried again after a day, or after the next start.
    """

    def __init__(
        self, store: Store, judge: Judge, clock: SteadyClock, read: Read, days: int
    ) -> None:
        self._store = store
        self._judge = judge
        self._clock = clock
        self._read = read
        self._days = days
        self._left: dict[GameId, float] = {}

    @property
    def left(self) -> int:
        """Games that had to stay, and are where they were."""
        return len(self._left)

    async def run(self) -> None:
        """Look again and again, until it is cancelled; never, where there is no folder."""
        if self._store.archive.files is None:
            return
        await asyncio.sleep(BEGIN_SECONDS)
        while True:
            try:
                await self._read(clear_deleted, self._store)
                while self._days and await self.look():
                    pass
            except ServiceError as error:
                log.warning("no game can be archived now: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Archive some; how many have gone. Raises ServiceError."""
        if self._clock.suspended:
            return 0
        if not await self._leads():
            self._left.clear()  # whoever leads now counts them
            return 0
        done = 0
        self._left = {game: self._left[game] for game in await self._read(self._stayed)}
        for game in await self._read(self._old):
            if not await self._leads():
                break
            done += await self._see(game)
            await asyncio.sleep(PAUSE_SECONDS)
        return done

    async def _leads(self) -> bool:
        """Two who did the same would do it once: this only spares the work."""
        leads: bool = await self._read(self._store.recorder.lead, OFFICE)
        return leads

    def _old(self) -> list[GameId]:
        now = self._clock.monotonic()
        old = candidates(self._store, before(self._clock.now(), self._days))
        due = (s.id for s in old if self._left.get(s.id, now) <= now)
        return list(islice(due, GAMES))

    def _stayed(self) -> list[GameId]:
        """Of those that had to stay, whichever an operator has neither archived nor deleted."""
        return [game for game in list(self._left) if still_there(self._store, game)]

    async def _see(self, game: GameId) -> bool:
        """Whether it has gone."""
        why = f"It was over for {self._days} days."
        try:
            found = await self._judge(game)
            done = await self._read(put_away, self._store, found, game, SERVICE, why)
        except PASSING:
            raise
        except (ServiceError, TimeoutError, Unarchivable) as error:
            self._stays(game)
            log.warning("game %s stays in the table of events: %s", game, error)
            return False
        except Exception:
            # Whatever is wrong with it, the others go.
            self._stays(game)
            log.exception("game %s stays in the table of events", game)
            return False
        self._left.pop(game, None)
        log.info(
            "game %s is in the archive: %d events, %d bytes of the table, %d of its file",
            game, done.events, done.bytes, done.size,
        )  # fmt: skip
        return True

    def _stays(self, game: GameId) -> None:
        self._left[game] = self._clock.monotonic() + AGAIN_SECONDS
