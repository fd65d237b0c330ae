"""One follower of the log: takes in each event once, and keeps its place with what came of it.

A step reads, works in memory, and stores in one transaction that is guarded by the place from which
it started: whoever was overtaken, by another process or a rebuild, has done nothing.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import msgspec

from projections.follow import Projection

from ..entropy import SYSTEM, Entropy, drawn
from ..store.bulk import Statement
from ..store.database import Database
from ..store.store import Conflict
from .log import BATCH, FollowedEntry, read_log
from .meaning import Meanings
from .shelf import SEPARATOR, StoredDocuments

log = logging.getLogger(__name__)

TRIES = 100
"""How often a rebuild or a comparison is carried on because the live projection moved on."""

NEW = "+"
"""Follows a projection's name while it is made anew beside the one in use."""

Report = Callable[[int, int], None]
"""Gets the place that was reached, and the one that is the aim."""


class FollowerPosition(msgspec.Struct, frozen=True):
    """How far a follower has come, as the store has it."""

    version: int
    run: str
    place: int

    def moved(self, name: str, place: int) -> FollowerPosition:
        """At another place; ``run`` ends in a checksum over all of it."""
        return FollowerPosition(
            self.version, checked_run(name, self.version, self.run, place), place
        )


def checked_run(name: str, version: int, run: str, place: int) -> str:
    """The name of a run with its checksum for the place; in the store's old formats without."""
    bare = run.partition(".")[0]
    text = f"{name.removesuffix(NEW)}\n{version}\n{bare}\n{place}"
    return f"{bare}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def sound_place(name: str, version: int, run: str, place: int) -> FollowerPosition:
    """The place as it is stored; of version 0, which has to be made anew, where it was changed."""
    if "." in run and run != checked_run(name, version, run, place):
        log.error("the place of %s is not as it was written", name)
        return FollowerPosition(0, run, place)
    return FollowerPosition(version, run, place)


def spoil(recorder: Database, name: str) -> None:
    """Have a projection made anew, some of which is not as it was written."""
    recorder.exchange([("UPDATE followers SET version = 0 WHERE name = ?", (name,))], ())


_OUTDATE = "UPDATE followers SET version = ?, run = ? WHERE name = ? AND run = ? AND place = ?"


def outdate(recorder: Database) -> None:
    """Have every projection made anew; each is read as it is until then.

    For a log that is not as it was: of what was summed up nothing can be taken back by itself.
    """
    for name, _ in recorder.query("SELECT DISTINCT projection, 0 FROM projected"):
        for _ in range(TRIES):
            stood = place_of(recorder, name)
            if stood is None:
                break
            older = FollowerPosition(OUTDATED, stood.run, stood.place).moved(name, stood.place)
            stands = (name, stood.run, stood.place)
            if recorder.exchange([(_OUTDATE, (older.version, older.run, *stands))], ()):
                break


OUTDATED = -1
"""Stands for the version of a projection that has to be made anew, and may be read meanwhile."""


class Consumer(Protocol):
    """What takes in the log."""

    name: str
    version: int

    def take(self, told: Iterable[FollowedEntry]) -> list[Statement]:
        """What to store for these events."""

    def kept(self) -> None:
        """It is stored."""

    def forget(self) -> None:
        """It is not, or somebody else has stored something."""


class Projecting:
    """A projection as a consumer; ``name`` may be another one than the projection's own."""

    def __init__(self, recorder: Database, projection: Projection, name: str = "") -> None:
        self.name = name or projection.name
        self.version = projection.version
        self._take = projection.take
        self._shelf = StoredDocuments(recorder, self.name)

    def take(self, told: Iterable[FollowedEntry]) -> list[Statement]:
        for each in told:
            self._take(self._shelf, each.entry)
        return list(self._shelf.statements())

    def kept(self) -> None:
        self._shelf.kept()

    def forget(self) -> None:
        self._shelf.forget()


