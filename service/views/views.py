"""The views of stored games: rows are read and checked, folded by projections, and kept.

What a view is and how it is folded is :mod:`projections.views`; here is who hands it the events,
for whom it is kept, and that one asks at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeVar

import msgspec

from domain.kernel.event import UnknownEvent
from domain.kernel.values import Viewer
from projections.ledger import Ledger
from projections.records import Rules
from projections.rolls import RollRecord
from projections.stream import AnyGame, SeenEvent, TrueEvent, ViewedEvent
from projections.trail import Checkpoint
from projections.views import Views

from ..engines.strange import at_once
from ..errors import NotFound
from ..evidence.chain import GENESIS, Seals
from ..evidence.changed import Reading, goes_back, parts_of
from ..evidence.records import FOLDED, RulesChanged, Takeback
from ..models import GameSummary
from ..store.rows import Record, damaged, read_rows
from ..store.source import Source
from ..threads import SYSTEM, MakesThreads
from .own import prove, see_own
from .rulesets import playing

CHUNK = 1_000
"""Rows that are read at a time."""
RECENT = 32
"""Fresh events of a game that are kept decoded."""

T = TypeVar("T")


class Outdated(Exception):
    """The game has gone over to other rules since it was looked at."""


def event_of(reading: Reading, record: Record) -> Any:
    """The game's event of a record, the change of its rules or a takeback; None for others of the
    service's.

    Raises Damaged for one that this program cannot read.
    """
    body = record.body
    try:
        return reading.event(body, record.truth)
    except (UnknownEvent, msgspec.ValidationError) as error:
        raise damaged(body.game, body.seq, f"not readable by this program: {error}") from None


def tell(reading: Reading, record: Record) -> TrueEvent:
    """The record as the folds take it in. Raises Damaged as ``event_of``."""
    event = event_of(reading, record)
    own = bytes(record.truth) if event is None or isinstance(event, FOLDED) else b""
    return TrueEvent(record.body, record.hash, event, own)


class GameViews:
    """The views of one stored game. Any thread may ask; one at a time is served.

    now  the game as it is played now: all rules that it had, which another process may change
    """

    def __init__(
        self,
        game_id: str,
        game: AnyGame,
        now: Callable[[], AnyGame],
        store: Source,
        seals: Seals,
        threads: MakesThreads = SYSTEM,
    ) -> None:
        self.threads = threads
        self._seals = seals
        self._id = game_id
        self._now = now
        self._store = store
        self._lock = threads.lock()
        self._play_by(game)
        # Replaced as a whole, by the engine alone: it never waits for somebody who looks on.
        self._recent: tuple[TrueEvent, ...] = ()
        self._rules: Rules | None = None
        self._ledgers: dict[Viewer, KeptLedger] = {}
        self.past: dict[int, tuple[int, str]] = {}
        """By version, the number of the dice batch that came next and the hash of the event: for
        who looks at the past."""

    def _play_by(self, game: AnyGame) -> None:
        self.game = game
        self._reading = _reading(game)
        self._changes = {part.first for part in parts_of(game)}
        self._views = Views(game, self._told, see_own)
        self._summary: GameSummary | None = None

    def rules(self, version: int = 1) -> Rules:
        """By which rules the game was judged at a version. Raises Damaged, NotFound."""
        if len(self._changes) > 1:
            return self._known().rules_at(version)
        if self._rules is None:
            self._rules = self._looked(self._views.rules)
        return self._rules

    def _known(self) -> GameSummary:
        if self._summary is None:
            stored = self._store.game(self._id)
            if stored is None:
                raise not_found(self._id)
            self._summary = stored.summary
        return self._summary

    def _looked(self, work: Callable[[], T]) -> T:
        """What ``work`` gives; by the rules of now, where those are others since."""
        with self._lock:
            try:
                return work()
            except Outdated:
                self._play_by(self._now())
                return work()

    def ledger(self, viewer: Viewer) -> KeptLedger:
        """The viewer's dice ledger, kept as long as the views are."""
        return self._ledgers.setdefault(viewer, KeptLedger(self, viewer))

    def carry(self, game: AnyGame, told: Sequence[TrueEvent]) -> None:
        """Take over events that were just stored, so that nobody has to read them back."""
        if any(isinstance(each.event, FOLDED) for each in told):
            with self._lock:
                self._play_by(game)
        recent = self._recent
        if recent and recent[-1].seq + 1 != told[0].seq:
            recent = ()
        self._recent = (*recent, *told)[-RECENT:]

    def at(self, viewer: Viewer, version: int) -> Any:
        """The viewer's state at ``version``, which must exist. Raises Damaged."""
        return self._looked(lambda: self._views.at(viewer, version))

    def seen(self, viewer: Viewer, after: int, limit: int, latest: int) -> list[SeenEvent]:
        """Events above ``after`` up to ``latest``, at most ``limit``. Raises Damaged."""
        return self._looked(lambda: self._views.seen(viewer, after, min(latest, after + limit)))

    def start(self, viewer: Viewer, version: int) -> Checkpoint:
        """Where a walk along the viewer's states begins: at ``version``. Raises Damaged."""
        return self._looked(lambda: self._views.start(viewer, version))

    def steps(
        self, viewer: Viewer, mark: Checkpoint, last: int
    ) -> tuple[list[ViewedEvent], Checkpoint]:
        """Each event from the mark to version ``last``, and the mark to go on from.

        Raises Damaged.
        """
        return self._looked(lambda: self._views.steps(viewer, mark, last))

    def told(self, after: int, latest: int) -> list[TrueEvent]:
        """Events above ``after``, in truth. Raises Damaged."""
        return self._looked(lambda: self._views.told(after, latest))

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
            return at_once(work) if here or base == last else None
        except Outdated:
            return None
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
            for record in records:
                event = tell(self._reading, record)
                if self._is_news(event):
                    raise Outdated
                yield event
            after, prev = after + len(records), records[-1].hash

    def _is_news(self, told: TrueEvent) -> bool:
        """Whether it takes a game to fold it that knows more than this one."""
        if type(told.event) is Takeback:
            return not goes_back(self.game)
        return type(told.event) is RulesChanged and told.seq not in self._changes


