"""What a game looks like: the view at any version, the dice ledger, the evidence."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from domain.kernel.codec import full
from projections.rolls import RollRecord
from service.problems import Refusal
from service.work.tasks import Export

from .call import Call
from .operation import Answer, Operation, json_answer
from .paging import cut, next_link, read_offset
from .perspective import Perspective, Version, caching, version_of, viewer_of
from .reply import Reply, content_tag
from .rulesets import Cursor, Limit
from .wire import Page, ViewAnswer

TAG = "views"
ZIP = "application/zip"


class ViewQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Which version, through whose eyes."""

    at: Version = UNSET
    as_: Perspective = ""


class OneRollQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Through whose eyes."""

    as_: Perspective = ""


class RollQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Which part of the ledger, through whose eyes."""

    cursor: Cursor = ""
    limit: Limit = 200
    as_: Perspective = ""


async def get_view(call: Call) -> Reply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    view = await call.desk.reader.view(summary.id, viewer, version_of(summary, call.query.at))
    if view.state is None:
        raise Refusal("version.unknown", "The game has no state before its opening.")
    body = ViewAnswer(
        game=summary.id,
        ruleset=summary.rules.ruleset,
        version=view.version,
        viewer=view.viewer,
        rules=summary.rules,
        next_batch=view.next_batch,
        state=full(view.state),
    )
    return call.json(body, version=view.version, cache=caching(call, call.query.at))


async def list_rolls(call: Call) -> Reply:
    summary = await call.summary()
    rolls = await call.desk.reader.rolls(summary.id, viewer_of(call, summary, call.query.as_))
    page, cursor = cut(rolls, read_offset(call.query.cursor), call.query.limit)
    return call.json(Page(items=page, next=cursor), headers=next_link(call, cursor))


async def get_roll(call: Call) -> Reply:
    summary = await call.summary()
    wanted = call.param("roll").lstrip("/")
    for roll in await call.desk.reader.rolls(summary.id, viewer_of(call, summary, call.query.as_)):
        if roll.id == wanted:
            return call.json(roll, tagged=True)
    raise Refusal("resource.not-found", "The dice ledger has no roll of that id.")


async def get_evidence(call: Call) -> Reply:
    summary = await call.summary()
    bundle = await call.work(Export(summary.id, call.viewer(summary)))
    headers = {"Content-Disposition": f'attachment; filename="{summary.id}.decklog"'}
    return call.bytes(bundle, ZIP, tag=content_tag(bundle), headers=headers)


READING = ("game.damaged", "ruleset.not-installed")

OPERATIONS = (
    Operation(
        id="getView",
        method="GET",
        path="/v1/games/{game}/view",
        tag=TAG,
        summary="Show the whole state",
        description="The state as the caller may see it, at the newest or at any earlier version. "
        "It is the fold of the caller's own events. The ETag is the version; a view at a named "
        "version never changes.",
        run=get_view,
        access="viewer",
        query=ViewQuery,
        answers=(json_answer(200, "The state.", "View", "ETag"),),
        problems=(
            "query.invalid",
            "game.not-found",
            "viewer.not-entitled",
            "version.unknown",
            *READING,
        ),
    ),
    Operation(
        id="listRolls",
        method="GET",
        path="/v1/games/{game}/rolls",
        tag=TAG,
        summary="List the dice",
        description="The dice ledger: every roll with its pool, the modifiers with their rules, "
        "the faces, what came of it, and what the faces can be computed from.",
        run=list_rolls,
        access="viewer",
        query=RollQuery,
        answers=(json_answer(200, "A page of rolls.", "RollPage", "Link"),),
        problems=("query.invalid", "game.not-found", "viewer.not-entitled", *READING),
    ),
    Operation(
        id="getRoll",
        method="GET",
        path="/v1/games/{game}/rolls/{roll}",
        tag=TAG,
        summary="Show a roll",
        description="One roll of the dice ledger, with its proof.",
        run=get_roll,
        access="viewer",
        query=OneRollQuery,
        answers=(json_answer(200, "The roll.", RollRecord, "ETag"),),
        problems=("game.not-found", "viewer.not-entitled", "resource.not-found", *READING),
    ),
    Operation(
        id="getEvidence",
        method="GET",
        path="/v1/games/{game}/evidence",
        tag=TAG,
        summary="Export the evidence",
        description="The evidence bundle: one file from which anybody re-judges the game without "
        "the service. While the game runs it holds what the caller may know, and says so.",
        run=get_evidence,
        access="viewer",
        answers=(Answer(200, "The bundle.", ((ZIP, None),), ("ETag", "Content-Disposition")),),
        problems=("game.not-found", *READING, "evidence.unavailable"),
    ),
)
