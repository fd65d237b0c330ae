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

from ..clock import Clock, stamp
from ..deadlines import earliest
from ..errors import Overloaded, ServiceError, Stopping, StoreFull, StoreUnavailable
from ..store.store import look_again
from . import deciding
from .engine import Bench, Ready, Write

log = logging.getLogger(__name__)

TICK_SECONDS = 1.0
"""How often it looks. A deadline is whole seconds, and is never passed early."""

GAMES = 256
"""Games that it looks after at a time."""

ROUNDS = 64
"""Answers to one game in a row, at most, before the others have their turn."""

POSTPONED = timedelta(hours=1)
"""When a game that cannot be played on (damaged, its ruleset gone) is looked at again."""

PASSING = (Stopping, Overloaded, StoreFull, StoreUnavailable)
"""What says nothing about the game: the next look will do."""

Work = Callable[[Bench], Ready]


Due = Callable[[str, int], Awaitable[list[str]]]
"""Games in which somebody's time is over, at most so many."""

HandIn = Callable[[str, Work], Awaitable[Any]]
"""Lets the engine do some work on a game."""


class Timekeeper:
    """Looks after the deadlines of all games from its start on.

    grace  seconds after the start in which nobody's time is over: while the service was down,
           nobody could answer
    """

    def __init__(self, due: Due, hand_in: HandIn, clock: Clock, grace: int) -> None:
        self._due = due
        self._hand_in = hand_in
        self._clock = clock
        self._from: datetime = clock.now() + timedelta(seconds=grace)

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
        given = 0
        for _ in range(ROUNDS):
            found = await self._round()
            if not found:
                break
            given += found
        return given

    async def _round(self) -> int:
        if self._clock.now() < self._from:
            return 0
        games = await self._due(stamp(self._clock.now()), GAMES)
        return sum(await asyncio.gather(*(self._look_after(game) for game in games)))

    async def _look_after(self, game: str) -> int:
        try:
            answered = await self._hand_in(game, lambda bench: answer(bench, game))
        except PASSING as error:
            log.warning("the deadline of game %s waits: %s", game, error)
            return 0
        except Exception:
            log.exception("game %s cannot be played on by the clock", game)
            await self._postpone(game)
            return 0
        return 1 if answered is not None else 0

    async def _postpone(self, game: str) -> None:
        statement = look_again(game, stamp(self._clock.now() + POSTPONED))
        await self._hand_in(game, lambda bench: Write([statement]))


def answer(bench: Bench, game: str) -> Ready:
    """The usual answer to the question of the game that is overdue first, or nothing to do."""
    live = bench.live(game)
    staged = deciding.decide_by_clock(live, bench.at, bench.entropy)
    if staged is None:
        return Write([look_again(game, earliest(live.summary.due))])
    return staged
