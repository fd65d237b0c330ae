"""A moment of a game, at any version: who is asked, the scores, the board; and all in words."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Controller, Response

from projections.moments import Moment, Report, chaptered, moment_of, report_of
from projections.timeline import told

from .access import viewer
from .asked import Asked
from .given import Given, Seen
from .operation import JSON, tells
from .reply import shown_tag
from .routes import get

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


class Moments(Controller):
    """Any moment of a game."""

    path = "/v1/games/{game:str}"
    tags = (TAG,)

    @get(
        "/moment",
        summary="Show a moment of the game",
        guards=[viewer()],
        opt=tells("The moment.", "ETag", problems=READING),
    )
    async def get_moment(
        self,
        request: Asked,
        moment: Given[Seen],
    ) -> Response[Moment]:
        """The newest or any earlier version in short: who is asked, the scores, the event that led
        to it, and the board as text.
        """
        summary, viewer, version, _ = moment
        summary = msgspec.structs.replace(summary, rules=summary.rules_at(version))
        body = await request.desk.reader.at_hand(
            summary.id, lambda views: moment_of(views, summary, viewer, version)
        )
        # Kept by nobody: ``latest`` and ``status`` move on.
        return request.told(body, version=version)

    @get(
        "/report",
        summary="Tell the game in words",
        guards=[viewer()],
        opt=tells("The report.", "ETag", media=(JSON, TEXT), problems=READING),
    )
    async def get_report(
        self,
        *,
        request: Asked,
        moment: Given[Seen],
    ) -> Response[Report]:
        """The game up to a version as a report: a chapter for each phase of a turn in which
        something happened, with the versions it spans and its sentences. `text/plain` is the same
        to be read.
        """
        summary, viewer, version, cache = moment
        events = await request.desk.reader.events(summary.id, viewer, 0, version)
        found = await asyncio.to_thread(chaptered, events)
        if request.media == TEXT:
            text = ("\n".join(told(found)) + "\n").encode()
            return request.sent(text, TEXT, tag=shown_tag(version, text), cache=cache)
        body = report_of(summary.id, summary.rules_at(version), viewer, version, found)
        return request.told(body, version=version, cache=cache)
