"""What each viewer may see of a game: folds of the viewer's redacted stream, kept and carried on.

A fold leaves a mark every :data:`STRIDE` events, so that any version is a short walk from a mark.
States are immutable and share what they have in common, so marks are cheap.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.codec import Codec, UnknownEvent
from domain.kernel.game import Game
from domain.kernel.values import Viewer

from . import platform
from .errors import NotFound, RulesetMissing
from .evidence.chain import GENESIS, Seals
from .evidence.records import PREFIX
from .models import SeenEvent
from .store.rows import Record, damaged, read_rows
from .store.store import Store

STRIDE = 64
"""Events between marks."""
CHUNK = 1_000
"""Rows that are read at a time."""
RECENT = 128
"""Fresh events of a game that are kept decoded."""

AnyGame = Game[Any, Any, Any]


class Told(msgspec.Struct, frozen=True, gc=False):
    """A record with its event in truth; ``event`` is None for a platform event."""

    record: Record
    event: Any

    @property
    def seq(self) -> int:
        return self.record.body.seq


class Mark(msgspec.Struct, frozen=True):
    """The state after event ``version``, whose hash is ``hash``; None before the first event."""

    version: int
    hash: str
    state: Any


START = Mark(0, GENESIS, None)


def tell(codec: Codec[Any], record: Record) -> Told:
    """The record with its event decoded. Raises Damaged for one that this program cannot read."""
    body = record.body
    if body.type.startswith(PREFIX):
        return Told(record, None)
    try:
        return Told(record, codec.decode(body.type, body.schema, record.truth))
    except (UnknownEvent, msgspec.ValidationError) as error:
        raise damaged(body.game, body.seq, f"not readable by this program: {error}") from None


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
        self._marks: dict[Viewer, list[Mark]] = {}
        self._recent: list[Told] = []

    def carry(self, told: Sequence[Told]) -> None:
        """Take over events that were just stored, so that nobody has to read them back."""
        with self._lock:
            if self._recent and self._recent[-1].seq + 1 != told[0].seq:
                self._recent.clear()
            self._recent.extend(told)
            del self._recent[:-RECENT]

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
            mark = self._walk_to(viewer, after)
            seen: list[SeenEvent] = []
            for told in self._told(mark, last):
                event = None if told.event is None else self.game.seen(told.event, viewer)
                seen.append(_seen(self.game, mark.state, told, event))
                mark = self._step(mark, told, event)
            self._keep(viewer, mark)
            return seen

    def quick_seen(
        self, viewer: Viewer, after: int, limit: int, latest: int
    ) -> list[SeenEvent] | None:
        """As ``seen`` where that takes no reading and no waiting; else None."""
        if self._is_near(viewer, after, min(latest, after + limit)):
            return self.seen(viewer, after, limit, latest)
        return None

    def quick_at(self, viewer: Viewer, version: int) -> Any:
        """As ``at`` where that takes no reading and no waiting; else None."""
        return self.at(viewer, version) if self._is_near(viewer, version, version) else None

    def _is_near(self, viewer: Viewer, version: int, last: int) -> bool:
        if self._lock.locked():
            return False
        marks = self._marks.get(viewer)
        if not marks:
            return False
        base = marks[bisect_right(marks, version, key=_version) - 1].version
        return base == last or (
            bool(self._recent) and self._recent[0].seq <= base + 1 and last <= self._recent[-1].seq
        )

    def told(self, after: int, latest: int) -> list[Told]:
        """Events above ``after``, in truth. Raises Damaged."""
        with self._lock:
            mark = self._walk_to("truth", after)
            return list(self._told(mark, latest))

    def _walk_to(self, viewer: Viewer, version: int) -> Mark:
        marks = self._marks.setdefault(viewer, [START])
        mark = marks[bisect_right(marks, version, key=_version) - 1]
        if mark.version == version:
            return mark
        evolve, seen, state = self.game.evolve, self.game.seen, mark.state
        for told in self._told(mark, version):
            if told.event is not None:
                state = evolve(state, seen(told.event, viewer))
            seq = told.record.body.seq
            if seq % STRIDE == 0 or seq == version:
                mark = Mark(seq, told.record.hash, state)
                self._keep(viewer, mark)
        return mark

    def _step(self, mark: Mark, told: Told, event: Any) -> Mark:
        state = mark.state if event is None else self.game.evolve(mark.state, event)
        return Mark(told.seq, told.record.hash, state)

    def _keep(self, viewer: Viewer, mark: Mark) -> None:
        """Keep the mark; of those between the strides only the newest one."""
        marks = self._marks[viewer]
        last = marks[-1]
        if mark.version <= last.version:
            if mark.version % STRIDE == 0:
                _insert(marks, mark)
            return
        if last.version % STRIDE:
            marks.pop()
        marks.append(mark)

    def _told(self, mark: Mark, last: int) -> Iterator[Told]:
        """Events after ``mark`` up to ``last``: from memory if they are there, else from rows."""
        if (
            self._recent
            and self._recent[0].seq <= mark.version + 1
            and last <= self._recent[-1].seq
        ):
            first = self._recent[0].seq
            yield from self._recent[mark.version + 1 - first : last + 1 - first]
            return
        after, prev = mark.version, mark.hash
        while after < last:
            rows = self._store.rows(self._id, after, min(CHUNK, last - after))
            records = read_rows(self._id, rows, self._seals, after, prev)
            if not records:
                raise damaged(self._id, after + 1, "missing")
            yield from (tell(self._codec, record) for record in records)
            after, prev = after + len(records), records[-1].hash


def _version(mark: Mark) -> int:
    return mark.version


def _insert(marks: list[Mark], mark: Mark) -> None:
    place = bisect_right(marks, mark.version, key=_version)
    if marks[place - 1].version != mark.version:
        marks.insert(place, mark)


def _seen(game: AnyGame, before: Any, told: Told, event: Any) -> SeenEvent:
    body = told.record.body
    if event is None:
        decoded = platform.decode(body.type, body.data)
        data: Any = platform.plain(decoded)
        rules: tuple[str, ...] = ()
        text = platform.says(decoded)
    else:
        data, rules, text = event, event.rules, game.says(before, event)
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
    )


class Gallery:
    """The views of the games that were looked at last."""

    def __init__(self, store: Store, games: Mapping[str, AnyGame], size: int) -> None:
        self._store = store
        self._games = games
        self._codecs = {name: Codec(game) for name, game in games.items()}
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
        game = installed(self._games, ruleset)
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
