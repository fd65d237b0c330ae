"""One reading for all who ask at the same time; no answer is older than its question."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest

from service.errors import Stopping, StoreUnavailable
from service.views.together import Together

V = TypeVar("V")


@pytest.fixture(autouse=True)
def store() -> str:
    """No store is needed here."""
    return ""


class Truth:
    """Something that changes; each reading takes until it is let go."""

    def __init__(self) -> None:
        self.now = 0
        self.begun = asyncio.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.readings: list[str] = []
        self.loop = asyncio.get_running_loop()

    def read(self, key: str) -> int:
        self.readings.append(key)
        found = self.now
        self.loop.call_soon_threadsafe(self.begun.release)
        assert self.go.acquire(timeout=20)
        return found


def on_a_thread(function: Callable[[str], V]) -> Together[str, V]:
    """Each reading says that it has begun as soon as a thread has it."""

    def read(key: str, begun: Callable[[], object]) -> V:
        begun()
        return function(key)

    async def reads(key: str, begun: Callable[[], object]) -> V:
        return await asyncio.to_thread(read, key, begun)

    return Together(reads)


def test_who_asks_before_a_reading_begins_shares_it_and_who_asks_later_does_not() -> None:
    async def run() -> None:
        truth = Truth()
        together = on_a_thread(truth.read)
        early = [asyncio.create_task(together.ask("game")) for _ in range(10)]
        other = asyncio.create_task(together.ask("another"))
        await truth.begun.acquire()
        await truth.begun.acquire()
        truth.now = 1
        late = [asyncio.create_task(together.ask("game")) for _ in range(10)]
        await truth.begun.acquire()
        truth.go.release(3)
        assert await asyncio.gather(*early) == [0] * 10
        assert await asyncio.gather(*late) == [1] * 10
        assert await other == 0
        assert sorted(truth.readings) == ["another", "game", "game"]

    asyncio.run(run())


def test_who_goes_away_takes_nothing_from_the_others() -> None:
    async def run() -> None:
        truth = Truth()
        together = on_a_thread(truth.read)
        first, second = (asyncio.create_task(together.ask("game")) for _ in range(2))
        await truth.begun.acquire()
        first.cancel()
        truth.go.release()
        assert await second == 0
        assert first.cancelled()

    asyncio.run(run())


def test_what_fails_fails_for_all_and_is_tried_anew_by_the_next() -> None:
    faults: list[Exception] = [StoreUnavailable("now"), Stopping("now")]

    def read(key: str) -> str:
        if faults:
            raise faults.pop(0)
        return key

    async def never(key: str, begun: Callable[[], object]) -> str:
        raise Stopping("The service is not running.")

    async def run() -> None:
        together = on_a_thread(read)
        found = await asyncio.gather(
            *(together.ask("game") for _ in range(3)), return_exceptions=True
        )
        assert [type(each) for each in found] == [StoreUnavailable] * 3
        with pytest.raises(Stopping):
            await together.ask("game")
        assert await together.ask("game") == "game"
        stopped = Together(never)
        for _ in range(2):
            with pytest.raises(Stopping):
                await stopped.ask("game")

    asyncio.run(run())
