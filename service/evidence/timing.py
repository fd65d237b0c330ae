"""Deadlines again: the service answered for a seat only when its time was over, and as rules say.

Times are the service's own word; what is checked is that the record keeps to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.kernel.options import Pending
from domain.kernel.values import Seat

from ..deadlines import carried, later
from .casefile import STAMP
from .papers import Batch
from .records import SERVICE, DeadlinePassed, GameCreated
from .verdict import equal, need, refute


class Timing:
    """Since when each seat has been asked what it is asked, going through a case in order."""

    def __init__(self, created: GameCreated) -> None:
        self._seconds = created.deadline
        if self._seconds is not UNSET:
            need(self._seconds > 0, "time", 1, "deadline", "some seconds", self._seconds)
        self._asked: tuple[Pending, ...] = ()
        self._since: dict[Seat, str] = {}

    @property
    def kept(self) -> bool:
        """Whether the game has deadlines at all."""
        return self._seconds is not UNSET

    def check(self, batch: Batch, passed: DeadlinePassed) -> Pending:
        """The question whose deadline ``batch`` says is over. Raises Refuted where it is not."""
        seq, at = batch.first, batch.envelopes[0].at
        if self._seconds is UNSET:
            raise refute("time", seq, "deadline", "none: the game has no deadlines", passed.due)
        asked = next((q for q in self._asked if q.seat == passed.seat), None)
        found = (passed.seat, passed.question, passed.subject)
        due = [(q.seat, q.question, q.subject) for q in self._asked]
        if asked is None or (asked.seat, asked.question, asked.subject) != found:
            raise refute("time", seq, "question", due, found)
        need(STAMP.fullmatch(passed.due) is not None, "time", seq, "due", "a time", passed.due)
        soonest = later(self._since[passed.seat], self._seconds)
        need(passed.due >= soonest, "time", seq, "due", f"{soonest} or later", passed.due)
        need(at >= passed.due, "time", seq, "at", f"{passed.due} or later", at)
        equal("time", seq, "seat", {passed.seat, SERVICE}, batch.actors)
        return asked

    def take(self, batch: Batch, asked: Sequence[Pending]) -> None:
        """What is asked after ``batch``, which no seat was taken in."""
        actor = next(iter(batch.actors - {SERVICE}), SERVICE)
        kept = carried(self._asked, asked, actor)
        at = batch.envelopes[-1].at
        self._since = {q.seat: self._since[q.seat] if q.seat in kept else at for q in asked}
        self._asked = tuple(asked)
