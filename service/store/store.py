"""The store as the engine sees it: put commits, read rows; no SQL outside this folder."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec
from eventsourcing.persistence import IntegrityError

from ..clock import SYSTEM, Clock
from ..deadlines import earliest
from ..dice.grades import LOCKED
from ..entropy import SYSTEM as GENERATOR
from ..entropy import Entropy
from ..errors import Damaged, StoreRefused
from ..evidence.chain import Seals
from ..evidence.escrow import Keeper, Unusable, read_keepers
from ..models import GameId, GameSummary
from ..settings import Settings
from . import (
    acts,
    archive,
    botturns,
    customs,
    engines,
    lineage,
    summaries,
    unopened,
    unplayed,
    workers,
)
from .ageing import StoreTime
from .archive import Archive
from .box import Box, WrongKey, key_path, load_box
from .bulk import Statement, held, widened
from .database import Database
from .expiry import Expiry
from .hidden import shown_of
from .lock import WriterLock
from .migration import migrated
from .newest import SecondPlace
from .recorder import Recorder, SafeDatastore
from .schema import FORMAT, FROM_OLDER, check_format, check_number
from .signers import Signers, ends, signers
from .stored import ArchivedGame, Row, StoredCommand
from .tombstones import check_deleted

log = logging.getLogger(__name__)

Conflict = IntegrityError
"""A version or a key that another commit has taken. The whole transaction was undone."""

ALL = 1 << 62
"""More rows than there are."""

_VERSIONS = (
    "WITH asked (game) AS (VALUES (?)) SELECT game, version FROM asked JOIN games USING (game)"
)
_KEY_CHECK = b"decklog"


class Change(msgspec.Struct, frozen=True):
    """How a commit changes a game that is there.

    version, head  number and hash of the last event when it was decided on: it must be that still
    summary, reached  what it comes to, and the hash of the last event then
    """

    version: int
    head: str
    summary: GameSummary
    reached: str


class Commit(msgspec.Struct, frozen=True):
    """What one request adds: the rows of one game, and the statements that belong to them."""

    game: GameId
    rows: tuple[Row, ...]
    statements: tuple[Statement, ...]
    change: Change | None = None


class StoredGame(msgspec.Struct, frozen=True):
    """A game's row: what everybody may know, and its dice master (clear only in memory).

    head    the hash of its last event; "" where a program of an earlier format has written the row
    lost    whether what may have followed is lost
    opened  in place of the master: as far as a file opens what is sealed
    """

    summary: GameSummary
    master: bytes
    head: str
    lost: bool
    opened: Seals | None = None

    @property
    def seals(self) -> Seals:
        """What opens and checks all that is sealed in it."""
        if self.opened is not None:
            return self.opened
        return Seals(self.master, bytes.fromhex(self.summary.params))


MadeAnew = Callable[[GameId, int, bytes], tuple[GameSummary, str] | None]
"""Makes a summary from the log: of a game, as of a version, in the place of what is stored. With it
the hash of the event that it is of; None where the game cannot be read now."""


def _as_it_is(game: GameId, version: int, data: bytes) -> None:
    """For who has no rules to make one with."""


Connect = Callable[[Settings], Database]
"""Opens the database of the settings; it raises StoreRefused, and makes no table yet."""


def connect_file(settings: Settings, *, older: bool = False) -> Database:
    """SQLite's file, made for the service's own user alone: hidden fleets are in it, in clear."""
    check_format(settings.database, older=older)
    used = settings.database.exists() and settings.database.stat().st_size > 0
    if used and not settings.key and not key_path(settings.database).exists():
        raise _wrong_key(f"{key_path(settings.database).name} is missing: put it back.")
    settings.database.touch(mode=0o600)
    return Recorder(SafeDatastore(settings.database, settings.store_busy_seconds))


def connect_shared(settings: Settings, *, older: bool = False) -> Database:
    """The PostgreSQL that several workers share."""
    if not settings.key:
        raise _wrong_key("Set DECKLOG_KEY to 32 bytes in hex, the same for every worker.")
    try:
        from .postgres import PostgresRecorder
    except ImportError as error:
        hint = f"{error}: install Decklog with its extra, decklog[postgresql]."
        raise StoreRefused("store.unreachable", hint) from None
    return PostgresRecorder(
        settings.store, settings.store_busy_seconds, older=older, prepared=settings.store_prepared
    )


class Store:
    """Open from ``open`` to ``close``. ``put`` is for the engine thread, reads for any.

    connect  opens the database; where none is given, the one that the settings name
    entropy  for secrets, tokens and ids of all that is stored
    migrating  brings a store of an older format to the present one, which is refused otherwise
    """

    box: Box
    signers: Signers | None
    recorder: Database
    ageing: StoreTime
    expiry: Expiry

    def __init__(
        self,
        settings: Settings,
        clock: Clock = SYSTEM,
        connect: Connect | None = None,
        entropy: Entropy = GENERATOR,
        *,
        migrating: bool = False,
    ) -> None:
        self.entropy = entropy
        self._migrating = migrating
        self._settings = settings
        self._clock = clock
        own = connect_shared if settings.store else connect_file
        self._connect = connect or partial(own, older=migrating)
        self._lock = WriterLock(settings.database)
        self.archive = Archive(settings.archive)
        self._newest: tuple[GameId, int, str] = ("", 0, "")
        self.filed: Mapping[GameId, Seals] = {}
        """Of games out of files that do not open all: as far as they do."""
        self.made_anew: MadeAnew = _as_it_is
        """Of a summary in another form: what the log makes of the game."""
        self.found_behind = False
        """Whether it was found at the start that something may be lost."""

    @property
    def fork_days(self) -> int:
        """For which a fork is kept after the last command in it; 0: for ever."""
        return self._settings.fork_days

    @property
    def unplayed_days(self) -> int:
        """After which a game that nobody plays is ended; 0: never."""
        return self._settings.unplayed_days

    @property
    def archive_days(self) -> int:
        """After which a game that is over leaves the table of events; 0: it stays."""
        return self._settings.archive_days

    @property
    def document_days(self) -> int:
        """For which a document is kept after it was posted or named; 0: for ever."""
        return self._settings.document_days

    @property
    def worker(self) -> str:
        """The name of this worker; "" where it has none."""
        return self._settings.worker

    def monotonic(self) -> float:
        """Seconds by the clock of whoever works on it."""
        return self._clock.monotonic()

    @property
    def publishes(self) -> bool:
        """Whether a public log is kept of its games: masters wait until that has the end."""
        return bool(self._settings.log_dir)

    @property
    def beacon(self) -> str:
        """Where rounds of the public beacon come from; "": games of grade A3 are not taken."""
        return self._settings.beacon

    @cached_property
    def keepers(self) -> tuple[Keeper, ...]:
        """With whom masters of games are in escrow. Raises StoreRefused where the file is none."""
        return keepers_of(self._settings)

    @property
    def shared(self) -> bool:
        """Whether other processes may be writing the same games."""
        return bool(self._settings.store)

    def open(self, now: datetime) -> None:
        """Raises StoreRefused; StoreFull or StoreUnavailable where not even tables can be made."""
        _ = self.keepers  # a file that is none is refused at the start, not by the first game
        if self.shared:
            self._begin(self._connect(self._settings), now)
            return
        with _reached(self._settings.database):
            self._settings.database.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        try:
            with _reached(self._settings.database):
                recorder = self._connect(self._settings)
            self._begin(recorder, now)
        except BaseException:
            self._lock.release()
            raise

    def _begin(self, recorder: Database, now: datetime) -> None:
        self.recorder = recorder
        try:
            recorder.prepare()
            recorder.archive = self.archive
            self.box = _box(self._settings, self.entropy)
            self.signers = signers(self._settings.keys)
            self._check_meta(now)
            self.archive.check(recorder, self._settings.archive_days)
            hours = self._settings.idempotency_hours
            self._second = SecondPlace(self._settings.second_place, self.box.marks("store", b""))
            self._look_back()
            self.ageing = StoreTime(recorder, hours, now, self._clock.monotonic)
            self.expiry = Expiry(self.box, recorder, self._settings.document_days)
        except BaseException:
            recorder.close()
            raise

    def take_keys(self, told: Settings | None, own: str) -> list[str]:
        """Have the keys that are given now, by these settings or by files that have changed; what
        is different, in sentences. Raises StoreRefused, and then all stays as it is.

        own  the id of this worker
        """
        settings = self._settings
        if told is not None:
            settings = msgspec.structs.replace(settings, key=told.key, keys=told.keys)
        box, signing = _box(settings, self.entropy), signers(settings.keys)
        different = []
        if box.names != self.box.names:
            self._check_ring(box, own)
            self.box.take(box)
            self._second.called(self.box.marks("store", b""))
            different.append(f"the keys of the store are {', '.join(box.names)}: the first seals")
        if signing != self.signers:
            self.signers = signing
            different.append("other keys sign" if signing else "nothing is signed")
        self._settings = settings
        return different

    def signing_ends(self) -> str:
        """When a key ends that it signs with; "" where none does. Raises StoreRefused."""
        return ends(self._settings.keys, self.signers) if self.signers is not None else ""

    def stop_signing(self) -> None:
        """Until there are other keys."""
        self.signers = None

    @property
    def signing_ended(self) -> bool:
        """Whether nothing is signed, although keys are given: they have ended."""
        return bool(self._settings.keys) and self.signers is None

    def _check_ring(self, box: Box, own: str) -> None:
        """It fits, and no worker seals under what another one cannot open. Raises StoreRefused."""
        ((word,),) = self.recorder.query("SELECT value FROM meta WHERE name = 'key-check'")
        try:
            box.open("key-check", bytes(word))
        except WrongKey:
            raise _wrong_key("The key does not open this database's secrets.") from None
        now = acts.time_of(self.recorder, self._clock)
        for each in workers.listed(self.recorder, now):
            if each.id == own or not each.keys:
                continue
            if box.names[0] not in each.keys:
                raise _wrong_key(f"{each.name} has no key {box.names[0]}: give it to all first.")
            if each.keys[0] not in box.names:
                raise _wrong_key(
                    f"{each.name} seals under {each.keys[0]}, which is not among them."
                )

    def _check_meta(self, now: datetime) -> None:
        """A new store gets its format and a sealed word; an old one must open with our key."""
        add = "INSERT INTO meta (name, value) VALUES (?,?)"
        if not self.recorder.query("SELECT value FROM meta WHERE name = 'key-check'"):
            sealed = self.box.seal("key-check", _KEY_CHECK)
            with contextlib.suppress(Conflict):  # another worker was quicker
                self.recorder.put(
                    (), [(add, ("format", str(FORMAT))), (add, ("key-check", sealed))]
                )
        found = self.recorder.query("SELECT value FROM meta WHERE name = 'key-check'")
        try:
            self.box.open("key-check", found[0][0])
        except WrongKey:
            raise _wrong_key("The key does not open this database's secrets.") from None
        self._check_number(now)

    def _check_number(self, now: datetime) -> None:
        """The tables that an older format lacks are made: from now on it is the present one."""
        ((written,),) = self.recorder.query("SELECT value FROM meta WHERE name = 'format'")
        check_number("The store", int(written), older=self._migrating)
        if int(written) < FORMAT:
            raised = ("UPDATE meta SET value = ? WHERE name = 'format'", (str(FORMAT),))
            self.recorder.put((), [raised, *FROM_OLDER, migrated(int(written), now)])

    def _look_back(self) -> None:
        """Compare with the second place, and with the history that the store was in."""
        newest = self._second.read()
        if newest is not None:
            self._newest = (newest.game, newest.version, newest.head)
        self.found_behind = self.went_back()

    def close(self) -> None:
        self.recorder.close()
        self._second.close()
        self._lock.release()

    def put(self, commits: Sequence[Commit]) -> None:
        """All in one transaction or nothing. Raises Conflict, StoreFull, StoreUnavailable."""
        events = [
            (commit.game, seq, topic, state)
            for commit in commits
            for seq, topic, state in commit.rows
        ]
        changes = _changes(commits)
        statements = [s for commit in commits for s in commit.statements]
        for change in changes.values():
            statements += [*look_after_again(change.summary), *unopened.noted(change.summary)]
            statements += botturns.noted(change.summary)
        rows = [self._row(change) for change in changes.values()]
        self.recorder.put(events, statements, held(_UPDATE, rows))

        for newest in list(changes.values())[-1:]:  # it goes over those before it
            self.reached(newest.summary.id, newest.summary.version, newest.reached)

    def reached(self, game: GameId, version: int, head: str) -> None:
        """From now on this is the event that a store which went back may lack."""
        self._newest = (game, version, head)
        self._second.write(game, version, head)

    def went_back(self) -> bool:
        """Whether the database is another than it was, or lacks what was acknowledged.

        Then every game that goes on is put down to get new dice first. Raises StoreFull,
        StoreUnavailable.
        """
        kept, raw = lineage.read(self.recorder)
        complete = self._has(self._newest)
        if complete and kept.lineage == self.recorder.lineage:
            return False
        if complete or not lineage.is_done(self.recorder, kept):
            lineage.begin_anew(self.recorder, kept, raw)
        self._newest = ("", 0, "")
        ((games,),) = self.recorder.query("SELECT count(*) FROM lost")
        log.error(
            "the store is not the one that it was: what was answered last may be lost. %d games "
            "get new dice before they go on (history %s, before %s, the event known last is %s)",
            games,
            self.recorder.lineage or "of the file",
            kept.lineage or "of the file",
            "there" if complete else "missing",
        )
        return True

    def lost(self, limit: int) -> list[GameId]:
        """Games that have to get new dice before they go on."""
        found = self.recorder.query("SELECT game FROM lost ORDER BY game LIMIT ?", (limit,))
        return [game for (game,) in found]

    def _has(self, newest: tuple[GameId, int, str]) -> bool:
        game, version, head = newest
        if not game:
            return True
        found = self.recorder.query(
            "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version = ?",
            (game, version),
        )
        if not found:
            row = self.archive.row(self.recorder, game)
            return row is not None and (row.version, row.head) == (version, head)
        return f',"hash":"{head}"'.encode() in bytes(found[0][0])

    def _row(self, change: Change) -> tuple[Any, ...]:
        """The game's row, which is kept in step with its events."""
        summary = change.summary
        stored = summaries.encode(self.box, summary, change.reached)
        stands = (change.version, change.head.encode())
        return (summary.id, listed_as(summary), summary.version, stored, *stands)

    def rows(self, game: GameId, after: int = 0, limit: int = ALL) -> list[Row]:
        """Rows with seq above ``after`` in order; at most ``limit``. Raises Damaged of an archive.

        The table is asked first: a game that is archived meanwhile is found in one of the two.
        """
        rows: list[Any] = self.recorder.query(
            "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? "
            "AND originator_version > ? ORDER BY originator_version LIMIT ?",
            (game, after, limit),
        )
        kept = None if rows else self._archived(game)
        return kept.parts.rows[after:][:limit] if kept else rows

    def _archived(self, game: GameId) -> ArchivedGame | None:
        """A game of which the table of events has nothing, out of its file."""
        return self.archive.game(self.recorder, game)

    def game(self, game: GameId) -> StoredGame | None:
        """Raises Deleted."""
        found = self.recorder.query(
            "SELECT version, summary, master, EXISTS "
            "(SELECT 1 FROM lost WHERE lost.game = games.game) FROM games WHERE game = ?",
            (game,),
        )
        if not found:
            check_deleted(self.recorder, game)
            return None
        version, data, master, lost = found[0]
        summary, head = self._read(game, version, bytes(data))
        opened = self.box.open(f"master/{game}", master)
        return StoredGame(summary, opened, head, bool(lost), self.filed.get(game))

    def master(self, game: GameId) -> bytes:
        """The dice master of a game that is stored."""
        ((master,),) = self.recorder.query("SELECT master FROM games WHERE game = ?", (game,))
        return self.box.open(f"master/{game}", master)

    def summary(self, game: GameId) -> GameSummary | None:
        """Raises Deleted."""
        found = self.recorder.query("SELECT version, summary FROM games WHERE game = ?", (game,))
        if not found:
            check_deleted(self.recorder, game)
            return None
        version, data = found[0]
        return self._read(game, version, bytes(data))[0]

    def _read(self, game: GameId, version: int, data: bytes) -> tuple[GameSummary, str]:
        """What a row says, and the hash of the event that it is of; what has another form is made
        anew where it can be. Raises Damaged."""
        found = None
        if not summaries.is_of_this_form(data) and summaries.is_genuine(self.box, game, data):
            found = self.made_anew(game, version, data)
        return found or (
            summaries.decode(self.box, game, version, data), summaries.head_of(data),
        )  # fmt: skip

    def around(self, game: GameId, type_: str, version: int) -> tuple[bytes, bytes]:
        """The last event of that type up to ``version``, and the first one after; b"" for none."""
        asked = "SELECT state FROM stored_events WHERE originator_id = ? AND topic LIKE ? AND "
        name = f"{type_}.v%"
        before = "originator_version <= ? ORDER BY originator_version DESC LIMIT 1"
        after = "originator_version > ? ORDER BY originator_version LIMIT 1"
        found = [
            self.recorder.query(asked + where, (game, name, version)) for where in (before, after)
        ]
        kept = None if any(found) else self._archived(game)
        if kept is not None:
            return archive.around(kept.parts.rows, type_, version)
        first, second = (bytes(rows[0][0]) if rows else b"" for rows in found)
        return first, second

    def versions(self, games: Iterable[GameId]) -> dict[GameId, int]:
        """The latest version of each of the games: one query for all."""
        found: dict[GameId, int] = {}
        for sql, parameters in widened(_VERSIONS, [(game,) for game in games]):
            found.update((game, version) for game, version in self.recorder.query(sql, parameters))
        return found

    def due(self, at: str, limit: int) -> list[GameId]:
        """Games in which somebody's time is over at ``at``, the longest overdue first."""
        found = self.recorder.query(
            "SELECT game FROM deadlines WHERE at > '' AND at <= ? ORDER BY at, game LIMIT ?",
            (at, limit),
        )
        return [game for (game,) in found]

    def bot_turns(self, limit: int) -> list[GameId]:
        """Games in which a bot of the service is asked."""
        return botturns.due(self.recorder, limit)

    def unplayed(self, limit: int) -> list[GameId]:
        """Games that may have to end because nobody plays."""
        return unplayed.due(self.recorder, self.ageing.at, limit)

    def lobby(self, below: int, limit: int, ruleset: str, status: str) -> list[GameSummary]:
        """Newest first; 0 and "" stand for no restriction."""
        found = self.recorder.query(
            "SELECT game, version, summary FROM games"
            " WHERE (? = '' OR ruleset = ?) AND (? = '' OR status = ?)"
            f" AND status <> 'fork' AND {shown_of('games.game')}"
            " AND (? = 0 OR place < ?)"
            " ORDER BY place DESC LIMIT ?",
            (ruleset, ruleset, status, status, below, below, limit),
        )
        return list(self.listed(found))

    def listed(self, rows: Iterable[Sequence[Any]]) -> Iterator[GameSummary]:
        """The summaries of a list: game, version, what is stored. A damaged one is not in it."""
        for game, version, data in rows:
            try:
                yield self._read(game, version, bytes(data))[0]
            except Damaged as error:
                log.error("%s", error)

    def lobby_place(self, games: Sequence[GameId]) -> int:
        """The lowest place of those that are still there; 1, below which is nothing, for none."""
        marks = ", ".join("?" * len(games))
        asked = f"SELECT min(place) FROM games WHERE game IN ({marks})"
        return int(self.recorder.query(asked, tuple(games))[0][0] or 1)

    def custom(self, id: str) -> customs.StoredCustom | None:
        """The document of that name that players have posted."""
        return customs.find(self.recorder, id)

    def customs(
        self, ruleset: str, kind: str, after: str, limit: int
    ) -> list[customs.StoredCustom]:
        """Listed documents of a kind, the latest post first."""
        return customs.listed(self.recorder, ruleset, kind, after, limit)

    def commands(self, game: GameId) -> list[StoredCommand]:
        """Every order of the game, in order."""
        found = self.recorder.query(
            "SELECT first, last, id, seat, commands.command, at, signature FROM commands "
            "LEFT JOIN signatures ON signatures.game = commands.game "
            "AND signatures.command = commands.id WHERE commands.game = ? ORDER BY first",
            (game,),
        )
        kept = None if found else self._archived(game)
        if kept is not None:
            return kept.parts.commands
        return [
            StoredCommand(first, last, id_, seat, command, at, bytes(own or b""))
            for first, last, id_, seat, command, at, own in found
        ]

    def engine(self, digest: str) -> bytes | None:
        """The archive of what decides in the games that name this digest."""
        return engines.find(self.recorder, digest)

    def shown(self, digest: str) -> bytes | None:
        """The archive of what shows the games that name this digest."""
        return engines.find_shown(self.recorder, digest)

    def engine_digests(self) -> list[str]:
        """All engines that are kept, by their digests."""
        return engines.digests(self.recorder)


