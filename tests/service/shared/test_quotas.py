"""A quota of all workers together: never more than it says, whoever asks; and without Redis."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from service.http.buckets import WINDOW, Allowance, Buckets
from service.http.quotas import SharedBuckets
from tests.service.shared.kit import ask, lines, shared, until
from tests.support.redis import RedisServer

WORKERS = 4
REQUESTS = 10_000
QUOTA = 6_000


def test_several_workers_admit_the_quota_and_no_more(address: str) -> None:
    began = time.monotonic()
    spawn = get_context("spawn")
    prefix = f"decklog:test:{time.time_ns()}"
    with ProcessPoolExecutor(WORKERS, mp_context=spawn) as pool:
        each = [
            pool.submit(ask, address, prefix, REQUESTS // WORKERS, QUOTA) for _ in range(WORKERS)
        ]
        admitted = sum(one.result() for one in each)
    refilled = (time.monotonic() - began) * QUOTA / WINDOW
    print(f"{admitted} of {REQUESTS} admitted, quota {QUOTA} and at most {refilled:.0f} refilled")
    assert QUOTA <= admitted <= QUOTA * 1.01 + refilled
    assert admitted < REQUESTS


def test_the_shared_quota_says_what_the_one_in_memory_says(address: str) -> None:
    async def run() -> None:
        async with lines(address, 2) as (one, two):
            alone = Buckets(5, lambda: 0.0)
            pair = (shared(one, 5), shared(two, 5))
            for number in range(8):
                expected = alone.take("k")
                found = await pair[number % 2].spend("k")
                assert (found.quota, found.remaining, found.admitted) == (
                    expected.quota, expected.remaining, expected.admitted
                )  # fmt: skip
                assert abs(found.reset - expected.reset) <= 1
                assert abs(found.retry - expected.retry) <= 1
                assert found.headers().keys() == {"RateLimit", "RateLimit-Policy"}
            assert (await pair[0].spend("another")).remaining == 4
            assert await shared(one, 0).spend("k") == Allowance(0, 0, 0)

    asyncio.run(run())


def test_a_bucket_fills_again_and_is_forgotten_when_it_is_full(server: RedisServer) -> None:
    async def run() -> None:
        async with lines(server.address, 1) as (line,):
            quick = shared(line, 60 * 50)
            await asyncio.gather(*(quick.spend("k") for _ in range(60 * 50)))
            await asyncio.sleep(0.1)
            assert (await quick.spend("k")).admitted
            with server.client() as client:
                (key,) = client.keys("*")
                assert 0 < int(client.ttl(key)) <= 2 * WINDOW

    asyncio.run(run())


def test_a_clock_that_went_back_gives_nothing_and_takes_nothing(server: RedisServer) -> None:
    async def run() -> None:
        async with lines(server.address, 1) as (line,):
            buckets = shared(line, 10)
            for left in (9, 8):
                assert (await buckets.spend("k")).remaining == left
            with server.client() as client:
                (key,) = client.keys("*")
                later = int(client.hget(key, "at")) + 3_600_000_000
                client.hset(key, "at", str(later))
            assert [(await buckets.spend("k")).remaining for _ in range(2)] == [7, 6]

    asyncio.run(run())


@pytest.mark.parametrize("harm", ["kill", "pause"])
def test_without_redis_each_worker_goes_on_from_what_it_knew(
    server: RedisServer, harm: str
) -> None:
    async def run() -> None:
        async with lines(server.address, 1) as (line,):
            buckets = SharedBuckets(10, lambda: 0.0, line, "requests")
            for _ in range(7):
                await buckets.spend("k")
            getattr(server, harm)()
            found = [await buckets.spend("k") for _ in range(5)]
            assert [allowance.admitted for allowance in found] == [True] * 3 + [False] * 2
            server.go_on() if harm == "pause" else server.start()
            await until(lambda: line.up)
            assert (await buckets.spend("k")).quota == 10

    asyncio.run(run())


def test_an_emptied_redis_counts_anew(server: RedisServer) -> None:
    async def run() -> None:
        async with lines(server.address, 1) as (line,):
            buckets = shared(line, 3)
            spent = [(await buckets.spend("k")).admitted for _ in range(4)]
            assert spent == [True, True, True, False]
            server.empty()
            assert (await buckets.spend("k")).remaining == 2

    asyncio.run(run())


def test_what_something_cost_is_charged_to_all_workers_and_is_owed(server: RedisServer) -> None:
    async def run() -> None:
        async with lines(server.address, 2) as (one, two):
            first, second = shared(one, 10), shared(two, 10)
            await first.spend("k")
            first.charge("k", 14.5)
            await until(lambda: not first._charging)
            refused = await second.spend("k")
            assert not refused.admitted
            assert refused.remaining == 0
            assert refused.retry == pytest.approx(6.5 * WINDOW / 10, abs=2)
            first.charge("k", 1_000)
            await until(lambda: not first._charging)
            assert (await second.spend("k")).retry == pytest.approx(11 * WINDOW / 10, abs=2)

    asyncio.run(run())


def test_what_something_cost_is_charged_without_redis_too() -> None:
    alone = Buckets(10, lambda: 0.0)
    alone.charge("k", 14.5)
    refused = alone.take("k")
    assert (refused.admitted, refused.remaining, refused.retry) == (False, 0, 34)
    assert alone.peek("k").remaining == 0
    unlimited = Buckets(0, lambda: 0.0)
    unlimited.charge("k", 14.5)
    assert unlimited.take("k").admitted
