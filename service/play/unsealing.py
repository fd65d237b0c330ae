"""When a game's master is opened: after its end, once nobody can take that back (dice.md 2.3, 8).

Whoever has the master makes another record of the same game, with another winner, that contradicts
itself nowhere. So before anybody has it the end has to be where everybody would see that there are
two: in a head of the public log that is signed, and cosigned as the service asks its witnesses.
Where no log is kept there is nothing to wait for. All that is shown of a game after its end hangs
on this event (``GameSummary.opened``), and never on the end itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from ..errors import PASSING, ServiceError
from ..evidence.chain import Chain
from ..evidence.records import SERVICE, MasterOpened
from ..models import GameId
from ..store import unopened
from ..store.database import Database
from .engine import Ready, WorkingGames, Write
from .live import Live
from .staging import ReadyRequest, RecordWriter, commit_of, gone_on, stays_over

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.25
"""How often it is looked whether the log has the end of a game that waits."""

GAMES = 64
"""Games that are seen to at a time."""

Settled = Callable[[], int]
"""How many leaves of the public log nobody can take back."""

Read = Callable[..., Awaitable[Any]]
HandIn = Callable[[str, Callable[[WorkingGames], Ready]], Awaitable[Any]]
"""Lets the engine do some work on a game."""


def end(live: Live, scribe: RecordWriter) -> None:
    """What follows on the end in the same commit: the master, unless it has to wait."""
    if not live.waits:
        _write(live, scribe)


def _write(live: Live, scribe: RecordWriter) -> None:
    scribe.platform(MasterOpened(live.dice.master.hex()))
    scribe.write(None)


def see(bench: WorkingGames, game: GameId) -> Ready:
    """The master of a game that is due, opened by an event of its own."""
    live = bench.live(game)
    if live.summary.status != "finished" or live.summary.opened:
        return Write(unopened.noted(live.summary))
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, bench.at
    )
    _write(live, scribe)
    after = gone_on(live, scribe, SERVICE, bench.at)
    after = msgspec.structs.replace(after, summary=stays_over(after.summary, live.summary))
    return ReadyRequest(after, commit_of(after, scribe, ()), tuple(scribe.told), None)


class Opener:
    """Opens the masters of a store that had to wait, as soon as they are due.

    settled  of the public log; None where none is kept: what waits was closed when there was one
    """

    def __init__(
        self, recorder: Database, settled: Settled | None, hand_in: HandIn, read: Read
    ) -> None:
        self._recorder = recorder
        self._settled = settled
        self._hand_in = hand_in
        self._read = read
        self._failed: set[GameId] = set()

    async def run(self) -> None:
        """Look again and again, until it is cancelled; once where nothing new can come to wait."""
        while True:
            try:
                while await self.look():
                    pass
                if self._settled is None:
                    return
            except ServiceError as error:
                log.warning("games that are over could not be opened: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Open what is due; how much there was. Raises ServiceError."""
        games = [game for game in await self._read(self._due) if game not in self._failed]
        for game in games:
            await self._open(game)
        return len(games)

    def _due(self) -> list[GameId]:
        leaves = None if self._settled is None else self._settled()
        return unopened.due(self._recorder, leaves, GAMES + len(self._failed))

    async def _open(self, game: GameId) -> None:
        try:
            await self._hand_in(game, lambda bench: see(bench, game))
        except PASSING:
            raise
        except ServiceError as error:
            log.warning("game %s cannot be opened: %s", game, error)
            self._failed.add(game)
