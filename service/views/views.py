"""The views of stored games: rows are read and checked, folded by projections, and kept.

What a view is and how it is folded is :mod:`projections.views`; here is who hands it the events,
for whom it is kept, and that one asks at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from domain.kernel.codec import Codec
from domain.kernel.event import UnknownEvent
from domain.kernel.fork import NAME as FORKED
from domain.kernel.forked import fork_rules, played
from domain.kernel.values import Viewer
from projections.ledger import Ledger
from projections.records import Rules
from projections.rolls import RollRecord
from projections.stream import AnyGame, SeenEvent, TrueEvent, ViewedEvent
from projections.trail import Checkpoint
from projections.views import Views

from ..errors import NotFound
from ..evidence.chain import GENESIS, Seals
from ..evidence.records import PREFIX
from ..store.rows import Record, damaged, read_rows
from ..store.source import Source
from ..threads import SYSTEM, MakesThreads
from .own import prove, see_own
from .rulesets import pinned

CHUNK = 1_000
"""Rows that are read at a time."""
RECENT = 32
"""Fresh events of a game that are kept decoded."""

T = TypeVar("T")


def event_of(codec: Codec[Any], record: Record) -> Any:
    """The game's event of a record; None for one of the service's own.

    Raises Damaged for one that this program cannot read.
    """
    body = record.body
    if body.type.startswith(PREFIX):
        return None
    try:
        return codec.decode(body.type, body.schema, record.truth)
    except (UnknownEvent, msgspec.ValidationError) as error:
        raise damaged(body.game, body.seq, f"not readable by this program: {error}") from None


def tell(codec: Codec[Any], record: Record) -> TrueEvent:
    """The record as the folds take it in. Raises Damaged as ``event_of``."""
    event = event_of(codec, record)
    own = b"" if event is not None else bytes(record.truth)
    return TrueEvent(record.body, record.hash, event, own)


class GameViews:
    """The views of one stored game. Any thread may ask; one at a time is served."""

    def __init__(
        self,
        game_id: str,
        game: AnyGame,
        codec: Codec[Any],
        store: Source,
        seals: Seals,
        threads: MakesThreads = SYSTEM,
    ) -> None:
        self.game = game
        self.threads = threads
        self._seals = seals
        self._id = game_id
        self._codec = codec
        self._store = store
        self._lock = threads.lock()
        self._views = Views(game, self._told, see_own)
        # Replaced as a whole, by the engine alone: it never waits for somebody who looks on.
        self._recent: tuple[TrueEvent, ...] = ()
        self._rules: Rules | None = None
        self._ledgers: dict[Viewer, KeptLedger] = {}
        self.batches: dict[int, int] = {}
        """By version, the number of the dice batch that came next: for who looks at the past."""

    def rules(self) -> Rules:
        """By which rules the game is judged, as its first event says. Raises Damaged."""
        if self._rules is None:
            with self._lock:
                self._rules = self._views.rules()
        return self._rules

    def ledger(self, viewer: Viewer) -> KeptLedger:
        """The viewer's dice ledger, kept as long as the views are."""
        return self._ledgers.setdefault(viewer, KeptLedger(self, viewer))

    def carry(self, told: Sequence[TrueEvent]) -> None:
        """Take over events that were just stored, so that nobody has to read them back."""
        recent = self._recent
        if recent and recent[-1].seq + 1 != told[0].seq:
            recent = ()
        self._recent = (*recent, *told)[-RECENT:]

    def at(self, viewer: Viewer, version: int) -> Any:
        """The viewer's state at ``version``, which must exist. Raises Damaged."""
        with self._lock:
            return self._views.at(viewer, version)

    def seen(self, viewer: Viewer, after: int, limit: int, latest: int) -> list[SeenEvent]:
        """Events above ``after`` up to ``latest``, at most ``limit``. Raises Damaged."""
        with self._lock:
            return self._views.seen(viewer, after, min(latest, after + limit))

    def start(self, viewer: Viewer, version: int) -> Checkpoint:
        """Where a walk along the viewer's states begins: at ``version``. Raises Damaged."""
        with self._lock:
            return self._views.start(viewer, version)

    def steps(
        self, viewer: Viewer, mark: Checkpoint, last: int
    ) -> tuple[list[ViewedEvent], Checkpoint]:
        """Each event from the mark to version ``last``, and the mark to go on from.

        Raises Damaged.
        """
        with self._lock:
            return self._views.steps(viewer, mark, last)

    def told(self, after: int, latest: int) -> list[TrueEvent]:
        """Events above ``after``, in truth. Raises Damaged."""
        with self._lock:
            return self._views.told(after, latest)

    def quick_at(self, viewer: Viewer, version: int) -> Any:
        """As ``at`` where that takes no reading and no waiting; else None."""
        return self._quickly(viewer, version, version, lambda: self._views.at(viewer, version))

    def quick_seen(
        self, viewer: Viewer, after: int, limit: int, latest: int
    ) -> list[SeenEvent] | None:
        """As ``seen`` where that takes no reading and no waiting; else None."""
        last = min(latest, after + limit)
        return self._quickly(viewer, after, last, lambda: self._views.seen(viewer, after, last))

    def _quickly(self, viewer: Viewer, version: int, last: int, work: Callable[[], T]) -> T | None:
        """What ``work`` gives if events from the mark before ``version`` to ``last`` are here."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            base = self._views.reached(viewer, version)
            recent = self._recent
            here = recent and recent[0].seq <= base + 1 and last <= recent[-1].seq
            return work() if here or base == last else None
        finally:
            self._lock.release()

    def _told(self, mark: Checkpoint, last: int) -> Iterator[TrueEvent]:
        """Events after ``mark`` up to ``last``: from memory if they are there, else from rows."""
        recent = self._recent
        if recent and recent[0].seq <= mark.version + 1 and last <= recent[-1].seq:
            first = recent[0].seq
            yield from recent[mark.version + 1 - first : last + 1 - first]
            return
        after, prev = mark.version, mark.hash or GENESIS
        while after < last:
            rows = self._store.rows(self._id, after, min(CHUNK, last - after))
            records = read_rows(self._id, rows, self._seals, after, prev)
            if not records:
                raise damaged(self._id, after + 1, "missing")
            yield from (tell(self._codec, record) for record in records)
            after, prev = after + len(records), records[-1].hash


class KeptLedger:
    """The rolls of a stored game as one viewer may see them. Any thread may ask, one at a time."""

    def __init__(self, views: GameViews, viewer: Viewer) -> None:
        self._views = views
        self._viewer = viewer
        self._lock = views.threads.lock()
        self._ledger: Ledger | None = None

    @property
    def version(self) -> int:
        """How far it was read."""
        return 0 if self._ledger is None else self._ledger.version

    def upto(self, latest: int) -> tuple[RollRecord, ...]:
        """Every roll in order, up to the game's version ``latest``. Raises Damaged."""
        with self._lock:
            if self._ledger is None:
                views = self._views
                self._ledger = Ledger(views.game, views.rules(), self._viewer, see_own, prove)
            if latest > self._ledger.version:
                self._ledger.read(self._views.told(self._ledger.since, latest), latest)
            return self._ledger.rolls


