"""Events as they happen: NDJSON and server-sent events, resumable from any version, for ever.

A stream reads the store; the desk's announcements only tell it when to look.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from litestar.types import Receive, Scope, Send

from projections.stream import SeenEvent
from service.desk import Desk
from service.errors import ServiceError
from service.http.feeds import Feed, FeedPosition, Feeds, Frame
from service.http.wire import ENCODER, event_bytes
from service.models import Standing
from service.news.listening import Listener

from .reply import Reply, raw

T = TypeVar("T")

RETRY = 2000
"""Milliseconds after which a browser reconnects."""

FAREWELL = b": the service is stopping; go on elsewhere with Last-Event-ID\nretry: 500\n\n"
"""The last of a stream that a stop has ended: another worker, or the next one, is soon there."""

HEAD_ASKED = "decklog.head"
"""In the scope of a request whose method was HEAD: its answer ends with the header fields."""

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"


def sse_frame(event: SeenEvent) -> bytes:
    """``id`` is the version after the event, ``event`` its type."""
    head = f"id: {event.seq}\nevent: {event.type}\ndata: ".encode()
    return head + event_bytes(event) + b"\n\n"


def moment_frame(standing: Standing) -> bytes:
    """How the game stands, where a stream has caught up; without an ``id``, for a stream is resumed
    after an event.
    """
    return b"event: moment\ndata: " + ENCODER.encode(standing) + b"\n\n"


def ndjson_frame(event: SeenEvent) -> bytes:
    """One line."""
    return event_bytes(event) + b"\n"


@dataclass(eq=False)
class Follower:
    """One reader of one game's events.

    frame    an event as it is sent
    follow   whether to wait for events that have not happened yet
    ping     seconds of silence after which :attr:`alive` is sent
    alive    what is sent so that nobody takes the silence for a broken line
    closing  set when the service stops
    farewell what is sent when it does: that there will be more, elsewhere
    allowed  whether the caller may still see what it asked for: a revoked token ends its streams
    moments  whether how the game stands is sent too, wherever the reader has caught up
    beside   each makes what else is sent where the reader has caught up, or nothing
    sent     is told the time of the last event of a frame that the caller was waiting for
    """

    desk: Desk
    feeds: Feeds
    place: FeedPosition
    frame: Frame
    alive: bytes
    ping: float
    follow: bool
    closing: asyncio.Event
    farewell: bytes
    allowed: Callable[[], Awaitable[bool]]
    sent: Callable[[str], None]
    moments: bool = False
    beside: tuple[Callable[[Feed], Awaitable[bytes]], ...] = ()
    _waited: bool = False

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Frames, until the game's last event, the service's stop, or for ever."""
        stop = asyncio.ensure_future(self.closing.wait())
        try:
            with self.desk.reader.listening(self.place.game) as ear:
                async for chunk in self._heard(ear, stop):
                    yield chunk
        finally:
            stop.cancel()
        if self.closing.is_set():
            yield self.farewell

    async def _heard(self, ear: Listener, stop: asyncio.Future[Any]) -> AsyncGenerator[bytes, None]:
        """Frames of what there is, and of what is heard; a sign of life after each silence."""
        while not self.closing.is_set() and await self.allowed():
            feed = await self.feeds.ask(self.place)
            caught_up = feed.standing is not None and bool(feed.events or not self._waited)
            if chunk := self._next(feed, caught_up):
                yield chunk
            for make in self.beside if caught_up else ():
                if more := await make(feed):
                    yield more
            if feed.over or not (feed.more or self.follow):
                return
            if feed.more:
                continue
            while not await ear.above(self.place.after, self.ping, stop):
                if stop.done() or not await self.allowed():
                    return
                yield self.alive
            self._waited = True

    def _next(self, feed: Feed, caught_up: bool) -> bytes:
        """What comes next as it is sent, and how the game stands then."""
        if feed.events:
            last = feed.events[-1]
            self.place = self.place._replace(after=last.seq)
            if self._waited:
                self.sent(last.at)
        told = self.moments and caught_up and feed.standing is not None
        moment = moment_frame(feed.standing) if told and feed.standing is not None else b""
        return feed.framed(self.frame) + moment


class HungUp(TimeoutError):
    """Nobody is there any more to be answered."""


class StreamReply(Reply):
    """An answer whose body comes piece by piece; ``done`` is called once, however it ends."""

    def __init__(
        self,
        chunks: AsyncGenerator[bytes, None],
        media: str,
        headers: dict[str, str],
        prologue: bytes,
        done: Callable[[], None],
        stall: float,
    ) -> None:
        """``stall``: seconds after which a reader that takes nothing is given up."""
        super().__init__(200, prologue, media, headers)
        self.chunks, self.done, self.stall = chunks, done, stall

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._head(send)
            if HEAD_ASKED in scope:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            with contextlib.suppress(HungUp):
                await while_there(receive, self._body(send))
        finally:
            self.done()

    async def _head(self, send: Send) -> None:
        fields = raw({"content-type": self.media, **self.headers})
        await send({"type": "http.response.start", "status": 200, "headers": fields})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})

    async def _body(self, send: Send) -> None:
        async with contextlib.aclosing(self.chunks) as chunks:
            with contextlib.suppress(ServiceError):
                async for chunk in chunks:
                    async with asyncio.timeout(self.stall):
                        await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def while_there(receive: Receive, work: Awaitable[T]) -> T:
    """What ``work`` gives, which ends when the client hangs up. Raises :class:`HungUp`."""
    doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise HungUp
        return doing.result()
    finally:
        for each in (doing, leaving):
            each.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _gone(receive: Receive) -> None:
    """Returns when the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass
