"""One question to many evidence files."""

from __future__ import annotations

from projections.language import Meter
from projections.query import Found, Query, ask

from .games import Filed


def put(filed: Filed, id: str, viewer: str, query: Query, meter: Meter) -> Found:
    """The question, put to a game. Raises TooMuch, Damaged."""
    row = filed.game(id)
    assert row is not None
    views, upto = filed.materials.views.of(id), row.summary.version
    rolls = views.ledger(viewer).upto(upto) if "rolls" in query.predicate.names else ()
    return ask(views, viewer, upto, rolls, query, meter)
