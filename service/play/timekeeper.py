"""The timekeeper: gives the usual answer to each question whose time is over.

It hands in a command like anybody else: the engine stores it at the game's version or not at all.
So of several workers that see the same question at the same moment one gives the answer, and the
others, deciding anew on what the store holds now, find nothing to do. What is due is in the store:
a service that was stopped goes on where it was.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from ..clock import SteadyClock, stamp
from ..deadlines import Away, later, next_look
from ..errors import PASSING, ServiceError
from ..store.store import look_again, look_at
from . import deciding, locks
from .beacons import Beacons
from .engine import Ready, WorkingGames, Write
from .live import Live
from .reach import Reach

log = logging.getLogger(__name__)

TICK_SECONDS = 1.0
"""How often it looks. A deadline is whole seconds, and is never passed early."""

GAMES = 256
"""Games that it looks after at a time."""

ROUNDS = 64
"""Answers to one game in a row, at most, before the others have their turn."""

POSTPONED = timedelta(hours=1)
"""When a game that cannot be played on (damaged, its ruleset gone) is looked at again."""

Work = Callable[[WorkingGames], Ready]


Due = Callable[[str, int], Awaitable[list[str]]]
"""Games in which somebody's time is over, at most so many."""

Read = Callable[..., Awaitable[Any]]

HandIn = Callable[[str, Work], Awaitable[Any]]
"""Lets the engine do some work on a game."""


class Timekeeper:
    """Looks after the deadlines of all games from its start on.

    reach  when the service could be reached: nobody's time runs while it cannot
    read   runs a function on another thread
    grace  seconds after it is there again in which nobody's time is over
    logged whether the public log has an event for good; of none where none is kept
    beacons rounds of the public beacon; None where there is none
    answers, postponed  how often it has answered for somebody, and put off what it could not
    While the clock is not believed it does nothing.
    """

    def __init__(
        self, due: Due, hand_in: HandIn, clock: SteadyClock, reach: Reach, read: Read, grace: int,
        logged: Callable[[], locks.Logged | None] = lambda: None, beacons: Beacons | None = None,
    ) -> None:  # fmt: skip
        self._due = due
        self._hand_in = hand_in
        self._clock = clock
        self._reach = reach
        self._read = read
        self._grace = timedelta(seconds=grace)
        self._logged, self.beacons = logged, beacons
        self._begun = clock.now()
        self._told = False
        self.answers = self.postponed = 0

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self.tick()
            except ServiceError as error:
                log.warning("deadlines could not be looked after: %s", error)

    async def tick(self) -> int:
        """Answer all that is overdue; how many answers were given. Raises ServiceError."""
        await self._look()
        if self._clock.suspended:
            return 0
        given = 0
        for _ in range(ROUNDS):
            found = await self._round()
            if not found:
                break
            given += found
        return given

    async def _look(self) -> None:
        try:
            await self._read(self._reach.look)
        except ServiceError:
            self._reach.missed()
            raise
        if self._clock.suspended and not self._told:
            log.error("the clock has jumped, or is not the database's: nothing is done by time")
        self._told = self._clock.suspended

    def _patient(self) -> bool:
        """Whether the service has not been there again for long enough."""
        back = [datetime.fromisoformat(back) for _, back in self._reach.away[-1:]]
        return self._clock.now() < max([self._begun, *back]) + self._grace

    async def _round(self) -> int:
        if self._patient():
            return 0
        games = await self._due(stamp(self._clock.now()), GAMES)
        given = sum(await asyncio.gather(*(self._look_after(game) for game in games)))
        self.answers += given
        return given

    async def _look_after(self, game: str) -> int:
        try:
            answered = await self._hand_in(
                game,
                lambda bench: answer(bench, game, self._reach.away, self._logged(), self.beacons),
            )
        except PASSING as error:
            log.warning("the deadline of game %s waits: %s", game, error)
            return 0
        except Exception:
            log.exception("game %s cannot be played on by the clock", game)
            self.postponed += 1
            await self._postpone(game)
            return 0
        return 1 if answered is not None else 0

    async def _postpone(self, game: str) -> None:
        statement = look_again(game, stamp(self._clock.now() + POSTPONED))
        await self._hand_in(game, lambda bench: Write([statement]))


def answer(
    bench: WorkingGames, game: str, away: Away, logged: locks.Logged | None = None,
    beacons: Beacons | None = None,
) -> Ready:  # fmt: skip
    """The usual answer to the question of the game that is overdue first, or nothing to do."""
    live = bench.live(game)
    if live.locked is not None and live.locked.round:
        return _see(bench, live, beacons)
    if live.locked is not None:
        closed = bench.patience.during(game, lambda: locks.close_by_clock(live, bench.at, logged))
        return Write([look_again(game, look_at(live.summary))]) if closed is None else closed
    staged = bench.patience.during(
        game, lambda: deciding.decide_by_clock(live, bench.at, bench.entropy, away)
    )
    if staged is None:
        return Write([look_again(game, next_look(live.summary, away))])
    return staged


def _see(bench: WorkingGames, live: Live, beacons: Beacons | None) -> Ready:
    """A batch waits for a round of the public beacon: as long as it takes."""
    lock, at = live.locked, bench.at
    assert lock is not None
    if live.summary.paused is not None or at < lock.due:
        return Write([look_again(live.id, look_at(live.summary))])
    found = None if beacons is None else beacons.get(live.dice.beacon, lock.round)
    if found is None:
        return Write([look_again(live.id, later(at, 1))])
    return bench.patience.during(live.id, lambda: locks.see(live, found, at))
