"""Orders against the keys of their seats: each that a seat with a key gave is signed by it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from domain.kernel.values import Seat

from ..dice.vault import BEGINNING, Epoch
from .casefile import Case
from .records import ChainRenewed, DeadlinePassed, EpochStarted, RulesChanged, SeatTakenRecord
from .seatkeys import ASSERTED, Given, SeatKey, grade_of, is_signed, registered
from .verdict import need, refute, unhex
from .vouching import UNSIGNED_ORDERS


class SignedOrders(NamedTuple):
    """What is known of who gave the orders of a file.

    grade  the lowest of all seats
    signed  orders whose signature was checked
    by     who vouches for them, in words
    """

    grade: str
    signed: int
    by: str


def check_signatures(case: Case) -> SignedOrders:
    """Raises Refuted where an order of a seat with a key is not signed by it."""
    keys, places = _registered(case)
    place = _Place(case)
    newest: dict[Seat, int] = {}
    firsts = {order.first: order for order in case.orders}
    count = 0
    for envelope in case.envelopes:
        order = firsts.get(envelope.seq)
        if order is not None:
            key, taken = keys.get(order.seat), places.get(order.seat, 0)
            if key is not None and order.first < taken:
                expected = f"after the seat was taken, event {taken}"
                raise refute("order", order.first, "order of a seat", expected, "before that")
            by_clock = isinstance(case.records.get(order.first), DeadlinePassed)
            given = Given(
                case.manifest.game, order.seat, newest.get(order.seat, 0), bytes(order.command),
                place.rules, place.chains,
            )  # fmt: skip
            count += _check(given, order.first, None if by_clock else key, order.signature)
        newest[envelope.actor] = envelope.seq
        place.pass_by(case.records.get(envelope.seq))
    told = _told(keys, case.created.setup.seats, count)
    sealed = sum(bool(batch.cause) and batch.order is None for batch in case.batches)
    if not keys or not sealed:
        return told
    return told._replace(
        by=f"{told.by}; {sealed} orders are sealed in this file: nobody has checked them"
    )


class _Place:
    """What an order is bound to besides its game: as it goes on from event to event."""

    def __init__(self, case: Case) -> None:
        self.rules = case.created.rules.digest
        self.chains = case.created.params.g
        self._g, self._epoch = unhex(1, "G", self.chains), BEGINNING

    def pass_by(self, record: object) -> None:
        """That event was; what it says is judged elsewhere (:mod:`.dicecheck`, :mod:`.rerun`)."""
        if isinstance(record, RulesChanged):
            self.rules = record.new.digest
        elif isinstance(record, ChainRenewed | EpochStarted):
            self._epoch = _next(self._epoch, record)
            self.chains = self._epoch.chains(self._g).hex()


def _next(epoch: Epoch, record: ChainRenewed | EpochStarted) -> Epoch:
    if isinstance(record, ChainRenewed):
        return epoch.renewed(record.first - 1)
    return epoch.started(record.first - 1, unhex(0, "nonce", record.nonce))


def _registered(case: Case) -> tuple[dict[Seat, SeatKey], dict[Seat, int]]:
    """The key of each seat that has one, and the event by which the seat was filled.

    Raises Refuted where a seat that somebody holds is taken again: another key would be the
    service's own, and all that the seat signs from then on.
    """
    keys = dict(registered(case.created.keys))
    places = dict.fromkeys(keys, 1)
    for seq, record in case.records.items():
        if isinstance(record, SeatTakenRecord):
            free = record.seat not in places
            need(free, "record", seq, "seat", "one that nobody holds", record.seat)
            places[record.seat] = seq
            if record.key is not UNSET:
                keys[record.seat] = record.key
    return keys, places


def _check(given: Given, seq: int, key: SeatKey | None, signature: object) -> int:
    what = f"signature of {given.seat}'s order"
    if key is None:
        need(signature is UNSET, "order", seq, what, "none: no key was registered", "one")
        return 0
    if signature is UNSET:
        raise refute("order", seq, what, f"by the key {key.public}", "none")
    fits = is_signed(given, key.public, signature)  # type: ignore[arg-type]
    need(fits, "order", seq, what, f"by the key {key.public}, over this order", "another")
    return 1


def _told(keys: dict[Seat, SeatKey], seats: tuple[Seat, ...], count: int) -> SignedOrders:
    grade = grade_of(keys, seats)
    if not keys:
        return SignedOrders(grade, count, UNSIGNED_ORDERS)
    own = ", ".join(f"{seat} ({grade_of(keys, (seat,))})" for seat in seats if seat in keys)
    by = f"by their own keys, of which {count} orders are signed: {own}"
    others = ", ".join(seat for seat in seats if seat not in keys)
    if grade == ASSERTED:
        by = f"{by}; the service alone for {others}"
    return SignedOrders(grade, count, f"grade {grade}: {by}")
