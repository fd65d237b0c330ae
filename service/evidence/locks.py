"""Dice of grade A2 again: orders locked, then links given and closed, then the dice (dice.md 2.3).

That the lock was there before any link is the order of the record: whoever gave a link had the
lock's event before, and its head.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import UNSET

from domain.kernel.values import Seat

from ..deadlines import later, put_off
from .casefile import Case
from .records import (
    BatchVoided,
    DeadlinePassed,
    EpochStarted,
    LinksClosed,
    OrdersLocked,
    Paused,
    Resumed,
)
from .verdict import equal, need, refute

GRADE = "A2"
"""Of a game in which all dice fall so."""


class Locks:
    """Goes through a case's events about links in order.

    asked  whether the game is to have such dice
    """

    def __init__(self, case: Case) -> None:
        self.asked = case.created.grade == GRADE
        self._case = case
        self._order: OrdersLocked | None = None
        self._since = ""
        self._closed = 0
        self._paused = ""
        self._given = 0
        self._carried_out = False

    @property
    def wanted(self) -> int:
        """The batch for which links are taken; 0: none are."""
        return 0 if self._order is None else self._order.t + self._closed

    def lock(self, seq: int, record: OrdersLocked, t: int) -> None:
        """An order is locked: no other waits, and nothing has fallen of its dice."""
        need(self.asked, "dice", seq, "lock", f"in a game of grade {GRADE}", "one")
        need(self._order is None, "dice", seq, "lock", "of one order at a time", "a second one")
        equal("dice", seq, "first batch of the locked order", t, record.t)
        need(record.seconds > 0, "dice", seq, "seconds for links", "some", record.seconds)
        self._order, self._since, self._closed, self._given = record, self._at(seq), 0, 0
        if record.passed is not UNSET:
            due, at = record.passed.due, self._at(seq)
            need(at >= due, "time", seq, "order locked by the clock", f"{due} or later", at)
        self._check_next(seq, record)

    def close(self, seq: int, record: LinksClosed, missing: Collection[Seat]) -> None:
        """The links of a batch are closed: whoever is missing was waited for."""
        if self._order is None:
            raise refute("dice", seq, "links closed", "of an order that is locked", "none is")
        equal("dice", seq, "batch whose links are closed", self.wanted, record.t)
        equal("dice", seq, "seats that are absent", tuple(missing), record.absent)
        self._check_logged(seq, record)
        due = later(self._since, self._order.seconds)
        waited = not record.absent or self._at(seq) >= due
        need(waited, "time", seq, "links closed", f"{due} or later", self._at(seq))
        self._since, self._closed = self._at(seq), self._closed + 1

    def given(self) -> None:
        """A link of the batch that is waited for."""
        self._given += 1

    def clocks(self, seq: int, record: Paused | Resumed) -> None:
        """The clocks stand, or go on: while they stood it was nobody's time."""
        if isinstance(record, Paused):
            self._paused = self._at(seq)
        elif self._order is not None:
            self._since = put_off(self._since, max(self._paused, self._since), self._at(seq))

    def _check_logged(self, seq: int, record: LinksClosed) -> None:
        """That nobody could give a link is said where nobody has given one."""
        if record.unlogged is not UNSET:
            nobody = record.unlogged and bool(record.absent) and not self._given
            need(nobody, "dice", seq, "the lock was not in the public log", "no link", self._given)

    def rolled(self, seq: int, t: int, had_chains: bool) -> bool:
        """Whether a batch fell after its lock, with its links closed; refuted where it had to."""
        if not self.asked or (self._order is None and not had_chains):
            return False
        if self._order is None:
            raise refute("dice", seq, f"batch {t}", "of an order that was locked", "no lock")
        closed = self._order.t <= t < self.wanted
        need(closed, "dice", seq, f"links of batch {t}", "closed before it", "not closed")
        cause = self._case.envelopes[seq - 1].cause
        found = (cause.id, cause.digest)
        equal("dice", seq, "locked order", (self._order.command, self._order.digest), found)
        return True

    def void(self) -> None:
        """What was locked does not count any more."""
        self._order = None

    def pass_by(self, cause: str) -> None:
        """Another event: after those of the locked order it is carried out."""
        own = self._order is not None and cause == self._order.command
        if self._carried_out and not own:
            self._order = None
        self._carried_out = own

    def _check_next(self, seq: int, record: OrdersLocked) -> None:
        """The next order is the locked one, unless there is none, a void, or a new start."""
        for envelope in self._case.envelopes[seq:]:
            if isinstance(self._case.records.get(envelope.seq), EpochStarted | BatchVoided):
                return
            if envelope.cause.id:
                found = (envelope.cause.id, envelope.cause.digest)
                expected = (record.command, record.digest)
                equal("order", envelope.seq, "order that was locked", expected, found)
                first = self._case.records.get(envelope.seq)
                passed = first if isinstance(first, DeadlinePassed) else UNSET
                equal("order", seq, "given by the clock", record.passed, passed)
                self._check_order(seq, record)
                return

    def _check_order(self, seq: int, record: OrdersLocked) -> None:
        """What was sealed with the lock is what is carried out."""
        order = next((each for each in self._case.orders if each.id == record.command), None)
        if order is None or not record.order:
            return
        equal("order", seq, "locked order", bytes(order.command).decode(), record.order)
        equal("order", seq, "seat of the locked order", order.seat, record.seat)
        equal("order", seq, "signature of the locked order", order.signature, record.signature)

    def _at(self, seq: int) -> str:
        return self._case.envelopes[seq - 1].at