class Follower:
    """Brings a consumer up to date, step by step. One thread at a time.

    at  where it stands and its memory belongs to; None when the store has to be asked
    """

    def __init__(
        self,
        recorder: Database,
        consumer: Consumer,
        start: int = 0,
        meanings: Meanings | None = None,
        entropy: Entropy = SYSTEM,
    ) -> None:
        """``start``: the place from which a consumer that is new begins."""
        self._entropy = entropy
        self._recorder = recorder
        self.meanings = meanings or Meanings()
        self.consumer = consumer
        self._start = start
        self.at: FollowerPosition | None = None

    def stand(self, stored: FollowerPosition | None) -> FollowerPosition:
        """Take one's stand where the store says; who has not begun, begins."""
        place = stored or self._begin()
        if place != self.at:
            self.consumer.forget()
        self.at = place
        return place

    def forget(self) -> None:
        """Ask the store where one stands, whatever one remembers."""
        self.at = None
        self.consumer.forget()

    def step(self, upto: int, limit: int = BATCH) -> bool:
        """Take in some events up to the place ``upto``; whether there was anything to do."""
        if self.stand(place_of(self._recorder, self.consumer.name)).place >= upto:
            return False
        step_together(self._recorder, [self], upto, limit)
        return True

    def _begin(self) -> FollowerPosition:
        begin = FollowerPosition(self.consumer.version, drawn(self._entropy, 16), self._start)
        place = begin.moved(self.consumer.name, self._start)
        row = (self.consumer.name, place.version, place.run, place.place)
        try:
            self._recorder.put(
                (), [("INSERT INTO followers (name, version, run, place) VALUES (?,?,?,?)", row)]
            )
        except Conflict:  # another process was quicker
            place = place_of(self._recorder, self.consumer.name) or place
        return place


def step_together(
    recorder: Database, followers: Sequence[Follower], upto: int, limit: int = BATCH
) -> None:
    """One step of followers that stand at one place: the log is read once, and what comes of it is
    stored in one transaction; or not at all if one of them was overtaken: then none has a stand.
    """
    stands = [each.at for each in followers if each.at is not None]
    reached, told = read_log(recorder, stands[0].place, upto, limit, followers[0].meanings)
    done = False
    try:
        statements = [made for each in followers for made in each.consumer.take(told)]
        guards = [
            _moved(each.consumer.name, stand, reached)
            for each, stand in zip(followers, stands, strict=True)
        ]
        done = recorder.exchange(guards, statements)
    finally:
        for each, stand in zip(followers, stands, strict=True):
            if done:
                each.consumer.kept()
                each.at = stand.moved(each.consumer.name, reached)
            else:
                each.consumer.forget()
                each.at = None


def _moved(name: str, place: FollowerPosition, reached: int) -> Statement:
    return (
        "UPDATE followers SET place = ?, run = ? WHERE name = ? AND run = ? AND place = ?",
        (reached, place.moved(name, reached).run, name, place.run, place.place),
    )


def places_of(recorder: Database) -> dict[str, FollowerPosition]:
    """How far every follower has come that has begun, by its name."""
    rows = recorder.query("SELECT name, version, run, place FROM followers ORDER BY name")
    return {name: sound_place(name, *place) for name, *place in rows}


def place_of(recorder: Database, name: str) -> FollowerPosition | None:
    """How far the follower of that name has come; None when it has not begun."""
    rows = recorder.query("SELECT version, run, place FROM followers WHERE name = ?", (name,))
    return sound_place(name, *rows[0]) if rows else None


def forgotten(name: str) -> list[Statement]:
    """What removes a projection's documents and its place."""
    return [
        ("DELETE FROM projected WHERE projection = ?", (name,)),
        ("DELETE FROM followers WHERE name = ?", (name,)),
    ]


