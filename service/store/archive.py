"""Finished games outside the table of events: one file a game, found by a row of the store.

The file is the game's evidence bundle as everybody may have it, for all of it is open once the game
is over; gzip makes a fifth to a third of that. What the bundle does not say, the places of its
events in the log of all games, stands in the row. Nothing of a game is in the file and in the table
at once: one transaction writes the row and deletes the events (``play/archiving.py``).
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import logging
import zlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import TRUTH

from .. import container
from ..errors import Damaged, StoreFull, StoreRefused, StoreUnavailable
from ..evidence import bundle, chain
from ..evidence.chain import NULL, Envelope, Link
from ..models import GameId
from ..threads import SYSTEM
from .bulk import Statement
from .objects import Objects, objects_at
from .queries import Queries
from .rows import damaged, write_row
from .schema import FORMAT_OF_ARCHIVES
from .stored import ArchivedGame, LogRow, Parts, Row, StoredCommand

log = logging.getLogger(__name__)

KEPT_BYTES = 64 << 20
"""Of games that were read last, which are kept in memory."""

COLUMNS = "game, version, head, first, last, places, size, sha256, at"
_ADD = f"INSERT INTO archived ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)"
_FIND = f"SELECT {COLUMNS} FROM archived WHERE game = ?"
_FORMAT = "SELECT value FROM meta WHERE name = 'format'"
_RAISED = "UPDATE meta SET value = ? WHERE name = 'format'"
_ONE = "SELECT 1 FROM archived LIMIT 1"
_COUNT = "SELECT count(*), coalesce(sum(size), 0) FROM archived"
_SIZES = "SELECT game, size FROM archived"
_NAMES = "SELECT game, sha256 FROM archived"
_NEXT = "SELECT min(game) FROM archived WHERE game > ?"

_ANY = "SELECT 1 FROM archived WHERE last > ? AND first <= ? LIMIT 1"
_NEWEST = "SELECT coalesce(max(number), 0) FROM archived"
_LISTED = ", ".join(f"a.{column}" for column in COLUMNS.split(", "))
_BEGUN = (
    f"SELECT g.ruleset, {_LISTED} FROM archived a JOIN games g ON g.game = a.game "
    "WHERE a.first > ? AND a.first <= ? AND a.last > ?"
)


class Archived(NamedTuple):
    """The row of a game that is in a file.

    version, head  number and hash of its last event
    first, last    the places of its first and last event; ``places``: of all, packed
    size, sha256   of the file
    at             since when
    """

    game: GameId
    version: int
    head: str
    first: int
    last: int
    places: bytes
    size: int
    sha256: str
    at: str


class _InFlight(NamedTuple):
    """Games whose events lie around a place of the log, as they were found last.

    newest  the number of the last row that there was then
    """

    place: int
    newest: int
    games: list[tuple[str, Archived]]


class Archive:
    """The archived games: a folder of files, or a bucket. Any thread may ask.

    Every method that reads a game raises Damaged where its file is missing or is not the one that
    was written, and StoreUnavailable where the place cannot be reached.
    """

    def __init__(self, place: str) -> None:
        """``place`` is ``DECKLOG_ARCHIVE``; "": there is none. Raises StoreRefused of a bucket
        where what speaks to buckets is not installed."""
        self.files = _objects(place) if place else None
        self._lock = SYSTEM.lock()
        self._kept: OrderedDict[str, ArchivedGame] = OrderedDict()
        self._bytes = 0
        self._in_use = False
        self._flight = _InFlight(-1, -1, [])

    # One game

    def row(self, recorder: Queries, game: GameId) -> Archived | None:
        """The row of a game that is in a file; None of any other."""
        if not self._is_in_use(recorder):
            return None
        found = recorder.query(_FIND, (game,))
        return _row(found[0]) if found else None

    def game(self, recorder: Queries, game: GameId) -> ArchivedGame | None:
        """A game that is in a file; None of any other."""
        row = self.row(recorder, game)
        if row is None:
            return None
        try:
            return self.opened(row)
        except Damaged:
            if self.row(recorder, game) == row:
                raise
            return self.game(recorder, game)

    def _is_in_use(self, recorder: Queries) -> bool:
        """Whether any game was ever archived: a store that is only looked at may lack the table."""
        if not self._in_use:
            ((found,),) = recorder.query(_FORMAT)
            self._in_use = int(found) >= FORMAT_OF_ARCHIVES
        return self._in_use

    def opened(self, row: Archived) -> ArchivedGame:
        """The game of that row, out of its file."""
        with self._lock:
            kept = self._kept.get(row.sha256)
            if kept is not None:
                self._kept.move_to_end(row.sha256)
                return kept
        parts = parts_of(row.game, self.bundle(row))
        made = ArchivedGame(parts, _places(row))
        if len(parts.rows) != row.version or len(made.places) != row.version:
            raise damaged(row.game, 1, "its archive has another number of events")
        with self._lock:
            if row.sha256 not in self._kept:  # another thread may have opened it, too
                self._kept[row.sha256] = made
                self._bytes += _bytes_of(made)
            while self._bytes > KEPT_BYTES and len(self._kept) > 1:
                _, old = self._kept.popitem(last=False)
                self._bytes -= _bytes_of(old)
        return made

    def check(self, recorder: Queries | None, days: int = 0) -> int:
        """How many games are in files; None is a store that is not made yet. Raises StoreRefused
        where these cannot be read, or games are to go into files after some ``days`` and there is
        no folder."""
        games = 0 if recorder is None else self.held(recorder)[0]
        if self.files is None and (games or days):
            what = f"{games} games of the store are in its archive" if games else "Games are to go"
            raise StoreRefused("store.no-archive", f"{what}, and DECKLOG_ARCHIVE is not set.")
        if self.files is not None and games:
            _check_there(self.files, games)
        return games

    def needed(self, recorder: Queries) -> None:
        """Raises StoreUnavailable where games are in files and the folder has none: what is written
        into the place of a folder that is not mounted is gone as soon as that is."""
        if self.files is not None and self._is_in_use(recorder) and recorder.query(_ONE):
            with _told():
                bare = self.files.is_bare()
            if bare:
                raise StoreUnavailable(_AWAY)

    def held(self, recorder: Queries) -> tuple[int, int]:
        """How many games are in files, and the bytes of these."""
        return count(recorder) if self._is_in_use(recorder) else (0, 0)

    def sizes(self, recorder: Queries) -> dict[GameId, int]:
        """The bytes of each game's file."""
        return dict(recorder.query(_SIZES)) if self._is_in_use(recorder) else {}

    def next_game(self, recorder: Queries, after: GameId) -> GameId:
        """The first game above ``after`` that is in a file; "" where there is none."""
        if not self._is_in_use(recorder):
            return ""
        return recorder.query(_NEXT, (after,))[0][0] or ""

    def strays(self, recorder: Queries) -> list[str]:
        """Names of files that no game of the store names: of games that were deleted, or not yet
        archived when somebody was killed, or of another store."""
        rows = recorder.query(_NAMES) if self._is_in_use(recorder) else []
        named = {_key(game, sha256) for game, sha256 in rows}
        return sorted(key.partition("/")[2] for key in self.listed() if key not in named)

    # Files

    def bundle(self, row: Archived) -> bytes:
        """The evidence in a game's file, whose digest is the one in the row."""
        return unzipped(row.game, self._read(row.game, row.sha256), row.sha256)

    def _place(self, game: GameId) -> Objects:
        if self.files is None:
            raise StoreUnavailable(f"Game {game} is in an archive, and no place is set for it.")
        return self.files

    def _read(self, game: GameId, sha256: str) -> bytes:
        files, key = self._place(game), _key(game, sha256)
        try:
            return files.read(key)
        except FileNotFoundError:
            with _told():
                bare = files.is_bare()
            if not bare:
                raise damaged(game, 1, f"its archive {key} is missing") from None
            raise StoreUnavailable(_AWAY) from None
        except OSError as error:  # its place, and why it is away, are the operator's
            log.warning("the archive cannot be read: %s", error.strerror)
            raise StoreUnavailable("The archive cannot be read.") from None

    def write(self, game: GameId, data: bytes) -> tuple[int, str]:
        """Keep a bundle, for good; size and digest of the file.

        Raises StoreFull, StoreUnavailable.
        """
        zipped = gzip.compress(data, mtime=0)
        sha256 = hashlib.sha256(zipped).hexdigest()
        with _told():
            self._place(game).write(_key(game, sha256), zipped)
        return len(zipped), sha256

    def remove(self, game: GameId) -> int:
        """Take away every file of a game that is deleted; how many there were. Raises
        StoreUnavailable."""
        self._flight = _InFlight(-1, -1, [])
        if self.files is None:
            return 0
        with _told():
            own = f"{game[:2]}/{game}."
            found = [key for key in self.files.listed(game[:2]) if key.startswith(own)]
            for key in found:
                self.files.remove(key)
        return len(found)

    def listed(self) -> Iterator[str]:
        """The key of every file, half-written ones too. Raises StoreUnavailable."""
        if self.files is not None:
            with _told():
                yield from (key for key in self.files.listed() if ".zip.gz" in key)

    # The log of all games

    def between(
        self, recorder: Queries, after: int, upto: int, limit: int
    ) -> tuple[int, list[LogRow]]:
        """Archived events above ``after``, not in order, and the place up to which they are all:
        ``upto``, or so much less that they are not more than ``limit``.

        A game that is damaged is passed over; StoreUnavailable where the folder is not there.
        """
        if not recorder.query(_ANY, (after, upto)):
            return upto, []
        upto, found = min(upto, after + limit), list[LogRow]()
        for ruleset, row in self._in_flight(recorder, after, upto):
            try:
                found += _between(self.opened(row), row.game, ruleset, after, upto)
            except Damaged as error:
                log.error("%s Its events are passed over.", error)
        return upto, found

    def _in_flight(self, recorder: Queries, after: int, upto: int) -> list[tuple[str, Archived]]:
        """Games of which there may be events between the places, with their rulesets.

        Whoever reads on from where this was asked last is spared a look at all games.
        """
        ((newest,),) = recorder.query(_NEWEST)
        last, since = self._flight, -1
        going: list[tuple[str, Archived]] = []
        if (last.place, last.newest) == (after, newest):
            since, going = after, [each for each in last.games if each[1].last > after]
        begun = recorder.query(_BEGUN, (since, upto, after))
        games = going + [(ruleset, _row(row)) for ruleset, *row in begun]
        self._flight = _InFlight(upto, newest, games)
        return games