class ViewCache:
    """The views of the games that were looked at last."""

    def __init__(
        self,
        store: Source,
        games: Mapping[str, AnyGame],
        size: int,
        threads: MakesThreads = SYSTEM,
    ) -> None:
        self._threads = threads
        self._store = store
        self._games = games
        self._size = size
        self._lock = threads.lock()
        self._views: OrderedDict[str, GameViews] = OrderedDict()

    def carry(self, game_id: str, game: AnyGame, seals: Seals, told: Sequence[TrueEvent]) -> None:
        """Hand fresh events to the game's views, which are made if nobody has looked yet."""
        with self._lock:
            views = self._views.get(game_id)
            if views is None:
                views = self._put(self._new(game_id, game, seals), game_id)
        views.carry(told)

    def drop(self, game_id: str) -> None:
        """Forget what was shown of the game."""
        with self._lock:
            self._views.pop(game_id, None)

    def clear(self) -> None:
        """Forget what was shown of every game."""
        with self._lock:
            self._views.clear()

    def kept(self, game_id: str) -> GameViews | None:
        """The views of a game if they are in memory."""
        with self._lock:
            views = self._views.get(game_id)
            if views is not None:
                self._views.move_to_end(game_id)
            return views

    def of(self, game_id: str) -> GameViews:
        """The views of a game. Raises NotFound, RulesetMissing."""
        kept = self.kept(game_id)
        if kept is not None:
            return kept
        made = self._make(game_id)
        with self._lock:
            return self._views.get(game_id) or self._put(made, game_id)

    def _put(self, views: GameViews, game_id: str) -> GameViews:
        self._views[game_id] = views
        if len(self._views) > self._size:
            self._views.popitem(last=False)
        return views

    def _make(self, game_id: str) -> GameViews:
        stored = self._store.game(game_id)
        if stored is None:
            raise not_found(game_id)
        rules = pinned(self._games, stored.summary.rules, to_read=True)
        game = played(rules, fork=stored.summary.fork is not None)
        seals = Seals(stored.master, bytes.fromhex(stored.summary.params))
        return self._new(game_id, game, seals)

    def _new(self, game_id: str, game: AnyGame, seals: Seals) -> GameViews:
        codec = _codec(game)
        return GameViews(game_id, game, codec, self._store, seals, self._threads)


def not_found(game_id: str) -> NotFound:
    return NotFound(f"There is no game {game_id[:40]!r} here.")


@cache
def _codec(game: AnyGame) -> Codec[Any]:
    """Of a game and its forks: a fork has one more event, which others lack."""
    forked = game.events[-1].NAME == FORKED
    return Codec(game if forked else fork_rules(game))
