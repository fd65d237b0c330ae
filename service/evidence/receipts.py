"""Receipts: the service signs what it has taken, so that it cannot say later that nothing came.

Each accepted order, join, agreement and ruling is answered with one. Whoever has a receipt of what
a record does not have, has convicted the service.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.values import Seat

from ..deadlines import later
from . import form
from .casefile import Case
from .keylist import KeyList, ListedKey
from .records import (
    SERVICE,
    BatchVoided,
    EndedByRuling,
    KeyChanged,
    LinksGiven,
    OrdersLocked,
    Paused,
    Record,
    Resumed,
    RulesAgreed,
    SeatTakenRecord,
    Takeback,
    TipRenewed,
    keeps_secret,
)
from .signing import (
    BadSignature,
    SignedEnvelope,
    SigningKey,
    read_envelope,
    seal_envelope,
    write_envelope,
)
from .verdict import need, refute

RECEIPT: Final = "application/vnd.decklog.receipt.v1+json"

VERSION: Final = 1

LOG_SECONDS: Final = 10
"""Within which what was taken is in a checkpoint of the public log, where the service keeps one."""

Kind = Literal["order", "join", "agreement", "links", "takeback", "key", "ruling"]


class Accepted(NamedTuple):
    """What was taken, and the last event that it led to.

    seat  of a ruling SERVICE: its actor
    body  what is on record of it: the order as it is stored, or the event's own data
    """

    kind: Kind
    seat: Seat
    body: bytes
    seq: int
    head: str


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What the service says that it has taken.

    body     SHA-256 of what is on record of it, in hex
    at       when it was taken
    seq      number of the last event that it led to; ``head`` is the hash of that
    log_by   when it is in the public log at the latest, where there is one
    """

    v: int
    game: str
    kind: Kind
    seat: Seat
    body: str
    at: str
    seq: int
    head: str
    log_by: str


_RECEIPT = msgspec.json.Decoder(Receipt)


class Given(NamedTuple):
    """A receipt in hand, with the envelope that it came in."""

    receipt: Receipt
    envelope: SignedEnvelope


def give(game: str, accepted: Accepted, at: str, key: SigningKey) -> SignedEnvelope:
    """The receipt for what was accepted: signed, and the same for the same."""
    digest = hashlib.sha256(accepted.body).hexdigest()
    receipt = Receipt(
        VERSION, game, accepted.kind, accepted.seat, digest, at, accepted.seq, accepted.head,
        later(at, LOG_SECONDS),
    )  # fmt: skip
    return seal_envelope(RECEIPT, canonical(receipt), [key])


def as_field(receipt: SignedEnvelope) -> str:
    """A receipt as a header field has it: its JSON in base64."""
    return base64.b64encode(write_envelope(receipt)).decode()


def read(data: bytes) -> Given:
    """A receipt, whoever signed it: its JSON, or the field of an answer as it came. Raises
    BadSignature where it is none."""
    envelope = read_envelope(_as_json(data))
    if envelope.payload_type != RECEIPT:
        raise BadSignature(f"an envelope of {envelope.payload_type}, not a receipt")
    try:
        receipt = form.read(envelope.content(), _RECEIPT)
    except form.BadForm as error:
        raise BadSignature(f"that is no receipt: {error}") from None
    if receipt.v != VERSION:
        raise BadSignature(f"a receipt of version {receipt.v} is not known here")
    if not form.is_stamp(receipt.at) or not form.is_stamp(receipt.log_by):
        raise BadSignature("its times are none, in their one form")
    if receipt.seq < 1:
        raise BadSignature("it is of no event: they are numbered from 1")
    return Given(receipt, envelope)


def _as_json(data: bytes) -> bytes:
    if data.startswith(b"{"):
        return data
    try:
        return base64.b64decode(data.strip(), validate=True)
    except ValueError:
        raise BadSignature("neither an envelope nor one in base64") from None


def signer_of(given: Given, keys: KeyList) -> ListedKey | None:
    """The key that has signed it, if the service had that for receipts then; else None.

    What a key signed before others may have had it stays owed, though it was taken back since.
    """
    key = _key_of(given, keys)
    return key if key is not None and _was_good(key, given.receipt.at) else None


