"""From the store to the evidence bundle."""

from __future__ import annotations

from domain.kernel.values import Viewer
from projections.stream import AnyGame

from ..errors import EvidenceUnavailable
from ..evidence import bundle
from ..evidence.chain import GENESIS, Seals
from ..store.rows import damaged, read_rows
from ..store.source import Source
from .views import not_found


def evidence_of(store: Source, game: AnyGame, game_id: str, viewer: Viewer) -> bytes:
    """The bundle of a stored game, every event checked on the way.

    Raises NotFound, Damaged, EvidenceUnavailable.
    """
    stored = store.game(game_id)
    if stored is None:
        raise not_found(game_id)
    seals = Seals(stored.master, bytes.fromhex(stored.summary.params))
    # Orders are read after the rows and cut to them: a game may be played on meanwhile.
    records = read_rows(game_id, store.rows(game_id), seals, 0, GENESIS)
    if len(records) < stored.summary.version:
        raise damaged(game_id, len(records) + 1, "missing")
    rows = [
        bundle.Recorded(r.raw, r.hash, None if r.truth is r.body.data else bytes(r.truth))
        for r in records
    ]
    orders = [
        bundle.Order(order.id, order.seat, order.command, order.first, order.last)
        for order in store.commands(game_id)
        if order.last <= len(rows)
    ]
    try:
        return bundle.export(game, rows, orders, stored.master, viewer)
    except bundle.OtherRules as error:
        raise EvidenceUnavailable(f"These rules cannot open it: {error}.") from error
    except bundle.BundleError as error:
        raise EvidenceUnavailable(f"The record does not agree with itself: {error}.") from error
