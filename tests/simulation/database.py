"""One PostgreSQL as its workers see it: its manners, which the service relies on, and its faults.

Transactions are whole or nothing, and one statement sees one moment. Places in the log are given
out before they are committed, so that a later one may be there first. Who commits may never hear
of it. An office falls free when its holder dies. What of it a world does is a question of chance.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eventsourcing.persistence import IntegrityError

from service.errors import StoreFull, StoreUnavailable
from service.store.bulk import Statement, combined
from service.store.queries import Archives
from service.store.recorder import EventRow
from service.store.schema import TABLES
from service.store.waits import Waits

from .kernel import Process, World, here
from .seams import right

_EVENTS = (
    "CREATE TABLE stored_events (place INTEGER PRIMARY KEY, originator_id TEXT NOT NULL, "
    "originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL, "
    "UNIQUE (originator_id, originator_version))"
)
_INSERT = (
    "INSERT INTO stored_events (place, originator_id, originator_version, topic, state) "
    "VALUES (?,?,?,?,?)"
)
_NEWEST = "SELECT coalesce(max(place), 0) FROM stored_events"
SETTLING = 0.3
"""Seconds after which who waits for writers gives up."""

WAY = 100e-6
"""Seconds from a worker to the database, at least; up to five times as many."""


@dataclass
class Faulty:
    """How likely what is to go wrong: at each statement, or at each commit.

    refused     a commit fails: away, full, or a deadlock
    unanswered  it is done, and nobody says so
    slow        it takes up to two seconds
    unreadable  a question fails
    full        until when the disk takes no write, in the world's time
    away        until when nobody reaches the database
    """

    refused: float = 0.0
    unanswered: float = 0.0
    slow: float = 0.0
    unreadable: float = 0.0
    full: float = 0.0
    away: float = 0.0

    def heal(self) -> None:
        self.__init__()  # type: ignore[misc]


class Disk:
    """What outlives every worker.

    places   numbers of the log that were given out
    writers  transactions under way that add to the log, by who makes them
    times    of each event, by game and number: when it was stored, in the world's time
    history  another one after each standby that was promoted in its place
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute(_EVENTS)
        for table in TABLES:
            self.connection.execute(table)
        self.places = 0
        self.commits = 0
        self.history = 1
        self._copies: list[bytes] = []
        self.times: dict[tuple[str, int], float] = {}
        self.writers: dict[object, Process] = {}
        self.offices: dict[str, Process] = {}

    def ask(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql, parameters).fetchall()

    def copy(self) -> None:
        """What the standby has: it is behind by as much as lies between two copies, or three."""
        self._copies = [*self._copies[-1:], self.connection.serialize()]

    def promote(self) -> bool:
        """The standby takes over, and what it had not heard of is gone; whether there is one."""
        if not self._copies:
            return False
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.deserialize(self._copies[0])
        self._copies.clear()
        self.history += 1
        self.writers.clear()
        self.offices.clear()
        return True

    def power_cut(self) -> None:
        """Everybody is dead. What was committed was synced before anybody could see it, and what
        was being written is torn, and so is not there."""
        self.writers.clear()
        self.offices.clear()

    def whole(self, work: Callable[[], bool]) -> bool:
        """All of the work, or nothing of it where it fails or says False."""
        self.connection.execute("BEGIN")
        try:
            done = work()
        except sqlite3.IntegrityError as error:
            self.connection.execute("ROLLBACK")
            raise IntegrityError(str(error)) from error
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT" if done else "ROLLBACK")
        self.commits += done
        return done