def is_contested(given: Given, keys: KeyList) -> bool:
    """Whether a listed key has signed it, but at a time at which it did not count: the service has
    signed it, or whoever has stolen the key, and nobody can tell which."""
    key = _key_of(given, keys)
    return key is not None and not _was_good(key, given.receipt.at)


def _key_of(given: Given, keys: KeyList) -> ListedKey | None:
    return keys.signer(given.envelope, "receipts")


def _was_good(key: ListedKey, at: str) -> bool:
    until = key.until or at
    if isinstance(key.compromised, str):
        return key.since <= at < key.compromised and at <= until
    return key.since <= at <= until


def check_receipts(case: Case, hashes: Sequence[str], receipts: Sequence[Receipt]) -> int:
    """Holds each receipt against the record. How many are of events after its end.

    hashes  of each event, in order
    Raises Refuted where the record lacks what the service has said that it took.
    """
    later_ones = 0
    for receipt in receipts:
        need(receipt.game == case.manifest.game, "receipt", receipt.seq, "game",
             receipt.game, case.manifest.game)  # fmt: skip
        if receipt.seq > len(hashes):
            need(case.closed is None, "receipt", receipt.seq, f"event that {_what(receipt)} led to",
                 receipt.head, f"none: the record ends with event {len(hashes)}")  # fmt: skip
            later_ones += 1
            continue
        found = hashes[receipt.seq - 1]
        need(found == receipt.head, "receipt", receipt.seq, f"event that {_what(receipt)} led to",
             receipt.head, found)  # fmt: skip
        _check_body(case, receipt)
    return later_ones


def _check_body(case: Case, receipt: Receipt) -> None:
    body = _body(case, receipt)
    if body is None:
        return  # sealed from whom the file is for
    found = hashlib.sha256(body).hexdigest()
    need(found == receipt.body, "receipt", receipt.seq, _what(receipt), receipt.body, found)


def _body(case: Case, receipt: Receipt) -> bytes | None:
    """What is on record of it. Raises Refuted where something else is."""
    lock = case.records.get(receipt.seq)
    if receipt.kind == "order" and isinstance(lock, OrdersLocked) and lock.seat == receipt.seat:
        return lock.order.encode() or None
    if receipt.kind == "order":
        own = (o for o in case.orders if (o.last, o.seat) == (receipt.seq, receipt.seat))
        found = next(own, None)
        if found is None and case.sees_all:
            raise refute("receipt", receipt.seq, _what(receipt), receipt.body, "none")
        return None if found is None else bytes(found.command)
    record = case.records.get(receipt.seq)
    if receipt.kind == "links" and isinstance(record, LinksGiven) and not record.link:
        return None
    if receipt.kind == "links" and isinstance(record, TipRenewed):
        return canonical(record)
    if not _is_it(record, receipt):
        # The last agreement is followed by the change, an end by the opening of the master, both
        # in the same commit.
        record = case.records.get(receipt.seq - 1)
    if record is None or not _is_it(record, receipt):
        raise refute("receipt", receipt.seq, _what(receipt), receipt.body, "none")
    if isinstance(record, BatchVoided) and keeps_secret(record) and not record.link:
        return None
    return canonical(record)


def _is_it(record: Record | None, receipt: Receipt) -> bool:
    # A ruling may be about a seat, but its actor is the service.
    seat = SERVICE if receipt.kind == "ruling" else getattr(record, "seat", SERVICE)
    return isinstance(record, OF_KINDS[receipt.kind]) and seat == receipt.seat


OF_KINDS: Mapping[str, tuple[type[Record], ...]] = {
    "join": (SeatTakenRecord,), "agreement": (RulesAgreed,), "links": (LinksGiven,),
    "takeback": (Takeback,), "key": (KeyChanged,),
    "ruling": (EndedByRuling, Paused, Resumed, BatchVoided, KeyChanged),
}  # fmt: skip
"""The event that has what was taken, by the kind of its receipt; an order has a line of its own."""


def _what(receipt: Receipt) -> str:
    return f"{receipt.kind} of {receipt.seat}"
