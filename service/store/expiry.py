"""What nobody uses any more is deleted: forks that are not played on, documents that no game names.

The document of each says when it goes, ``GET /v1`` for how long each is kept. Age is measured by
the store's own time (ageing.py) and by the clock, whichever is behind: no clock that jumps deletes
anything, and while nobody serves nothing grows old. A fork is in no projection, so that a log
without it tells the same; a document that a game has brought is in the game itself.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import msgspec

from ..clock import stamp
from ..errors import Damaged
from . import summaries
from .box import Box
from .bulk import Statement
from .database import Database

log = logging.getLogger(__name__)

AT_ONCE = 256
"""Forks that are looked at in one step."""

_FORKS = (
    "SELECT place, game, version, summary FROM games WHERE status = 'fork' AND place > ? "
    "ORDER BY place LIMIT ?"
)
_HOOKS = "SELECT webhook FROM webhooks WHERE game = ?"


EXPIRED = "cut/expired/"
"""Begins the name under which the last event of a fork stays that had the newest place of all."""


class Expiry:
    """Of one store, in one worker: for the engine thread.

    documents  days for which one is kept after it was last used; 0: for ever
    """

    def __init__(self, box: Box, recorder: Database, documents: int) -> None:
        self._box = box
        self._recorder = recorder
        self._documents = timedelta(days=documents)
        self._place = 0

    def go_on(self, at: str) -> list[str]:
        """Delete what is too old at the time ``at``, a part at a time; the forks' ids.

        Raises StoreFull, StoreUnavailable.
        """
        now = datetime.fromisoformat(at)
        if self._documents:
            self._recorder.put((), [_documents_before(stamp(now - self._documents))])
        return self._old_forks(at)

    def _old_forks(self, at: str) -> list[str]:
        rows = self._recorder.query(_FORKS, (self._place, AT_ONCE))
        self._place = rows[-1][0] if len(rows) == AT_ONCE else 0
        found = [row[1:3] for row in rows if self._is_older(at, *row[1:])]
        return [game for game, version in found if self._deleted(game, version)]

    def _is_older(self, at: str, game: str, version: int, stored: bytes) -> bool:
        """Whether the time is over that its document names; a damaged one says nothing of its age,
        and stays to be looked at."""
        try:
            expires_at = summaries.of_any_form(self._box, game, version, stored).expires_at
            return expires_at is not None and expires_at < at
        except (Damaged, msgspec.ValidationError) as error:
            log.error("%s", error)
            return False

    def _deleted(self, game: str, version: int) -> bool:
        """Whether it was deleted; not if somebody has just played on."""
        guard = ("DELETE FROM games WHERE game = ? AND version = ?", (game, version))
        return self._recorder.exchange([guard], deletion(game, self._recorder.place))


def deletion(game: str, place: str) -> list[Statement]:
    """All that is kept of a game beside its own row; ``place`` is the column of places.

    The newest event of all keeps its place, empty and as no game's: SQLite would give it to the
    next one, and who follows the log has passed it.
    """
    newest = (
        "UPDATE stored_events SET originator_id = ?, topic = '', state = ? "
        f"WHERE originator_id = ? AND {place} = (SELECT max({place}) FROM stored_events)"
    )
    return [
        (newest, (f"{EXPIRED}{game}", b"", game)),
        ("DELETE FROM stored_events WHERE originator_id = ?", (game,)),
        ("DELETE FROM tokens WHERE game = ?", (game,)),
        *beside(game),
    ]


def beside(game: str) -> list[Statement]:
    """All that is kept of a game beside its row, its events and its tokens."""
    attempts = f"deliveries WHERE webhook IN ({_HOOKS})"
    return [
        ("DELETE FROM commands WHERE game = ?", (game,)),
        ("DELETE FROM signatures WHERE game = ?", (game,)),
        ("DELETE FROM deadlines WHERE game = ?", (game,)),
        ("DELETE FROM unplayed WHERE game = ?", (game,)),
        ("DELETE FROM unopened WHERE game = ?", (game,)),
        ("DELETE FROM bot_turns WHERE game = ?", (game,)),
        ("DELETE FROM hidden WHERE game = ?", (game,)),
        (f"DELETE FROM attempts WHERE delivery IN (SELECT delivery FROM {attempts})", (game,)),
        (f"DELETE FROM {attempts}", (game,)),
        ("DELETE FROM webhooks WHERE game = ?", (game,)),
    ]


def _documents_before(at: str) -> Statement:
    return ("DELETE FROM customs WHERE at < ?", (at,))
