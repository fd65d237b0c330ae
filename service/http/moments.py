"""A moment of a game, at any version: who is asked, the scores, the board; and all in words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from domain.kernel.options import Pending
from domain.kernel.setup import Result
from domain.kernel.values import Viewer
from projections.records import Rules
from projections.reports import Entry
from projections.timeline import Chapter, chapters, told
from service.models import Answer, GameSummary, SeenEvent, Status

from .call import AnyGame, Call
from .operation import JSON, Operation, json_answer
from .operation import Answer as Form
from .perspective import Perspective, Version, caching, version_of, viewer_of
from .reply import Reply, content_tag

TAG = "time travel"
TEXT = "text/plain"
READING = (
    "query.invalid",
    "game.not-found",
    "viewer.not-entitled",
    "version.unknown",
    "game.damaged",
    "ruleset.not-installed",
)


class MomentQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Which version, through whose eyes."""

    at: Version = UNSET
    as_: Perspective = ""


class Moment(Answer, frozen=True):
    """A game at one version, in short.

    version    the one that is shown; ``latest`` is the game's newest
    viewer     through whose eyes
    status     of the game at that version
    to_move    the questions that were open then
    seq        the event that made the version, with its ``type``, ``actor``, time and sentence
    caused_by  id of its command; "" for the opening
    judged_by  the rules of the game; ``rules`` are those that decided the event
    board      the board as text; "" before there is one
    """

    game: str
    ruleset: str
    judged_by: Rules
    version: int
    latest: int
    viewer: Viewer
    status: Status
    to_move: tuple[Pending, ...]
    scores: dict[str, int]
    result: Result | None
    seq: int
    type: str
    at: str
    actor: str
    caused_by: str
    text: str
    rules: tuple[str, ...]
    board: str


class ReportLine(Answer, frozen=True):
    """A sentence and the version that it led to."""

    version: int
    text: str


class ReportChapter(Answer, frozen=True):
    """A phase of a turn: its versions and its sentences; turn 0 is the set-up."""

    turn: int
    phase: str
    first: int
    last: int
    lines: tuple[ReportLine, ...]


class Report(Answer, frozen=True):
    """A game in words up to a version: chapters to jump along."""

    game: str
    ruleset: str
    rules: Rules
    version: int
    viewer: Viewer
    chapters: tuple[ReportChapter, ...]


async def get_moment(call: Call) -> Reply:
    summary = await call.summary()
    game = await call.ruleset(summary.id)
    viewer = viewer_of(call, summary, call.query.as_)
    version = version_of(summary, call.query.at)
    view = await call.desk.reader.view(summary.id, viewer, version)
    events = await call.desk.reader.events(summary.id, viewer, version - 1, 1)
    body = await asyncio.to_thread(_moment, game, summary, viewer, view.state, events[0])
    # Not the version's tag, and kept by nobody: ``latest`` and ``status`` move on with the game.
    return call.json(body, tagged=True)


def _moment(
    game: AnyGame, summary: GameSummary, viewer: Viewer, state: Any, event: SeenEvent
) -> Moment:
    begun = state is not None
    result = game.result(state) if begun else None
    over = result is not None or (summary.abandoned and event.seq == summary.version)
    scores: Mapping[str, int] = game.scores(state) if begun else {}
    return Moment(
        game=summary.id,
        ruleset=summary.rules.ruleset,
        judged_by=summary.rules,
        version=event.seq,
        latest=summary.version,
        viewer=viewer,
        status=_status(summary, over=over),
        to_move=game.pending(state) if begun and not over else (),
        scores=dict(scores),
        result=result,
        seq=event.seq,
        type=event.type,
        at=event.at,
        actor=event.actor,
        caused_by=event.caused_by,
        text=event.text,
        rules=event.rules,
        board=game.board(state) if begun else "",
    )


def _status(summary: GameSummary, *, over: bool) -> Status:
    """Of an earlier version: a finished game was played then."""
    if over:
        return "finished"
    return "playing" if summary.status == "finished" else summary.status


async def get_report(call: Call) -> Reply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    version = version_of(summary, call.query.at)
    events = await call.desk.reader.events(summary.id, viewer, 0, version)
    found = await asyncio.to_thread(chaptered, events)
    cache = caching(call, call.query.at)
    if call.media == TEXT:
        text = ("\n".join(told(found)) + "\n").encode()
        return call.bytes(text, TEXT, tag=content_tag(text), cache=cache)
    body = Report(
        game=summary.id,
        ruleset=summary.rules.ruleset,
        rules=summary.rules,
        version=version,
        viewer=viewer,
        chapters=tuple(_chapter(each) for each in found),
    )
    return call.json(body, tagged=True, cache=cache)


def chaptered(events: Sequence[SeenEvent]) -> list[Chapter]:
    """The chapters of a game's events, from the first on."""
    return chapters((event.seq, _entry(event)) for event in events)


def _entry(event: SeenEvent) -> Entry:
    return Entry(event.text, event.roles)


def _chapter(found: Chapter) -> ReportChapter:
    lines = tuple(ReportLine(version=line.version, text=line.text) for line in found.lines)
    return ReportChapter(
        turn=found.turn, phase=found.phase, first=found.first, last=found.last, lines=lines
    )


OPERATIONS = (
    Operation(
        id="getMoment",
        method="GET",
        path="/v1/games/{game}/moment",
        tag=TAG,
        summary="Show a moment of the game",
        description="The newest or any earlier version in short: who is asked, the scores, the "
        "event that led to it, and the board as text.",
        run=get_moment,
        access="viewer",
        query=MomentQuery,
        answers=(json_answer(200, "The moment.", Moment, "ETag"),),
        problems=READING,
    ),
    Operation(
        id="getReport",
        method="GET",
        path="/v1/games/{game}/report",
        tag=TAG,
        summary="Tell the game in words",
        description="The game up to a version as a report: a chapter for each phase of a turn in "
        "which something happened, with the versions it spans and its sentences. `text/plain` is "
        "the same to be read.",
        run=get_report,
        access="viewer",
        query=MomentQuery,
        answers=(Form(200, "The report.", ((JSON, Report), (TEXT, None)), ("ETag",)),),
        problems=READING,
    ),
)
