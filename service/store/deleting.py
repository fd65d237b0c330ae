"""A game that an operator deletes: nothing of it stays but that there was one.

Its events keep their places, empty and under a name that is no game's, so that whoever follows the
log finds it as it was numbered. Tokens stay as well, so that their holders are told. Forks of it
are games of their own, and go in their time.
"""

from __future__ import annotations

from ..models import GameId
from . import archive, idempotency, summaries
from .bulk import Statement
from .examining import CUT
from .expiry import beside
from .store import FORK, Store

_STANDS = "SELECT status, version, summary FROM games WHERE game = ?"
_ROW = "DELETE FROM games WHERE game = ?"
_EMPTY = "UPDATE stored_events SET originator_id = ?, topic = '', state = ? WHERE originator_id = ?"
_BURY = (
    "INSERT INTO tombstones (game, at, version, head, reason) VALUES (?,?,?,?,?) "
    # One that was put back out of a copy may be deleted once more.
    "ON CONFLICT (game) DO UPDATE SET at = excluded.at, version = excluded.version, "
    "head = excluded.head, reason = excluded.reason"
)
_SHOWN = "DELETE FROM projected WHERE substr(key, 1, 32) = ?"


def deletion(store: Store, game: GameId, at: str, reason: str) -> list[Statement]:
    """What deletes a game, damaged or not; nothing where there is none. A file of it is to go too.

    Of a what-if game nobody but its owner knows: it has no tombstone.
    """
    found = store.recorder.query(_STANDS, (game,))
    if not found:
        return []
    status, version, summary = found[0]
    name = f"{CUT}{store.entropy.draw(8).hex()}/{game}"
    stone = (_BURY, (game, at, version, summaries.head_of(bytes(summary)), reason))
    return [
        # The row first: whoever is about to add events waits for it, and comes to nothing.
        (_ROW, (game,)),
        (_EMPTY, (name, b"", game)),
        archive.deletion(game),
        *beside(game),
        idempotency.forgotten(game),
        idempotency.forgotten_of_webhooks(game),
        *([] if status == FORK else [stone]),
        (_SHOWN, (game,)),
    ]
