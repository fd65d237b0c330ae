"""Dice of grade A2 and A3 again: orders locked, links given and closed, then dice (dice.md 2.3).

That the lock was there before any link is the order of the record: whoever gave a link had the
lock's event before, and its head. Of grade A3 the links' closing names a round of a public beacon
that has not come; when it has, it is in the batch.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import UNSET

from domain.kernel.values import Seat

from ..deadlines import later, put_off
from ..dice.grades import BEACON, LOCKED
from ..dice.nwd1 import Beacon
from ..errors import DiceRefused
from .beacon import LATEST, NETWORKS, Network, entry_of, is_round, time_of
from .casefile import Case
from .records import (
    BatchVoided,
    BeaconSeen,
    DeadlinePassed,
    EpochStarted,
    GameCreated,
    LinksClosed,
    OrdersLocked,
    Paused,
    Resumed,
)
from .verdict import Undecidable, equal, need, refute

LINK_SECONDS = 30
"""For which links of a locked order are waited for at least, before whoever gave none is absent;
agents answer within one."""


class Locks:
    """Goes through a case's events about links in order.

    asked    whether the game is to have such dice
    beacons  by batch: the beacon's round that is in it
    """

    def __init__(self, case: Case) -> None:
        self.asked = case.created.grade in LOCKED
        self.beacons: dict[int, Beacon] = {}
        self._network = _network(case.created)
        self._round = 0
        self._case = case
        self._order: OrdersLocked | None = None
        self._since = ""
        self._closed = 0
        self._paused = ""
        self._stand = False
        self._given = 0
        self._carried_out = False

    @property
    def wanted(self) -> int:
        """The batch for which links are taken; 0: none are."""
        return 0 if self._order is None else self._order.t + self._closed

    def lock(self, seq: int, record: OrdersLocked, t: int) -> None:
        """An order is locked: no other waits, and nothing has fallen of its dice."""
        need(self.asked, "dice", seq, "lock", "in a game of grade A2 or A3", "one")
        need(self._order is None, "dice", seq, "lock", "of one order at a time", "a second one")
        equal("dice", seq, "first batch of the locked order", t, record.t)
        need(record.seconds > 0, "dice", seq, "seconds for links", "some", record.seconds)
        self._order, self._since, self._closed, self._given = record, self._at(seq), 0, 0
        self._round = 0
        if record.passed is not UNSET:
            due, at = record.passed.due, self._at(seq)
            need(at >= due, "time", seq, "order locked by the clock", f"{due} or later", at)
        self._check_next(seq, record)

    def close(self, seq: int, record: LinksClosed, missing: Collection[Seat]) -> None:
        """The links of a batch are closed: whoever is missing was waited for."""
        if self._order is None:
            raise refute("dice", seq, "links closed", "of an order that is locked", "none is")
        equal("dice", seq, "batch whose links are closed", self.wanted, record.t)
        need(not self._round, "dice", seq, "links closed", "once for each batch", "again")
        equal("dice", seq, "seats that are absent", tuple(missing), record.absent)
        stopped = bool(record.absent) and self._stand
        need(not stopped, "time", seq, "clocks", "running where a seat is absent", "stopped")
        hurried = bool(record.absent) and self._order.seconds < LINK_SECONDS
        told = f"{LINK_SECONDS} or more, where a seat is absent"
        need(not hurried, "time", seq, "seconds for links", told, self._order.seconds)
        self._check_logged(seq, record)
        due = later(self._since, self._order.seconds)
        waited = not record.absent or self._at(seq) >= due
        need(waited, "time", seq, "links closed", f"{due} or later", self._at(seq))
        self._name_round(seq, record)
        self._since = self._at(seq)
        if self._network is None:
            self._closed += 1

    def _name_round(self, seq: int, record: LinksClosed) -> None:
        """Of grade A3 the closing names a round that has not come, nor had when it was locked."""
        if self._network is None:
            equal("dice", seq, "round of a beacon", UNSET, record.round)
            return
        number, at = record.round, max(self._at(seq), self._since)
        if number is UNSET or not 0 < number <= LATEST:
            raise refute("dice", seq, "round of the beacon", "a number", number)
        comes = time_of(self._network, number)
        need(comes > at, "time", seq, f"round {number} named", f"before it came, {comes}", at)
        self._round = number

    def seen(self, seq: int, record: BeaconSeen) -> None:
        """The round has come that was named, and nobody can have made it."""
        if self._network is None or not self._round:
            raise refute("dice", seq, "beacon", "after links that wait for it are closed", "one")
        equal("dice", seq, "batch of the beacon", self.wanted, record.t)
        equal("dice", seq, "round of the beacon", self._round, record.round)
        genuine = is_round(self._network, record.round, record.signature)
        what = f"signature of round {record.round}"
        need(genuine, "dice", seq, what, f"by {self._network.name}", record.signature)
        comes, at = time_of(self._network, record.round), self._at(seq)
        need(at >= comes, "time", seq, f"round {record.round}", f"{comes} or later", at)
        self.beacons[record.t] = entry_of(record.round, record.signature)
        self._since, self._closed, self._round, self._given = at, self._closed + 1, 0, 0

    @property
    def beaconed(self) -> bool:
        """Whether the order that is locked has rounds of a beacon in its batches."""
        return self._network is not None

    @property
    def locked(self) -> bool:
        """Whether an order waits to be carried out."""
        return self._order is not None and not self._carried_out

    @property
    def waits(self) -> bool:
        """Whether links are closed and a round of the beacon is waited for."""
        return bool(self._round)

    def beacon(self, t: int, signature: str) -> Beacon | None:
        """The round that will be in batch ``t``, which comes next; of grade A2 none.

        signature  that of the round, where it is still waited for. Raises DiceRefused.
        """
        if self._network is None or not self.locked:
            return None
        if t in self.beacons and t < self.wanted:
            return self.beacons[t]
        if not self._round:
            raise DiceRefused("its links are not closed, and no round of the beacon is named yet")
        if not is_round(self._network, self._round, signature):
            raise DiceRefused(f"it waits for round {self._round} of the beacon, and its signature")
        return entry_of(self._round, signature)

    def given(self) -> None:
        """A link of the batch that is waited for."""
        self._given += 1

    def clocks(self, seq: int, record: Paused | Resumed) -> None:
        """The clocks stand, or go on: while they stood it was nobody's time."""
        self._stand = isinstance(record, Paused)
        if self._stand:
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
        self._order, self._round = None, 0

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


def _network(created: GameCreated) -> Network | None:
    """That of a game of grade A3. Raises Undecidable where this judge knows none such."""
    wanted, named = created.grade == BEACON, created.beacon
    need(wanted == (named is not UNSET), "dice", 1, "beacon", "of grade A3 alone", named)
    if named is UNSET:
        return None
    if named not in NETWORKS:
        raise Undecidable(f"the public beacon {named} is none that this judge knows")
    return NETWORKS[named]