class KeptLedger:
    """The rolls of a stored game as one viewer may see them. Any thread may ask, one at a time."""

    def __init__(self, views: GameViews, viewer: Viewer) -> None:
        self._views = views
        self._viewer = viewer
        self._lock = views.threads.lock()
        self._ledger: Ledger | None = None
        self._game: AnyGame | None = None

    @property
    def version(self) -> int:
        """How far it was read."""
        return 0 if self._ledger is None else self._ledger.version

    def upto(self, latest: int) -> tuple[RollRecord, ...]:
        """Every roll in order, up to the game's version ``latest``. Raises Damaged."""
        with self._lock:
            views = self._views
            if self._ledger is None or latest > self._ledger.version:
                told = views.told(0 if self._ledger is None else self._ledger.since, latest)
                if self._ledger is None or self._game is not views.game:
                    self._game, told = views.game, views.told(0, latest)
                    rules = views.rules
                    self._ledger = Ledger(self._game, rules, self._viewer, see_own, prove)
                self._ledger.read(told, latest)
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
        views.carry(game, told)

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
        game = playing(self._games, stored.summary, to_read=True)
        seals = stored.seals
        return self._new(game_id, game, seals)

    def _new(self, game_id: str, game: AnyGame, seals: Seals) -> GameViews:
        now = partial(self._game_now, game_id)
        return GameViews(game_id, game, now, self._store, seals, self._threads)

    def _game_now(self, game_id: str) -> AnyGame:
        stored = self._store.game(game_id)
        if stored is None:
            raise not_found(game_id)
        return playing(self._games, stored.summary, to_read=True)


def not_found(game_id: str) -> NotFound:
    return NotFound(f"There is no game {game_id[:40]!r} here.")


@cache
def _reading(game: AnyGame) -> Reading:
    return Reading(game)
