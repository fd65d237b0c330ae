"""Why: the reasons of an event, a roll or a value, and questions to the log."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, Response
from litestar.params import QueryParameter

from domain.kernel.shown.roles import PARTS
from projections.inquiry import Explanation, Mention
from projections.query import Holding
from projections.records import Rules
from service.models import Answer, GameSummary
from service.work.tasks import Mentions, Query, Why
from service.work.why import unclear

from .access import viewer
from .asked import Asked
from .given import Given, Seen, version_of, viewer_of
from .moments import READING, TAG
from .operation import tells
from .paging import bad_cursor, read_offset, write_cursor
from .parameters import HIGHEST, As, At, Cursor, Limit
from .routes import get

OfEvent = Annotated[
    int | None,
    QueryParameter(ge=1, le=HIGHEST, description="The event to explain: its `seq`."),
]
OfRoll = Annotated[str, QueryParameter(max_length=255, description="The roll to explain: its id.")]
OfPath = Annotated[
    str,
    QueryParameter(
        max_length=400,
        pattern="^(/.*)?$",
        description="The value to explain: an RFC 6901 pointer into the view's `state`.",
    ),
]
Unit = Annotated[str, QueryParameter(max_length=80, description="Id of a unit or card.")]
Role = Annotated[
    str,
    QueryParameter(
        max_length=40,
        description="Their meaning for the unit, or for any unit (`lost`, `moved`, `attacked`); or "
        "the unit's part in them: `target` finds the attacks on it.",
    ),
]
Rule = Annotated[
    str,
    QueryParameter(max_length=40, description="Id of a rule that decided or is among the reasons."),
]
Type = Annotated[
    str,
    QueryParameter(max_length=80, description="Type of event, with or without the ruleset's name."),
]


Asking = Annotated[
    str,
    QueryParameter(
        max_length=2_000,
        description="A predicate, or `first`, `last`, `all`, `count`, `when` of one, in the "
        'language of `decklog query`: `first(state.units["p1-3"].damage > 0)`.',
    ),
]


MENTIONS = msgspec.json.Decoder(list[Mention])
"""What a task makes: one more than a page holds, where there are so many."""


class MentionPage(Answer, frozen=True):
    """Events that fit, oldest first; ``next`` is the cursor of the next page, null on the last."""

    items: tuple[Mention, ...]
    next: str | None


LATEST = (
    "query.invalid",
    "game.not-found",
    "viewer.not-entitled",
    "game.damaged",
    "ruleset.not-installed",
)
"""Of what is told of a game as it is now."""


class MomentsHeld(Answer, frozen=True):
    """The moments at which it holds, oldest first, at most `limit`.

    rules    by which the game is decided
    count    of all of them
    nowhere  places that the question names and at which nothing ever stood: perhaps a slip
    """

    rules: Rules
    count: int
    moments: tuple[Holding, ...]
    nowhere: tuple[str, ...]


class Reasons(Controller):
    """Questions to a game."""

    path = "/v1/games/{game:str}"
    tags = (TAG,)

    @get(
        "/why",
        summary="Ask why",
        guards=[viewer()],
        opt=tells("The reasons.", "ETag", problems=(*READING, "resource.not-found")),
    )
    async def get_reasons(
        self,
        request: Asked,
        summary: Given[GameSummary],
        event: OfEvent = None,
        roll: OfRoll = "",
        path: OfPath = "",
        at: At = None,
        as_: As = "",
        limit: Limit = 200,
    ) -> Response[Explanation]:
        """Explains an event, a roll or a value of the state: the events of the command back to its
        declaration, numbers with their reasons, the
        dice with the odds that they had, every rule in words, and for a value the events that
        changed it: the newest `limit` of them, oldest first; those before are in the answer about
        the version `earlier`.
        """
        if [event is not None, bool(roll), bool(path)].count(True) != 1:
            raise unclear("#path", "give exactly one of event, roll and path")
        viewer = viewer_of(request, summary, as_)  # only then: it is judged after the query
        version = version_of(summary, at)
        task = Why(
            game=summary.id, viewer=viewer, version=version, latest=summary.version,
            event=event or 0, roll=roll, path=path, limit=limit,
        )  # fmt: skip
        return request.told(await request.work(task), version=version)

    @get(
        "/mentions",
        summary="Search the log",
        guards=[viewer()],
        opt=tells(
            "A page of events.",
            "Link",
            problems=LATEST,
        ),
    )
    async def list_mentions(
        self,
        *,
        request: Asked,
        unit: Unit = "",
        role: Role = "",
        rule: Rule = "",
        type: Type = "",
        seen: Given[Seen],
        cursor: Cursor = "",
        limit: Limit = 50,
    ) -> Response[MentionPage]:
        """The events that name a unit (in a role: `target` finds the attacks on it), that mean
        something for it or for any unit (`lost`, `damaged`, `moved`), that a rule decided, or that
        are of a type, with what they changed of the unit.
        """
        summary, viewer, version, _ = seen
        if role and role not in PARTS and not unit:
            raise unclear(
                "#role", "the name of a field is that of a unit's role: give unit as well"
            )
        after = read_offset(cursor)
        if after > version:
            raise bad_cursor()
        task = Mentions(
            game=summary.id, viewer=viewer, latest=version, unit=unit, role=role, rule=rule,
            type=type, after=after, most=limit + 1,
        )  # fmt: skip
        found = MENTIONS.decode(await request.work(task))
        page = tuple(found[:limit])
        more = write_cursor(str(page[-1].event.seq)) if len(found) > limit else None
        return request.told(MentionPage(items=page, next=more), headers=request.next_link(more))

    @get(
        "/query",
        summary="Ask when something held",
        guards=[viewer()],
        opt=tells("The moments.", "ETag", problems=LATEST),
    )
    async def list_moments(
        self, *, request: Asked, question: Asking = "", seen: Given[Seen], limit: Limit = 50
    ) -> Response[MomentsHeld]:
        """The events of a game after which a question holds, as the caller may see them: a
        predicate over state, event and rolls, in a closed language with a bounded number of steps.
        """
        summary, viewer, version, _ = seen
        task = Query(
            game=summary.id, rules=summary.rules, viewer=viewer, latest=version, question=question,
            most=limit,
        )  # fmt: skip
        return request.told(await request.work(task), version=version)
