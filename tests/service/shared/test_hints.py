"""News between workers: soon there, never waited for, and the way is found again by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from service.news.hints import Hints
from tests.service.shared.kit import lines, until
from tests.support.redis import RedisServer


class Ear:
    """What a worker has heard."""

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}
        self.times = 0

    def __call__(self, news: Mapping[str, int]) -> None:
        self.times += 1
        self.versions.update(news)


@asynccontextmanager
async def workers(address: str) -> AsyncIterator[tuple[tuple[Hints, Ear], tuple[Hints, Ear]]]:
    """Two that hear each other."""
    async with lines(address, 2) as (one, two):
        ears = (Ear(), Ear())
        pair = (Hints(one, ears[0]), Hints(two, ears[1]))
        for hints in pair:
            hints.start()
        await until(lambda: pair[0].live and pair[1].live)
        yield (pair[0], ears[0]), (pair[1], ears[1])
        for hints in pair:
            await hints.stop()


def test_the_other_worker_hears_and_this_one_does_not_hear_itself(address: str) -> None:
    async def run() -> None:
        async with workers(address) as ((one, mine), (_, theirs)):
            one.publish({"a": 3, "b": 1})
            await until(lambda: theirs.versions == {"a": 3, "b": 1})
            assert mine.times == 0

    asyncio.run(run())


def test_news_that_comes_together_is_one_message_with_the_latest(address: str) -> None:
    async def run() -> None:
        async with workers(address) as ((one, _), (_, theirs)):
            for version in range(1, 501):
                one.publish({"a": version, "b": 7})
            await until(lambda: theirs.versions == {"a": 500, "b": 7})
            assert theirs.times < 10

    asyncio.run(run())


@pytest.mark.parametrize("harm", ["kill", "pause"])
def test_who_cannot_hear_knows_it_and_hears_again(server: RedisServer, harm: str) -> None:
    async def run() -> None:
        async with workers(server.address) as ((one, _), (two, theirs)):
            getattr(server, harm)()
            await until(lambda: not two.live)
            for version in range(100):
                one.publish({"a": version})
                await asyncio.sleep(0)
            server.go_on() if harm == "pause" else server.start()
            await until(lambda: one.live and two.live and one._line.up)
            one.publish({"a": 1_000})
            await until(lambda: theirs.versions.get("a") == 1_000)

    asyncio.run(run())


def test_a_message_that_is_no_news_harms_nobody(server: RedisServer) -> None:
    async def run() -> None:
        async with workers(server.address) as ((one, _), (two, theirs)):
            with server.client() as client:
                for words in (b"", b"{", b"[1]", b'{"by":1}', b'{"by":"x","versions":{"a":"b"}}'):
                    assert client.publish(two._channel, words) == 2
            one.publish({"a": 1})
            await until(lambda: theirs.versions == {"a": 1})
            assert two.live

    asyncio.run(run())
