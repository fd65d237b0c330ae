"""The events of a game: a JSON page, NDJSON or server-sent events, byte for byte the same."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.values import Viewer
from service.http.feeds import Place
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
from service.models import GameSummary
from service.problems import FieldError, Refusal

from .call import Call
from .operation import JSON, Answer, Operation
from .paging import next_link, read_offset, write_cursor
from .perspective import Perspective, viewer_of
from .reply import Reply
from .rulesets import Cursor, Limit
from .wire import Page, event_bytes

TAG = "events"


class EventQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """From where, how many, through whose eyes."""

    after: (
        Annotated[
            int,
            Meta(
                ge=0, le=2**53 - 1, description="Only events after this version; 0: from the first."
            ),
        ]
        | UnsetType
    ) = UNSET
    cursor: Cursor = ""
    limit: Limit = 200
    follow: Annotated[bool, Meta(description="Whether NDJSON and SSE wait for events to come.")] = (
        True
    )
    as_: Perspective = ""


async def list_events(call: Call) -> Reply | StreamReply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    after = _after(call)
    if after > summary.version:
        raise Refusal("version.unknown", version=summary.version)
    if call.media == JSON:
        return await _page(call, summary, viewer, after)
    if summary.status == "finished" and after == summary.version:
        return Reply(204, headers={"Cache-Control": "no-store"})
    return _stream(call, summary, viewer, after)


def _after(call: Call) -> int:
    """Where to go on: Last-Event-ID first, as a browser that reconnects keeps its address."""
    header = call.header("last-event-id").strip()
    if header:
        if not (header.isascii() and header.isdigit() and len(header) <= 16):
            message = "not the id of an event"
            raise Refusal(
                "query.invalid",
                f"Last-Event-ID: {message}.",
                errors=(FieldError("#Last-Event-ID", "unknown-value", message),),
            )
        return int(header)
    if call.query.cursor:
        return read_offset(call.query.cursor)
    return 0 if call.query.after is UNSET else int(call.query.after)


async def _page(call: Call, summary: GameSummary, viewer: Viewer, after: int) -> Reply:
    limit = call.query.limit
    events = await call.desk.reader.events(summary.id, viewer, after, limit + 1)
    page = events[:limit]
    cursor = write_cursor(str(page[-1].seq)) if len(events) > limit else None
    items = tuple(msgspec.Raw(event_bytes(event)) for event in page)
    return call.json(Page(items=items, next=cursor), headers=next_link(call, cursor))


def _stream(call: Call, summary: GameSummary, viewer: Viewer, after: int) -> StreamReply:
    http, sse = call.http, call.media == SSE
    if not http.limits.streams.take(call.caller):
        raise Refusal("streams.too-many", headers={"Retry-After": "5"})
    http.metrics.streams.inc()
    follower = Follower(
        call.desk,
        http.feeds,
        Place(summary.id, viewer, after),
        frame=sse_frame if sse else ndjson_frame,
        alive=b": still here\n\n" if sse else b"\n",
        ping=http.settings.stream_ping,
        follow=call.query.follow,
        closing=http.closing,
        farewell=FAREWELL if sse else b"\n",
        allowed=call.still_admitted,
        sent=http.metrics.sent,
    )
    prologue = f"retry: {RETRY}\n\n".encode() if sse else b""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    caller = call.caller

    def done() -> None:
        http.limits.streams.leave(caller)
        http.metrics.streams.dec()

    stall = http.settings.stall_seconds
    return StreamReply(follower.chunks(), call.media, headers, prologue, done, stall)


OPERATIONS = (
    Operation(
        id="listEvents",
        method="GET",
        path="/v1/games/{game}/events",
        tag=TAG,
        summary="Read or follow the events",
        description="The events of the game as the caller may know them, in order of `seq`, "
        "without holes. `application/json` is one page. `application/x-ndjson` is one event a "
        "line (an empty line is a sign of life), `text/event-stream` the same as server-sent "
        "events; both go on with the events to come, close after the last event of a finished "
        "game, and answer 204 when asked for more. Resume with `after` or `Last-Event-ID`, from "
        "any version. A stream that ends before the game does was ended by the service, which "
        "is stopping: go on at once after the last event that came. Skip event types that you do "
        "not know: new ones may come.",
        run=list_events,
        access="viewer",
        query=EventQuery,
        headers=("Last-Event-ID",),
        answers=(
            Answer(
                200,
                "The events.",
                ((JSON, "EventPage"), (SSE, "EventStream"), (NDJSON, "EventLines")),
                ("Link",),
            ),
            Answer(204, "The game is finished and there are no more events."),
        ),
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
