"""The events of a game: a JSON page, NDJSON or server-sent events, byte for byte the same."""

from __future__ import annotations

import asyncio
import contextlib
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response
from litestar.params import QueryParameter

from projections import tables
from projections.tables import TableTold
from service.errors import ServiceError
from service.http.feeds import Feed, FeedPosition
from service.http.streams import (
    FAREWELL,
    NDJSON,
    RETRY,
    SSE,
    Follower,
    StreamReply,
    ndjson_frame,
    sse_frame,
)
from service.models import Answer, GameSummary, Standing, View
from service.problems import Refusal

from .accept import takes_gzip
from .access import leave, spend, viewer
from .asked import NO_STORE, AnyGame, Asked
from .commands import offer
from .decoding import bad_header
from .given import Given, Seen
from .mine import PieceList, pieces_of
from .operation import JSON, tells
from .operation import Answer as Answered
from .paging import read_offset, write_cursor
from .parameters import HIGHEST, Cursor, LastEventId, Limit
from .reply import LEVEL, Reply
from .routes import get
from .wire import ENCODER, CommandList, Page, event_bytes

TAG = "events"

After = Annotated[
    int | None,
    QueryParameter(
        ge=0, le=HIGHEST, description="Only events after this version; 0: from the first."
    ),
]
Follow = Annotated[
    bool, QueryParameter(description="Whether NDJSON and SSE wait for events to come.")
]
Moments = Annotated[
    bool,
    QueryParameter(
        description="Whether SSE tells how the game stands (`event: moment`, a `Standing`) "
        "wherever it has caught up: at first, and after each batch of events."
    ),
]
Offers = Annotated[
    bool,
    QueryParameter(
        description="Whether SSE tells what the caller's seat may do (`event: offers`, the first "
        "page of `listCommands`) wherever it has caught up and the seat is asked."
    ),
]
WithTable = Annotated[
    bool,
    QueryParameter(
        description="Whether SSE keeps a table up to date (`event: table`, a `TableTold`): the "
        "game, the caller's "
        "view, commands and pieces; the whole at first, then what is different, wherever it has "
        "caught up."
    ),
]
STEPS_LEVEL, STEPS_MEMORY = 6, 6
"""Level and ``memLevel`` of zlib for streams that stay open: a step takes 40 microseconds."""
OFFERED = 200
"""Commands of a page."""


class TableWhole(Answer, frozen=True):
    """A table: all that a page of the game shows to one seat, or to an onlooker.

    game      as `getGame` tells it
    state     the `state` of `getView`; null before the opening
    commands  as `listCommands` tells them, all its pages in one; null before the opening
    pieces    as `listPieces` tells them; null where nobody has a command
    """

    game: GameSummary
    state: Any
    commands: CommandList | None
    pieces: PieceList | None


