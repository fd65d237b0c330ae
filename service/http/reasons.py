"""Why: the reasons of an event, a roll or a value, and questions to the log."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.shown.roles import PARTS
from domain.kernel.values import Viewer
from projections.differences import pointer_of
from service.models import Answer, GameSummary, RollRecord
from service.problems import FieldError, Refusal
from service.views.inquiry import Explanation, Inquiry, Mention, Nowhere, Question, mentions
from service.views.views import GameViews

from .call import ENCODER, Call
from .moments import READING, TAG
from .operation import Operation, json_answer
from .paging import bad_cursor, next_link, read_offset, write_cursor
from .perspective import Perspective, Version, version_of, viewer_of
from .reply import Reply
from .rulesets import Cursor, Limit

NAMED = 20
"""Names in a hint, at most."""

Id = Annotated[str, Meta(max_length=80, description="Id of a unit or card.")]


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
        raise _unclear("#path", "give exactly one of event, roll and path")
    viewer = viewer_of(call, summary, query.as_)
    version = version_of(summary, query.at)
    rolls = tuple(await call.desk.reader.rolls(summary.id, viewer))
    seq = _seq(query, version, rolls)

    def ask(views: GameViews) -> bytes:
        inquiry = Inquiry(views, viewer, summary.id, rolls)
        try:
            found = inquiry.event(seq) if seq else inquiry.value(query.path, version, query.limit)
            return ENCODER.encode(found)
        except KeyError:
            raise _unclear("#path", "not a pointer into the state") from None
        except Nowhere as nowhere:
            raise _nothing_there(nowhere) from None

    return call.json(await call.desk.reader.past(summary.id, ask), tagged=True)


def _seq(query: ReasonQuery, version: int, rolls: tuple[RollRecord, ...]) -> int:
    """The event that is asked about; of a roll the first that it decided. 0 for a value."""
    if query.roll:
        for roll in rolls:
            if roll.id == query.roll and roll.seq <= version:
                return roll.event or roll.seq
        raise Refusal("resource.not-found", "The dice ledger has no roll of that id.")
    if query.event is UNSET:
        return 0
    if int(query.event) > version:
        raise Refusal("version.unknown", version=version)
    return int(query.event)


def _nothing_there(nowhere: Nowhere) -> Refusal:
    if not nowhere.there and not nowhere.names:
        return Refusal("version.unknown", "The game has no state before its opening.")
    where = f"in {pointer_of(nowhere.there)}" if nowhere.there else "at the top"
    names = nowhere.names
    if isinstance(names, range):
        said = f"0 to {len(names) - 1}" if names else ""
    else:
        said = ", ".join(map(str, names[:NAMED])) + (", ..." if len(names) > NAMED else "")
    return Refusal(
        "resource.not-found",
        "Nothing stands at that place of the state, and no event up to this version put it there.",
        hint=f"What stands {where}: {said}." if said else f"Nothing stands {where}.",
        errors=(FieldError("#path", "unknown-value", "no such place in the state"),),
    )


def _unclear(field: str, message: str) -> Refusal:
    errors = (FieldError(field, "unknown-value", message),)
    return Refusal("query.invalid", f"{message[:1].upper()}{message[1:]}.", errors=errors)


async def list_mentions(call: Call) -> Reply:
    summary = await call.summary()
    query: MentionQuery = call.query
    viewer = viewer_of(call, summary, query.as_)
    if query.role and query.role not in PARTS and not query.unit:
        raise _unclear("#role", "the name of a field is that of a unit's role: give unit as well")
    after = read_offset(query.cursor)
    if after > summary.version:
        raise bad_cursor()
    question = Question(unit=query.unit, role=query.role, rule=query.rule, type=query.type)
    found = await _mentions(call, summary, viewer, question, after)
    page = tuple(found[: query.limit])
    cursor = write_cursor(str(page[-1].event.seq)) if len(found) > query.limit else None
    return call.json(MentionPage(items=page, next=cursor), headers=next_link(call, cursor))


async def _mentions(
    call: Call, summary: GameSummary, viewer: Viewer, question: Question, after: int
) -> list[Mention]:
    """One more than a page holds, where there are so many."""
    most: int = call.query.limit + 1
    return await call.desk.reader.past(
        summary.id,
        lambda views: list(islice(mentions(views, viewer, question, after, summary.version), most)),
    )


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
