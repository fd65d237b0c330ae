"""The desk: everything the service does with games, for HTTP, the command line and tests alike."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.finder import games as installed_games
from domain.kernel.fork import Fork
from domain.kernel.game import Game, Setup
from domain.kernel.values import Seat, Viewer
from projections.finder import found as installed_projections

from .clock import Clock, SystemClock
from .dice.nwd1 import th
from .dice.vault import Vault
from .errors import Damaged, GameOver, ServiceError, Stopping, UnknownVersion
from .evidence.records import BatchRolled
from .following.records import Records
from .following.thread import Following
from .models import (
    CreatedGame,
    CustomDocument,
    GameSummary,
    Identity,
    NewGame,
    Outcome,
    RollRecord,
    SeatTaken,
    SeenEvent,
    TakeSeat,
    View,
)
from .news.hints import Hints
from .news.line import Line
from .news.listening import Ear, News
from .play import customs
from .play.callers import Doorkeeper
from .play.deciding import Order, Receipt, decide
from .play.engine import Bench, Engine, Job, Ready, Replayed, Reply, Write
from .play.inflight import InFlight, Joined
from .play.opening import open_fork, open_game
from .play.seating import take
from .play.staging import Staged
from .play.summaries import renew
from .play.timekeeper import Timekeeper
from .play.watch import QUIET, Watch
from .settings import Settings
from .store import idempotency
from .store.store import Store
from .store.tokens import revocation, token_id_of
from .views.export import evidence_of
from .views.ledger import Ledger
from .views.together import Together
from .views.views import Gallery, GameViews, not_found
from .webhooks.courier import Courier
from .webhooks.keeper import Webhooks
from .webhooks.messages import Messages
from .webhooks.sending import Sender
from .webhooks.targets import Resolve, resolve

log = logging.getLogger(__name__)

READERS = 2
"""Threads that read the store for those who look on."""

DIGGERS = 2
"""Threads that go through whole games for those who ask why or what differs: nobody who only wants
the present or a moment waits behind them."""

MANY_EVENTS = 1_000
"""So many events at once are a matter for those who dig."""

WATCH_SECONDS = 0.1
"""How often the store is asked for news where several processes write it."""

HINTED_SECONDS = 1.0
"""How often it is asked where news comes through Redis, which may lose some."""

TRUSTED_SECONDS = 1.0
"""For how long a token is known to be good where another process may revoke it."""

READY_SECONDS = 2.0
"""How long the question whether the service is ready may take: less than those who ask wait."""

STEPS_TO_AN_ANSWER = 8
"""Turns of the event loop that a stop leaves to those whose last command was just stored."""

T = TypeVar("T")


class Desk:
    """Creates games, takes commands, shows games. One per process; use on one event loop.

    Every method that waits is safe to cancel: a command that was handed in is finished anyway.
    """

    games: Mapping[str, Game[Any, Any, Any]]
    settings: Settings
    records: Records
    webhooks: Webhooks
    resolve: Resolve = staticmethod(resolve)
    """How addresses of a name are found; tests put another in its place before the start."""

    def __init__(
        self,
        settings: Settings,
        games: Mapping[str, Game[Any, Any, Any]] | None = None,
        clock: Clock | None = None,
        watch: Watch = QUIET,
    ) -> None:
        """``games`` are the rulesets on offer; all installed ones when none are given.

        ``watch`` is told how the engine is doing.
        """
        self.settings = settings
        self.games = dict(installed_games() if games is None else games)
        self._clock = clock or SystemClock()
        self._listener = watch
        self._store = Store(settings)
        self._gallery = Gallery(self._store, self.games, settings.cached_games)
        self._inflight = InFlight()
        self._summaries: Together[str, GameSummary | None] = Together(
            lambda game, begun: self._read(self._summary, game, begun)
        )
        self._news = News()
        self._engine: Engine | None = None
        self.vault = Vault(settings.chain_length)
        self._started = False
        self._watching: asyncio.Task[None] | None = None
        self._probing: asyncio.Future[dict[str, bool]] | None = None
        self.line = Line(settings.redis, settings.shared_prefix) if settings.redis else None
        """To the Redis that the workers share; None: there is none."""
        self._hints: Hints | None = None

    async def start(self) -> None:
        """Open the store and start the engine.

        Raises StoreRefused: a newer format, another process at work on it, a journal that is not
        WAL, ``synchronous`` that is not FULL, or a key that does not open its secrets.
        """
        self._loop = asyncio.get_running_loop()
        self._readers = ThreadPoolExecutor(READERS, "decklog-reader")
        self._diggers = ThreadPoolExecutor(DIGGERS, "decklog-digger")
        opening = self._loop.run_in_executor(self._readers, self._store.open, self._clock.now())
        await opening
        older = self._loop.run_in_executor(
            self._readers, renew, self._store, self.games, self.vault
        )
        await older
        if self.line is not None:
            await self.line.start()
        self._doorkeeper = Doorkeeper(
            self._store.recorder, TRUSTED_SECONDS if self._store.shared else None
        )
        self._engine = Engine(
            self._store,
            self._gallery,
            self.games,
            self.vault,
            self._clock,
            self._deliver,
            cached_games=self.settings.cached_games,
            queue_limit=self.settings.queue_limit,
            watch=self._listener,
        )
        self._engine.start()
        await self._follow()
        self._started = True
        self.timekeeper = Timekeeper(self, self._clock, self.settings.deadline_grace)
        self._keeping_time = asyncio.create_task(self.timekeeper.run())
        if self._store.shared:
            self._watching = asyncio.create_task(self._watch())
            if self.line is not None:
                self._hints = Hints(self.line, self._news.tell)
                self._hints.start()

    async def _follow(self) -> None:
        """Start what follows the log, and what is read and sent of it."""
        settings, store = self.settings, self._store
        private, seconds = settings.webhook_private, settings.webhook_seconds
        sender = Sender(self.resolve, private=private, seconds=seconds)
        self._courier = Courier(store, self._clock, sender, self._read, seconds)
        wake = self._courier.wake
        self._following = Following(
            store,
            installed_projections(),
            [Messages(store, self._gallery, self._clock)],
            lambda name: self._on_loop(wake) if name == Messages.name else None,
            self.games,
        )
        await self._read(self._following.start)
        self.records = Records(self._following, store.recorder, self._read)
        self.webhooks = Webhooks(
            store,
            self._clock,
            self.resolve,
            private=private,
            once=self._once,
            answered=lambda found, type_: (_answered(found, type_), isinstance(found, Replayed)),
            read=self._read,
            wake=wake,
        )
        if seconds:
            self._courier.start()

    def behind(self) -> dict[str, float]:
        """How many events each follower of the log was behind at the latest look; never waits."""
        following: Following | None = getattr(self, "_following", None)
        return {name: float(lag) for name, lag in following.seen.items()} if following else {}

    def undelivered(self) -> float:
        """How many deliveries of webhooks waited at the latest look; never waits."""
        courier: Courier | None = getattr(self, "_courier", None)
        return float(courier.waiting) if courier else 0.0

    def _on_loop(self, function: Callable[[], None]) -> None:
        """From another thread."""
        try:
            self._loop.call_soon_threadsafe(function)
        except RuntimeError:
            log.debug("the event loop is closed")

    async def stop(self) -> None:
        """Take no new work, finish what was handed in, close the store. Harmless when repeated."""
        if not self._started:
            return
        self._started = False
        self._news.close()
        self._keeping_time.cancel()
        if self._watching is not None:
            self._watching.cancel()
        await asyncio.to_thread(self._running.stop)
        for _ in range(STEPS_TO_AN_ANSWER):
            await asyncio.sleep(0)
        await asyncio.to_thread(self._following.stop)
        await self._courier.stop()
        for part in (self._hints, self.line):
            if part is not None:
                await part.stop()
        await asyncio.to_thread(self._diggers.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
        self._store.close()

    async def create_game(self, new: NewGame, *, key: str, caller: str) -> CreatedGame:
        """A new game; ``caller`` is the scope of the idempotency ``key``.

        Raises BadSetup, Refused (the rules do not allow the set-up), DiceRefused, KeyReused,
        KeyBusy, StoreFull, StoreUnavailable, Stopping, Overloaded.
        """

        def work(bench: Bench) -> Staged:
            return open_game(new, bench.games, bench.vault, bench.store, bench.at)

        print_ = th("decklog/create", canonical(new))
        answer = await self._once(f"create/{caller}", key, print_, work)
        created = _answered(answer, CreatedGame)
        return msgspec.structs.replace(created, replayed=isinstance(answer, Replayed))

    async def create_fork(
        self, parent: Setup, fork: Fork, name: str, *, key: str, fingerprint: bytes, caller: str
    ) -> CreatedGame:
        """A what-if game; ``parent`` is the set-up of the game that it comes from.

        Raises what ``create_game`` raises.
        """

        def work(bench: Bench) -> Staged:
            return open_fork(parent, fork, name, bench.games, bench.vault, bench.store, bench.at)

        answer = await self._once(f"fork/{caller}", key, fingerprint, work)
        created = _answered(answer, CreatedGame)
        return msgspec.structs.replace(created, replayed=isinstance(answer, Replayed))

    async def check_custom(self, ruleset: str, kind: str, document: Any) -> CustomDocument:
        """The document as it would be kept. Raises KeyError, CustomRefused, Unfit."""
        return await self._read(customs.checked, self.games[ruleset], kind, document)

    async def post_custom(
        self, ruleset: str, kind: str, document: Any, *, listed: bool, key: str, caller: str
    ) -> CustomDocument:
        """The document, checked and kept under the name of its content; once, however often.

        Raises what ``check_custom`` raises, KeyReused, KeyBusy, StoreFull, StoreUnavailable,
        Stopping, Overloaded.
        """
        found = await self.check_custom(ruleset, kind, document)

        def work(bench: Bench) -> Write:
            return customs.keep(bench, found, listed=listed)

        print_ = th("decklog/custom-post", found.id.encode(), str(listed).encode())
        answer = await self._once(f"custom/{caller}", key, print_, work)
        kept = _answered(answer, CustomDocument)
        return msgspec.structs.replace(kept, replayed=isinstance(answer, Replayed))

    async def custom(self, id: str) -> CustomDocument | None:
        """The document of that name, for whoever knows the name."""
        found = await self._read(self._store.custom, id)
        return customs.shown(found) if found else None

    async def customs(
        self, ruleset: str, kind: str, *, after: str, limit: int
    ) -> list[CustomDocument]:
        """Listed documents of a kind, the latest post first, after the id ``after``."""
        found = await self._read(self._store.customs, ruleset, kind, after, limit)
        return [customs.shown(kept) for kept in found]

    async def take_seat(
        self, game: str, taking: TakeSeat, *, key: str, caller: str = ""
    ) -> SeatTaken:
        """A seat for somebody, and its token.

        The answer is a secret, and so the idempotency ``key`` counts for ``caller`` alone; with an
        invitation, which is a secret itself, it does not matter from where the request is repeated.
        Raises NotFound, SeatRefused, DiceRefused, GameOver and what ``create_game`` raises.
        """

        def work(bench: Bench) -> Staged:
            return take(bench.live(game), taking, bench.store.recorder, bench.at)

        print_ = th("decklog/take", game.encode(), canonical(taking))
        scope = f"take/{game}" if taking.invitation else f"take/{game}/{caller}"
        answer = await self._once(scope, key, print_, work, game)
        if isinstance(taking.invitation, str):
            self._doorkeeper.revoked(token_id_of(taking.invitation))
        taken = _answered(answer, SeatTaken)
        return msgspec.structs.replace(taken, replayed=isinstance(answer, Replayed))

    async def command(
        self,
        game: str,
        seat: Seat,
        command: msgspec.Struct,
        *,
        expected: int,
        key: str,
        fingerprint: bytes,
        caller: str,
        link: bytes | None = None,
        tip: bytes | None = None,
    ) -> Outcome:
        """Decide ``command`` for ``seat`` at version ``expected``, roll its dice, store it all.

        fingerprint  of the request: another one under the same key raises KeyReused
        link         the seat's own link for batch ``next_batch + link_credit - 1``, where it has a
                     dice tip
        tip          of the seat's next chain, where the one before is spent
        Order of checks: idempotency (KeyReused, KeyBusy, or the stored answer), NotFound, Damaged,
        Stale, GameOver, DiceRefused, Refused; then StoreFull, StoreUnavailable.
        """
        order = Order(game, seat, command, expected, link, tip)

        def work(bench: Bench) -> Staged:
            return decide(bench.live(game), order, bench.at)

        print_ = th("decklog/command", game.encode(), seat.encode(), fingerprint)
        answer = await self._once(f"command/{caller}", key, print_, work, game)
        receipt = _answered(answer, Receipt)
        return await self._outcome(game, receipt, replayed=isinstance(answer, Replayed))

    async def _outcome(self, game: str, receipt: Receipt, *, replayed: bool) -> Outcome:
        after, count = receipt.first - 1, receipt.last - receipt.first + 1
        views = await self._views(game)
        events = views.quick_seen(receipt.seat, after, count, receipt.last)
        if events is None:
            events = await self._look(game, views.seen, receipt.seat, after, count, receipt.last)
        return Outcome(
            version=receipt.last,
            command=receipt.command,
            events=tuple(events),
            next_batch=receipt.next_batch,
            replayed=replayed,
        )

    async def check(self, game: str, seat: Seat, command: msgspec.Struct) -> None:
        """Refused if the rules would refuse ``command`` now; writes nothing and rolls nothing.

        Decided on what the seat itself may see, so that a refusal tells nothing else.
        """
        view = await self.view(game, seat)
        rules = (await self._views(game)).game
        if (await self.summary(game)).status == "finished":
            raise GameOver("The game is over: its record is closed.")
        await self._read(_try, rules, view.state, seat, command)

    async def summary(self, game: str) -> GameSummary:
        """What everybody may know of the game. Raises NotFound."""
        # What is in memory may be old where other processes write the same games.
        live = None if self._store.shared else self._running.peek(game)
        found = live.summary if live else await self._summaries.ask(game)
        if found is None:
            raise not_found(game)
        return found

    def _summary(self, game: str, begun: Callable[[], object]) -> GameSummary | None:
        """On a reading thread."""
        begun()
        return self._store.summary(game)

    async def lobby(
        self, *, after: str, limit: int, ruleset: str | None = None, status: str | None = None
    ) -> list[GameSummary]:
        """Games in order of creation, newest first, after the id ``after`` ("": first)."""
        return await self._read(self._store.lobby, after, limit, ruleset or "", status or "")

    async def view(self, game: str, viewer: Viewer, at: int | None = None) -> View:
        """The game as ``viewer`` may see it, at version ``at`` or at the latest.

        Raises NotFound, UnknownVersion, Damaged.
        """
        summary = await self.summary(game)
        version = summary.version if at is None else at
        if not 1 <= version <= summary.version:
            raise UnknownVersion(f"The game has versions 1 to {summary.version}.")
        views = await self._views(game)
        state = views.quick_at(viewer, version)
        if state is None:
            state = await self._look(game, views.at, viewer, version)
        batch = summary.next_batch
        if version < summary.version:
            since = (game, BatchRolled.TYPE, version, summary.version)
            batch -= await self._read(self._store.count, *since)
        return View(version=version, viewer=viewer, next_batch=batch, state=state)

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
        views = await self._views(game)
        after = max(after, 0)
        found = views.quick_seen(viewer, after, limit, latest)
        if found is None:
            look = self._dig if limit > MANY_EVENTS else self._look
            found = await look(game, views.seen, viewer, after, limit, latest)
        return found

    def listening(self, game: str) -> AbstractContextManager[Ear]:
        """As long as it is open, whatever happens in the game is told. It need not exist."""
        return self._news.listening(game)

    async def wait(self, game: str, after: int, timeout: float) -> int:  # noqa: ASYNC109 a hint
        """The latest version, as soon as it is above ``after``, or after ``timeout`` seconds.

        A hint: the events are the truth. Raises NotFound, Stopping.
        """
        with self.listening(game) as ear:
            latest = (await self.summary(game)).version
            if latest > after:
                return latest
            if not self._started:
                raise Stopping("The service is stopping.")
            await ear.above(after, timeout)
            return max(latest, ear.latest)

    async def rolls(self, game: str, viewer: Viewer) -> Sequence[RollRecord]:
        """The dice ledger, in order of rolling: the rolls that ``viewer`` may see."""
        latest = (await self.summary(game)).version
        views = await self._views(game)
        ledger = views.kept(("ledger", viewer), lambda: Ledger(views, viewer))
        look = self._dig if latest - ledger.version > MANY_EVENTS else self._look
        return await look(game, ledger.upto, latest)

    async def past(self, game: str, work: Callable[[GameViews], T]) -> T:
        """What ``work`` makes of the game's views, on a digging thread. Raises NotFound."""
        return await self._dig(game, work, await self._views(game))

    async def at_hand(self, game: str, work: Callable[[GameViews], T]) -> T:
        """The same, of work that is done in a moment: it waits behind nobody who digs."""
        return await self._look(game, work, await self._views(game))

    async def identify(self, token: str) -> Identity | None:
        """Whose token it is; None when it is malformed, unknown, wrong or revoked."""
        if self._doorkeeper.known(token):
            return self._doorkeeper.identify(token)
        return await self._read(self._doorkeeper.identify, token)

    async def revoke(self, token_id: str) -> bool:
        """End a token at once; whether there was one."""

        def work(bench: Bench) -> Write:
            found = bench.store.recorder.query(
                "SELECT 1 FROM tokens WHERE token = ? AND revoked IS NULL", (token_id,)
            )
            return Write([revocation(token_id, bench.at)], bool(found))

        found: bool = await self._hand_in(work)
        self._doorkeeper.revoked(token_id)
        return found

    async def evidence(self, game: str, viewer: Viewer) -> bytes:
        """The evidence bundle of the game as ``viewer`` may have it; the same bytes each time."""
        rules = (await self._views(game)).game
        return await self._dig(game, evidence_of, self._store, rules, game, viewer)

    async def ready(self) -> dict[str, bool]:
        """Whether each part works: "engine", "store" (readable), "writable" (it takes writes).

        Answers within ``READY_SECONDS``: a store that does not say a word until then does not work.
        """
        engine = self._engine is not None and self._engine.alive
        silent = {"engine": engine, "store": False, "writable": False}
        if not self._started:
            return silent
        if self._probing is None or self._probing.done():
            self._probing = asyncio.ensure_future(self._read(self._probe))
        try:
            async with asyncio.timeout(READY_SECONDS):
                return {"engine": engine, **await asyncio.shield(self._probing)}
        except (TimeoutError, Stopping):
            return silent

    @property
    def waiting(self) -> int:
        """Commands that wait for the engine."""
        return self._engine.waiting if self._engine is not None else 0

    def _probe(self) -> dict[str, bool]:
        recorder = self._store.recorder
        try:
            recorder.query("SELECT value FROM meta WHERE name = 'format'")
            return {"store": True, "writable": recorder.writable()}
        except ServiceError:
            return {"store": False, "writable": False}

    @property
    def _running(self) -> Engine:
        if self._engine is None:
            raise Stopping("The service has not started.")
        return self._engine

    async def _once(
        self,
        scope: str,
        key: str,
        fingerprint: bytes,
        work: Callable[[Bench], Staged | Write],
        game: str = "",
    ) -> Any:
        """What ``work`` answers, or Replayed: the same key has one effect, however often it comes.

        Requests that come while the first one runs wait for its answer.
        """

        def remembered(bench: Bench) -> Ready:
            found = bench.remembered((scope, key), fingerprint)
            if found is not None:
                return Replayed(found)
            try:
                staged = work(bench)
            except Exception:
                found = bench.overtaken((scope, key), fingerprint)
                if found is None:
                    raise
                return Replayed(found)
            answer = msgspec.json.encode(staged.answer)
            memory = idempotency.insertion(
                bench.store.box, scope, key, fingerprint, answer, bench.store.ageing.at
            )
            if isinstance(staged, Write):
                return Write([*staged.statements, memory], staged.answer)
            statements = (*staged.commit.statements, memory)
            commit = msgspec.structs.replace(staged.commit, statements=statements)
            return msgspec.structs.replace(staged, commit=commit)

        return await self._inflight.once(
            (scope, key), fingerprint, lambda: self._handed_in(remembered, (scope, key), game)
        )

    def _handed_in(
        self, work: Callable[[Bench], Ready], key: idempotency.Key | None = None, game: str = ""
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self._loop.create_future()
        self._running.hand_in(Job(work, future, key, game))
        return future

    async def due(self, at: str, limit: int) -> list[str]:
        """Games in which somebody's time is over at ``at``."""
        return await self._read(self._store.due, at, limit)

    def hand_in_for(self, game: str, work: Callable[[Bench], Ready]) -> asyncio.Future[Any]:
        """Work of the service's own on a game: no request, so that nothing is remembered of it."""
        return self._handed_in(work, game=game)

    async def _hand_in(self, work: Callable[[Bench], Ready]) -> Any:
        return await asyncio.shield(self._handed_in(work))

    def _deliver(self, replies: Sequence[Reply], news: Mapping[str, int]) -> None:
        """From the engine thread: one call into the loop for a whole commit."""
        try:
            self._loop.call_soon_threadsafe(self._resolve, replies, news)
        except RuntimeError:
            log.warning("%d replies came after the event loop was closed", len(replies))
        self._following.wake()

    def _resolve(self, replies: Sequence[Reply], news: Mapping[str, int]) -> None:
        for reply in replies:
            if reply.handle.done():
                continue
            if reply.error is not None:
                reply.handle.set_exception(reply.error)
            else:
                reply.handle.set_result(reply.answer)
        self._news.tell(news)
        if self._hints is not None:
            self._hints.publish(news)

    async def _watch(self) -> None:
        """Ask the store again and again for what other processes have written."""
        while True:
            hinted = self._hints is not None and self._hints.live
            await asyncio.sleep(HINTED_SECONDS if hinted else WATCH_SECONDS)
            if not (games := self._news.games):
                continue
            try:
                self._news.tell(await self._read(self._store.versions, games))
            except ServiceError as error:
                log.warning("nothing is known of other processes: %s", error)

    async def _views(self, game: str) -> GameViews:
        kept = self._gallery.kept(game)
        return await self._read(self._gallery.of, game) if kept is None else kept

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
            self._running.drop(game)
            raise

    async def _read(self, function: Callable[..., T], *arguments: Any, dig: bool = False) -> T:
        try:
            threads = self._diggers if dig else self._readers
            reading = self._loop.run_in_executor(threads, function, *arguments)
        except (AttributeError, RuntimeError):
            raise Stopping("The service is not running.") from None
        return await reading


def _answered(answer: Any, type_: type[T]) -> T:
    """The answer, whether it was just made, or is another's just made, or was stored before."""
    if isinstance(answer, Joined):
        answer = answer.value
    elif isinstance(answer, Replayed):
        answer = msgspec.json.decode(answer.answer, type=type_)
    assert isinstance(answer, type_)
    return answer


def _try(rules: Game[Any, Any, Any], state: Any, seat: Seat, command: Any) -> None:
    """Raises Refused unless the command is offered, or the rules would take it."""
    if command not in rules.legal(state, seat).commands:
        rules.decide(state, seat, command)