_AWAY = "The archive's files are not there."


def _objects(place: str) -> Objects:
    try:
        return objects_at(place)
    except ImportError as error:
        hint = f"{place} is a bucket, and decklog[buckets] is not installed: {error}."
        raise StoreRefused("store.no-archive", hint) from None
    except ValueError as error:
        raise StoreRefused("store.no-archive", f"The archive cannot be used: {error}") from None


def _check_there(files: Objects, games: int) -> None:
    """Raises StoreRefused unless some file is there, for the games that are."""
    try:
        why = f"and not in {files}" if files.is_bare() else ""
    except OSError as error:
        why = f"and {files} cannot be read: {error.strerror}"
    if why:
        told = f"{games} games of the store are in its archive, {why}."
        raise StoreRefused("store.no-archive", told)


def _key(game: GameId, sha256: str) -> str:
    """Where a game's file is among the archive's."""
    return f"{game[:2]}/{game}.{sha256[:16]}.zip.gz"


def _between(
    kept: ArchivedGame, game: GameId, ruleset: str, after: int, upto: int
) -> Iterator[LogRow]:
    """Its events above a place, up to another one."""
    seats = kept.seats()
    for index in range(bisect_right(kept.places, after), bisect_right(kept.places, upto)):
        seq, _, state = kept.parts.rows[index]
        yield LogRow(kept.places[index], game, seq, state, ruleset, seats.get(seq))


