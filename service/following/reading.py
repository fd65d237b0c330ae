"""What projections have kept, in pages."""

from __future__ import annotations

from ..models import GameSummary
from ..store import summaries
from ..store.database import Database


def page(
    recorder: Database, name: str, kind: str, before: int, limit: int
) -> list[tuple[int, bytes]]:
    """Listed documents with their rank, the highest rank first, below ``before`` (0: from the top).

    kind  "" for every kind
    """
    rows = recorder.query(
        "SELECT rank, document FROM projected WHERE projection = ? AND rank > 0 "
        "AND (? = '' OR kind = ?) AND (? = 0 OR rank < ?) ORDER BY rank DESC LIMIT ?",
        (name, kind, kind, before, before, limit),
    )
    return [(rank, bytes(document)) for rank, document in rows]


def active(
    recorder: Database, before: int, limit: int, ruleset: str, status: str
) -> list[tuple[int, GameSummary]]:
    """Games by their latest event, with its place; the summaries are those of now."""
    rows = recorder.query(
        "SELECT p.rank, g.summary FROM projected p JOIN games g ON g.game = p.key "
        "WHERE p.projection = 'lobby' AND p.rank > 0 AND (? = '' OR g.ruleset = ?) "
        "AND (? = '' OR g.status = ?) AND (? = 0 OR p.rank < ?) ORDER BY p.rank DESC LIMIT ?",
        (ruleset, ruleset, status, status, before, before, limit),
    )
    return [(rank, summaries.decode(summary)) for rank, summary in rows]
