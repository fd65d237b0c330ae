"""The reading half of the desk: what everybody may ask of games, each as far as he may know."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

import msgspec

from domain.kernel.game import Game
from domain.kernel.values import Seat, Viewer
from projections.rolls import RollRecord
from projections.stream import SeenEvent

from ..errors import Damaged, GameOver, UnknownVersion
from ..evidence.records import BatchRolled, BatchVoided
from ..models import GameSummary, Identity, View
from ..news.listening import Listener, News
from ..store.rows import batch_number, damaged, head_at
from ..store.store import Store
from ..store.tokens import token_id_of
from .callers import TokenCache
from .export import evidence_of
from .frozen import check_frozen
from .threads import Threads
from .together import Together
from .views import GameViews, ViewCache, not_found
from .whole import is_whole

log = logging.getLogger(__name__)

MANY_EVENTS = 1_000
"""So many events at once are a matter for those who dig."""

KEPT_VERSIONS = 256
"""Versions of a game of which it is remembered which dice batch came next, and their hashes."""

T = TypeVar("T")


class InPlay(Protocol):
    """The games that the engine has in memory."""

    def summary(self, game: str) -> GameSummary | None:
        """Of a game that is there, unless other processes may have written it since."""
        ...

    def drop(self, game: str) -> None:
        """Play no more on what was found damaged."""
        ...


class Reader:
    """Shows games. On the event loop; every method that waits is safe to cancel.

    Every method raises StoreUnavailable, and Stopping once the service has stopped.
    """

    def __init__(
        self,
        store: Store,
        threads: Threads,
        cache: ViewCache,
        tokens: TokenCache,
        news: News,
        playing: InPlay,
    ) -> None:
        self._store = store
        self._threads = threads
        self._cache = cache
        self._tokens = tokens
        self.news = news
        self._playing = playing
        self._summaries: Together[str, GameSummary | None] = Together(
            lambda game, begun: self._read(self._summary, game, begun)
        )

    async def summary(self, game: str) -> GameSummary:
        """What everybody may know of the game. Raises NotFound."""
        found = self._playing.summary(game) or await self._summaries.ask(game)
        if found is None:
            raise not_found(game)
        return found

    def in_play(self, game: str) -> GameSummary | None:
        """The same, where that takes no reading and no waiting; else None."""
        return self._playing.summary(game)

    def _summary(self, game: str, begun: Callable[[], object]) -> GameSummary | None:
        """On a reading thread."""
        begun()
        return self._store.summary(game)

    async def lobby(
        self, *, limit: int, below: int = 0, ruleset: str | None = None, status: str | None = None
    ) -> list[GameSummary]:
        """Games in order of creation, newest first, below a place of the list (0: from its top)."""
        return await self._read(self._store.lobby, below, limit, ruleset or "", status or "")

    async def lobby_place(self, games: Sequence[GameSummary]) -> int:
        """Below which the list goes on after these: it stays, whatever becomes of the games."""
        return await self._read(self._store.lobby_place, [each.id for each in games])

    async def view(self, game: str, viewer: Viewer, at: int | None = None) -> View:
        """The game as ``viewer`` may see it, at version ``at`` or at the latest.

        Raises NotFound, UnknownVersion, Damaged.
        """
        summary = await self.summary(game)
        version = summary.version if at is None else at
        if not 1 <= version <= summary.version:
            raise UnknownVersion(f"The game has versions 1 to {summary.version}.")
        views = await self.views(game)
        state = views.quick_at(viewer, version)
        if state is None:
            state = await self._look(game, views.at, viewer, version)
        batch, head = summary.next_batch, summary.head
        if version < summary.version:
            batch, head = await self._past(views, game, version, batch)
        return View(version=version, head=head, viewer=viewer, next_batch=batch, state=state)

    async def _past(
        self, views: GameViews, game: str, version: int, latest: int
    ) -> tuple[int, str]:
        """The number of the batch that came next, and the hash of the event at that version:
        neither ever changes, and both are looked up once."""
        kept = views.past.get(version)
        if kept is None:
            kept = await self._look(game, past_of, self._store, game, version, latest)
            if len(views.past) >= KEPT_VERSIONS:
                views.past.clear()
            views.past[version] = kept
        return kept

    async def events(self, game: str, viewer: Viewer, after: int, limit: int) -> list[SeenEvent]:
        """Up to ``limit`` events with seq above ``after``, as ``viewer`` may know them.

        Empty when there are none yet. Raises NotFound, Damaged.
        """
        latest = (await self.summary(game)).version
        return await self.events_upto(latest, game, viewer, after, limit)

    async def events_upto(
        self, latest: int, game: str, viewer: Viewer, after: int, limit: int
    ) -> list[SeenEvent]:
        """As ``events``, for who knows that there are so many. Raises NotFound, Damaged."""
        if after >= latest:
            return []
        views = await self.views(game)
        after = max(after, 0)
        found = views.quick_seen(viewer, after, limit, latest)
        if found is None:
            look = self._dig if limit > MANY_EVENTS else self._look
            found = await look(game, views.seen, viewer, after, limit, latest)
        return found

    async def due(self, at: str, limit: int) -> list[str]:
        """Games in which somebody's time is over at ``at``."""
        return await self._read(self._store.due, at, limit)

    def listening(self, game: str) -> AbstractContextManager[Listener]:
        """As long as it is open, whatever happens in the game is told. It need not exist."""
        return self.news.listening(game)

    async def wait(self, game: str, after: int, timeout: float) -> int:  # noqa: ASYNC109 a hint
        """The latest version, as soon as it is above ``after``, or after ``timeout`` seconds.

        A hint: the events are the truth. Raises NotFound, Stopping.
        """
        with self.listening(game) as ear:
            latest = (await self.summary(game)).version
            if latest > after:
                return latest
            await ear.above(after, timeout)
            return max(latest, ear.latest)

    async def rolls(self, game: str, viewer: Viewer) -> Sequence[RollRecord]:
        """The dice ledger, in order of rolling: the rolls that ``viewer`` may see."""
        latest = (await self.summary(game)).version
        views = await self.views(game)
        ledger = views.ledger(viewer)
        look = self._dig if latest - ledger.version > MANY_EVENTS else self._look
        return await look(game, ledger.upto, latest)

    async def at_hand(self, game: str, work: Callable[[GameViews], T]) -> T:
        """What ``work`` makes of the game's views, in a moment: it waits behind nobody who digs.

        Raises NotFound.
        """
        return await self._look(game, work, await self.views(game))

    async def check(
        self, game: str, seat: Seat, command: msgspec.Struct, at: int | None = None
    ) -> None:
        """Refused if the rules would refuse ``command`` now, or at an earlier version; writes
        nothing and rolls nothing.

        Decided on what the seat itself may see, so that a refusal tells nothing else. Raises
        NotFound, UnknownVersion, Damaged, GameOver.
        """
        view = await self.view(game, seat, at)
        rules = (await self.views(game)).game
        summary = await self.summary(game)
        if view.version == summary.version:
            if summary.status == "finished":
                raise GameOver("The game is over: its record is closed.")
            check_frozen(summary)
        if view.state is None:
            raise UnknownVersion("Nobody has a command before the opening.")
        if not is_whole(await self.events(game, seat, view.version - 1, 2)):
            raise UnknownVersion("Nobody has one before all is done that the last one led to.")
        await self._read(_try, rules, view.state, seat, command)

    async def evidence(self, game: str, viewer: Viewer) -> bytes:
        """The evidence bundle of the game as ``viewer`` may have it; the same bytes each time."""
        rules = (await self.views(game)).game
        return await self._dig(game, evidence_of, self._store, rules, game, viewer)

    async def identify(self, token: str) -> Identity | None:
        """Whose token it is; None when it is malformed, unknown, wrong or revoked."""
        token_id = token_id_of(token)
        if self._tokens.known(token_id):
            return self._tokens.identify(token, token_id)
        return await self._read(self._tokens.identify, token, token_id)

    async def views(self, game: str) -> GameViews:
        """All views of a game. Raises NotFound, RulesetMissing."""
        kept = self._cache.kept(game)
        return await self._read(self._cache.of, game) if kept is None else kept

    async def _look(self, game: str, function: Callable[..., T], *arguments: Any) -> T:
        """Read of a game; what is found damaged is not played on."""
        return await self._heeding(game, self._read(function, *arguments))

    async def _dig(self, game: str, function: Callable[..., T], *arguments: Any) -> T:
        """As ``_look`` what goes through a whole game."""
        return await self._heeding(game, self._read(function, *arguments, dig=True))

    async def _heeding(self, game: str, reading: Awaitable[T]) -> T:
        try:
            return await reading
        except Damaged:
            log.exception("game %s is frozen", game)
            self._playing.drop(game)
            raise

    async def _read(self, function: Callable[..., T], *arguments: Any, dig: bool = False) -> T:
        return await self._threads.read(function, *arguments, dig=dig)


