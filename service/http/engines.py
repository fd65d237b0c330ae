"""Engines: what decides games, as files that anybody may judge by."""

from __future__ import annotations

import re
from typing import Annotated

from litestar import Controller, Response
from litestar.params import PathParameter

from service.problems import Refusal

from .access import anybody
from .asked import Asked
from .operation import ARCHIVE, tells
from .paging import bad_cursor, read_cursor, write_cursor
from .parameters import UNCHECKED, Cursor, Limit
from .routes import get
from .rulesets import FOREVER
from .wire import EnginePage

TAG = "engines"

EngineDigest = Annotated[
    str,
    PathParameter(description="SHA-256 of the engine.", pattern="^[0-9a-f]{64}$"),
    UNCHECKED,
]

_DIGEST = re.compile("[0-9a-f]{64}")


class Engines(Controller):
    """What decides games."""

    path = "/v1/engines"
    tags = (TAG,)

    @get(
        summary="List the engines",
        guards=[anybody()],
        opt=tells("A page of engines.", "ETag", "Link", problems=("query.invalid",)),
    )
    async def list_engines(
        self, request: Asked, cursor: Cursor = "", limit: Limit = 50
    ) -> Response[EnginePage]:
        """The engines that can be had here: those that a stored game names, installed ones, and
        those of the past that this build carries. An engine is what decides in games of one version
        of a ruleset.
        """
        after = read_cursor(cursor)
        if after and not _DIGEST.fullmatch(after):
            raise bad_cursor()
        desk = request.desk
        found = await desk.threads.read(desk.engines.listed, after, limit + 1)
        page = tuple(found[:limit])
        more = write_cursor(page[-1].digest) if len(found) > limit else None
        body = EnginePage(items=page, next=more)
        return request.told(body, tagged=True, headers=request.next_link(more))

    @get(
        "/{digest:str}",
        summary="Fetch an engine",
        guards=[anybody()],
        opt=tells(
            "The archive.",
            "ETag",
            "Content-Disposition",
            media=(ARCHIVE,),
            problems=("engine.not-found",),
        ),
    )
    async def get_engine(self, request: Asked, digest: EngineDigest) -> Response[bytes]:
        """The archive whose SHA-256 the rules of a game name, and to which its dice are bound:
        `decklog verify --engines` with the address of this service judges by it. A digest only
        identifies. Whether an engine is to be trusted, its reader has to know. Its ETag is the
        digest, and it never changes.
        """
        archive = None
        if _DIGEST.fullmatch(digest):
            desk = request.desk
            archive = await desk.threads.read(desk.engines.archive, digest)
        if archive is None:
            raise Refusal("engine.not-found")
        named = {"Content-Disposition": f'attachment; filename="{digest}.engine"'}
        return request.sent(archive, ARCHIVE, tag=f'"{digest}"', headers=named, cache=FOREVER)