class Events(Controller):
    """What happened."""

    path = "/v1/games/{game:str}/events"
    tags = (TAG,)

    @get(
        summary="Read or follow the events",
        guards=[viewer()],
        opt=tells(
            "The events.",
            "Link",
            media=(JSON, SSE, NDJSON),
            schema="EventPage",
            data=("Event", Standing, CommandList, TableTold, TableWhole),
            also=(Answered(204, "The game is finished and there are no more events."),),
            problems=(
                "query.invalid",
                "game.not-found",
                "viewer.not-entitled",
                "version.unknown",
                "streams.too-many",
                "game.damaged",
                "ruleset.not-installed",
            ),
        ),
    )
    async def list_events(
        self,
        *,
        request: Asked,
        after: After = None,
        cursor: Cursor = "",
        limit: Limit = 200,
        follow: Follow = True,
        moments: Moments = False,
        offers: Offers = False,
        table: WithTable = False,
        seen: Given[Seen],
        last: LastEventId = "",
    ) -> Response[Page]:
        """The events of the game as the caller may know them, in order of `seq`, without holes.
        `application/json` is one page. `application/x-ndjson` is one event a line (an empty line is
        a sign of life), `text/event-stream` the same as server-sent events; both go on with the
        events to come, close after the last event of a finished game, and answer 204 when asked for
        more. Resume with `after` or `Last-Event-ID`, from any version. A stream that ends before
        the game does was ended by the service, which is stopping: go on at once after the last
        event that came. With `moments` server-sent events tell whose turn it is as well, whenever
        all that happened has come: who follows so never has to ask. With `offers` they bring a seat
        the commands that it may give as well, whenever it is asked: who plays so reads no list.
        With `table` they bring all that a page shows, and of each step what it changed: `data` of
        `event: table` is a `TableTold`; such a stream is compressed for who takes that.
        Skip event types that you do not know: new ones may come.
        """
        summary, viewer, version, _ = seen
        start = start_of(last.strip(), cursor, after)
        if start > version:
            raise Refusal("version.unknown", version=version)
        place = FeedPosition(summary.id, viewer, start)
        if request.media == JSON:
            return await _page(request, place, limit)
        if summary.opened and start == version:
            return request.gone()
        if summary.status == "finished":  # its archive may be away: no empty stream says so
            await request.desk.reader.events_upto(version, summary.id, viewer, start, 1)
        if table or offers:  # else a stream costs nothing: who was cut off comes back at once
            await spend(request, request.curb())
        stream = _follower(request, place, follow=follow, moments=moments, offers=offers)
        steps = table and request.media == SSE
        if steps:
            stream.beside += (TableTeller(request, place).frame,)
        return _streamed(request, stream, _packer(request, follow=follow, steps=steps))


def start_of(last: str, cursor: str, after: int | None) -> int:
    """Where to go on: Last-Event-ID first, as a browser that reconnects keeps its address."""
    if last:
        if not (last.isascii() and last.isdigit() and len(last) <= 16):
            raise bad_header("Last-Event-ID", "unknown-value", "not the id of an event")
        return int(last)
    return read_offset(cursor) if cursor else after or 0


async def _page(asked: Asked, place: FeedPosition, limit: int) -> Reply:
    events = await asked.desk.reader.events(place.game, place.viewer, place.after, limit + 1)
    page = events[:limit]
    cursor = write_cursor(str(page[-1].seq)) if len(events) > limit else None
    items = tuple(msgspec.Raw(event_bytes(event)) for event in page)
    return asked.told(Page(items=items, next=cursor), headers=asked.next_link(cursor))


def _follower(
    asked: Asked, place: FeedPosition, *, follow: bool, moments: bool, offers: bool
) -> Follower:
    """Who reads on from the place, in the form that is asked for."""
    http, sse = asked.http, asked.media == SSE
    return Follower(
        asked.desk,
        http.feeds,
        place,
        frame=sse_frame if sse else ndjson_frame,
        alive=b": still here\n\n" if sse else b"\n",
        ping=http.settings.stream_ping,
        follow=follow,
        closing=http.closing,
        farewell=FAREWELL if sse else b"\n",
        allowed=asked.still_admitted,
        sent=http.metrics.sent,
        moments=sse and moments,
        beside=(offering(asked, place),) if sse and offers else (),
    )


def offering(asked: Asked, place: FeedPosition) -> Callable[[Feed], Awaitable[bytes]]:
    """What tells a seat what it may do, the first page of its list, where it is asked."""

    async def frame(feed: Feed) -> bytes:
        standing = feed.standing
        if standing is None or place.viewer not in {each.seat for each in standing.to_move}:
            return b""
        summary = await asked.desk.reader.summary(place.game)
        view = await asked.desk.reader.view(place.game, place.viewer, standing.version)
        game = asked.played_in(summary)
        body = ENCODER.encode(await asyncio.to_thread(offer, game, summary, view, 0, OFFERED))
        return b"event: offers\ndata: " + body + b"\n\n"

    return frame


ALL = 1_000_000
"""Commands of the list that a table has: all pages of it."""


