"""Why: the reasons of an event, a roll or a value, and questions to the log."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from litestar import Controller, Response
from litestar.params import QueryParameter

from domain.kernel.shown.roles import PARTS
from projections.differences import pointer_of
from projections.inquiry import Explanation, Inquiry, Mention, Nowhere, Question, mentions
from projections.rolls import RollRecord
from service.models import Answer, GameSummary
from service.problems import FieldError, Refusal
from service.views.views import GameViews

from .access import viewer
from .asked import ENCODER, Asked
from .given import Given, Seen, version_of, viewer_of
from .moments import READING, TAG
from .operation import tells
from .paging import bad_cursor, read_offset, write_cursor
from .parameters import HIGHEST, As, At, Cursor, Limit
from .routes import get

NAMED = 20
"""Names in a hint, at most."""

OfEvent = Annotated[
    int | None,
    QueryParameter(ge=1, le=HIGHEST, description="Why this event: its `seq`."),
]
OfRoll = Annotated[str, QueryParameter(max_length=255, description="Why this roll: its id.")]
OfPath = Annotated[
    str,
    QueryParameter(
        max_length=400,
        pattern="^(/.*)?$",
        description="Why this value: an RFC 6901 pointer into the view's `state`.",
    ),
]
Unit = Annotated[str, QueryParameter(max_length=80, description="Id of a unit or card.")]
Role = Annotated[
    str,
    QueryParameter(
        max_length=40,
        description="What they mean for the unit, or for any (`lost`, `moved`, `attacked`); "
        "or as what they name it: `target` finds who attacked it.",
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


class MentionPage(Answer, frozen=True):
    """Events that fit, oldest first; ``next`` is the cursor of the next page, null on the last."""

    items: tuple[Mention, ...]
    next: str | None


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
        """Why an event came about, why a roll was what it was, or why a value of the state is what
        it is: the events of the command back to its declaration, numbers with their reasons, the
        dice with the odds that they had, every rule in words, and for a value the events that
        changed it: the newest `limit` of them, oldest first; those before are in the answer about
        the version `earlier`.
        """
        if [event is not None, bool(roll), bool(path)].count(True) != 1:
            raise _unclear("#path", "give exactly one of event, roll and path")
        viewer = viewer_of(request, summary, as_)  # only then: it is judged after the query
        version = version_of(summary, at)
        rolls = tuple(await request.desk.reader.rolls(summary.id, viewer))
        seq = _seq(event, roll, version, rolls)

        def ask(views: GameViews) -> bytes:
            inquiry = Inquiry(views, viewer, summary.id, rolls)
            try:
                found = inquiry.event(seq) if seq else inquiry.value(path, version, limit)
                return ENCODER.encode(found)
            except KeyError:
                raise _unclear("#path", "not a pointer into the state") from None
            except Nowhere as nowhere:
                raise _nothing_there(nowhere) from None

        return request.told(await request.desk.reader.past(summary.id, ask), tagged=True)

    @get(
        "/mentions",
        summary="Search the log",
        guards=[viewer()],
        opt=tells(
            "A page of events.",
            "Link",
            problems=(
                "query.invalid",
                "game.not-found",
                "viewer.not-entitled",
                "game.damaged",
                "ruleset.not-installed",
            ),
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
        """The events that name a unit (in a role: `target` finds who attacked it), that mean
        something for it or for any unit (`lost`, `damaged`, `moved`), that a rule decided, or that
        are of a type, with what they changed of the unit.
        """
        summary, viewer, version, _ = seen
        if role and role not in PARTS and not unit:
            raise _unclear(
                "#role", "the name of a field is that of a unit's role: give unit as well"
            )
        after = read_offset(cursor)
        if after > version:
            raise bad_cursor()
        question = Question(unit=unit, role=role, rule=rule, type=type)
        found = await request.desk.reader.past(
            summary.id,
            # One more than a page holds, where there are so many.
            lambda views: list(
                islice(mentions(views, viewer, question, after, version), limit + 1)
            ),
        )
        page = tuple(found[:limit])
        more = write_cursor(str(page[-1].event.seq)) if len(found) > limit else None
        return request.told(MentionPage(items=page, next=more), headers=request.next_link(more))


def _seq(event: int | None, roll: str, version: int, rolls: tuple[RollRecord, ...]) -> int:
    """The event that is asked about; of a roll the first that it decided. 0 for a value."""
    if roll:
        for each in rolls:
            if each.id == roll and each.seq <= version:
                return each.event or each.seq
        raise Refusal("resource.not-found", "The dice ledger has no roll of that id.")
    if event is not None and event > version:
        raise Refusal("version.unknown", version=version)
    return event or 0


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
