"""News between workers: "game G is at version N". Hints, never the truth: a stream that hears
nothing finds the events by asking the store.

A worker publishes after its commit, outside of it, what has come together since it published last;
nobody waits for that. What gets lost is found by the next look into the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from ..entropy import SYSTEM, Entropy, drawn
from .line import ANSWER_SECONDS, Line, RedisUnavailable

log = logging.getLogger(__name__)

QUIET_SECONDS = 1.0
"""After so long a silence the line is tried, so that a Redis that hangs is noticed."""

RESUBSCRIBE_SECONDS = 0.25
"""Between two attempts to listen."""

MOST_BYTES = 1 << 20
"""A message that is longer is none of ours."""


class News(msgspec.Struct, frozen=True):
    """One message: the worker that sends it, and versions that games have reached."""

    by: str
    versions: dict[str, int]


_NEWS = msgspec.json.Decoder(News)


Tell = Callable[[Mapping[str, int]], None]
"""Gets versions that games have reached at other workers."""


class HintChannel(Protocol):
    """What takes news from worker to worker: :class:`Hints`, or one that loses and doubles them.

    live  whether this worker hears the others, as far as it knows
    """

    live: bool

    def start(self) -> None:
        """On the event loop."""

    async def stop(self) -> None:
        """Harmless when repeated."""

    def publish(self, news: Mapping[str, int]) -> None:
        """Tell the other workers; does not wait, does not fail."""


MakeHints = Callable[[Tell], HintChannel]


class Hints:
    """On the event loop only, from ``start`` to ``stop``."""

    def __init__(self, line: Line, tell: Tell, entropy: Entropy = SYSTEM) -> None:
        """``tell`` gets what other workers say."""
        self._line = line
        self._tell = tell
        self._name = drawn(entropy, 8)
        self._channel = f"{line.prefix}:news"
        self._fresh: dict[str, int] = {}
        self._publishing: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self.live = False
        """Whether this worker hears the others, as far as it knows."""

    def start(self) -> None:
        self._listening = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Harmless when repeated."""
        for task in (self._listening, self._publishing):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        self.live = False

    def publish(self, news: Mapping[str, int]) -> None:
        """Tell the other workers; does not wait, does not fail."""
        if not news or not self._line.up:
            return
        for game, version in news.items():
            self._fresh[game] = max(version, self._fresh.get(game, 0))
        if self._publishing is None or self._publishing.done():
            self._publishing = asyncio.create_task(self._publish())

    async def _publish(self) -> None:
        while self._fresh:
            news, self._fresh = News(self._name, self._fresh), {}
            try:
                await self._line.ask("PUBLISH", self._channel, msgspec.json.encode(news))
            except RedisUnavailable:
                self._fresh.clear()

    async def _listen(self) -> None:
        """For ever: whatever ends the subscription, it is made anew."""
        while True:
            try:
                await self._follow()
            except Exception as error:
                log.debug("not listening to other workers: %s", error)
            self.live = False
            await asyncio.sleep(RESUBSCRIBE_SECONDS)

    async def _follow(self) -> None:
        client = self._line.client()
        try:
            async with client.pubsub(ignore_subscribe_messages=True) as heard:
                await heard.subscribe(self._channel)
                await self._answered(heard)
                self.live = True
                while True:
                    message = await heard.get_message(timeout=QUIET_SECONDS)
                    self._hear(message or await self._answered(heard))
        finally:
            await client.aclose()

    async def _answered(self, heard: Any) -> Mapping[str, Any]:
        """The next message, or the answer to a ping. Raises TimeoutError for a dead line."""
        async with asyncio.timeout(ANSWER_SECONDS):
            await heard.ping()
            while True:
                message: Mapping[str, Any] | None = await heard.get_message(timeout=ANSWER_SECONDS)
                if message is not None:
                    return message

    def _hear(self, message: Mapping[str, Any]) -> None:
        data = message["data"]
        if message["type"] != "message" or len(data) > MOST_BYTES:
            return
        try:
            news = _NEWS.decode(data)
        except msgspec.MsgspecError:
            log.warning("a message that is no news came over Redis")
            return
        if news.by != self._name:
            self._tell(news.versions)
