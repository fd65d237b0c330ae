"""Who listens hears of every version, awaited or not, and of nothing else."""

from __future__ import annotations

import asyncio

import pytest

from service.errors import Stopping
from service.news.listening import Listener, News

SOON = 0.02
LATE = 20.0


@pytest.fixture(autouse=True)
def store() -> str:
    """No store is needed here."""
    return ""


async def waiting(
    ear: Listener, after: int, stop: asyncio.Future[None] | None = None
) -> asyncio.Task[bool]:
    task = asyncio.create_task(ear.above(after, LATE, stop))
    await asyncio.sleep(0)
    assert not task.done()
    return task


def test_what_was_told_before_one_waits_is_not_missed() -> None:
    async def run() -> None:
        news = News()
        with news.listening("game") as ear:
            news.tell({"game": 3, "another": 9})
            assert await ear.above(2, SOON)
            assert not await ear.above(3, SOON)
            assert ear.latest == 3

    asyncio.run(run())


def test_everybody_hears_of_a_version_above_his_own_and_of_no_older_one() -> None:
    async def run() -> None:
        news = News()
        with news.listening("game") as first, news.listening("game") as second:
            near, far = await waiting(first, 4), await waiting(second, 6)
            for told in (3, 4, 2):
                news.tell({"game": told})
                await asyncio.sleep(SOON)
                assert not near.done(), "news that is known already wakes nobody"
            news.tell({"game": 6})
            assert await asyncio.wait_for(near, LATE)
            assert not far.done()
            news.tell({"game": 7})
            assert await asyncio.wait_for(far, LATE)
            assert (first.latest, second.latest) == (7, 7)

    asyncio.run(run())


def test_a_stop_ends_the_waiting_of_who_gave_it() -> None:
    async def run() -> None:
        news = News()
        with news.listening("game") as ear, news.listening("game") as other:
            stop: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            mine, theirs = await waiting(ear, 1, stop), await waiting(other, 1)
            stop.set_result(None)
            assert not await asyncio.wait_for(mine, LATE)
            assert not theirs.done()
            theirs.cancel()

    asyncio.run(run())


def test_when_there_is_no_more_news_nobody_waits_any_longer() -> None:
    async def run() -> None:
        news = News()
        with news.listening("game") as ear:
            task = await waiting(ear, 1)
            news.close()
            with pytest.raises(Stopping):
                await asyncio.wait_for(task, LATE)
            with pytest.raises(Stopping):
                await ear.above(1, LATE)

    asyncio.run(run())


def test_games_are_those_to_which_somebody_listens() -> None:
    async def run() -> None:
        news = News()
        with news.listening("one"), news.listening("two"):
            with news.listening("one"):
                assert set(news.games) == {"one", "two"}
            assert set(news.games) == {"one", "two"}
        assert news.games == ()
        with pytest.raises(ZeroDivisionError), news.listening("one"):
            print(1 / 0)
        assert news.games == ()

    asyncio.run(run())