class TableTeller:
    """Tells one reader what changes at his table; readers of the same share what is made."""

    def __init__(self, asked: Asked, place: FeedPosition) -> None:
        self._asked, self._place = asked, place
        self._before: tables.Table | None = None

    async def frame(self, feed: Feed) -> bytes:
        """The whole at first, then what is different; nothing where all is as it was told."""
        now = await self._once(feed, "table", self._now)
        before, self._before = self._before, now
        tell = partial(asyncio.to_thread, tables.told, before, now)
        body = await self._once(feed, id(before), tell)
        feed.shared["before", id(before)] = before  # kept beside it: its id then stays its own
        return b"event: table\ndata: " + body + b"\n\n" if body else b""

    async def _once(self, feed: Feed, key: object, make: Callable[[], Awaitable[Any]]) -> Any:
        if key not in feed.shared:
            feed.shared[key] = asyncio.ensure_future(make())
        return await asyncio.shield(feed.shared[key])

    async def _now(self) -> tables.Table:
        reader, place = self._asked.desk.reader, self._place
        summary = await reader.summary(place.game)
        view = await reader.view(place.game, place.viewer, summary.version)
        return await asyncio.to_thread(laid, self._asked.played_in(summary), summary, view)


def laid(game: AnyGame, summary: GameSummary, view: View) -> tables.Table:
    """The table of who sees the view."""
    if view.state is None:
        return tables.Table(summary.version, summary, None, None, None)
    offers, pieces = offer(game, summary, view, 0, ALL), pieces_of(game, summary, view)
    plain = tables.plain
    return tables.Table(summary.version, summary, view.state, plain(offers), plain(pieces))


Chunks = AsyncGenerator[bytes, None]


def _packer(asked: Asked, *, follow: bool, steps: bool) -> Callable[[Chunks], Chunks] | None:
    """How what is sent is compressed for who takes that: what ends, and what keeps a table."""
    if not takes_gzip(asked.header("accept-encoding")):
        return None
    if steps:
        return in_steps
    return None if follow or asked.media != NDJSON else in_gzip


def _streamed(
    asked: Asked, follower: Follower, pack: Callable[[Chunks], Chunks] | None
) -> StreamReply:
    """The answer that goes on; it takes a place of the caller's streams."""
    http, caller = asked.http, asked.caller
    if not http.limits.streams.take(caller):
        raise Refusal("streams.too-many", headers={"Retry-After": "5"})
    http.metrics.streams.inc()
    prologue = f"retry: {RETRY}\n\n".encode() if asked.media == SSE else b""
    headers = {"Cache-Control": NO_STORE, "X-Accel-Buffering": "no"}
    chunks = follower.chunks()
    if pack is not None:
        headers["Content-Encoding"] = "gzip"
        chunks, prologue = pack(begun(prologue, chunks)), b""

    def done() -> None:
        http.limits.streams.leave(caller)
        http.metrics.streams.dec()

    leave(asked.scope)  # a stream has a place of its own
    stall = http.settings.stall_seconds
    return StreamReply(chunks, asked.media, headers, prologue, done, stall)


async def begun(prologue: bytes, chunks: Chunks) -> Chunks:
    """The pieces after what comes before all of them."""
    if prologue:
        yield prologue
    async with contextlib.aclosing(chunks):
        async for chunk in chunks:
            yield chunk


async def in_steps(chunks: Chunks) -> Chunks:
    """The pieces, compressed as one body of which each arrives at once: a step costs what of it is
    new. What a reader holds meanwhile is 160 kB.
    """
    packer = zlib.compressobj(STEPS_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS, STEPS_MEMORY)
    async with contextlib.aclosing(chunks):
        async for chunk in chunks:
            yield packer.compress(chunk) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


async def in_gzip(chunks: Chunks) -> Chunks:
    """The pieces, compressed as one body: 200 events take a millisecond, less than a thread costs.

    For a body that waits for nothing: what has come so far may stay in the compressor. A body that
    breaks off is ended like a whole one, so that its reader can read all that came.
    """
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    with contextlib.suppress(ServiceError):
        async with contextlib.aclosing(chunks):
            async for chunk in chunks:
                if made := packer.compress(chunk):
                    yield made
    yield packer.flush()