class SimDatabase:
    """``service.store.database.Database`` of one worker."""

    place = "place"
    archive: Archives | None = None

    def __init__(self, disk: Disk, process: Process, faulty: Faulty) -> None:
        self._disk, self._process, self._faulty = disk, process, faulty
        self._world = process.world
        self._met = self._accepted = disk.history
        self._tell: Callable[[], None] | None = None

    def prepare(self) -> None:
        self._travel()
        self.accept()

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        self._travel()
        if self._strikes("unreadable", self._faulty.unreadable) is not None:
            raise StoreUnavailable("simulated: not readable")
        found = self._disk.ask(sql, parameters)
        self._travel()
        return found

    def query_to_write(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self.query(sql, parameters)

    # --- which database it is, and what it says of the time ---

    @property
    def lineage(self) -> str:
        return f"sim/{self._met}"

    @property
    def started(self) -> str:
        return f"server {self._met}"

    @property
    def turned(self) -> bool:
        return self._met != self._accepted

    def accept(self) -> None:
        self._accepted = self._met

    def when_turned(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def time(self) -> float:
        """By a clock that is right, in seconds since 1970."""
        self._travel()
        return right(self._world).timestamp()

    # --- writing ---

    def put(
        self,
        events: Sequence[EventRow],
        statements: Sequence[Statement],
        held: Sequence[tuple[str, tuple[Any, ...], int]] = (),
    ) -> None:
        # Drawn at the beginning: what the rest of the world does until then changes nothing of it.
        refused = self._strikes("refused", self._faulty.refused)
        unanswered = self._strikes("unanswered", self._faulty.unanswered)
        self._travel()
        self._accepts()
        disk, token, history = self._disk, object(), self._disk.history
        first = disk.places
        disk.places += len(events)
        if events:
            disk.writers[token] = self._process
        try:
            self._travel()
            self._connected(history)
            self._refuse(refused, deadlocks=bool(events))
            disk.whole(lambda: self._held(held) and self._write(events, statements, first))
            self._world.log(f"{self._process.name} put {len(events)} {len(statements)}")
        finally:
            disk.writers.pop(token, None)
        self._answer(unanswered)

    def _held(self, held: Sequence[tuple[str, tuple[Any, ...], int]]) -> bool:
        for sql, parameters, rows in held:
            if self._disk.connection.execute(sql, parameters).rowcount != rows:
                raise IntegrityError("a row is not as it has to be")
        return True

    def _write(
        self, events: Sequence[EventRow], statements: Sequence[Statement], first: int
    ) -> bool:
        run = self._disk.connection.execute
        for number, event in enumerate(events, 1):
            run(_INSERT, (first + number, *event))
            self._disk.times[event[0], event[1]] = self._world.now
        for sql, parameters in combined(statements):
            run(sql, parameters)
        return True

    def exchange(self, guards: Sequence[Statement], statements: Sequence[Statement]) -> bool:
        refused = self._strikes("exchange-refused", self._faulty.refused)
        unanswered = self._strikes("exchange-unanswered", self._faulty.unanswered)
        self._travel()
        try:
            self._accepts()
        except IntegrityError as error:
            raise StoreUnavailable(str(error)) from error
        try:
            self._refuse(refused, deadlocks=True)
        except IntegrityError:
            return False

        def work() -> bool:
            run = self._disk.connection.execute
            if any(run(sql, parameters).rowcount != 1 for sql, parameters in guards):
                return False
            return self._write((), statements, 0)

        done = self._disk.whole(work)
        self._answer(unanswered)
        return done

    def settled(self) -> int:
        until = self._world.now + SETTLING
        self._travel()
        while any(not process.dead for process in self._disk.writers.values()):
            if self._world.now > until:
                raise StoreUnavailable("simulated: writers keep it")
            here(self._world).sleep(0.001)
        # In the same moment: who reads alone holds the lock while he reads.
        ((newest,),) = self._disk.ask(_NEWEST)
        self._travel()
        return int(newest)

    def lead(self, office: str) -> bool:
        try:
            self._travel()
        except StoreUnavailable:
            return False
        holder = self._disk.offices.get(office)
        if holder is None or holder.dead:
            self._disk.offices[office] = self._process
        return self._disk.offices[office] is self._process

    def size(self) -> int:
        return 0

    def waits(self) -> Waits:
        return Waits()

    def about(self) -> str:
        return "a simulated database"

    def writable(self) -> bool:
        self._travel()
        return self._faulty.full <= self._world.now

    def close(self) -> None:
        """Connections of a process end with it."""

    def _accepts(self) -> None:
        """Who has met another history, and knows of such things, first has to accept it."""
        if self.turned and self._tell is not None:
            raise IntegrityError("simulated: the store is another one than before")

    def _connected(self, history: int) -> None:
        """A transaction ends with the server on which it began."""
        if history != self._disk.history:
            raise StoreUnavailable("simulated: the server is gone")

    # --- what goes wrong ---

    def _travel(self) -> None:
        """The way to the database, or back."""
        world, thread = self._world, here(self._world)
        if thread.loop is not None:
            world.fail(f"{self._process.name}: the store is asked on the event loop")
        seconds = WAY * (1 + 4 * world.order.random())
        if (harm := self._strikes("slow", self._faulty.slow)) is not None:
            seconds += harm * 2.0
        thread.sleep(seconds)
        if self._met != self._disk.history:
            self._met = self._disk.history
            if self._tell is not None:
                self._tell()
        if self._faulty.away > world.now:
            raise StoreUnavailable("simulated: nobody reaches it")

    def _strikes(self, what: str, chance: float) -> float | None:
        return self._world.strikes(f"{self._process.name}/{what}", chance)

    def _refuse(self, refused: float | None, *, deadlocks: bool) -> None:
        if self._faulty.full > self._world.now:
            raise StoreFull("simulated: the disk is full")
        if refused is None:
            return
        kinds = [StoreUnavailable("simulated"), StoreFull("simulated")]
        found = [*kinds, IntegrityError("simulated: a deadlock")] if deadlocks else kinds
        raise found[int(refused * len(found))]

    def _answer(self, unanswered: float | None) -> None:
        """On the way back: a commit that is done may be one of which nobody hears."""
        if unanswered is not None:
            here(self._world).sleep(WAY)
            raise StoreUnavailable("simulated: no answer to the commit")
        self._travel()
