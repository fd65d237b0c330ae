"""A request that comes again while the first one is still running."""

from __future__ import annotations

import asyncio

import pytest

from service.errors import KeyBusy, KeyReused
from service.play import inflight
from service.play.inflight import InFlight, Joined
from service.problems import status_of

KEY = ("caller", "key")


@pytest.fixture(autouse=True)
def store() -> str:
    """No store is needed here: what runs has not been stored yet."""
    return ""


def test_who_comes_again_waits_and_is_told_in_the_end_that_it_still_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """409 and no second effect; when the first is done, its answer."""
    monkeypatch.setattr(inflight, "PATIENCE_SECONDS", 0.02)
    begun: list[asyncio.Future[str]] = []

    def begin() -> asyncio.Future[str]:
        begun.append(asyncio.get_running_loop().create_future())
        return begun[-1]

    async def run() -> None:
        running = InFlight()
        first = asyncio.create_task(running.once(KEY, b"one", begin))
        await asyncio.sleep(0)
        with pytest.raises(KeyBusy) as busy:
            await running.once(KEY, b"one", begin)
        assert status_of(busy.value.code) == 409
        with pytest.raises(KeyReused):
            await running.once(KEY, b"another", begin)
        second = asyncio.create_task(running.once(KEY, b"one", begin))
        await asyncio.sleep(0)
        begun[0].set_result("done")
        assert await first == "done"
        joined = await second
        assert isinstance(joined, Joined)
        assert joined.value == "done"
        assert len(begun) == 1

    asyncio.run(run())