def make_beside(
    recorder: Database,
    projection: Projection,
    report: Report,
    meanings: Meanings | None = None,
    entropy: Entropy = SYSTEM,
) -> None:
    """The projection from nothing under another name, up to the newest place.

    What an earlier attempt left behind is carried on if it is of this version.
    """
    name = projection.name + NEW
    left = place_of(recorder, name)
    if left is not None and left.version != projection.version:
        recorder.put((), forgotten(name))
    _bring(recorder, projection, recorder.settled(), report, meanings, entropy)


def _bring(
    recorder: Database,
    projection: Projection,
    upto: int,
    report: Report,
    meanings: Meanings | None,
    entropy: Entropy,
) -> None:
    name = projection.name + NEW
    follower = Follower(recorder, Projecting(recorder, projection, name), 0, meanings, entropy)
    while follower.step(upto):
        place = place_of(recorder, name)
        report(place.place if place else 0, upto)


def rebuild(
    recorder: Database,
    projection: Projection,
    report: Report = lambda at, of: None,
    meanings: Meanings | None = None,
    entropy: Entropy = SYSTEM,
) -> int:
    """Make the projection from nothing and put it in place of the one in use; the place reached.

    The one in use is read and followed until it is replaced, in one transaction. Whoever follows it
    sees by its new run that it is another. Safe to interrupt, and to run beside the service.
    """
    name = projection.name + NEW
    for _ in range(TRIES):
        make_beside(recorder, projection, report, meanings, entropy)
        made, live = place_of(recorder, name), place_of(recorder, projection.name)
        if made is None:
            continue
        if live is not None and live.version == projection.version and live.place > made.place:
            continue  # it must not go back
        guard: Statement = (
            "UPDATE followers SET place = place WHERE name = ? AND run = ? AND place = ?",
            (name, made.run, made.place),
        )
        moved: list[Statement] = [
            *forgotten(projection.name),
            ("UPDATE projected SET projection = ? WHERE projection = ?", (projection.name, name)),
            ("UPDATE followers SET name = ? WHERE name = ?", (projection.name, name)),
        ]
        if recorder.exchange([guard], moved):
            return made.place
    raise RuntimeError(f"{projection.name} is being rebuilt by somebody else")


class Difference(msgspec.Struct, frozen=True):
    """A document that a rebuild makes otherwise; "" stands for none."""

    key: str
    live: str
    rebuilt: str


def compare(
    recorder: Database,
    projection: Projection,
    report: Report = lambda at, of: None,
    meanings: Meanings | None = None,
) -> tuple[int, list[Difference]]:
    """Make the projection anew beside the live one, up to its place, and say what differs.

    The live one may be followed meanwhile: both are read at one place, in one statement. Gives the
    number of documents, and the differences.
    """
    name = projection.name + NEW
    recorder.put((), forgotten(name))
    try:
        for _ in range(TRIES):
            live = place_of(recorder, projection.name)
            upto = live.place if live else 0
            _bring(recorder, projection, upto, report, meanings, SYSTEM)
            rows = recorder.query(_BOTH, (name, projection.name, projection.name, name))
            if all(place in (upto, None) for *_, place in rows):
                return _differences(rows)
        raise RuntimeError(f"{projection.name} moves on faster than it can be read")
    finally:
        recorder.put((), forgotten(name))


_BOTH = (
    "SELECT p.key, p.projection = ?, p.kind, p.rank, p.document, f.place FROM projected p "
    "LEFT JOIN followers f ON f.name = ? WHERE p.projection = ? OR p.projection = ? "
    "ORDER BY p.key"
)


def _differences(rows: Sequence[tuple[Any, ...]]) -> tuple[int, list[Difference]]:
    found: dict[str, list[str]] = {}
    for key, anew, kind, rank, document, _ in rows:
        shown = bytes(document).partition(SEPARATOR)[0].decode("utf-8", "replace")
        found.setdefault(key, ["", ""])[bool(anew)] = f"{kind} {rank} {shown}"
    pairs = [Difference(key, *texts) for key, texts in found.items()]
    return len(pairs), [pair for pair in pairs if pair.live != pair.rebuilt]
