"""One thread owns the games: it decides, and it alone writes.

Requests that wait at the same moment are decided one after the other on top of each other and put
into the store in one transaction (group commit). Nobody is answered before that transaction is
durable. When it fails because somebody else wrote, each request is tried again by itself.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from typing import Any, Generic, NamedTuple, TypeVar

from domain.kernel.game import Game

from ..clock import Clock, stamp
from ..dice.nwd1 import DiceError
from ..dice.vault import Vault
from ..engines.outside import Failed
from ..engines.strange import Answers, Postponed, elsewhere, putting_off
from ..entropy import Ahead, Entropy
from ..errors import Damaged, Overloaded, ServiceError, Stopping, StoreUnavailable
from ..evidence.records import BatchRolled
from ..models import GameSummary
from ..store import ageing, idempotency
from ..store.bulk import Statement
from ..store.idempotency import Key, Remembered
from ..store.store import Commit, Conflict, Store
from ..threads import SYSTEM, Empty, MakesThreads, Queue
from ..views.views import ViewCache
from . import epochs
from .live import Live, load
from .patience import Patience
from .staging import ReadyRequest
from .watch import QUIET, Watch

log = logging.getLogger(__name__)

GROUP = 256
"""Requests of one commit, at most."""

GROUP_SECONDS = 0.030
"""How long the first request of a group waits for others to be decided before all are stored.

It never waits for requests to come: a group is what was waiting when the one before was stored.
"""

RETRIES = 8
"""How often a request is decided anew because another worker wrote first: more often is a fault."""

HOUSEKEEPING_SECONDS = ageing.STEP
"""How often idempotency keys that are past their time are dropped."""

DRAWN = 20
"""Random bytes that a command usually takes: its id, and the nonce under which its key is kept."""

AnyGame = Game[Any, Any, Any]
Deliver = Callable[[Sequence["Reply"], Mapping[str, int]], None]
H = TypeVar("H")


class WorkingGames:
    """Where a group of requests is worked on: games as they will be, on top of those that are.

    entropy  for what each request of the group needs a little of; secrets are drawn by themselves
    """

    def __init__(self, engine: Engine, at: str, jobs: Sequence[Job[Any]] = ()) -> None:
        self.at = at
        self._keys = tuple({job.key: None for job in jobs if job.key is not None})
        self._games = tuple({job.game: None for job in jobs if job.game})
        self.patience = engine.patience
        self._versions: Mapping[str, int] | None = None
        self._answered: Mapping[Key, Remembered] | None = None
        self.store = engine.store
        self.entropy: Entropy = Ahead(engine.store.entropy, DRAWN * len(jobs))
        self.vault = engine.vault
        self.games = engine.games
        self._engine = engine
        self.changed: dict[str, Live] = {}

    def live(self, game_id: str) -> Live:
        """The game. Raises NotFound, RulesetMissing, Damaged, StoreUnavailable."""
        if (changed := self.changed.get(game_id)) is not None:
            return changed
        try:
            found = self._engine.live(game_id, self._latest(game_id))
        except Damaged:
            self._engine.damaged.add(game_id)
            raise
        self._engine.damaged.discard(game_id)
        return found

    def goes_before(self, game: str) -> bool:
        """Whether the group has changed the game already; any, of a request that names none."""
        return game in self.changed if game else bool(self.changed)

    def _latest(self, game_id: str) -> int | None:
        """The version in the store, where another process may have written it; else None."""
        if not self.store.shared:
            return None
        if self._versions is None:
            self._versions = self.store.versions(self._games)
        return self._versions.get(game_id, 0)

    def remembered(self, key: Key, fingerprint: bytes) -> bytes | None:
        """The answer that was given under the key; None for a new one. Raises KeyReused."""
        if self._answered is None:
            self._answered = idempotency.find_all(self.store.recorder, self._keys)
        found = self._answered.get(key)
        return idempotency.answer_of(self.store.box, key, found, fingerprint) if found else None

    def overtaken(self, key: Key, fingerprint: bytes) -> bytes | None:
        """:meth:`remembered`, looked up anew where another process may just have answered.

        For a request that was refused: what it was refused for may be its own effect, stored by
        the other process after the keys of the group were read and before the game was.
        """
        if not self.store.shared:
            return None
        self._answered = idempotency.find_all(self.store.recorder, self._keys)
        return self.remembered(key, fingerprint)


class Replayed:
    """The request was answered before, under the same idempotency key."""

    __slots__ = ("answer",)

    def __init__(self, answer: bytes) -> None:
        self.answer = answer


class Write:
    """Statements that belong to no game's record, and what to answer when they are stored."""

    __slots__ = ("answer", "statements")

    def __init__(self, statements: Sequence[Statement], answer: Any = None) -> None:
        self.statements = statements
        self.answer = answer


