"""Deadlines again: the service answered for a seat only when its time was over, and as rules say.

Times are the service's own word; what is checked is that the record keeps to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.kernel.options import Pending
from domain.kernel.values import Seat

from ..deadlines import carried, later, put_off
from .form import is_stamp
from .papers import Batch
from .records import SERVICE, DeadlinePassed, GameCreated, Paused
from .verdict import equal, need, refute


class Timing:
    """Since when each seat has been asked what it is asked, going through a case in order."""

    def __init__(self, created: GameCreated) -> None:
        self._seconds = created.deadline
        if self._seconds is not UNSET:
            need(self._seconds > 0, "time", 1, "deadline", "some seconds", self._seconds)
        self._asked: tuple[Pending, ...] = ()
        self._since: dict[Seat, str] = {}
        self._stopped = ""
        self._left: dict[Seat, int] = {}

    def stop(self, seq: int, at: str, paused: Paused) -> None:
        """The clocks stand still from then on. Raises Refuted where somebody loses time by it."""
        asked = set(self._since) if self.kept else set()
        need(set(paused.left) <= asked, "time", seq, "left", sorted(asked), sorted(paused.left))
        for seat, left in paused.left.items():
            least, told = later(self._since[seat], self._limit), later(at, left)
            need(told >= least or left == 0, "time", seq, f"left to {seat}", f"until {least}", told)
        self._stopped, self._left = at, dict(paused.left)

    def go_on(self, at: str) -> None:
        """They run again: what is still asked has what was left of its time, other things all."""
        for seat, since in self._since.items():
            anew = put_off(since, max(since, self._stopped), at)
            if seat in self._left:
                anew = later(at, self._left[seat] - self._limit)
            self._since[seat] = anew
        self._stopped, self._left = "", {}

    @property
    def _limit(self) -> int:
        assert self._seconds is not UNSET, "only where there are deadlines anything is left"
        return self._seconds

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
        need(is_stamp(passed.due), "time", seq, "due", "a time", passed.due)
        soonest = later(self._since[passed.seat], self._seconds)
        need(passed.due >= soonest, "time", seq, "due", f"{soonest} or later", passed.due)
        need(at >= passed.due, "time", seq, "at", f"{passed.due} or later", at)
        equal("time", seq, "seat", {passed.seat, SERVICE}, batch.actors)
        return asked

    def take(self, batch: Batch, asked: Sequence[Pending], actor: Seat = "") -> None:
        """What is asked after ``batch``, which no seat was taken in.

        actor  whose time begins anew by it; without one, that of whoever gave it
        """
        actor = actor or next(iter(batch.actors - {SERVICE}), SERVICE)
        kept = carried(self._asked, asked, actor)
        at = batch.envelopes[-1].at
        self._left = {seat: left for seat, left in self._left.items() if seat in kept}
        self._since = {q.seat: self._since[q.seat] if q.seat in kept else at for q in asked}
        self._asked = tuple(asked)
