"""What is different between two versions of a game, or between a game and its what-if."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.values import TRUTH, Viewer
from service.hindsight import Difference, Side, difference
from service.models import GameSummary
from service.problems import Refusal
from service.views import GameViews

from .call import Call
from .moments import READING, TAG
from .operation import Operation, json_answer
from .perspective import Perspective, Version, caching, version_of, viewer_of
from .reply import Reply

Other = Annotated[
    str,
    Meta(
        max_length=32,
        pattern="^([0-9a-f]{32})?$",
        description="`to` is a version of this game, a relative of the first one: a fork of it, "
        "the game that it is a fork of, or another fork of that.",
    ),
]


class DiffQuery(
    msgspec.Struct, frozen=True, rename={"as_": "as", "from_": "from", "with_": "with"}
):
    """Which two positions, through whose eyes."""

    from_: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=2**53 - 1,
                description="The first version; 1 if absent, and with `with` the newest.",
            ),
        ]
        | UnsetType
    ) = UNSET
    to: Version = UNSET
    as_: Perspective = ""
    with_: Other = ""


async def get_diff(call: Call) -> Reply:
    summary = await call.summary()
    query: DiffQuery = call.query
    viewer = viewer_of(call, summary, query.as_)
    other = await _other(call, summary, query.with_)
    first = summary.version if other else 1
    start = first if query.from_ is UNSET else version_of(summary, query.from_)
    to = version_of(other or summary, query.to)
    beyond = await call.desk.past((other or summary).id, _itself)
    eyes = viewer if other is None else _eyes(call, other)
    forked = summary.fork is not None and other is not None and summary.fork.game == other.id
    since = min(summary.fork.version, to) if forked and summary.fork is not None else 0

    def compare(views: GameViews) -> Difference:
        sides = Side(views, viewer, start), Side(beyond, eyes, to)
        return difference(*sides, summary.id, other.id if other else "", since)

    found = await call.desk.past(summary.id, compare)
    return call.json(found, tagged=True, cache="" if other else caching(call, query.to))


def _eyes(call: Call, other: GameSummary) -> Viewer:
    """Of the other game the caller sees what it may, and all of one that is over."""
    return TRUTH if other.status == "finished" else call.viewer(other)


def _itself(views: GameViews) -> GameViews:
    return views


async def _other(call: Call, summary: GameSummary, id: str) -> GameSummary | None:
    """The other game, if one is named. Raises ``game.not-found``, ``diff.unrelated``."""
    if not id or id == summary.id:
        return None
    other = await call.summary_of(id)
    if _family(summary) & _family(other):
        return other
    raise Refusal("diff.unrelated")


def _family(summary: GameSummary) -> set[str]:
    """The game, and the one that it is a fork of."""
    return {summary.id} | ({summary.fork.game} if summary.fork is not None else set())


OPERATIONS = (
    Operation(
        id="getDiff",
        method="GET",
        path="/v1/games/{game}/diff",
        tag=TAG,
        summary="Compare two versions",
        description="What is different, place by place of the view's `state`: applied in order to "
        "the one state, the changes give the other. Each has its sentence, the events that it "
        "comes from and their rules. `figures` are numbers that the rules work out (armor, speed) "
        "with their reasons. With `with` the second version is that of another game.",
        run=get_diff,
        access="viewer",
        query=DiffQuery,
        answers=(json_answer(200, "The difference.", Difference, "ETag"),),
        problems=(*READING, "diff.unrelated"),
    ),
)
