"""The board as a picture, at any version and for any perspective that the caller is entitled to."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta

from projections import svg
from service.work.tasks import Draw

from .call import Call
from .operation import Answer, Operation
from .perspective import Perspective, Version, caching, version_of, viewer_of
from .reply import Reply, content_tag

TAG = "views"

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content-Security-Policy of a picture that is opened by itself: it loads and runs nothing."""


class BoardQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Which version, through whose eyes, and which unit to point out."""

    at: Version = UNSET
    as_: Perspective = ""
    unit: Annotated[
        str,
        Meta(
            max_length=40,
            pattern="^[A-Za-z0-9-]*$",
            description="ID of a unit that is pointed out; Crimson Tide draws its arcs and range "
            "bands when the battle is over: nobody measures before.",
        ),
    ] = ""


async def get_board(call: Call) -> Reply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    version = version_of(summary, call.query.at)
    drawn = await call.work(Draw(summary.id, viewer, version, call.query.unit))
    headers = {"Content-Security-Policy": POLICY}
    cache = caching(call, call.query.at)
    return call.bytes(drawn, svg.MEDIA, tag=content_tag(drawn), headers=headers, cache=cache)


OPERATIONS = (
    Operation(
        id="getBoard",
        method="GET",
        path="/v1/games/{game}/board.svg",
        tag=TAG,
        summary="Draw the board",
        description="The board as the caller may see it, at the newest or at any earlier version, "
        "with the last action drawn in: moves, shots, results. Self-contained SVG with titles and "
        "descriptions for screen readers; it is told apart without colour, and follows the "
        "reader's choice of light or dark. A picture at a named version never changes.",
        run=get_board,
        access="viewer",
        query=BoardQuery,
        answers=(Answer(200, "The picture.", ((svg.MEDIA, None),), ("ETag",)),),
        problems=(
            "query.invalid",
            "game.not-found",
            "viewer.not-entitled",
            "version.unknown",
            "game.damaged",
            "ruleset.not-installed",
        ),
    ),
)
