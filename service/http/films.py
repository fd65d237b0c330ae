"""A game as a film, each version of a stretch in one answer; and its decisions, reviewed."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response
from litestar.params import QueryParameter

from projections.frames import Frames
from service.problems import Refusal
from service.work.review import GameReview
from service.work.tasks import Review, Stretch

from .access import viewer
from .asked import Asked
from .given import Given, Seen
from .moments import READING
from .operation import tells
from .parameters import HIGHEST
from .routes import get

TAG = "views"

MOST = 1000
"""Frames of an answer."""
MOST_PICTURES = 50
"""Frames of an answer with pictures: each takes as long as twenty without."""

After = Annotated[
    int,
    QueryParameter(
        ge=0,
        le=HIGHEST,
        description="Only versions above this one; 0: from the first.",
    ),
]
Many = Annotated[
    int,
    QueryParameter(
        ge=1,
        le=MOST,
        description=f"Versions at most; with `pictures` at most {MOST_PICTURES} come.",
    ),
]
WithPictures = Annotated[
    bool, QueryParameter(description="Whether each version brings the picture of the board.")
]

MOST_DECISIONS = 50
"""Decisions of an answer: a bot may think a tenth of a second about one."""

REVIEWING = tuple(each for each in READING if each != "version.unknown")
"""A review is of the newest version alone."""

AfterEvent = Annotated[
    int,
    QueryParameter(
        ge=0, le=HIGHEST, description="Only decisions after this event; 0: from the first."
    ),
]
Decisions = Annotated[
    int, QueryParameter(ge=1, le=MOST_DECISIONS, description="Orders that are looked at.")
]


class Films(Controller):
    """A game, version by version and decision by decision."""

    path = "/v1/games/{game:str}"
    tags = (TAG,)

    @get(
        "/film",
        summary="Show many versions at once",
        guards=[viewer()],
        opt=tells("The versions.", "ETag", problems=READING),
    )
    async def get_film(
        self,
        *,
        request: Asked,
        moment: Given[Seen],
        after: After = 0,
        limit: Many = MOST,
        pictures: WithPictures = False,
    ) -> Response[Frames]:
        """The versions above `after` up to `at`, as the caller may see them: the `state` at `after`
        as `getView` shows it, and what each version changes of the state before it. With `pictures`
        each has the picture that `getBoard` draws, as numbers of `lines`. Whoever steps through a
        game asks once for a stretch, and goes on after the last frame that came.
        """
        summary, viewer, version, cache = moment
        if after > version:
            raise Refusal("version.unknown", version=version)
        last = min(version, after + min(limit, MOST_PICTURES if pictures else MOST))
        found = await request.work(Stretch(summary.id, viewer, after, last, pictures))
        return request.told(found, version=last, cache=cache)

    @get(
        "/review",
        summary="Review the decisions",
        guards=[viewer()],
        opt=tells("The decisions.", "ETag", problems=REVIEWING),
    )
    async def get_review(
        self,
        *,
        request: Asked,
        seen: Given[Seen],
        after: AfterEvent = 0,
        limit: Decisions = MOST_DECISIONS,
    ) -> Response[GameReview]:
        """The orders of each seat with their odds before the dice, beside what a bot of the game
        would have chosen of what the seat saw then, with its odds. A bot's judgement is a bot's:
        it plays by rules of thumb. Only of a game that is `opened`, for no player may be advised.
        `next` is the `after` of the next answer.
        """
        summary = seen.summary
        if not summary.opened:
            raise Refusal("viewer.not-entitled", hint="A review comes after the end of the game.")
        task = Review(summary.id, after, limit, summary.version)
        return request.told(await request.work(task), version=summary.version)
