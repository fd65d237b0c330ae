"""Events as they happen: NDJSON and server-sent events, resumable from any version, for ever.

A stream reads the store; the desk's announcements only tell it when to look.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from litestar import Response
from litestar.types import Receive, Scope, Send

from projections.stream import SeenEvent
from service.desk import Desk
from service.errors import ServiceError
from service.http.feeds import Feed, Feeds, Frame, Place
from service.http.wire import event_bytes
from service.news.listening import Ear

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


def ndjson_frame(event: SeenEvent) -> bytes:
    """One line."""
    return event_bytes(event) + b"\n"


class Follower:
    """One reader of one game's events.

    follow   whether to wait for events that have not happened yet
    ping     seconds of silence after which :attr:`alive` is sent
    alive    what is sent so that nobody takes the silence for a broken line
    closing  set when the service stops
    farewell what is sent when it does: that there will be more, elsewhere
    allowed  whether the caller may still see what it asked for: a revoked token ends its streams
    sent     is told the time of the last event of a frame that the caller was waiting for
    """

    def __init__(
        self,
        desk: Desk,
        feeds: Feeds,
        place: Place,
        *,
        frame: Frame,
        alive: bytes,
        ping: float,
        follow: bool,
        closing: asyncio.Event,
        farewell: bytes,
        allowed: Callable[[], Awaitable[bool]],
        sent: Callable[[str], None],
    ) -> None:
        self.desk, self.feeds, self.place = desk, feeds, place
        self.frame, self.alive, self.ping, self.follow = frame, alive, ping, follow
        self.closing, self.farewell = closing, farewell
        self.allowed = allowed
        self.sent = sent
        self._waited = False

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

    async def _heard(self, ear: Ear, stop: asyncio.Future[Any]) -> AsyncGenerator[bytes, None]:
        """Frames of what there is, and of what is heard; a sign of life after each silence."""
        while not self.closing.is_set() and await self.allowed():
            feed = await self.feeds.ask(self.place)
            if feed.events:
                yield self._next(feed)
            if feed.over or not (feed.more or self.follow):
                return
            if feed.more:
                continue
            while not await ear.above(self.place.after, self.ping, stop):
                if stop.done() or not await self.allowed():
                    return
                yield self.alive
            self._waited = True

    def _next(self, feed: Feed) -> bytes:
        last = feed.events[-1]
        self.place = self.place._replace(after=last.seq)
        if self._waited:
            self.sent(last.at)
        return feed.framed(self.frame)


class StreamReply(Response[Any]):
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
        self.chunks, self.media, self.headers = chunks, media, headers
        self.prologue, self.done, self.stall = prologue, done, stall

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        """It is one already."""
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._head(send)
            if HEAD_ASKED in scope:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            await _first_of(self._body(send), gone(receive))
        finally:
            self.done()

    async def _head(self, send: Send) -> None:
        fields = {"content-type": self.media, **self.headers}
        raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in fields.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        await send({"type": "http.response.body", "body": self.prologue, "more_body": True})

    async def _body(self, send: Send) -> None:
        async with contextlib.aclosing(self.chunks) as chunks:
            with contextlib.suppress(ServiceError):
                async for chunk in chunks:
                    async with asyncio.timeout(self.stall):
                        await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def gone(receive: Receive) -> None:
    """Returns when the client has hung up."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return


async def _first_of(*jobs: Awaitable[None]) -> None:
    """Run the jobs together; when one ends, end the others, and raise what it raised."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
