"""What projections have kept, in pages."""

from __future__ import annotations

from typing import NamedTuple

from ..models import GameSummary
from ..store.database import Database
from ..store.hidden import shown_of
from ..store.store import Store
from .shelf import sound


class Spot(NamedTuple):
    """Where a document stands in its list. Several may have one rank: then the key decides."""

    rank: int
    key: str


TOP = Spot(0, "")
"""Above every document."""


_SHOWN = shown_of("substr(projected.key, 1, 32)")
"""The key of a document that is of one game begins with its id."""


def page(
    recorder: Database, name: str, kind: str, after: Spot, limit: int
) -> list[tuple[Spot, bytes]]:
    """Listed documents with their spots, the highest rank first, from ``after`` on.

    kind  "" for every kind
    Raises Unsound.
    """
    rows = recorder.query(
        "SELECT key, kind, rank, document FROM projected WHERE projection = ? AND rank > 0 "
        f"AND (? = '' OR kind = ?) AND {_SHOWN} AND (? = 0 OR (rank, key) < (?, ?)) "
        "ORDER BY rank DESC, key DESC LIMIT ?",
        (name, kind, kind, after.rank, after.rank, after.key, limit),
    )
    return [(Spot(rank, key), sound(name, key, kind_, rank, it)) for key, kind_, rank, it in rows]


def hidden_of(recorder: Database, name: str) -> list[bytes]:
    """Documents that are of games which an operator has hidden. Raises Unsound."""
    rows = recorder.query(
        "SELECT p.key, p.kind, p.rank, p.document FROM projected p "
        "JOIN hidden ON hidden.game = p.key WHERE p.projection = ?",
        (name,),
    )
    return [sound(name, *row) for row in rows]


def active(
    store: Store, after: Spot, limit: int, ruleset: str, status: str
) -> list[tuple[Spot, GameSummary]]:
    """Games by their latest event, with their spots; the summaries are those of now."""
    rows = store.recorder.query(
        "SELECT p.kind, p.document, p.rank, p.key, g.version, g.summary "
        "FROM projected p JOIN games g ON g.game = p.key "
        "WHERE p.projection = 'lobby' AND p.rank > 0 AND (? = '' OR g.ruleset = ?) "
        f"AND (? = '' OR g.status = ?) AND {shown_of('g.game')} "
        "AND (? = 0 OR (p.rank, p.key) < (?, ?)) "
        "ORDER BY p.rank DESC, p.key DESC LIMIT ?",
        (ruleset, ruleset, status, status, after.rank, after.rank, after.key, limit),
    )
    for kind, document, rank, key, *_ in rows:
        sound("lobby", key, kind, rank, document)
    spots = {key: Spot(rank, key) for _, _, rank, key, *_ in rows}
    games = store.listed([row[3:] for row in rows])
    return [(spots[summary.id], summary) for summary in games]
