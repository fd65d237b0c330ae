"""Why: the reasons of an event, a roll or a value, and questions to the log."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.shown.roles import PARTS
from projections.inquiry import Explanation, Mention
from service.models import Answer
from service.work.tasks import Mentions, Why
from service.work.why import unclear

from .call import Call
from .moments import READING, TAG
from .operation import Operation, json_answer
from .paging import bad_cursor, next_link, read_offset, write_cursor
from .perspective import Perspective, Version, version_of, viewer_of
from .reply import Reply
from .rulesets import Cursor, Limit

Id = Annotated[str, Meta(max_length=80, description="Id of a unit or card.")]


MENTIONS = msgspec.json.Decoder(list[Mention])
"""What a task makes: one more than a page holds, where there are so many."""


class ReasonQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Why what: exactly one of event, roll and path; of a path, how many of its changes."""

    event: (
        Annotated[int, Meta(ge=1, le=2**53 - 1, description="Why this event: its `seq`.")]
        | UnsetType
    ) = UNSET
    roll: Annotated[str, Meta(max_length=255, description="Why this roll: its id.")] = ""
    path: Annotated[
        str,
        Meta(
            max_length=400,
            pattern="^(/.*)?$",
            description="Why this value: an RFC 6901 pointer into the view's `state`.",
        ),
    ] = ""
    at: Version = UNSET
    as_: Perspective = ""
    limit: Limit = 200


class MentionQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Which events: those that fit everything that is given."""

    unit: Id = ""
    role: Annotated[
        str,
        Meta(
            max_length=40,
            description="What they mean for the unit, or for any (`lost`, `moved`, `attacked`); "
            "or as what they name it: `target` finds who attacked it.",
        ),
    ] = ""
    rule: Annotated[
        str, Meta(max_length=40, description="Id of a rule that decided or is among the reasons.")
    ] = ""
    type: Annotated[
        str, Meta(max_length=80, description="Type of event, with or without the ruleset's name.")
    ] = ""
    as_: Perspective = ""
    cursor: Cursor = ""
    limit: Limit = 50


class MentionPage(Answer, frozen=True):
    """Events that fit, oldest first; ``next`` is the cursor of the next page, null on the last."""

    items: tuple[Mention, ...]
    next: str | None


async def get_reasons(call: Call) -> Reply:
    summary = await call.summary()
    query: ReasonQuery = call.query
    if [query.event is not UNSET, bool(query.roll), bool(query.path)].count(True) != 1:
        raise unclear("#path", "give exactly one of event, roll and path")
    viewer = viewer_of(call, summary, query.as_)
    version = version_of(summary, query.at)
    task = Why(
        game=summary.id, viewer=viewer, version=version, latest=summary.version,
        event=0 if query.event is UNSET else query.event, roll=query.roll,
        path=query.path, limit=query.limit,
    )  # fmt: skip
    return call.json(await call.work(task), tagged=True)


async def list_mentions(call: Call) -> Reply:
    summary = await call.summary()
    query: MentionQuery = call.query
    viewer = viewer_of(call, summary, query.as_)
    if query.role and query.role not in PARTS and not query.unit:
        raise unclear("#role", "the name of a field is that of a unit's role: give unit as well")
    after = read_offset(query.cursor)
    if after > summary.version:
        raise bad_cursor()
    task = Mentions(
        game=summary.id, viewer=viewer, latest=summary.version, unit=query.unit, role=query.role,
        rule=query.rule, type=query.type, after=after, most=query.limit + 1,
    )  # fmt: skip
    found = MENTIONS.decode(await call.work(task))
    page = tuple(found[: query.limit])
    cursor = write_cursor(str(page[-1].event.seq)) if len(found) > query.limit else None
    return call.json(MentionPage(items=page, next=cursor), headers=next_link(call, cursor))


OPERATIONS = (
    Operation(
        id="getReasons",
        method="GET",
        path="/v1/games/{game}/why",
        tag=TAG,
        summary="Ask why",
        description="Why an event came about, why a roll was what it was, or why a value of the "
        "state is what it is: the events of the command back to its declaration, numbers with "
        "their reasons, the dice with the odds that they had, every rule in words, and for a "
        "value the events that changed it: the newest `limit` of them, oldest first; those before "
        "are in the answer about the version `earlier`.",
        run=get_reasons,
        access="viewer",
        query=ReasonQuery,
        answers=(json_answer(200, "The reasons.", Explanation, "ETag"),),
        problems=(*READING, "resource.not-found"),
    ),
    Operation(
        id="listMentions",
        method="GET",
        path="/v1/games/{game}/mentions",
        tag=TAG,
        summary="Search the log",
        description="The events that name a unit (in a role: `target` finds who attacked it), that "
        "mean something for it or for any unit (`lost`, `damaged`, `moved`), that a rule "
        "decided, or that are of a type, with what they changed of the unit.",
        run=list_mentions,
        access="viewer",
        query=MentionQuery,
        answers=(json_answer(200, "A page of events.", MentionPage, "Link"),),
        problems=(
            "query.invalid",
            "game.not-found",
            "viewer.not-entitled",
            "game.damaged",
            "ruleset.not-installed",
        ),
    ),
)
