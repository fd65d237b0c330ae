"""Orders against the keys of their seats: each that a seat with a key gave is signed by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import UNSET

from domain.kernel.values import Seat

from ..dice.vault import BEGINNING, Epoch
from .casefile import Case
from .ed25519 import is_key
from .records import (
    ChainRenewed,
    DeadlinePassed,
    EpochStarted,
    GameCreated,
    KeyChanged,
    Record,
    RulesChanged,
    SeatTakenRecord,
)
from .seatkeys import (
    ASSERTED,
    BY_PAGE,
    GRADES,
    Given,
    SeatKey,
    grade_of,
    is_passed_on,
    is_signed,
    registered,
)
from .verdict import need, refute, unhex
from .vouching import UNSIGNED_ORDERS


class SignedOrders(NamedTuple):
    """What is known of who gave the orders of a file.

    grade  the lowest of all seats
    signed  orders that their seats have signed: not by a key that the operator alone names
    by     who vouches for them, in words
    """

    grade: str
    signed: int
    by: str


def check_signatures(case: Case) -> SignedOrders:
    """Raises Refuted where an order of a seat with a key is not signed by it."""
    places = _taken(case)
    place, held = _Place(case), SeatKeys(case)
    newest: dict[Seat, int] = {}
    firsts = {order.first: order for order in case.orders}
    count = 0
    for envelope in case.envelopes:
        order = firsts.get(envelope.seq)
        if order is not None:
            key, taken = held.keys.get(order.seat), places.get(order.seat, 0)
            if order.first < taken:
                expected = f"after the seat was taken, event {taken}"
                raise refute("order", order.first, "order of a seat", expected, "before that")
            by_clock = isinstance(case.records.get(order.first), DeadlinePassed)
            given = Given(
                case.manifest.game, order.seat, newest.get(order.seat, 0), bytes(order.command),
                place.rules, place.chains,
            )  # fmt: skip
            signed = _check(given, order.first, None if by_clock else key, order.signature)
            count += signed and order.seat not in held.ruled
        newest[envelope.actor] = envelope.seq
        record = case.records.get(envelope.seq)
        place.pass_by(record)
        held.pass_by(envelope.seq, record)
    told = _told(held, case.created.setup.seats, count)
    sealed = sum(bool(batch.cause) and batch.order is None for batch in case.batches)
    if not held.any or not sealed:
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


def key_changes(
    records: Iterable[tuple[int, Record]],
) -> Iterator[tuple[int, Seat, SeatKey | None]]:
    """From which event on a seat has which key for its orders; None: it has none any more."""
    for seq, record in records:
        if isinstance(record, GameCreated):
            yield from ((seq, seat, key) for seat, key in registered(record.keys).items())
        elif isinstance(record, SeatTakenRecord | KeyChanged):
            yield seq, record.seat, None if record.key is UNSET else record.key


class SeatKeys:
    """The key of each seat that has one, as it goes on from event to event.

    ruled  seats that lost their key, or have one by the operator's word alone
    any    whether a seat ever had a key
    """

    def __init__(self, case: Case) -> None:
        self._game = case.manifest.game
        self.keys = dict(registered(case.created.keys))
        self.ruled: set[Seat] = set()
        self.by_page: set[Seat] = set()
        self._had: set[tuple[Seat, str]] = set()
        self.any = False
        self._note()

    def pass_by(self, seq: int, record: object) -> None:
        """That event was. Raises Refuted where a seat has another key by no right."""
        if isinstance(record, SeatTakenRecord) and record.key is not UNSET:
            self.keys[record.seat] = record.key
        elif isinstance(record, KeyChanged):
            self._change(seq, record)
        self._note()

    def _note(self) -> None:
        self.any = self.any or bool(self.keys)
        self._had.update((seat, key.public) for seat, key in self.keys.items())
        self.by_page.update(seat for seat, key in self.keys.items() if key.keeper == "page")

    def _change(self, seq: int, record: KeyChanged) -> None:
        seat, key, old = record.seat, record.key, self.keys.pop(record.seat, None)
        found = old.public if old is not None else "none"
        need(old is not None and old.public == record.old, "order", seq, f"key of {seat}", found,
             record.old)  # fmt: skip
        by_seat = record.signature is not UNSET
        if not by_seat:
            self.ruled.add(seat)
        if key is UNSET:
            need(not by_seat, "order", seq, f"key of {seat}", "one that is passed on to", "none")
            return
        # What once passed on a key stands in the record: it would pass it on again.
        fits = is_key(unhex(seq, f"key of {seat}", key.public))
        never = fits and (seat, key.public) not in self._had
        expected = "a public key of Ed25519 that the seat never had"
        need(never, "order", seq, f"key of {seat}", expected, key.public)
        if isinstance(record.signature, str):
            signed = is_passed_on(self._game, seat, key, record.old, record.signature)
            need(signed, "order", seq, f"signature of {seat}'s new key", f"by the key {record.old}",
                 "another")  # fmt: skip
        self.keys[seat] = key


def _taken(case: Case) -> dict[Seat, int]:
    """The event by which each seat was filled that had a key then.

    Raises Refuted where a seat that somebody holds is taken again: another key would be the
    service's own, and all that the seat signs from then on.
    """
    places = dict.fromkeys(registered(case.created.keys), 1)
    filled = set(places)
    for seq, record in case.records.items():
        if isinstance(record, SeatTakenRecord):
            free = record.seat not in filled
            need(free, "record", seq, "seat", "one that nobody holds", record.seat)
            filled.add(record.seat)
            if record.key is not UNSET:
                places[record.seat] = seq
    return places


def _check(given: Given, seq: int, key: SeatKey | None, signature: object) -> bool:
    what = f"signature of {given.seat}'s order"
    if key is None:
        need(signature is UNSET, "order", seq, what, "none: no key was registered", "one")
        return False
    if signature is UNSET:
        raise refute("order", seq, what, f"by the key {key.public}", "none")
    fits = is_signed(given, key.public, signature)  # type: ignore[arg-type]
    need(fits, "order", seq, what, f"by the key {key.public}, over this order", "another")
    return True


def _told(held: SeatKeys, seats: tuple[Seat, ...], count: int) -> SignedOrders:
    grades = {seat: _grade(held, seat) for seat in seats}
    grade = min(grades.values(), key=GRADES.index)
    if not held.any:
        return SignedOrders(grade, count, UNSIGNED_ORDERS)
    own = ", ".join(f"{seat} ({each})" for seat, each in grades.items() if each != ASSERTED)
    by = f"by their own keys, of which {count} orders are signed: {own or 'of none to the end'}"
    others = ", ".join(seat for seat, each in grades.items() if each == ASSERTED)
    if grade == ASSERTED:
        by = f"{by}; the service alone for {others}"
    return SignedOrders(grade, count, f"grade {grade}: {by}")


def _grade(held: SeatKeys, seat: Seat) -> str:
    """The lowest of all that the seat had: a key that the operator alone names is the service's."""
    grade = grade_of(held.keys, (seat,), held.ruled)
    return BY_PAGE if grade != ASSERTED and seat in held.by_page else grade
