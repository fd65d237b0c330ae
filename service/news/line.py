"""The one line from this worker to Redis: quick, or not at all.

Requests that wait at the same moment travel in one message. The first one that fails cuts the line:
from then on nobody waits for Redis, until it answers a ping again. Nothing is tried twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from ..errors import StoreRefused

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

CONNECT_SECONDS = 0.2
ANSWER_SECONDS = 0.3
"""How long a request waits for Redis, at most; only the first ones of an outage do."""

PROBE_SECONDS = 0.5
"""How often a Redis that is away is asked whether it is back."""

IDLE_SECONDS = 5.0
"""How often a Redis of which nobody asks anything is asked whether it is there."""

Word = str | bytes | int


class RedisUnavailable(Exception):
    """Redis does not answer, or not what was asked: do without it."""


class Line:
    """On the event loop only, from ``start`` to ``stop``."""

    def __init__(self, address: str, prefix: str) -> None:
        """``prefix`` stands before every key and channel, so that services do not meet.

        Raises StoreRefused where the client's package is missing.
        """
        self._address = address
        self._client = self.client()
        self.prefix = prefix
        self.up = False
        self._waiting: list[tuple[tuple[Word, ...], asyncio.Future[Any]]] = []
        self._sending: asyncio.Task[None] | None = None
        self._supervising: asyncio.Task[None] | None = None
        self._cut = asyncio.Event()

    async def start(self) -> None:
        """Does not wait for a Redis that is away."""
        await self._probe()
        self._supervising = asyncio.create_task(self._supervise())

    async def stop(self) -> None:
        """Harmless when repeated, or without a start."""
        self.up = False
        for task in (self._supervising, self._sending):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        self._fail(self._waiting)
        if self._supervising is not None:
            await self._client.aclose()

    def client(self) -> Redis:
        """A client that never tries twice and never waits long."""
        try:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ImportError as error:
            hint = f"{error}: install Decklog with its extra, decklog[redis]."
            raise StoreRefused("redis.missing", hint) from None
        return Redis.from_url(
            self._address,
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )

    async def ask(self, *words: Word) -> Any:
        """The answer to one command. Raises Away, at once where the line is known to be cut."""
        if not self.up:
            raise RedisUnavailable
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((words, answer))
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())
        return await answer

    async def _send(self) -> None:
        """Everything that waits in one message, then what came meanwhile in the next."""
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                answers = await self._exchange([words for words, _ in batch])
            except asyncio.CancelledError:
                self._fail(batch)
                raise
            except Exception as error:
                self._lost(error)
                self._fail(batch)
                self._fail(self._waiting)
                return
            for (_, future), answer in zip(batch, answers, strict=True):
                if future.done():
                    continue
                if isinstance(answer, Exception):
                    log.warning("Redis refused: %s", answer)
                    future.set_exception(RedisUnavailable())
                else:
                    future.set_result(answer)

    async def _exchange(self, commands: list[tuple[Word, ...]]) -> list[Any]:
        async with asyncio.timeout(CONNECT_SECONDS + ANSWER_SECONDS):
            pipe = self._client.pipeline(transaction=False)
            for words in commands:
                pipe.execute_command(*words)
            return await pipe.execute(raise_on_error=False)

    def _fail(self, batch: list[tuple[tuple[Word, ...], asyncio.Future[Any]]]) -> None:
        for _, future in batch:
            if not future.done():
                future.set_exception(RedisUnavailable())
        batch.clear()

    def _lost(self, error: Exception) -> None:
        if not self._cut.is_set():
            log.warning("Redis is away, every worker goes on by itself: %s", error)
        self.up = False
        self._cut.set()

    async def _supervise(self) -> None:
        """While the line is cut, asks again and again whether Redis is back; else, now and then,
        whether it is still there, so that ``up`` is true.

        Not by ``asyncio.wait_for``, which until Python 3.12 forgets to be cancelled when what it
        waits for comes at the same moment: then ``stop`` would never return.
        """
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(IDLE_SECONDS):
                    await self._cut.wait()
            if not self._cut.is_set():
                await self._probe()
                continue
            await asyncio.sleep(PROBE_SECONDS)
            if await self._probe():
                log.warning("Redis is back")

    async def _probe(self) -> bool:
        try:
            await self._exchange([("PING",)])
        except Exception as error:
            self._lost(error)
            with contextlib.suppress(Exception):
                await self._client.connection_pool.disconnect()
            return False
        self._cut.clear()
        self.up = True
        return True