def _row(found: Sequence[Any]) -> Archived:
    row = Archived(*found)
    return row._replace(places=bytes(row.places))


def around(rows: Sequence[Row], type_: str, version: int) -> tuple[bytes, bytes]:
    """As :meth:`Store.around`."""
    before = after = b""
    for seq, topic, state in rows:
        if topic.rpartition(".v")[0] == type_:
            if seq > version:
                after = state
                break
            before = state
    return before, after


# Statements


def insertion(row: Archived) -> list[Statement]:
    """What says that a game is in a file; a store with one is refused by older programs."""
    return [(_ADD, tuple(row)), (_RAISED, (str(FORMAT_OF_ARCHIVES),))]


def deletion(game: GameId) -> Statement:
    """What forgets the file of a game."""
    return "DELETE FROM archived WHERE game = ?", (game,)


def count(recorder: Queries) -> tuple[int, int]:
    """How many games are in files, and the bytes of these. The table has to be there."""
    ((games, size),) = recorder.query(_COUNT)
    return int(games), int(size)


# Forms


def packed(places: Sequence[int]) -> bytes:
    """The places of a game's events, which rise, as few bytes."""
    steps = [place - before for before, place in zip((0, *places), places, strict=False)]
    return zlib.compress(msgspec.msgpack.encode(steps), 9)


