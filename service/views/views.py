"""What each viewer may see of a game: folds of the viewer's redacted stream, kept and carried on.

A fold leaves a mark every :data:`STRIDE` events, so that any version is a short walk from a mark.
States are immutable and share what they have in common, so marks are cheap.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from domain.kernel.codec import Codec
from domain.kernel.event import UnknownEvent
from domain.kernel.forked import fork_rules, played
from domain.kernel.game import Game
from domain.kernel.shown.roles import Role
from domain.kernel.values import TRUTH, Viewer
from projections.records import Rules, read_created, rules_of

from ..errors import NotFound, RulesetMissing
from ..evidence import service_events as platform
from ..evidence.chain import Seals
from ..evidence.records import PREFIX
from ..evidence.records import seen as seen_record
from ..models import SeenEvent
from ..store.rows import Record, damaged, read_rows
from ..store.store import Store
from .trail import Mark, Trail

CHUNK = 1_000
"""Rows that are read at a time."""
RECENT = 32
"""Fresh events of a game that are kept decoded."""

T = TypeVar("T")

AnyGame = Game[Any, Any, Any]


class Told(msgspec.Struct, frozen=True, gc=False):
    """A record with its event in truth; ``event`` is None for a platform event."""

    record: Record
    event: Any

    @property
    def seq(self) -> int:
        return self.record.body.seq


def tell(codec: Codec[Any], record: Record) -> Told:
    """The record with its event decoded. Raises Damaged for one that this program cannot read."""
    body = record.body
    if body.type.startswith(PREFIX):
        return Told(record, None)
    try:
        return Told(record, codec.decode(body.type, body.schema, record.truth))
    except (UnknownEvent, msgspec.ValidationError) as error:
        raise damaged(body.game, body.seq, f"not readable by this program: {error}") from None


class Walked:
    """One event as a viewer knows it, with the viewer's state before and after it.

    known  the game's event; None for a platform event
    """

    __slots__ = ("_game", "_seen", "_told", "_viewer", "after", "before", "known")

    def __init__(
        self, game: AnyGame, viewer: Viewer, told: Told, known: Any, before: Any, after: Any
    ) -> None:
        self._game, self._viewer, self._told = game, viewer, told
        self._seen: SeenEvent | None = None
        self.known = known
        self.before = before
        self.after = after

    @property
    def seq(self) -> int:
        return self._told.record.body.seq

    @property
    def type(self) -> str:
        """Its stored name."""
        return self._told.record.body.type

    @property
    def roles(self) -> tuple[Role, ...]:
        """What it means in words that all games share."""
        return () if self.known is None else self._game.meaning(self.before, self.known)

    @property
    def event(self) -> SeenEvent:
        """The event in full; it is put into words when it is first asked for."""
        if self._seen is None:
            self._seen = _seen(self._game, self.before, self._told, self.known, self._viewer)
        return self._seen


class GameViews:
    """The views of one game. Any thread may ask; one at a time is served."""

    def __init__(
        self, game_id: str, game: AnyGame, codec: Codec[Any], store: Store, seals: Seals
    ) -> None:
        self.game = game
        self._seals = seals
        self._id = game_id
        self._codec = codec
        self._store = store
        self._lock = threading.Lock()
        self._trails: dict[Viewer, Trail] = {}
        # Replaced as a whole, by the engine alone: it never waits for somebody who looks on.
        self._recent: tuple[Told, ...] = ()
        self._kept: dict[object, Any] = {}

    def kept(self, key: object, make: Callable[[], T]) -> T:
        """Something else made from the game's events, kept as long as its views are."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    def rules(self) -> Rules:
        """By which rules the game is judged, as its first event says. Raises Damaged."""
        return self.kept("rules", self._rules)

    def _rules(self) -> Rules:
        return rules_of(read_created(self.told(0, 1)[0].record.body.data))

    def carry(self, told: Sequence[Told]) -> None:
        """Take over events that were just stored, so that nobody has to read them back."""
        recent = self._recent
        if recent and recent[-1].seq + 1 != told[0].seq:
            recent = ()
        self._recent = (*recent, *told)[-RECENT:]

    def at(self, viewer: Viewer, version: int) -> Any:
        """The viewer's state at ``version``, which must exist. Raises Damaged."""
        with self._lock:
            return self._walk_to(viewer, version).state

    def seen(self, viewer: Viewer, after: int, limit: int, latest: int) -> list[SeenEvent]:
        """Events above ``after`` up to ``latest``, at most ``limit``. Raises Damaged."""
        last = min(latest, after + limit)
        if last <= after:
            return []
        with self._lock:
            return self._see(viewer, after, last)

    def start(self, viewer: Viewer, version: int) -> Mark:
        """Where a walk along the viewer's states begins: at ``version``. Raises Damaged."""
        with self._lock:
            return self._walk_to(viewer, version)

    def steps(self, viewer: Viewer, mark: Mark, last: int) -> tuple[list[Walked], Mark]:
        """Each event from the mark to version ``last``, and the mark to go on from.

        No event is put into words before somebody reads it: of many only a few are looked at.
        Raises Damaged.
        """
        with self._lock:
            trail = self._trails.setdefault(viewer, Trail())
            evolve, redact, found = self.game.evolve, self.game.seen, list[Walked]()
            for told in self._told(mark, last):
                before = after = mark.state
                event = None
                if told.event is not None:
                    event = redact(told.event, viewer)
                    after = evolve(before, event)
                found.append(Walked(self.game, viewer, told, event, before, after))
                mark = Mark(told.record.body.seq, told.record.hash, after)
                if mark.version % trail.stride == 0 or mark.version == last:
                    trail.keep(mark)
            return found, mark

    def told(self, after: int, latest: int) -> list[Told]:
        """Events above ``after``, in truth. Raises Damaged."""
        with self._lock:
            mark = self._walk_to(TRUTH, after)
            return list(self._told(mark, latest))

    def quick_at(self, viewer: Viewer, version: int) -> Any:
        """As ``at`` where that takes no reading and no waiting; else None."""
        return self._quickly(viewer, version, version, lambda: self._walk_to(viewer, version).state)

    def quick_seen(
        self, viewer: Viewer, after: int, limit: int, latest: int
    ) -> list[SeenEvent] | None:
        """As ``seen`` where that takes no reading and no waiting; else None."""
        last = min(latest, after + limit)
        return self._quickly(viewer, after, last, lambda: self._see(viewer, after, last))

    def _quickly(self, viewer: Viewer, version: int, last: int, work: Callable[[], T]) -> T | None:
        """What ``work`` gives if events from the mark before ``version`` to ``last`` are here."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            trail = self._trails.get(viewer)
            base = trail.before(version).version if trail else 0
            recent = self._recent
            here = recent and recent[0].seq <= base + 1 and last <= recent[-1].seq
            return work() if here or base == last else None
        finally:
            self._lock.release()

    def _see(self, viewer: Viewer, after: int, last: int) -> list[SeenEvent]:
        mark = self._walk_to(viewer, after)
        state, seen = mark.state, []
        for told in self._told(mark, last):
            event = None if told.event is None else self.game.seen(told.event, viewer)
            seen.append(_seen(self.game, state, told, event, viewer))
            if event is not None:
                state = self.game.evolve(state, event)
            mark = Mark(told.seq, told.record.hash, state)
        self._trails[viewer].keep(mark)
        return seen

    def _walk_to(self, viewer: Viewer, version: int) -> Mark:
        trail = self._trails.setdefault(viewer, Trail())
        mark = trail.before(version)
        if mark.version == version:
            return mark
        evolve, seen, state = self.game.evolve, self.game.seen, mark.state
        for told in self._told(mark, version):
            if told.event is not None:
                state = evolve(state, seen(told.event, viewer))
            seq = told.record.body.seq
            if seq % trail.stride == 0 or seq == version:
                mark = Mark(seq, told.record.hash, state)
                trail.keep(mark)
        return mark

    def _told(self, mark: Mark, last: int) -> Iterator[Told]:
        """Events after ``mark`` up to ``last``: from memory if they are there, else from rows."""
        recent = self._recent
        if recent and recent[0].seq <= mark.version + 1 and last <= recent[-1].seq:
            first = recent[0].seq
            yield from recent[mark.version + 1 - first : last + 1 - first]
            return
        after, prev = mark.version, mark.hash
        while after < last:
            rows = self._store.rows(self._id, after, min(CHUNK, last - after))
            records = read_rows(self._id, rows, self._seals, after, prev)
            if not records:
                raise damaged(self._id, after + 1, "missing")
            yield from (tell(self._codec, record) for record in records)
            after, prev = after + len(records), records[-1].hash


def _seen(game: AnyGame, before: Any, told: Told, event: Any, viewer: Viewer) -> SeenEvent:
    body = told.record.body
    if event is None:
        decoded = seen_record(platform.decode(body.type, told.record.truth), viewer)
        data: Any = platform.plain(decoded)
        rules: tuple[str, ...] = ()
        text = platform.says(decoded)
        roles: tuple[Role, ...] = ()
    else:
        data, rules, text = event, event.rules, game.says(before, event)
        roles = game.meaning(before, event)
    return SeenEvent(
        seq=body.seq,
        type=body.type,
        schema=body.schema if event is None else event.SCHEMA,
        at=body.at,
        actor=body.actor,
        caused_by=body.cause.id,
        event=event,
        data=data,
        rules=rules,
        text=text,
        roles=roles,
    )


class ViewCache:
    """The views of the games that were looked at last."""

    def __init__(self, store: Store, games: Mapping[str, AnyGame], size: int) -> None:
        self._store = store
        self._games = games
        self._codecs = {name: Codec(fork_rules(game)) for name, game in games.items()}
        self._size = size
        self._lock = threading.Lock()
        self._views: OrderedDict[str, GameViews] = OrderedDict()

    def carry(self, game_id: str, game: AnyGame, seals: Seals, told: Sequence[Told]) -> None:
        """Hand fresh events to the game's views, which are made if nobody has looked yet."""
        with self._lock:
            views = self._views.get(game_id)
            if views is None:
                codec = self._codecs[game.ruleset]
                views = self._put(GameViews(game_id, game, codec, self._store, seals), game_id)
        views.carry(told)

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
        ruleset = stored.summary.rules.ruleset
        game = played(installed(self._games, ruleset), fork=stored.summary.fork is not None)
        seals = Seals(stored.master, bytes.fromhex(stored.summary.params))
        return GameViews(game_id, game, self._codecs[ruleset], self._store, seals)


def not_found(game_id: str) -> NotFound:
    return NotFound(f"There is no game {game_id[:40]!r} here.")


def installed(games: Mapping[str, AnyGame], ruleset: str) -> AnyGame:
    """The ruleset of a stored game. Raises RulesetMissing."""
    try:
        return games[ruleset]
    except KeyError:
        raise RulesetMissing(f"The ruleset {ruleset!r} is not installed here.") from None