FORK = "fork"
"""What stands for the status of a fork in its row: it is in no list, whoever asks."""


def listed_as(summary: GameSummary) -> str:
    """The status by which the lobby finds a game."""
    return FORK if summary.fork is not None else summary.status


def game_insertion(box: Box, summary: GameSummary, head: str, master: bytes) -> Statement:
    """The row of a new game; the master is sealed for this game."""
    return (
        "INSERT INTO games (game, ruleset, status, version, summary, master) VALUES (?,?,?,?,?,?)",
        (
            summary.id,
            summary.rules.ruleset,
            listed_as(summary),
            summary.version,
            summaries.encode(box, summary, head),
            box.seal(f"master/{summary.id}", master),
        ),
    )


_UPDATE = (
    "UPDATE games SET status = new.column2, version = new.column3, summary = new.column4 "
    "FROM (VALUES (?,?,?,?,?,?)) AS new WHERE game = new.column1 "
    f"AND games.version = new.column5 AND {summaries.HEAD_IN_SQL} = new.column6"
)


def _changes(commits: Sequence[Commit]) -> dict[GameId, Change]:
    """One change for each game: several commits of one transaction stand on each other."""
    found: dict[GameId, Change] = {}
    for change in (commit.change for commit in commits):
        if change is None:
            continue
        first = found.get(change.summary.id, change)
        found[change.summary.id] = Change(first.version, first.head, change.summary, change.reached)
    return found