def unpacked(places: bytes) -> list[int]:
    """As they were."""
    found, place = list[int](), 0
    for step in msgspec.msgpack.decode(zlib.decompress(places), type=list[int]):
        place += step
        found.append(place)
    return found


def _places(row: Archived) -> list[int]:
    """Raises Damaged."""
    try:
        return unpacked(row.places)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise damaged(row.game, 1, f"its places cannot be read: {error}") from None


def unzipped(game: GameId, file: bytes, sha256: str) -> bytes:
    """The bundle in a file. Raises Damaged unless it is the file of that digest."""
    if hashlib.sha256(file).hexdigest() != sha256:
        raise damaged(game, 1, "its archive is not the file that was written")
    return gzip.decompress(file)


_OPENING = msgspec.json.Decoder(bundle.Opening)
_ORDER = msgspec.json.Decoder(bundle.OrderLine)
_SECRETS = msgspec.json.Decoder(bundle.Secrets)


def parts_of(game: GameId, data: bytes) -> Parts:
    """The store's own form of what is in the bundle of a finished game. Raises Damaged."""
    try:
        files = container.unpack(data)
        openings = map(_OPENING.decode, _lines(files, bundle.OPENINGS))
        truths = {each.seq: bytes(each.payload) for each in openings if each.viewer == TRUTH}
        events = [(line, chain.read(line)) for line in _lines(files, bundle.EVENTS)]
        rows = [_event(line, read, truths.get(read.seq, NULL)) for line, read in events]
        orders = map(_ORDER.decode, _lines(files, bundle.COMMANDS))
        commands = [_order(each, events[each.first - 1][1].at) for each in orders]
        master = bytes.fromhex(_SECRETS.decode(files[bundle.SECRETS]).master)
    except _MALFORMED as error:
        raise damaged(game, 1, f"its archive holds no evidence: {error}") from None
    return Parts(rows, commands, master)


_MALFORMED = (
    container.BadContainer, chain.ChainError, msgspec.MsgspecError,
    LookupError, ValueError,
)  # fmt: skip


def _lines(files: dict[str, bytes], name: str) -> list[bytes]:
    return files[name].split(b"\n")[:-1]


def _event(line: bytes, read: Envelope, truth: bytes) -> Row:
    link = Link(line, chain.hash_of(line), read)
    return write_row(read.seq, read.type, read.schema, link, b"" if truth == NULL else truth)


def _order(line: bundle.OrderLine, at: str) -> StoredCommand:
    own = b"" if line.signature is UNSET else canonical(line.signature)
    return StoredCommand(line.first, line.last, line.id, line.seat, bytes(line.command), at, own)


def _bytes_of(game: ArchivedGame) -> int:
    """The bytes of its events, as memory has them."""
    return sum(len(state) for _, _, state in game.parts.rows)


@contextmanager
def _told() -> Iterator[None]:
    """What the folder refuses, in our words."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFull("The disk of the archive is full: the game stays.") from error
        why = f"The archive takes nothing: {error.strerror}. The game stays as it is."
        raise StoreUnavailable(why) from error
