"""What an examination of a store reads: game by game, by a connection that changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from ..errors import StoreUnavailable
from ..models import GameId
from ..settings import Settings
from .ageing import StoreTime
from .box import box_of
from .database import Database
from .looking import check_key, looking
from .queries import Placed, Queries
from .schema import check_number
from .store import Store

CUT = "cut/"
"""With it begin the names under which events are kept that were cut off a game (cutting.py)."""

_NEXT = (
    "SELECT min(game) FROM (SELECT min(game) AS game FROM games WHERE game > ? UNION ALL "
    "SELECT min(originator_id) FROM stored_events WHERE originator_id > ?) AS named"
)
_AFTER_CUT = "cut0"
"""Above all such names: "0" follows "/"."""


class KeptRow(NamedTuple):
    """A game's row as it stands, with nothing of it checked."""

    version: int
    summary: bytes
    status: str
    ruleset: str


class StillTime(StoreTime):
    """A store's time that nobody counts."""

    def __init__(self, at: str) -> None:
        self.at = at


class _Reading:
    """The questions of a store that is only looked at; a page that cannot be read is a refusal."""

    def __init__(self, look: Placed) -> None:
        self._look = look
        self.place = look.place

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._look.query(sql, parameters)
        except sqlite3.Error as error:
            raise StoreUnavailable(f"The store cannot be read there: {error}.") from error


@contextmanager
def checked_store(settings: Settings, at: str) -> Iterator[Store | None]:
    """The store of the settings, as :func:`looked_at`; None where there is none yet.

    Raises StoreRefused: what :func:`looking` raises, another format than ours, a wrong key.
    """
    with looking(settings) as look:
        if look is None:
            yield None
            return
        check_number(look.name, look.format())
        check_key(look, settings)
        yield looked_at(settings, look, at)


def looked_at(settings: Settings, look: Placed, at: str) -> Store:
    """A store of which only what reads may be asked.

    at  the time now. Its key has to be checked first (``looking.check_key``).
    """
    store = Store(settings)
    store.recorder = cast("Database", _Reading(look))
    store.box = box_of(settings.database, settings.store_keys)
    store.ageing = StillTime(at)
    return store


def next_game(recorder: Queries, after: GameId) -> GameId:
    """The first game above ``after`` that has a row or an event; "" where there is none."""
    found: GameId = recorder.query(_NEXT, (after, after))[0][0] or ""
    return next_game(recorder, _AFTER_CUT) if found.startswith(CUT) else found


def row(recorder: Queries, game: GameId) -> KeptRow | None:
    """The game's row; None where it has none."""
    asked = "SELECT version, summary, status, ruleset FROM games WHERE game = ?"
    found = recorder.query(asked, (game,))
    if not found:
        return None
    version, summary, status, ruleset = found[0]
    return KeptRow(version, bytes(summary), status, ruleset)


def events(recorder: Queries, game: GameId) -> int:
    """How many there are under its name in the table."""
    ((count,),) = recorder.query(
        "SELECT count(*) FROM stored_events WHERE originator_id = ?", (game,)
    )
    return int(count)


def digests(recorder: Queries) -> list[str]:
    """Under which digests engines are kept."""
    return [digest for (digest,) in recorder.query("SELECT digest FROM engines ORDER BY digest")]
