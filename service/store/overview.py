"""A store at a glance, for whoever operates it: figures, and the ids of games to look at.

No name, no seat, no address: those are the players' own.
"""

from __future__ import annotations

import msgspec

from ..errors import Damaged
from ..models import GameId
from . import figures, resealing, summaries
from .announcement import announced
from .box import Box
from .database import Database

_GOING = (
    "SELECT place, game, version, summary FROM games WHERE status IN ('open', 'playing') "
    "AND place > ? ORDER BY place LIMIT ?"
)
_COUNTS = {
    "hidden": "SELECT count(*) FROM hidden",
    "deleted": "SELECT count(*) FROM tombstones",
    "curbs": "SELECT count(*) FROM curbs",
    "instructions": "SELECT count(*) FROM instructions",
    "messages": "SELECT count(*) FROM deliveries WHERE state = 'waiting'",
    "lost": "SELECT count(*) FROM lost",
}
_EVENTS = "SELECT coalesce(sum(version), 0) FROM games"
_ARCHIVED = "SELECT count(*), coalesce(sum(version), 0), coalesce(sum(size), 0) FROM archived"


class Overview(msgspec.Struct, frozen=True):
    """What there is.

    format, bytes  of the store
    events   of the games that are there, those in the archive among them
    newest   the number of the newest event: those that are gone were numbered, too
    archived  games in the archive, their events, and the bytes of their files
    games    by status
    frozen, paused, silent, damaged  those that go on and are so, by id
    counts   games hidden and deleted; bans and quotas; instructions and messages of webhooks that
             wait; games that wait for new dice
    former   how many secrets and marks are under each key but the first; "" for none of the keys
    announcement  what is told everybody
    """

    format: int
    bytes: int
    events: int
    newest: int
    archived: dict[str, int]
    games: dict[str, int]
    frozen: tuple[GameId, ...]
    paused: tuple[GameId, ...]
    silent: tuple[GameId, ...]
    damaged: tuple[GameId, ...]
    counts: dict[str, int]
    former: dict[str, int]
    announcement: str


def overview(recorder: Database, box: Box, silent_since: str) -> Overview:
    """Reads every game that goes on, and every seal. Raises StoreUnavailable.

    silent_since  a game in which nothing has happened since then is silent
    """
    found: dict[str, list[GameId]] = {"frozen": [], "paused": [], "silent": [], "damaged": []}
    after = 0
    while rows := recorder.query(_GOING, (after, figures.PAGE)):
        for _, game, version, data in rows:
            for kind in _kinds(box, game, version, bytes(data), silent_since):
                found[kind].append(game)
        after = rows[-1][0]
    by_status = recorder.query("SELECT status, count(*) FROM games GROUP BY status")
    sealed = resealing.counts(recorder, box)
    others = (*box.names[1:], "")
    ((events,),) = recorder.query(_EVENTS)
    (archived,) = recorder.query(_ARCHIVED)
    return Overview(
        format=figures.number(recorder),
        bytes=recorder.size(),
        events=int(events),
        newest=figures.newest(recorder),
        archived=dict(zip(("games", "events", "bytes"), map(int, archived), strict=True)),
        games=dict(sorted(by_status)),
        counts={name: int(recorder.query(sql)[0][0]) for name, sql in _COUNTS.items()},
        former={name: sum(told[name] for told in sealed.values()) for name in others},
        announcement=announced(recorder),
        **{kind: tuple(games) for kind, games in found.items()},
    )


def _kinds(box: Box, game: GameId, version: int, data: bytes, silent_since: str) -> list[str]:
    """What a game is besides going on."""
    try:
        summary = summaries.of_any_form(box, game, version, data)
    except (Damaged, msgspec.ValidationError):
        return ["damaged"]
    kinds = ["silent"] if summary.updated_at < silent_since else []
    if summary.paused is not None:
        kinds.append("paused" if summary.paused.orders else "frozen")
    return kinds
