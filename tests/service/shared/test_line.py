"""The line to Redis: quick while it is there, out of the way while it is not."""

from __future__ import annotations

import asyncio
import sys
import time

import pytest

from service.errors import StoreRefused
from service.news.line import ANSWER_SECONDS, CONNECT_SECONDS, Line, RedisUnavailable
from tests.service.shared.kit import lines, until
from tests.support.redis import RedisServer

AT_MOST = 4 * (CONNECT_SECONDS + ANSWER_SECONDS)
"""Seconds for what is given up, on a machine that does other things as well."""


def test_requests_that_wait_together_are_answered_each_with_its_own(address: str) -> None:
    async def run() -> None:
        async with lines(address, 1) as (line,):
            said = await asyncio.gather(*(line.ask("ECHO", f"word {n}") for n in range(500)))
            assert said == [f"word {n}".encode() for n in range(500)]

    asyncio.run(run())


def test_what_redis_refuses_is_given_up_alone(address: str) -> None:
    async def run() -> None:
        async with lines(address, 1) as (line,):
            wrong, right = line.ask("NO-SUCH-COMMAND"), line.ask("ECHO", "here")
            found = await asyncio.gather(wrong, right, return_exceptions=True)
            assert isinstance(found[0], RedisUnavailable)
            assert found[1] == b"here"
            assert line.up

    asyncio.run(run())


def test_a_request_that_is_called_off_takes_nobody_with_it(address: str) -> None:
    async def run() -> None:
        async with lines(address, 1) as (line,):
            off = asyncio.create_task(line.ask("ECHO", "off"))
            on = asyncio.create_task(line.ask("ECHO", "on"))
            await asyncio.sleep(0)
            off.cancel()
            assert await on == b"on"
            assert line.up

    asyncio.run(run())


@pytest.mark.parametrize("harm", ["kill", "pause"])
def test_nobody_waits_for_a_redis_that_is_away_and_it_is_used_again(
    server: RedisServer, harm: str
) -> None:
    async def run() -> None:
        async with lines(server.address, 1) as (line,):
            getattr(server, harm)()
            began = time.monotonic()
            found = await asyncio.gather(
                *(line.ask("PING") for _ in range(50)), return_exceptions=True
            )
            assert all(isinstance(each, RedisUnavailable) for each in found)
            assert time.monotonic() - began < AT_MOST
            assert not line.up
            began = time.monotonic()
            for _ in range(1_000):
                with pytest.raises(RedisUnavailable):
                    await line.ask("PING")
            assert time.monotonic() - began < AT_MOST, "none of a thousand waits for an answer"
            server.go_on() if harm == "pause" else server.start()
            await until(lambda: line.up)
            assert await line.ask("ECHO", "back") == b"back"

    asyncio.run(run())


def test_a_redis_that_is_absent_at_the_start_is_used_when_it_comes(server: RedisServer) -> None:
    async def run() -> None:
        server.kill()
        began = time.monotonic()
        async with lines(server.address, 1) as (line,):
            assert time.monotonic() - began < AT_MOST
            with pytest.raises(RedisUnavailable):
                await line.ask("PING")
            server.start()
            await until(lambda: line.up)

    asyncio.run(run())


def test_a_line_that_stops_leaves_nobody_waiting(server: RedisServer) -> None:
    async def run() -> None:
        line = Line(server.address, "decklog:test")
        await line.start()
        server.pause()
        asked = asyncio.create_task(line.ask("PING"))
        await asyncio.sleep(0.05)
        await line.stop()
        with pytest.raises(RedisUnavailable):
            await asked
        await line.stop()

    asyncio.run(run())


@pytest.mark.parametrize("turns", range(8))
def test_a_line_that_is_cut_while_it_stops_has_stopped(server: RedisServer, turns: int) -> None:
    """``turns`` of the event loop lie between the two: who waits for the cut hears the stop."""

    async def run() -> None:
        line = Line(server.address, "decklog:test")
        await line.start()
        await asyncio.sleep(0)
        line._lost(TimeoutError())
        for _ in range(turns):
            await asyncio.sleep(0)
        async with asyncio.timeout(10):
            await line.stop()

    asyncio.run(run())


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(StoreRefused, match=r"decklog\[redis\]") as refused:
        Line("redis://127.0.0.1:1", "decklog:test")
    assert refused.value.code == "redis.missing"
