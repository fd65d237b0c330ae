"""How long an open question may stay open, and when its time is over.

A question is the same one as long as its seat is asked it without having given a command since:
whatever others do meanwhile, its time runs on. All of it rests on what everybody sees: the
questions that are asked and the times of events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from math import ceil

import msgspec
from msgspec import UNSET

from domain.kernel.options import Pending
from domain.kernel.values import Seat

from .clock import stamp
from .models import GameSummary, Standstill

DAY = 86_400
"""Seconds."""

FIRST, LAST = "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
"""The ends of time, as stamps tell it."""


def carried(before: Iterable[Pending], after: Iterable[Pending], actor: Seat) -> frozenset[Seat]:
    """The seats whose question was open before a command of ``actor`` and still is."""
    known = {question.seat: question for question in before if question.seat != actor}
    return frozenset(q.seat for q in after if known.get(q.seat) == q)


def later(at: str, seconds: int) -> str:
    """The time stamp so many seconds after another; beyond the last that there is, that one."""
    try:
        return stamp(datetime.fromisoformat(at) + timedelta(seconds=seconds))
    except OverflowError:
        return LAST if seconds > 0 else FIRST


def days_later(at: str, days: int) -> str | None:
    """The time stamp so many days after another; None for 0, which stands for ever."""
    return later(at, days * DAY) if days else None


def put_off(until: str, before: str, at: str) -> str:
    """The end of a time that began ``before`` and now begins at ``at``; beyond the last time that
    there is, that one."""
    passed = datetime.fromisoformat(at) - datetime.fromisoformat(before)
    try:
        return stamp(datetime.fromisoformat(until) + passed)
    except OverflowError:
        return LAST if passed > timedelta() else FIRST


def due_after(
    summary: GameSummary, asked: Iterable[Pending], actor: Seat, at: str
) -> dict[Seat, str]:
    """When the time of each seat that is asked is over, after a command of ``actor``.

    summary  as it was before, but for its status; nothing is due before all seats are filled, nor
             while the clocks are stopped
    at       when the command was stored
    """
    if not summary.deadline or summary.status != "playing" or summary.paused is not None:
        return {}
    asked = tuple(asked)
    kept = carried(summary.to_move, asked, actor) & summary.due.keys()
    fresh = later(at, summary.deadline)
    return {q.seat: summary.due[q.seat] if q.seat in kept else fresh for q in asked}


def still(summary: GameSummary, asked: Iterable[Pending], actor: Seat) -> Standstill | None:
    """The same standstill after a command: who has given it, or is asked something else, has no
    rest of a time any more, but all of a new one."""
    if summary.paused is None:
        return None
    kept = carried(summary.to_move, asked, actor)
    left = {seat: rest for seat, rest in summary.paused.left.items() if seat in kept}
    return msgspec.structs.replace(summary.paused, left=left)


def left_at(summary: GameSummary, at: str, away: Away) -> dict[Seat, int]:
    """By seat whose time runs: the seconds that are left of it, rounded up."""
    now = datetime.fromisoformat(at)
    rests = {seat: datetime.fromisoformat(over(summary, seat, away)) - now for seat in summary.due}
    return {seat: max(0, ceil(rest.total_seconds())) for seat, rest in sorted(rests.items())}


def running(summary: GameSummary, at: str) -> GameSummary:
    """The game with its clocks running again."""
    assert summary.paused is not None, "nothing else is resumed"
    left, due = summary.paused.left, {}
    if summary.deadline and summary.status == "playing":
        due = {q.seat: later(at, left.get(q.seat, summary.deadline)) for q in summary.to_move}
    return msgspec.structs.replace(summary, paused=None, due=due, resumed_at=at)


Away = tuple[tuple[str, str], ...]
"""From when to when the service could not be reached, in the order of time."""


def over(summary: GameSummary, seat: Seat, away: Away = ()) -> str:
    """When the time of the seat is over: so much later than due as nobody could have answered.

    What was lost before its clock was stopped is in the rest that was kept, and while it stood
    nothing was lost.
    """
    due = datetime.fromisoformat(summary.due[seat])
    asked = stamp(due - timedelta(seconds=summary.deadline))
    if summary.resumed_at is not UNSET:
        asked = max(asked, summary.resumed_at)
    for gone, back in away:
        if stamp(due) > gone and back > asked:
            due += datetime.fromisoformat(back) - datetime.fromisoformat(max(gone, asked))
    return stamp(due)


def next_look(summary: GameSummary, away: Away) -> str:
    """When a game has to be looked at next; "" for never."""
    return min((over(summary, seat, away) for seat in summary.due), default="")


def first_overdue(summary: GameSummary, at: str, away: Away = ()) -> Pending | None:
    """The question whose time was over first, if there is one at ``at``."""
    late = [
        q for q in summary.to_move if q.seat in summary.due and over(summary, q.seat, away) <= at
    ]
    return min(late, key=lambda q: (summary.due[q.seat], summary.to_move.index(q)), default=None)


def earliest(due: Mapping[Seat, str]) -> str:
    """When a game has to be looked at next; "" for never."""
    return min(due.values(), default="")