Ready = ReadyRequest | Replayed | Write
Work = Callable[[WorkingGames], Ready]


class Job(Generic[H]):
    """A request: ``work`` stages it on a bench; ``handle`` is how the asker knows it again.

    key   whose answer ``work`` will ask the bench for, if it has one
    game  that ``work`` will ask the bench for, if there is one already
    It is worked on in the context in which it was made: what is logged and traced then names the
    request that asked.

    answers  what rules in a process of their own have said to it
    """

    __slots__ = ("answers", "context", "game", "handle", "key", "work")

    def __init__(self, work: Work, handle: H, key: Key | None = None, game: str = "") -> None:
        self.work = work
        self.handle = handle
        self.key = key
        self.game = game
        self.context = copy_context()
        self.answers: Answers = {}


NUDGE: Job[Any] = Job(lambda bench: Write([]), None)
"""Stands in the queue for no request at all."""


class Reply(NamedTuple):
    """What became of a request: its answer, or why it was refused.

    ahead  it was refused on what the same commit was to bring about
    """

    handle: Any
    answer: Any
    error: Exception | None
    ahead: bool = False


class Engine:
    """Runs from ``start`` to ``stop``. ``hand_in`` may be called from any thread.

    deliver  gets the replies of a commit and the versions that games have reached by it, on the
             engine thread, when the commit is durable
    watch    is told how the engine is doing
    """

    def __init__(
        self,
        store: Store,
        views: ViewCache,
        games: Mapping[str, AnyGame],
        vault: Vault,
        clock: Clock,
        deliver: Deliver,
        *,
        cached_games: int,
        queue_limit: int,
        watch: Watch = QUIET,
        threads: MakesThreads = SYSTEM,
    ) -> None:
        self.store = store
        self.games = games
        self.vault = vault
        self._views = views
        self._clock = clock
        self._deliver = deliver
        self._cached_games = cached_games
        self._queue_limit = queue_limit
        self._watch = watch
        self._threads = threads
        self._queue: Queue[Job[Any] | None] = threads.queue()
        self._cache: OrderedDict[str, Live] = OrderedDict()
        self._put_off: dict[Job[Any], None] = {}
        self._unsure = False
        self._monotonic = clock.monotonic
        self.patience = Patience()
        self.when_gone: Callable[[Sequence[str]], None] = lambda games: None
        """Told, on the engine thread, of games that have been deleted in their time."""
        self.damaged: set[str] = set()
        """Games whose record was not as it should be when they were read last."""
        self._tidy_at = clock.monotonic() + HOUSEKEEPING_SECONDS
        self._thread = threads.thread(self._run, "decklog-engine")
        self._stopping = threads.event()
        self._handing_in = threads.lock()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive() and not self._stopping.is_set()

    @property
    def waiting(self) -> int:
        """Requests in the queue."""
        return self._queue.qsize()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish what was handed in, then end the thread. Waits for it."""
        with self._handing_in:
            if not self._stopping.is_set():
                self._stopping.set()
                self._queue.put(None)
        self._thread.join()

    def hand_in(self, job: Job[Any]) -> None:
        """Queue a request. Raises Stopping, Overloaded."""
        with self._handing_in:
            if self._stopping.is_set():
                raise Stopping("The service is stopping: try again in a moment.")
            if self._queue.qsize() >= self._queue_limit:
                raise Overloaded("Too many commands are waiting: try again in a second.")
            self._queue.put(job)

    def peek(self, game_id: str) -> Live | None:
        """The game if it is in memory; from any thread."""
        return self._cache.get(game_id)

    def summary(self, game_id: str) -> GameSummary | None:
        """Of a game in memory, unless another process may have written it since."""
        live = None if self.store.shared else self.peek(game_id)
        return live.summary if live else None

    @property
    def frozen(self) -> dict[str, float]:
        """How many games are played no more here, by what is wrong with them."""
        return {"record": len(self.damaged), "rules": len(self.patience.frozen)}

    def found_damaged(self, game_id: str) -> None:
        """Somebody else has read the game, and its record is not as it should be."""
        self.damaged.add(game_id)
        self.drop(game_id)

    def drop(self, game_id: str) -> None:
        """Forget what is in memory of the game, so that it is read and checked anew."""
        self._cache.pop(game_id, None)

    def live(self, game_id: str, version: int | None = None) -> Live:
        """The game from memory if it is at ``version`` there, else from the store.

        A store may also go back, under a worker that goes on: then what is remembered of the game,
        events that nobody has any more among it, is forgotten. On the engine thread.
        """
        found = self._cache.get(game_id)
        if found is not None and version is not None and found.version > version:
            self.forget(game_id)
        if found is None or version not in (None, found.version):
            found = self._loaded(game_id)
            self._keep(found)
        return found

    def _loaded(self, game_id: str) -> Live:
        """The game from the store; with new dice first, where something of it may be lost."""
        for _ in range(RETRIES):
            found = elsewhere(
                f"load {game_id}",
                lambda: load(self.store, self.games, self.vault, game_id),
                self._threads,
            )
            if not found.lost:
                return found
            staged = epochs.start(found, stamp(self._clock.now()), self.store.entropy)
            try:
                self.store.put([staged.commit])
            except Conflict:
                continue  # another worker was quicker
            if staged.told:
                self._views.carry(game_id, found.game, found.seals, staged.told)
                self._deliver([], {game_id: staged.live.version})
            return staged.live
        raise StoreUnavailable("The game is getting new dice: try again.")

    def forget(self, game_id: str) -> None:
        """Nothing of the game is remembered: neither how it stands nor what was shown of it."""
        self.drop(game_id)
        self._views.drop(game_id)

    def _keep(self, live: Live) -> None:
        self._cache[live.id] = live
        self._cache.move_to_end(live.id)
        if len(self._cache) > self._cached_games:
            self._cache.popitem(last=False)

    def _run(self) -> None:
        going = True
        while going:
            jobs, going = self._drain()
            if jobs:
                self._serve(jobs)
            else:
                self._look_at_the_store()
            if going and self._monotonic() >= self._tidy_at:
                self._tidy()
        if self._put_off:
            stopping = Stopping("The service is stopping: try again in a moment.")
            self._deliver([Reply(job.handle, None, stopping) for job in self._put_off], {})

    def _drain(self) -> tuple[list[Job[Any]], bool]:
        """What is waiting; false when there will be no more. Empty after a quiet time."""
        jobs: list[Job[Any]] = []
        try:
            job = self._queue.get(timeout=HOUSEKEEPING_SECONDS)
            while job is not None:
                if job is NUDGE:
                    return jobs, True
                jobs.append(job)
                if len(jobs) == GROUP:
                    return jobs, True
                job = self._queue.get_nowait()
        except Empty:
            return jobs, True
        return jobs, False

    def _tidy(self) -> None:
        self._tidy_at = self._monotonic() + HOUSEKEEPING_SECONDS
        try:
            self.store.ageing.go_on()
            now = min(self.store.ageing.at, stamp(self._clock.now()))
            gone = self.store.expiry.go_on(now)
            for game in gone:
                self.drop(game)
                self._views.drop(game)
            self.when_gone(gone)
        except (ServiceError, Conflict) as error:
            log.warning("what is old was not deleted: %s", error)

    def _look_at_the_store(self) -> None:
        """Whatever comes of it, the engine goes on: the next look, or command, tries again."""
        try:
            self._heed()
        except (ServiceError, Conflict) as error:
            log.warning("the store cannot be used yet: %s", error)

    def _serve(self, jobs: Sequence[Job[Any]]) -> None:
        """Every job gets a reply, whatever happens."""
        try:
            while jobs:
                done = self._work(jobs, RETRIES if self.store.shared else 1)
                jobs = jobs[done:]
        except Exception as error:
            if not isinstance(error, ServiceError):
                log.exception("the engine failed")
            self._deliver([Reply(job.handle, None, error) for job in jobs], {})

    def _work(self, jobs: Sequence[Job[Any]], retries: int) -> int:
        """One commit; how many of the jobs are in it: as many as can be staged in time."""
        with self._watch.span("engine.group", [job.context for job in jobs], waiting=len(jobs)):
            return self._commit_some(jobs, retries)

    def _stage(self, job: Job[Any], bench: WorkingGames) -> Ready:
        self._put_off.pop(job, None)
        with self._watch.span("decide"), putting_off(job.answers):
            try:
                return job.work(bench)
            except Failed as failed:  # of rules in a process of their own, as a game was read
                return self.patience.give_up(job.game, failed)
            except DiceError as error:  # as a game began
                return self.patience.refuse(job.game, error)

    def _wait_for(self, job: Job[Any], postponed: Postponed) -> None:
        """Its rules are at work in another process: it is worked on anew when they have answered"""
        self._put_off[job] = None
        frozen, game = self.patience.frozen, job.game
        postponed.asked.later(
            job.answers, postponed.request, lambda: game not in frozen,
            lambda: self._queue.put(job), game,
        )  # fmt: skip

    def nudge(self) -> None:
        """Have the engine look whether the store has turned, though nobody asks for anything."""
        self._queue.put(NUDGE)

    def _heed(self) -> None:
        """Where the store was started anew, or is another one, forget what was remembered of it.

        It may never have happened there. Nothing has been written to that store yet, and no game
        goes on before this is done (``Database.turned``). Raises StoreFull, StoreUnavailable.
        """
        if self.store.recorder.turned:
            self._cache.clear()
            self._views.clear()
            self.store.recorder.accept()
            self._unsure = True
        if self._unsure:
            if self.store.went_back():
                self._watch.turned()
            self._unsure = False

    def _commit_some(self, jobs: Sequence[Job[Any]], retries: int) -> int:
        self._heed()
        end = self._monotonic() + GROUP_SECONDS
        bench = WorkingGames(self, stamp(self._clock.now()), jobs)
        ready: list[tuple[Job[Any], Ready]] = []
        refused: list[Reply] = []
        away: list[Job[Any]] = []
        for job in jobs:
            try:
                staged = job.context.run(self._stage, job, bench)
            except Postponed as postponed:
                self._wait_for(job, postponed)
                away.append(job)
                continue
            except Exception as error:
                refused.append(Reply(job.handle, None, error, bench.goes_before(job.game)))
                continue
            if isinstance(staged, ReadyRequest):
                bench.changed[staged.live.id] = staged.live
            ready.append((job, staged))
            if self._monotonic() > end:
                break
        done = len(ready) + len(refused) + len(away)
        group = [job for job in jobs[:done] if job not in away]
        if not group:
            return done
        self._watch.grouped(len(group))
        if self.store.recorder.turned and retries:
            self._one_by_one(group, retries - 1)
            return done
        try:
            self._put(ready)
        except Exception as error:
            for game_id in bench.changed:
                self.drop(game_id)
            if isinstance(error, Conflict) and retries:
                self._one_by_one(group, retries - 1)
            else:
                self._fail(ready, refused, error)
        else:
            self._settle(ready, refused)
        return done

    def _put(self, ready: Sequence[tuple[Job[Any], Ready]]) -> None:
        commits = [_commit(staged) for _, staged in ready if not isinstance(staged, Replayed)]
        if not commits:
            return
        began = self._monotonic()
        with self._watch.span("commit", requests=len(commits)):
            self.store.put(commits)
        self._watch.stored(self._monotonic() - began, sum(_batches(staged) for _, staged in ready))

    def _one_by_one(self, jobs: Sequence[Job[Any]], retries: int) -> None:
        """After a conflict each request is decided anew by itself, on what the store holds."""
        for job in jobs:
            self._work([job], retries)

    def _fail(
        self, ready: Sequence[tuple[Job[Any], Ready]], refused: Sequence[Reply], error: Exception
    ) -> None:
        if isinstance(error, Conflict):
            log.error("the store was written behind the engine's back: %s", error)
            error = StoreUnavailable("Another program wrote this game: try again.")
        elif not isinstance(error, ServiceError):
            log.error("a commit failed", exc_info=error)
        replies = [Reply(job.handle, None, error) for job, _ in ready]
        # Who was refused because of what has not come about is not told of it.
        replies += [Reply(reply.handle, None, error) if reply.ahead else reply for reply in refused]
        self._deliver(replies, {})

    def _settle(self, ready: Sequence[tuple[Job[Any], Ready]], refused: Sequence[Reply]) -> None:
        """The commit is durable: make it true in memory, then tell."""
        news: dict[str, int] = {}
        for _, staged in ready:
            if isinstance(staged, ReadyRequest):
                live = staged.live
                self._keep(live)
                self._views.carry(live.id, live.game, live.seals, staged.told)
                news[live.id] = live.version
        replies = [Reply(job.handle, _answer(staged), None) for job, staged in ready]
        self._deliver([*replies, *refused], news)


def _answer(staged: Ready) -> Any:
    return staged if isinstance(staged, Replayed) else staged.answer


def _batches(staged: Ready) -> int:
    """Dice batches among what is stored: their number is public, also of hidden dice."""
    if not isinstance(staged, ReadyRequest):
        return 0
    return sum(told.head.type == BatchRolled.TYPE for told in staged.told)


def _commit(staged: ReadyRequest | Write) -> Commit:
    if isinstance(staged, ReadyRequest):
        return staged.commit
    return Commit("", (), tuple(staged.statements))
