"""Figures of a whole store, for who operates it: none of them names anything of a game."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec

from ..models import GameId
from . import summaries
from .box import Box
from .database import Database
from .queries import Queries

PAGE = 500
"""Games that are read at once."""


class Rules(msgspec.Struct, frozen=True):
    """The rules that a game was begun with."""

    ruleset: str
    version: str
    digest: str


class _Summary(msgspec.Struct):
    rules: Rules


_DECODER = msgspec.json.Decoder(_Summary)


class GamesFound(NamedTuple):
    """The games of a store.

    counts   by their status, and of forks
    damaged  games that go on, and whose row was changed by somebody else
    rules    of the games that go on: how many were begun with each
    lost     games that get new dice before they go on
    """

    counts: dict[str, int]
    damaged: frozenset[GameId]
    rules: Counter[Rules]
    lost: int


def games(recorder: Database, box: Box) -> GamesFound:
    """Read every game that goes on, once. Raises StoreUnavailable."""
    counted = recorder.query("SELECT status, count(*) FROM games GROUP BY status")
    ((lost,),) = recorder.query("SELECT count(*) FROM lost")
    damaged, rules, after = set[GameId](), Counter[Rules](), 0
    while rows := _page(recorder, after):
        for _, game, data in rows:
            if not summaries.is_genuine(box, game, bytes(data)):
                damaged.add(game)
                continue
            try:
                rules[_DECODER.decode(data).rules] += 1
            except msgspec.MsgspecError:
                damaged.add(game)
        after = rows[-1][0]
    return GamesFound(dict(counted), frozenset(damaged), rules, int(lost))


def _page(recorder: Database, after: int) -> list[tuple[int, GameId, bytes]]:
    asked = (
        "SELECT place, game, summary FROM games WHERE status <> 'finished' AND place > ? "
        "ORDER BY place LIMIT ?"
    )
    found: list[tuple[int, GameId, bytes]] = recorder.query(asked, (after, PAGE))
    return found


def newest(recorder: Database) -> int:
    """The number of the newest event: how many there ever were, or a few more, for numbers of what
    was undone are not given again."""
    ((found,),) = recorder.query(f"SELECT coalesce(max({recorder.place}), 0) FROM stored_events")
    return int(found)


def number(look: Queries) -> int:
    """The store's format."""
    return int(look.query("SELECT value FROM meta WHERE name = 'format'")[0][0])


_ARCHIVED = (
    "SELECT extract(epoch FROM last_archived_time) FROM pg_stat_archiver "
    "WHERE current_setting('archive_mode') <> 'off' AND last_archived_time IS NOT NULL"
)


def archived(recorder: Queries) -> float | None:
    """When a part of PostgreSQL's log was last archived, since 1970; None where none is."""
    found = recorder.query(_ARCHIVED)
    return float(found[0][0]) if found else None
