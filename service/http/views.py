"""What a game looks like: the view at any version, the dice ledger, the evidence."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, Response
from litestar.params import QueryParameter

from domain.kernel.codec import full
from projections.rolls import RollRecord
from service.evidence.bundle import last_event, signed
from service.models import GameSummary
from service.problems import Refusal
from service.work.tasks import Export

from .access import viewer
from .asked import Asked, own_eyes
from .given import Given, Seen
from .operation import tells
from .paging import cut, read_offset
from .parameters import HIGHEST, Cursor, Limit, RollId
from .reply import shown_tag
from .routes import get
from .wire import Page, ViewAnswer

TAG = "views"
ZIP = "application/zip"
READING = ("game.damaged", "ruleset.not-installed")

Known = Annotated[
    int | None,
    QueryParameter(
        ge=1,
        le=HIGHEST,
        description="Leaves of the public log's head that you have kept: the file then proves that "
        "its own is of one log with it. Of more than are signed nothing can be proven.",
    ),
]


class Views(Controller):
    """Looking at a game."""

    path = "/v1/games/{game:str}"
    tags = (TAG,)

    @get(
        "/view",
        summary="Show the whole state",
        guards=[viewer()],
        opt=tells(
            "The state.",
            "ETag",
            schema="View",
            problems=(
                "query.invalid",
                "game.not-found",
                "viewer.not-entitled",
                "version.unknown",
                *READING,
            ),
        ),
    )
    async def get_view(
        self,
        request: Asked,
        moment: Given[Seen],
    ) -> Response[ViewAnswer]:
        """The state as the caller may see it, at the newest or at any earlier version. It is the
        fold of the caller's own events. The ETag begins with the version; a view at a named version
        never changes.
        """
        summary, viewer, version, cache = moment
        view = await request.desk.reader.view(summary.id, viewer, version)
        if view.state is None:
            raise Refusal("version.unknown", "The game has no state before its opening.")
        body = ViewAnswer(
            game=summary.id,
            ruleset=summary.rules.ruleset,
            version=view.version,
            head=view.head,
            viewer=view.viewer,
            rules=summary.rules_at(view.version),
            next_batch=view.next_batch,
            state=full(view.state),
        )
        return request.told(body, version=view.version, cache=cache)

    @get(
        "/rolls",
        summary="List the dice",
        guards=[viewer()],
        opt=tells(
            "A page of rolls.",
            "Link",
            schema="RollPage",
            problems=("query.invalid", "game.not-found", "viewer.not-entitled", *READING),
        ),
    )
    async def list_rolls(
        self,
        *,
        request: Asked,
        cursor: Cursor = "",
        limit: Limit = 200,
        seen: Given[Seen],
    ) -> Response[Page]:
        """The dice ledger: every roll with its pool, the modifiers with their rules, the faces, the
        result, and the values from which the faces can be computed again.
        """
        rolls = await request.desk.reader.rolls(seen.summary.id, seen.viewer)
        page, more = cut(rolls, read_offset(cursor), limit)
        return request.told(Page(items=page, next=more), headers=request.next_link(more))

    @get(
        "/rolls/{roll:path}",
        summary="Show a roll",
        guards=[viewer()],
        opt=tells(
            "The roll.",
            "ETag",
            problems=("game.not-found", "viewer.not-entitled", "resource.not-found", *READING),
        ),
    )
    async def get_roll(
        self,
        request: Asked,
        seen: Given[Seen],
        roll: RollId,
    ) -> Response[RollRecord]:
        """One roll of the dice ledger, with its proof."""
        wanted = str(roll).lstrip("/")
        for each in await request.desk.reader.rolls(seen.summary.id, seen.viewer):
            if each.id == wanted:
                return request.told(each, version=each.seq)
        raise Refusal("resource.not-found", "The dice ledger has no roll of that id.")

    @get(
        "/evidence",
        summary="Export the evidence",
        guards=[viewer()],
        opt=tells(
            "The bundle.",
            "ETag",
            "Content-Disposition",
            media=(ZIP,),
            problems=("query.invalid", "game.not-found", *READING, "evidence.unavailable"),
        ),
    )
    async def get_evidence(
        self, request: Asked, summary: Given[GameSummary], known: Known = None
    ) -> Response[bytes]:
        """The evidence bundle: one file from which anybody re-judges the game without the service.
        While the game runs it holds what the caller may know, and says so.
        """
        eyes = own_eyes(request.identity, summary)
        bundle = await request.work(Export(summary.id, eyes))
        if (public := request.desk.public_log) is not None:
            bundle = await request.desk.threads.read(public.proved, bundle, known or 0)
        if (keys := request.desk.store.signers) is not None:
            bundle = await asyncio.to_thread(signed, bundle, keys.bundles, keys.listed)
        headers = {"Content-Disposition": f'attachment; filename="{summary.id}.decklog"'}
        version = last_event(bundle)  # more may have happened than the summary knows
        return request.sent(bundle, ZIP, tag=shown_tag(version, bundle), headers=headers)
