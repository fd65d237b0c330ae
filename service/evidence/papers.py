"""What lies beside the events: openings against their seals, orders against their digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.values import PUBLIC, TRUTH, Viewer

from . import bundle, chain
from .bundle import Manifest, Opening, OrderLine
from .chain import NULL, STATE, Envelope, Seals
from .records import (
    RULINGS,
    BeaconSeen,
    EpochStarted,
    Forfeited,
    GameAbandoned,
    LinksClosed,
    LinksGiven,
    MasterOpened,
    OrdersLocked,
    Record,
    RulesAgreed,
    RulesChanged,
    SeatTakenRecord,
    Takeback,
    TipRenewed,
    keeps_secret,
    seen,
)
from .verdict import equal, need, refute, unhex

ALONE = RULINGS | {
    each.TYPE
    for each in (
        SeatTakenRecord, EpochStarted, RulesAgreed, RulesChanged, GameAbandoned, MasterOpened,
        LinksGiven, LinksClosed, BeaconSeen, OrdersLocked, TipRenewed, Forfeited, Takeback,
    )
}  # fmt: skip
"""Types of the events that no order leads to: each stands by itself."""

Opened = Mapping[tuple[int, Viewer], bytes]
"""Payload by number of the event and viewer."""


@dataclass(frozen=True)
class Batch:
    """The events of one command, of the opening, or an event that stands by itself.

    order  the command, if the bundle has it; None for the opening and for what stands by itself
    """

    first: int
    envelopes: tuple[Envelope, ...]
    order: OrderLine | None

    @property
    def cause(self) -> str:
        return self.envelopes[0].cause.id

    @property
    def last(self) -> int:
        return self.first + len(self.envelopes) - 1

    @property
    def actors(self) -> set[str]:
        return {envelope.actor for envelope in self.envelopes}

    @property
    def is_secret(self) -> bool:
        """Whether something in it was sealed because a seat held a secret."""
        return any(map(bundle.is_secret, self.envelopes))


def check_openings(
    manifest: Manifest,
    envelopes: tuple[Envelope, ...],
    openings: tuple[Opening, ...],
    seals: Seals | None,
) -> Opened:
    """Exactly what the viewer may see is opened, and each opening is what was sealed."""
    viewer = manifest.viewer
    due = [
        (envelope.seq, name)
        for envelope in envelopes
        for name in bundle.opened_viewers(envelope.sealed, viewer)
    ]
    given = [(opening.seq, opening.viewer) for opening in openings]
    if due != given:
        seq = next((d[0] for d, g in zip(due, given, strict=False) if d != g), 0)
        raise refute("seal", seq, "openings", f"{len(due)} in order", f"{len(given)} others")
    for opening in openings:
        _check_opening(envelopes[opening.seq - 1], opening, seals)
    return {(o.seq, o.viewer): bytes(o.payload) for o in openings}


def _check_opening(envelope: Envelope, opening: Opening, seals: Seals | None) -> None:
    what = f"sealed for {opening.viewer}"
    salt = unhex(opening.seq, "salt", opening.salt)
    digest = chain.sealed_digest(salt, bytes(opening.payload))
    equal("seal", opening.seq, what, digest, envelope.sealed[opening.viewer])
    if seals is not None:
        derived = seals.salt(opening.viewer, opening.seq).hex()
        equal("seal", opening.seq, f"salt for {opening.viewer}", derived, opening.salt)


def opened_records(
    envelopes: tuple[Envelope, ...],
    records: Mapping[int, Record],
    opened: Opened,
    viewers: Sequence[Viewer],
) -> dict[int, Record]:
    """The platform events as far as they are open: what is sealed in place of the public part.

    What the public sees, and what is sealed for each viewer, must be parts of one and the same.
    """
    found: dict[int, Record] = {}
    for seq, public in records.items():
        sealed = sorted(set(envelopes[seq - 1].sealed) - {STATE})
        due = sorted(viewers) if keeps_secret(public) else []
        equal("seal", seq, "viewers with a seal", due, sealed)
        whole = _whole(seq, public, opened, due)
        equal("record", seq, "what everybody sees", seen(whole, PUBLIC), public)
        for viewer in due:
            payload = opened.get((seq, viewer))
            shown = seen(whole, viewer)
            expected = NULL if shown == public else canonical(shown)
            if payload is not None:
                equal("record", seq, f"what {viewer} sees", expected, payload)
        found[seq] = whole
    return found


def _whole(seq: int, public: Record, opened: Opened, viewers: Sequence[Viewer]) -> Record:
    """The record with what is opened of it; as the public sees it where nothing is."""
    payloads = (opened.get((seq, viewer), NULL) for viewer in viewers)
    payload = next((p for p in payloads if p != NULL), None)
    if payload is None:
        return public
    try:
        whole = msgspec.json.decode(payload, type=type(public))
    except msgspec.ValidationError as error:
        raise refute("record", seq, "sealed data", type(public).__name__, error) from None
    equal("record", seq, "sealed data", canonical(whole), payload)
    return whole


def _batch_key(envelope: Envelope) -> tuple[str, int]:
    """Events of one cause belong together; so does the opening; what is nobody's order is alone."""
    if envelope.cause.id:
        return (envelope.cause.id, 0)
    return ("", envelope.seq if envelope.type in ALONE else 0)


def batches_of(envelopes: tuple[Envelope, ...], orders: tuple[OrderLine, ...]) -> tuple[Batch, ...]:
    by_id = {order.id: order for order in orders}
    need(len(by_id) == len(orders), "order", 0, "ids of the orders", "all different", "repeated")
    batches: list[Batch] = []
    seen: set[str] = set()
    for (cause, _), group in groupby(envelopes, _batch_key):
        events = tuple(group)
        first = events[0].seq
        need(not cause or cause not in seen, "order", first, "cause", "a new order", cause)
        seen.add(cause)
        for envelope in events:
            equal("order", envelope.seq, "cause", events[0].cause, envelope.cause)
        batches.append(Batch(first, events, by_id.pop(cause, None) if cause else None))
    need(not by_id, "order", 0, "orders without events", "none", ", ".join(by_id))
    return tuple(batches)


def check_orders(
    batches: tuple[Batch, ...],
    orders: tuple[OrderLine, ...],
    seals: Seals | None,
    viewer: Viewer,
) -> None:
    """Each order is the one whose digest its events carry; none that must be here is missing."""
    for batch in batches:
        if batch.order is not None:
            _check_order(seals, batch, batch.order)
        elif batch.cause:
            hidden = batch.is_secret and viewer != TRUTH and viewer not in batch.actors
            need(hidden, "order", batch.first, "order", f"order {batch.cause}", "not in the bundle")
    given = [order.first for order in orders]
    need(given == sorted(given), "order", 0, "sequence of the orders", "by number", given)


def _check_order(seals: Seals | None, batch: Batch, order: OrderLine) -> None:
    place = (batch.first, batch.last)
    equal("order", batch.first, "events of the order", place, (order.first, order.last))
    own = order.seat in batch.actors
    need(own, "order", batch.first, "seat", ", ".join(sorted(batch.actors)), order.seat)
    if seals is not None:
        salt = seals.command_salt(order.id).hex()
        equal("order", batch.first, "salt of the order", salt, order.salt)
    salt_bytes = unhex(batch.first, "salt of the order", order.salt)
    digest = chain.command_digest(salt_bytes, bytes(order.command))
    for envelope in batch.envelopes:
        equal("order", envelope.seq, "digest of the order", digest, envelope.cause.digest)
