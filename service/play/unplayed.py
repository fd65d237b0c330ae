"""Games in which nobody has given a command are ended in their time: the record says so.

Their document says from the beginning when that is (``expiresAt``), and as soon as anybody plays
it is no more. It goes by two times at once: that of the store, which no clock can put forward and
which stands still while nobody serves, and that of the record, by which a verifier judges.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

import msgspec

from ..clock import SteadyClock
from ..deadlines import DAY, later
from ..errors import PASSING, ServiceError
from ..evidence.chain import Chain
from ..evidence.records import SERVICE, GameAbandoned
from ..models import GameSummary
from ..store import unplayed
from . import unsealing
from .engine import Ready, WorkingGames, Write
from .live import Live
from .staging import ReadyRequest, RecordWriter, commit_of, given_up, gone_on

log = logging.getLogger(__name__)

LOOK_SECONDS = 60.0
"""How often it is looked whether there are any."""

GAMES = 64
"""Games that are seen to at a time."""

POSTPONED = DAY
"""Seconds after which a game that cannot be read (damaged, its ruleset gone) is looked at again."""

Read = Callable[..., Awaitable[Any]]
HandIn = Callable[[str, Callable[[WorkingGames], Ready]], Awaitable[Any]]
"""Lets the engine do some work on a game."""


class Caretaker:
    """Ends the games of a store that nobody plays.

    waiting  games that have to be looked at, at most so many
    While the clock is not believed it does nothing.
    """

    def __init__(
        self, waiting: Callable[[int], list[str]], hand_in: HandIn, clock: SteadyClock, read: Read
    ) -> None:
        self._waiting = waiting
        self._hand_in = hand_in
        self._clock = clock
        self._read = read

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                while await self.look() == GAMES:
                    pass
            except ServiceError as error:
                log.warning("games that nobody plays could not be ended: %s", error)

    async def look(self) -> int:
        """See to some; how many there were. Raises ServiceError."""
        if self._clock.suspended:
            return 0
        games = await self._read(self._waiting, GAMES)
        for game in games:
            await self._see(game)
        return len(games)

    async def _see(self, game: str) -> None:
        try:
            await self._hand_in(game, lambda bench: see(bench, game))
        except PASSING:
            raise
        except ServiceError as error:
            log.warning("game %s cannot be ended now: %s", game, error)
            await self._hand_in(game, lambda bench: _later(bench, game))


def _later(bench: WorkingGames, game: str) -> Write:
    return Write([unplayed.later(game, later(bench.store.ageing.at, POSTPONED))])


def see(bench: WorkingGames, game: str) -> Ready:
    """The end of the game, if nobody has played it and its time is over; else when to look next."""
    live = bench.live(game)
    summary = live.summary
    if summary.expires_at is None:
        return Write([unplayed.forgotten(game)])
    if summary.paused is not None:  # nobody could have played
        return _later(bench, game)
    if bench.at < summary.expires_at:
        return Write([unplayed.again(summary, bench.at, bench.store.ageing.at)])
    return ended(live, bench.at)


def ended(live: Live, at: str) -> ReadyRequest:
    """The game with its end, staged."""
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    scribe.platform(GameAbandoned(days=_days(live.summary)))
    scribe.write(None)
    unsealing.end(live, scribe)
    after = gone_on(live, scribe, SERVICE, at)
    after = msgspec.structs.replace(after, summary=given_up(after.summary))
    commit = commit_of(after, scribe, [unplayed.forgotten(live.id)])
    return ReadyRequest(after, commit, tuple(scribe.told), None)


def _days(summary: GameSummary) -> int:
    """For which it was to be kept: whole days, as an operator sets them."""
    assert summary.expires_at is not None
    kept = datetime.fromisoformat(summary.expires_at) - datetime.fromisoformat(summary.updated_at)
    return kept.days