def look_after_again(summary: GameSummary) -> list[Statement]:
    """When a game with deadlines is looked at next, after it has gone on."""
    return [look_again(summary.id, look_at(summary))] if _is_timed(summary) else []


def look_at(summary: GameSummary) -> str:
    """When the clock has something to do in a game next; "" for never."""
    if summary.locked is not None:
        return summary.locked.due if summary.paused is None else ""
    return earliest(summary.due)


def _is_timed(summary: GameSummary) -> bool:
    """Whether seats have deadlines, or links of dice do."""
    return bool(summary.deadline) or summary.grade in LOCKED


def look_after(summary: GameSummary) -> list[Statement]:
    """The row by which a new game with deadlines is found when one is over."""
    if not _is_timed(summary):
        return []
    return [
        (
            "INSERT INTO deadlines (game, at) VALUES (?,?)",
            (summary.id, look_at(summary)),
        )
    ]


def look_again(game: GameId, at: str) -> Statement:
    """When a game with deadlines has to be looked at next; "" for never."""
    return (
        "UPDATE deadlines SET at = new.column2 FROM (VALUES (?,?)) AS new WHERE game = new.column1",
        (game, at),
    )


def command_insertion(game: GameId, order: StoredCommand) -> Statement:
    return (
        "INSERT INTO commands (game, first, last, id, seat, command, at) VALUES (?,?,?,?,?,?,?)",
        (game, order.first, order.last, order.id, order.seat, order.command, order.at),
    )


