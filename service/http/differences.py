"""What is different between two versions of a game, or of two games with a common ancestor."""

from __future__ import annotations

import dataclasses
from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.values import TRUTH, Viewer
from projections.hindsight import Difference
from service.models import GameSummary
from service.problems import Refusal
from service.work.tasks import Compare, Position

from .admission import identified
from .call import Call
from .games import NO_STORE
from .moments import READING, TAG
from .operation import Operation, json_answer
from .perspective import Perspective, Version, caching, version_of, viewer_of
from .reply import Reply

WITH_TOKEN = "Decklog-With-Token"
"""A token of the game that ``with`` names; in a header, for addresses are logged and kept."""

Other = Annotated[
    str,
    Meta(
        max_length=32,
        pattern="^([0-9a-f]{32})?$",
        description="`to` is a version of this game, which has an ancestor in common with the "
        "first one: the game that it is a fork of, a fork of it, another fork of the same game, "
        "or a fork of any of these. A fork is shown to holders of its tokens alone: send one in "
        "`Decklog-With-Token`, if it is not the request's own.",
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


class Ancestor(NamedTuple):
    """A game that another goes on from, or is itself, and the newest version that they share."""

    game: str
    version: int


async def get_diff(call: Call) -> Reply:
    summary = await call.summary()
    query: DiffQuery = call.query
    viewer = viewer_of(call, summary, query.as_)
    holder = await _holder(call)
    other = await _other(holder, summary, query.with_)
    first = summary.version if other else 1
    start = first if query.from_ is UNSET else version_of(summary, query.from_)
    to = version_of(other or summary, query.to)
    since = 0 if other is None else await _since(call, summary, start, other, to)
    eyes = viewer if other is None else _eyes(holder, other)
    two = Position((other or summary).id, eyes, to)
    found = await call.work(Compare(Position(summary.id, viewer, start), two, since))
    if holder.identity is not None:
        return call.json(found, tagged=True, cache=NO_STORE)
    return call.json(found, tagged=True, cache="" if other else caching(call, query.to))


async def _holder(call: Call) -> Call:
    """Who asks for the other game: the holder of its token, where one came along.

    A token is worth what it is worth in ``Authorization``: it opens its own game, as far as its
    kind goes, and nothing else. Raises ``token.invalid``, ``rate.exceeded``.
    """
    token = call.header(WITH_TOKEN)
    if not token:
        return call
    return dataclasses.replace(call, identity=await identified(call, token))


def _eyes(holder: Call, other: GameSummary) -> Viewer:
    """Of the other game the caller sees what it may, and all of one that is over."""
    return TRUTH if other.status == "finished" else holder.viewer(other)


async def _other(holder: Call, summary: GameSummary, id: str) -> GameSummary | None:
    """The other game, if one is named. Raises ``game.not-found``."""
    if not id or id == summary.id:
        return None
    return await holder.summary_of(id)


async def _since(call: Call, summary: GameSummary, start: int, other: GameSummary, to: int) -> int:
    """The version of the other game from which it went its own way. Raises ``diff.unrelated``.

    A fork's own events begin after its parting from any other game.
    """
    ours = await _line(call, summary, start)
    theirs = await _line(call, other, to)
    shared = {each.game: each.version for each in ours}
    nearest = next((each for each in theirs if each.game in shared), None)
    if nearest is None:
        raise Refusal("diff.unrelated")
    if nearest.game != other.id:
        return 0
    return min(shared[other.id], to)


async def _line(call: Call, summary: GameSummary, version: int) -> list[Ancestor]:
    """The game at a version, and what it goes on from, the nearest first.

    Only whether two lines meet is ever told: of a fork, who may see it knows its parent's id.
    """
    found = [Ancestor(summary.id, version)]
    while summary.fork is not None:
        found.append(Ancestor(summary.fork.game, summary.fork.version))
        summary = await call.desk.reader.summary(summary.fork.game)
    return found


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
        "with their reasons. With `with` the second version is that of another game, and the "
        "events are its own, since both went their own ways.",
        run=get_diff,
        access="viewer",
        query=DiffQuery,
        headers=(WITH_TOKEN,),
        answers=(json_answer(200, "The difference.", Difference, "ETag"),),
        problems=(*READING, "diff.unrelated"),
    ),
)
