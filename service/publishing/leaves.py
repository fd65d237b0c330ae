"""From the log of all games to leaves: each event once, numbered as they come.

It follows as a projection does, its place and the leaves in one transaction. The leaves of a game
have its events' numbers, rising for ever: what would be a second variant of an event is never
logged, nor anything of that game after it; so whoever meets two variants has met a log that lies.
A game of a series has a leaf before its first, and a seat that brings a mark one before its event:
it is counted, whoever tells of it later.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from ..evidence.records import ENDS, GameCreated, LinksClosed, OrdersLocked, SeatTakenRecord
from ..following.log import FollowedEntry
from ..log.leaf import SERIES, Leaf, mark_tag, series_tag, tag_of
from ..store.bulk import Statement
from ..store.database import Database

log = logging.getLogger(__name__)

AT_ONCE = ENDS | {OrdersLocked.TYPE, LinksClosed.TYPE}
"""Types of the events after which nobody waits a second for the checkpoint."""

COUNTED = {GameCreated.TYPE, SeatTakenRecord.TYPE}
"""Types of the events by which a game may be counted besides."""

REMEMBERED = 5_000
"""Games of which the last leaf is kept in memory."""

_ADD = "INSERT INTO log_leaves (number, game, seq, leaf) VALUES (?,?,?,?)"
_LEAVE_OUT = "INSERT INTO log_left_out (game, seq) VALUES (?,?) ON CONFLICT (game) DO NOTHING"
_LAST = "SELECT seq FROM log_leaves WHERE game = ? ORDER BY seq DESC LIMIT 1"
_COUNT = "SELECT coalesce(max(number), -1) + 1 FROM log_leaves"


class Found(NamedTuple):
    """A leaf in the store; ``number``: in the tree, from 0."""

    number: int
    leaf: bytes


class _Named(msgspec.Struct):
    """What an event says of where its game is counted."""

    series: str = ""
    mark: str = ""


class _Last(NamedTuple):
    """The number of a game's last leaf, 0 before its first, and ``out``: nothing more comes."""

    seq: int
    out: bool


class Leaves:
    """A consumer of the log of all games. ``urgent``: one of those just kept should not wait."""

    name = "public-log"
    version = 1

    def __init__(self, recorder: Database) -> None:
        self._recorder = recorder
        self._next: int | None = None
        self._games: dict[str, _Last] = {}
        self._ends = False
        self.urgent = False

    def take(self, told: Iterable[FollowedEntry]) -> list[Statement]:
        """One statement a leaf."""
        found: list[Statement] = []
        for each in told:
            found += self._statements(each)
        return found

    def kept(self) -> None:
        self.urgent, self._ends = self.urgent or self._ends, False
        if len(self._games) > REMEMBERED:
            self._games.clear()

    def forget(self) -> None:
        self._next, self._ends = None, False
        self._games.clear()

    def _statements(self, told: FollowedEntry) -> list[Statement]:
        entry = told.entry
        last = self._last(entry.game)
        if last.out:
            return []
        if entry.seq != last.seq + 1:
            return self._unfit(entry.game, entry.seq, told.hash, last)
        self._games[entry.game] = last._replace(seq=entry.seq)
        self._ends = self._ends or entry.type in AT_ONCE
        leaf = Leaf(tag_of(entry.game), entry.seq, told.hash)
        counted = self._counted(told) if entry.type in COUNTED else []
        return [*counted, (_ADD, (self._number(), entry.game, entry.seq, leaf.data))]

    def _counted(self, told: FollowedEntry) -> list[Statement]:
        """The leaf by which a game is one of a series, or a player's, if it is of one.

        A mark counts once: whoever repeats another's has no part in it.
        """
        named = msgspec.json.decode(told.entry.data, type=_Named)
        if not named.series and not named.mark:
            return []
        place = f"series/{named.series}" if named.series else f"mark/{named.mark}"
        before = self._last(place)
        if named.mark and before.seq:
            return []
        self._games[place] = before._replace(seq=before.seq + 1)
        tag = series_tag(named.series) if named.series else mark_tag(named.mark)
        leaf = Leaf(tag, before.seq + 1, told.hash, SERIES)
        return [(_ADD, (self._number(), place, leaf.seq, leaf.data))]

    def _unfit(self, game: str, seq: int, hash_: str, last: _Last) -> list[Statement]:
        """An event that is logged already is passed over; any other one ends the game's leaves."""
        if seq <= last.seq and leaf_of(self._recorder, game, seq) is not None:
            found = leaf_of(self._recorder, game, seq)
            if found is not None and found.leaf.endswith(f" {seq} {hash_}\n".encode()):
                return []
        log.error(
            "event %d of game %s does not go on from what the public log has of it (up to %d): "
            "the log takes in no more of this game", seq, game, last.seq,
        )  # fmt: skip
        self._games[game] = last._replace(out=True)
        return [(_LEAVE_OUT, (game, seq))]

    def _last(self, game: str) -> _Last:
        if game not in self._games:
            rows = self._recorder.query(_LAST, (game,))
            seq = int(rows[0][0]) if rows else 0
            asked = "SELECT seq FROM log_left_out WHERE game = ?"
            self._games[game] = _Last(seq, bool(self._recorder.query(asked, (game,))))
        return self._games[game]

    def _number(self) -> int:
        if self._next is None:
            self._next = count(self._recorder)
        self._next += 1
        return self._next - 1


def count(recorder: Database) -> int:
    """How many leaves there are."""
    return int(recorder.query(_COUNT)[0][0])


def ended() -> list[Statement]:
    """What makes the store forget its public log: another one takes in all games anew."""
    return [
        ("DELETE FROM log_leaves", ()),
        ("DELETE FROM log_left_out", ()),
        ("DELETE FROM followers WHERE name = ?", (Leaves.name,)),
    ]


def leaf_of(recorder: Database, game: str, seq: int) -> Found | None:
    """The leaf of an event; None where it is not logged yet, or never will be."""
    asked = "SELECT number, leaf FROM log_leaves WHERE game = ? AND seq = ?"
    rows = recorder.query(asked, (game, seq))
    return Found(int(rows[0][0]), bytes(rows[0][1])) if rows else None


def leaves(recorder: Database, first: int, limit: int) -> Sequence[Found]:
    """From the leaf of that number on."""
    asked = "SELECT number, leaf FROM log_leaves WHERE number >= ? ORDER BY number LIMIT ?"
    rows = recorder.query(asked, (first, limit))
    return [Found(int(number), bytes(leaf)) for number, leaf in rows]
