"""A moment of a game, at any version: who is asked, the scores, the board; and all in words."""

from __future__ import annotations

import asyncio

import msgspec
from msgspec import UNSET

from projections.moments import Moment, Report, chaptered, moment_of, report_of
from projections.timeline import told

from .call import Call
from .operation import JSON, Operation, json_answer
from .operation import Answer as Form
from .perspective import Perspective, Version, caching, version_of, viewer_of
from .reply import Reply, content_tag

TAG = "time travel"
TEXT = "text/plain"
READING = (
    "query.invalid",
    "game.not-found",
    "viewer.not-entitled",
    "version.unknown",
    "game.damaged",
    "ruleset.not-installed",
)


class MomentQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Which version, through whose eyes."""

    at: Version = UNSET
    as_: Perspective = ""


async def get_moment(call: Call) -> Reply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    version = version_of(summary, call.query.at)
    body = await call.desk.reader.at_hand(
        summary.id, lambda views: moment_of(views, summary, viewer, version)
    )
    # Not the version's tag, and kept by nobody: ``latest`` and ``status`` move on with the game.
    return call.json(body, tagged=True)


async def get_report(call: Call) -> Reply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    version = version_of(summary, call.query.at)
    events = await call.desk.reader.events(summary.id, viewer, 0, version)
    found = await asyncio.to_thread(chaptered, events)
    cache = caching(call, call.query.at)
    if call.media == TEXT:
        text = ("\n".join(told(found)) + "\n").encode()
        return call.bytes(text, TEXT, tag=content_tag(text), cache=cache)
    body = report_of(summary.id, summary.rules, viewer, version, found)
    return call.json(body, tagged=True, cache=cache)


OPERATIONS = (
    Operation(
        id="getMoment",
        method="GET",
        path="/v1/games/{game}/moment",
        tag=TAG,
        summary="Show a moment of the game",
        description="The newest or any earlier version in short: who is asked, the scores, the "
        "event that led to it, and the board as text.",
        run=get_moment,
        access="viewer",
        query=MomentQuery,
        answers=(json_answer(200, "The moment.", Moment, "ETag"),),
        problems=READING,
    ),
    Operation(
        id="getReport",
        method="GET",
        path="/v1/games/{game}/report",
        tag=TAG,
        summary="Tell the game in words",
        description="The game up to a version as a report: a chapter for each phase of a turn in "
        "which something happened, with the versions it spans and its sentences. `text/plain` is "
        "the same to be read.",
        run=get_report,
        access="viewer",
        query=MomentQuery,
        answers=(Form(200, "The report.", ((JSON, Report), (TEXT, None)), ("ETag",)),),
        problems=READING,
    ),
)
