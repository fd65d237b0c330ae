"""From the store to the evidence bundle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from domain.kernel.values import Viewer
from projections.stream import AnyGame

from ..errors import EvidenceUnavailable
from ..evidence import bundle
from ..evidence.chain import GENESIS, Seals
from ..store.rows import Body, Record, damaged, read_rows
from ..store.source import Source
from .views import not_found


def check_orders(
    game: str, records: Sequence[Record], orders: Sequence[bundle.Order], seals: Seals
) -> None:
    """Each order is the one that its events were recorded for. Raises Damaged.

    What stands beside the chain is not protected by it: a bundle with another order would convict
    an honest service.
    """
    for seq, what in wrong_orders(records, orders, seals):
        raise damaged(game, seq, what)


def wrong_orders(
    records: Sequence[Record], orders: Sequence[bundle.Order], seals: Seals
) -> Iterator[tuple[int, str]]:
    """By the number of an event: what is wrong with the order that led to it."""
    own = [record.body for record in records if record.body.cause.id]
    for id_, group in groupby(own, lambda body: body.cause.id):
        given = next((order for order in orders if order.id == id_), None)
        events = list(group)
        if given is None or not _is_of(given, events, seals):
            yield events[0].seq, "the order beside it is not the one that was given"
    if len(orders) != len({body.cause.id for body in own}):
        yield len(records), "there are orders beside it that led to nothing"


def _is_of(order: bundle.Order, events: Sequence[Body], seals: Seals) -> bool:
    cause = seals.cause(order.id, order.command)
    return (
        (order.first, order.last) == (events[0].seq, events[-1].seq)
        and order.seat in {body.actor for body in events}
        and all(body.cause.digest == cause.digest for body in events)
    )


def evidence_of(store: Source, game: AnyGame, game_id: str, viewer: Viewer) -> bytes:
    """The bundle of a stored game, every event checked on the way.

    Raises NotFound, Damaged, EvidenceUnavailable.
    """
    stored = store.game(game_id)
    if stored is None:
        raise not_found(game_id)
    if not stored.master:
        raise EvidenceUnavailable("The game is out of a file that does not open all: give on that.")
    seals = stored.seals
    # Orders are read after the rows and cut to them: a game may be played on meanwhile.
    records = read_rows(game_id, store.rows(game_id), seals, 0, GENESIS)
    if len(records) < stored.summary.version:
        raise damaged(game_id, len(records) + 1, "missing")
    rows = [
        bundle.Recorded(r.raw, r.hash, None if r.truth is r.body.data else bytes(r.truth))
        for r in records
    ]
    orders = [
        bundle.Order(order.id, order.seat, order.command, order.first, order.last, order.signature)
        for order in store.commands(game_id)
        if order.last <= len(rows)
    ]
    check_orders(game_id, records, orders, seals)
    try:
        return bundle.export(game, rows, orders, stored.master, viewer)
    except bundle.OtherRules as error:
        raise EvidenceUnavailable(f"These rules cannot open it: {error}.") from error
    except bundle.BundleError as error:
        raise EvidenceUnavailable(f"The record does not agree with itself: {error}.") from error
