"""What tests of shared things share: lines on an event loop, and waiting for something."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from service.http.quotas import SharedBuckets
from service.news import line as line_module
from service.news.line import Line

PATIENCE = 20.0
TOGETHER = 250
"""Requests that a worker asks for at the same moment."""


@asynccontextmanager
async def lines(address: str, many: int) -> AsyncIterator[list[Line]]:
    """So many workers' lines to one Redis, under a prefix of their own."""
    prefix = f"decklog:test:{secrets.token_hex(6)}"
    async with AsyncExitStack() as stack:
        made = [Line(address, prefix) for _ in range(many)]
        for line in made:
            await line.start()
            stack.push_async_callback(line.stop)
        yield made


async def until(what: Callable[[], bool]) -> None:
    """Returns as soon as it is so; fails when it does not become so."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it did not come about"
        await asyncio.sleep(0.02)


def shared(line: Line, quota: int) -> SharedBuckets:
    return SharedBuckets(quota, time.monotonic, line, "requests")


def ask(address: str, prefix: str, requests: int, quota: int) -> int:
    """As a worker of its own: how many of so many requests of one caller are admitted.

    It waits for Redis as long as need be: who gives it up counts alone, and that is another test.
    """
    line_module.CONNECT_SECONDS = line_module.ANSWER_SECONDS = PATIENCE

    async def run() -> int:
        line = Line(address, prefix)
        await line.start()
        assert line.up
        buckets, admitted = shared(line, quota), 0
        for _ in range(requests // TOGETHER):
            found = await asyncio.gather(*(buckets.spend("token:x") for _ in range(TOGETHER)))
            admitted += sum(allowance.admitted for allowance in found)
        await line.stop()
        return admitted

    return asyncio.run(run())
