"""The board as a picture, at any version and for any perspective that the caller is entitled to."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response
from litestar.params import QueryParameter

from projections import svg
from service.work.tasks import Draw

from .access import viewer
from .asked import Asked
from .given import Given, Seen
from .moments import READING
from .operation import tells
from .reply import shown_tag
from .routes import get

TAG = "views"

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content-Security-Policy of a picture that is opened by itself: it loads and runs nothing."""

Unit = Annotated[
    str,
    QueryParameter(
        max_length=40,
        pattern="^[A-Za-z0-9-]*$",
        description="ID of a unit that is pointed out; Crimson Tide draws its arcs and range "
        "bands when the battle is over: nobody measures before.",
    ),
]


class Pictures(Controller):
    """The board."""

    path = "/v1/games/{game:str}/board.svg"
    tags = (TAG,)

    @get(
        summary="Draw the board",
        guards=[viewer()],
        opt=tells("The picture.", "ETag", media=(svg.MEDIA,), problems=READING),
    )
    async def get_board(
        self,
        *,
        request: Asked,
        moment: Given[Seen],
        unit: Unit = "",
    ) -> Response[bytes]:
        """The board as the caller may see it, at the newest or at any earlier version, with the
        last action drawn in: moves, shots, results. Self-contained SVG with titles and descriptions
        for screen readers; it is told apart without colour, and follows the reader's choice of
        light or dark. A picture at a named version never changes.
        """
        summary, viewer, version, cache = moment
        drawn = await request.work(Draw(summary.id, viewer, version, unit))
        headers, tag = {"Content-Security-Policy": POLICY}, shown_tag(version, drawn)
        return request.sent(drawn, svg.MEDIA, tag=tag, headers=headers, cache=cache)
