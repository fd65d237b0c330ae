"""The log of all games in the order of its places, each event as everybody may know it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import msgspec

from domain.kernel.shown.roles import Role
from domain.kernel.values import Seat
from projections.follow import Entry

from ..evidence import chain
from ..evidence.records import BatchRolled, opens_master
from ..store.database import Database
from ..store.rows import Body, parts, read_body
from ..store.stored import LogRow
from .meaning import Meanings

log = logging.getLogger(__name__)

BATCH = 500
"""Events that are taken in with one transaction."""


class FollowedEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry with what those who follow for the service need besides.

    command  the command's id
    hash     of the event in its game's chain, in hex
    """

    entry: Entry
    command: str
    hash: str = ""


def read_log(
    recorder: Database, after: int, upto: int, limit: int = BATCH, meanings: Meanings | None = None
) -> tuple[int, list[FollowedEntry]]:
    """The entries above ``after``, and the place that was read to: ``upto`` if that was all.

    ``upto`` is a place of ``Database.settled``. An event whose record is damaged is passed over:
    its game is frozen, and everything else goes on. Forks are nobody's but their maker's.

    meanings  of events; those of the installed rulesets by default
    """
    found = recorder.query(
        f"SELECT e.{recorder.place}, e.originator_id, e.originator_version, e.state, g.ruleset, "
        "c.seat FROM stored_events e JOIN games g ON g.game = e.originator_id "
        "LEFT JOIN commands c ON c.game = e.originator_id AND c.first = e.originator_version "
        f"WHERE e.{recorder.place} > ? AND e.{recorder.place} <= ? AND g.status <> 'fork' "
        f"ORDER BY e.{recorder.place} LIMIT ?",
        (after, upto, limit),
    )
    meanings = meanings or Meanings()
    reached = found[-1][0] if len(found) == limit else upto
    rows: Sequence[LogRow] = [LogRow(*row) for row in found]
    reached, rows = _with_archived(recorder, rows, after, reached, limit)
    told = [_told(recorder, row, meanings) for row in rows]
    return reached, [each for each in told if each is not None]


def _with_archived(
    recorder: Database, rows: Sequence[LogRow], after: int, upto: int, limit: int
) -> tuple[int, Sequence[LogRow]]:
    """The events up to a place, those that left the table too, and the place.

    The table was asked first: a game that was archived since is in both, and counts once.
    """
    if recorder.archive is None:
        return upto, rows
    upto, more = recorder.archive.between(recorder, after, upto, limit)
    rows = [row for row in rows if row.place <= upto]
    if not more:
        return upto, rows
    every = {(row.place, row.game): row for row in (*more, *rows)}
    return upto, [every[key] for key in sorted(every)]


def _told(recorder: Database, row: LogRow, meanings: Meanings) -> FollowedEntry | None:
    place, game, seq, state, ruleset, by = row
    found = _body(game, seq, bytes(state))
    if found is None:
        return None
    body = found[0]
    data = bytes(body.data)
    roles = meanings.of(ruleset, body.type, body.schema, data)
    entry = _entry(place, ruleset, body, data, by=by, roles=roles)
    if opens_master(body.type, body.schema):
        entry = msgspec.structs.replace(entry, opened=_opened(recorder, entry))
    return FollowedEntry(entry, body.cause.id, parts(bytes(state))[1])


def _entry(
    place: int, ruleset: str, body: Body, data: bytes, *,
    by: Seat | None, roles: tuple[Role, ...] = (),
) -> Entry:  # fmt: skip
    return Entry(
        place, body.game, ruleset, body.seq, body.type, body.schema, body.at, body.actor,
        by is not None, data, roles=roles, by=by or "",
    )  # fmt: skip


def _body(game: str, seq: int, state: bytes) -> tuple[Body, bytes] | None:
    """The hashed object and the truth beside it; None for a record that is damaged."""
    try:
        raw, hash_, truth = parts(state)
        body = read_body(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        body, hash_, raw, truth = None, "", b"", b""
    if body is None or chain.hash_of(raw) != hash_ or (body.game, body.seq) != (game, seq):
        log.error("event %d of game %s is damaged and was passed over", seq, game)
        return None
    return body, truth


def _opened(recorder: Database, closing: Entry) -> tuple[Entry, ...]:
    """The batches of a game that only one seat could see until its master was opened."""
    rows = recorder.query(
        f"SELECT {recorder.place}, originator_version, state FROM stored_events "
        "WHERE originator_id = ? AND originator_version < ? AND topic LIKE ? "
        "ORDER BY originator_version",
        (closing.game, closing.seq, f"{BatchRolled.TYPE}.v%"),
    ) or _archived_batches(recorder, closing)
    found = []
    for place, seq, state in rows:
        body = _body(closing.game, seq, bytes(state))
        if body is not None and body[1]:
            found.append(_entry(place, closing.ruleset, body[0], body[1], by=None))
    return tuple(found)


def _archived_batches(recorder: Database, closing: Entry) -> list[tuple[Any, ...]]:
    """The batches of a game that left the table, with place and number; none of any other."""
    kept = recorder.archive.game(recorder, closing.game) if recorder.archive else None
    if kept is None:
        return []
    return [
        (place, seq, state)
        for place, (seq, topic, state) in zip(kept.places, kept.parts.rows, strict=True)
        if seq < closing.seq and topic.startswith(f"{BatchRolled.TYPE}.v")
    ]
