"""A clock that tests move by hand, a desk that goes by it, and a game that waits for somebody."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from service.desk import Desk
from tests.support.pennant import Choose

from .kit import desk_in, new_game, order

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAYS = 86_400.0


class Hands:
    """A clock of which both hands are moved by hand: time that passes, and time that is set."""

    def __init__(self) -> None:
        self.passed = self.wrong = 0.0

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.passed + self.wrong)

    def monotonic(self) -> float:
        return self.passed

    def offset(self) -> float:
        return NOON.timestamp() + self.wrong


Test = Callable[[Desk, Hands], Awaitable[None]]


def with_hands(folder: Path, test: Test) -> None:
    async def run() -> None:
        hands = Hands()
        async with desk_in(folder, hands, deadline_grace=0) as desk:
            await test(desk, hands)

    asyncio.run(run())


async def turn(desk: Desk, seconds: int) -> str:
    """A game in which p1 is to move within so many seconds."""
    game = (await new_game(desk, deadline=seconds)).game.id
    await order(desk, game, "p1", Choose("bold"))
    await order(desk, game, "p2", Choose("steady"))
    return game


def at(seconds: float) -> str:
    return (NOON + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")[:-6] + "Z"


async def go_on(desk: Desk, hands: Hands, until: float) -> int:
    """Let time pass while the service is there; how many answers the clock gave."""
    given = 0
    while hands.passed < until:
        hands.passed = min(hands.passed + 5.0, until)
        given += await desk.timekeeper.tick()
    return given
