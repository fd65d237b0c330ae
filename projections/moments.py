"""A moment of a game: who is asked, the scores, the board; and all up to it in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from domain.kernel.options import Pending
from domain.kernel.setup import Result
from domain.kernel.values import Seat, Viewer

from .follow import Document
from .records import Rules
from .reports import Entry
from .stream import SeenEvent
from .timeline import Chapter, chapters
from .views import GameHistory

Status = Literal["open", "playing", "finished"]


class SideSummary(Document, frozen=True):
    """Seats that play, and win, together.

    seats  in order of sitting; one where nobody has a partner
    score  points of the side as a whole
    """

    seats: tuple[Seat, ...]
    score: int


class Known(Protocol):
    """What everybody may know of a game now; ``abandoned``: it ended without a result."""

    @property
    def id(self) -> str: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def version(self) -> int: ...
    @property
    def status(self) -> Status: ...
    @property
    def abandoned(self) -> bool: ...
    @property
    def sides(self) -> tuple[SideSummary, ...]: ...


class Moment(Document, frozen=True):
    """A game at one version, in short.

    version    the one that is shown; ``latest`` is the game's newest
    viewer     through whose eyes
    status     of the game at that version
    to_move    the questions that were open then
    scores     by seat; partners share what their side has
    sides      the sides with their seats and their scores then
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
    sides: tuple[SideSummary, ...]
    result: Result | None
    seq: int
    type: str
    at: str
    actor: str
    caused_by: str
    text: str
    rules: tuple[str, ...]
    board: str


class ReportLine(Document, frozen=True):
    """A sentence and the version that it led to."""

    version: int
    text: str


class ReportChapter(Document, frozen=True):
    """A phase of a turn: its versions and its sentences; turn 0 is the set-up."""

    turn: int
    phase: str
    first: int
    last: int
    lines: tuple[ReportLine, ...]


class Report(Document, frozen=True):
    """A game in words up to a version: chapters to jump along."""

    game: str
    ruleset: str
    rules: Rules
    version: int
    viewer: Viewer
    chapters: tuple[ReportChapter, ...]


def moment_of(past: GameHistory, known: Known, viewer: Viewer, version: int) -> Moment:
    """The viewer's state at a version, and the event that led to it."""
    (step,), _ = past.steps(viewer, past.start(viewer, version - 1), version)
    game, state, event = past.game, step.after, step.event
    begun = state is not None
    result = game.result(state) if begun else None
    over = result is not None or (known.abandoned and event.seq == known.version)
    scores: Mapping[str, int] = game.scores(state) if begun else {}
    return Moment(
        game=known.id,
        ruleset=known.rules.ruleset,
        judged_by=known.rules,
        version=event.seq,
        latest=known.version,
        viewer=viewer,
        status=_status(known.status, over=over),
        to_move=game.pending(state) if begun and not over else (),
        scores=dict(scores),
        sides=tuple(
            SideSummary(seats=side.seats, score=game.score_of(state, side.seats) if begun else 0)
            for side in known.sides
        ),
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


def _status(now: Status, *, over: bool) -> Status:
    """Of an earlier version: a finished game was played then."""
    if over:
        return "finished"
    return "playing" if now == "finished" else now


def chaptered(events: Sequence[SeenEvent]) -> list[Chapter]:
    """The chapters of a game's events, from the first on."""
    return chapters((event.seq, Entry(event.text, event.roles)) for event in events)


def report_of(
    game: str, rules: Rules, viewer: Viewer, version: int, found: Sequence[Chapter]
) -> Report:
    """The chapters up to a version as they are shown."""
    return Report(
        game=game,
        ruleset=rules.ruleset,
        rules=rules,
        version=version,
        viewer=viewer,
        chapters=tuple(_chapter(each) for each in found),
    )


def _chapter(found: Chapter) -> ReportChapter:
    lines = tuple(ReportLine(version=line.version, text=line.text) for line in found.lines)
    return ReportChapter(
        turn=found.turn, phase=found.phase, first=found.first, last=found.last, lines=lines
    )