def signature_insertion(game: GameId, command: str, signature: bytes) -> Statement:
    """Keeps a seat's signature of the order of that id."""
    kept = (game, command, signature)
    return ("INSERT INTO signatures (game, command, signature) VALUES (?,?,?)", kept)


def keepers_of(settings: Settings) -> tuple[Keeper, ...]:
    """Those of the settings. Raises StoreRefused where the file is none."""
    if not settings.escrow:
        return ()
    try:
        return read_keepers(Path(settings.escrow).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, Unusable) as error:
        told = f"DECKLOG_ESCROW, {settings.escrow}: {error}"
        raise StoreRefused("store.unsafe", told) from None


def _box(settings: Settings, entropy: Entropy) -> Box:
    try:
        with _reached(settings.database):
            return load_box(settings.database, settings.store_keys, entropy)
    except ValueError as error:
        raise _wrong_key(f"{error}.") from None


@contextlib.contextmanager
def _reached(database: Path) -> Iterator[None]:
    """Raises StoreRefused ``store.unreachable`` for what the system refuses."""
    try:
        yield
    except OSError as error:
        why = f"{error.filename or database}, {(error.strerror or str(error)).lower()}"
        hint = f"The store cannot be opened: {why}. DECKLOG_DATABASE has to name a file that this "
        raise StoreRefused("store.unreachable", f"{hint}user may write.") from None


def _wrong_key(hint: str) -> StoreRefused:
    return StoreRefused("store.wrong-key", hint)