def past_of(store: Store, game: str, version: int, latest: int) -> tuple[int, str]:
    """``next_batch``, and the hash of event number ``version``. Raises Damaged."""
    return next_batch(store, game, version, latest), head_at(game, store.rows(game, version - 1, 1))


def next_batch(store: Store, game: str, version: int, latest: int) -> int:
    """The number of the dice batch that came next after a version; ``latest`` is the game's own.

    The batches before and after it must follow on each other: what hides one is a damage. Raises
    Damaged.
    """
    last, next_ = _round(store, game, version, BatchRolled.TYPE)
    if last + 1 != (next_ or latest):
        # A number may be used up by a batch that was voided.
        void, later = _round(store, game, version, BatchVoided.TYPE)
        last, next_ = max(last, void), min(filter(None, (next_, later)), default=0)
    if last + 1 != (next_ or latest):
        raise damaged(game, version, "the dice batches round it do not follow on each other")
    return last + 1


def _round(store: Store, game: str, version: int, type_: str) -> tuple[int, int]:
    """Number of the last batch up to a version, and of the first one after; 0 for none."""
    before, after = store.around(game, type_, version)
    return (
        batch_number(game, before) if before else 0,
        batch_number(game, after) if after else 0,
    )


def _try(rules: Game[Any, Any, Any], state: Any, seat: Seat, command: Any) -> None:
    """Raises Refused unless the command is offered, or the rules would take it."""
    if command not in rules.legal(state, seat).commands:
        rules.decide(state, seat, command)
