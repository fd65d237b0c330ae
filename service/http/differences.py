"""What is different between two versions of a game, or of two games with a common ancestor."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from litestar import Controller, Response
from litestar.params import QueryParameter

from domain.kernel.values import TRUTH, Viewer
from projections.hindsight import Difference
from service.models import GameSummary, Identity
from service.problems import Refusal
from service.work.tasks import Compare, Position

from .access import identified, viewer
from .asked import NO_STORE, Asked, own_eyes
from .given import Given, Seen, caching, version_of
from .moments import READING, TAG
from .operation import tells
from .parameters import HIGHEST, At, WithToken
from .routes import get

First = Annotated[
    int | None,
    QueryParameter(
        name="from",
        ge=1,
        le=HIGHEST,
        description="The first version; 1 if absent, and with `with` the newest.",
    ),
]
Other = Annotated[
    str,
    QueryParameter(
        name="with",
        max_length=32,
        pattern="^([0-9a-f]{32})?$",
        description="`to` is a version of this game, which has an ancestor in common with the "
        "first one: the game that it is a fork of, a fork of it, another fork of the same game, "
        "or a fork of any of these. A fork is shown to holders of its tokens alone: send one in "
        "`Decklog-With-Token`, if it is not the request's own.",
    ),
]


class Ancestor(NamedTuple):
    """A game that another goes on from, or is itself, and the newest version that they share."""

    game: str
    version: int


class Differences(Controller):
    """What has changed."""

    path = "/v1/games/{game:str}/diff"
    tags = (TAG,)

    @get(
        summary="Compare two versions",
        guards=[viewer()],
        opt=tells("The difference.", "ETag", problems=(*READING, "diff.unrelated")),
    )
    async def get_diff(
        self,
        *,
        request: Asked,
        from_: First = None,
        to: At = None,
        seen: Given[Seen],
        with_: Other = "",
        with_token: WithToken = "",
    ) -> Response[Difference]:
        """The differences, place by place of the view's `state`: applied in order to the one state,
        they give the other. Each has its sentence, the events that it comes from and
        their rules. `figures` are numbers that the rules work out (armor, speed) with their
        reasons. With `with` the second version is that of another game, and the events are its own,
        since both went their own ways.
        """
        summary, viewer = seen.summary, seen.viewer
        # A token is worth what it is worth in Authorization: it opens its own game, as far as its
        # kind goes, and nothing else. In a header, for addresses are logged and kept.
        holder = request.identity
        if with_token:
            holder = await identified(request, with_token, "Decklog-With-Token")
        other = await _other(request, holder, summary, with_)
        first = summary.version if other else 1
        start = first if from_ is None else version_of(summary, from_)
        end = version_of(other or summary, to)
        since = 0 if other is None else await _since(request, summary, start, other, end)
        eyes = viewer if other is None else _eyes(holder, other)
        two = Position((other or summary).id, eyes, end)
        found = await request.work(Compare(Position(summary.id, viewer, start), two, since))
        cache = "" if other else caching(request, to)
        return request.told(
            found, version=start if other else end, cache=cache if holder is None else NO_STORE
        )


def _eyes(holder: Identity | None, other: GameSummary) -> Viewer:
    """Of the other game the caller sees what it may, and all of one that is opened."""
    return TRUTH if other.opened else own_eyes(holder, other)


async def _other(
    asked: Asked, holder: Identity | None, summary: GameSummary, id: str
) -> GameSummary | None:
    """The other game, if one is named. Raises ``game.not-found``."""
    if not id or id == summary.id:
        return None
    return await asked.summary_of(id, holder)


async def _since(
    asked: Asked, summary: GameSummary, start: int, other: GameSummary, to: int
) -> int:
    """The version of the other game from which it went its own way. Raises ``diff.unrelated``.

    A fork's own events begin after its parting from any other game.
    """
    ours = await _line(asked, summary, start)
    theirs = await _line(asked, other, to)
    shared = {each.game: each.version for each in ours}
    nearest = next((each for each in theirs if each.game in shared), None)
    if nearest is None:
        raise Refusal("diff.unrelated")
    if nearest.game != other.id:
        return 0
    return min(shared[other.id], to)


async def _line(asked: Asked, summary: GameSummary, version: int) -> list[Ancestor]:
    """The game at a version, and what it goes on from, the nearest first.

    Only whether two lines meet is ever told: of a fork, who may see it knows its parent's id.
    """
    found = [Ancestor(summary.id, version)]
    while summary.fork is not None:
        found.append(Ancestor(summary.fork.game, summary.fork.version))
        summary = await asked.desk.reader.summary(summary.fork.game)
    return found
