"""The desk: everything the service does with games, for HTTP, the command line and tests alike."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, NamedTuple

import msgspec

from domain.kernel.finder import games as installed_games
from domain.kernel.game import Game
from projections.finder import found as installed_projections

from .clock import SYSTEM, Clock, SteadyClock, stamp
from .dice.vault import Vault
from .entropy import SYSTEM as GENERATOR
from .entropy import Entropy, drawn
from .errors import ServiceError, Stopping
from .following.follower import outdate
from .following.records import Records
from .following.thread import Following
from .news.hints import HintChannel, Hints, MakeHints
from .news.line import Line
from .news.listening import News
from .play.archiving import Judged
from .play.archivist import OFFICE, Archivist
from .play.beacons import Beacons
from .play.botkeeper import BotKeeper, Turn
from .play.clerk import Clerk
from .play.engine import Engine, Reply, WorkingGames, Write
from .play.epochs import Announcer
from .play.locksmith import Locksmith
from .play.notary import Notary
from .play.opening import keep_what_shows
from .play.presence import Presence
from .play.reach import Reach
from .play.renewal import Renewal
from .play.summaries import maker, mark
from .play.timekeeper import Timekeeper
from .play.unplayed import Caretaker
from .play.unsealing import Opener
from .play.watch import QUIET, Watch
from .play.writer import Writer, told
from .publishing.leaves import Leaves
from .publishing.public import PublicLog, open_public_log
from .settings import Settings
from .store.store import Connect, Store
from .structs import look_at_structs
from .threads import SYSTEM as THREADS
from .threads import MakesThreads
from .views.callers import TokenCache
from .views.engines import Engines
from .views.reader import Reader
from .views.rulesets import Rulesets
from .views.threads import Threads
from .views.views import ViewCache
from .webhooks.courier import Courier
from .webhooks.keeper import Proves, Webhooks
from .webhooks.messages import Messages
from .webhooks.sending import MessageSender, Sender
from .webhooks.targets import Resolve, resolve
from .work.nursery import Nursery
from .work.office import Office
from .work.pool import Pool
from .work.tasks import ChooseOrder, Judge, Materials
from .work.works import InLine, Works

log = logging.getLogger(__name__)

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

Games = Mapping[str, Game[Any, Any, Any]]


class Desk(NamedTuple):
    """All parts, at work. One per process, on one event loop; :func:`open_desk` makes it.

    reader      shows games
    writer      creates games, takes commands
    records     what projections have made of the log
    webhooks    messages to addresses of the players' own, and ``courier``, which sends them
    timekeeper  answers for a seat whose time is over
    office      does what is expensive
    line        to the Redis that the workers share; None: there is none
    clock       that is not believed when it jumps
    announcer   sees to the games that need new dice, because the store went back
    engines     what decides games, for whoever judges
    caretaker   ends the games that nobody plays
    public_log  signs the log of all games; None: no folder is set for it
    clerk       does what an operator has put into the store
    opener      opens the masters of games that are over
    archivist   has games that are over leave the table of events
    renewal     makes summaries anew that another program has stored in another form
    """

    games: Games
    store: Store
    engine: Engine
    threads: Threads
    reader: Reader
    writer: Writer
    records: Records
    following: Following
    webhooks: Webhooks
    courier: Courier
    timekeeper: Timekeeper
    office: Office
    line: Line | None
    probe: Probe
    clock: SteadyClock
    announcer: Announcer
    engines: Engines
    caretaker: Caretaker
    public_log: PublicLog | None
    clerk: Clerk
    opener: Opener
    archivist: Archivist
    renewal: Renewal

    async def ready(self) -> dict[str, bool]:
        """Whether each part works: "engine", "store" (readable), "writable" (it takes writes),
        "work" (processes for what is expensive can be had).

        Answers within ``READY_SECONDS``: a store that does not say a word until then does not work.
        """
        return await self.probe.ready()


@asynccontextmanager
async def open_desk(
    settings: Settings,
    games: Games | None = None,
    clock: Clock | None = None,
    watch: Watch = QUIET,
    *,
    line: Line | None = None,
    vault: Vault | None = None,
    resolving: Resolve = resolve,
    proving: Proves | None = None,
    connect: Connect | None = None,
    sender: MessageSender | None = None,
    hints: MakeHints | None = None,
    entropy: Entropy | None = None,
    threads: MakesThreads | None = None,
    nursery: Nursery | None = None,
    compared: bool | None = None,
) -> AsyncIterator[Desk]:
    """A desk; at the end it takes no new work, finishes what was handed in, and closes the store.

    games      the rulesets on offer; all installed ones when none are given
    watch      is told how the engine is doing
    line       to Redis; made from the settings when none is given
    clock      the machine's when none is given, and then it is compared with the database's
    vault      where the dice come from; NWD-1's own when none is given
    resolving  how addresses of a webhook's name are found
    proving    asks whether a webhook's receiver agrees; when none is given that is asked over HTTP,
               or not at all where a ``sender`` is given or webhooks may lead anywhere
    connect    opens the store's database; that of the settings when none is given
    sender     sends webhooks' messages; over HTTP when none is given
    hints      made of who is to be told what other workers tell; by Redis when none is given
    entropy    where secrets, tokens and ids come from; the system's generator when none is given
    threads    makes what works beside the event loop; the system's threads when none is given
    nursery    where processes for what is expensive come from; without one it is done in line
    compared   whether the clock is first compared with the database's; None: only the machine's is
    Raises StoreRefused: a newer format, another process at work on it, a journal that is not WAL,
    ``synchronous`` that is not FULL, a wrong key; StoreUnavailable where it cannot be asked.
    """
    compared = clock is None if compared is None else compared
    clock = SteadyClock(clock or SYSTEM)
    entropy, making = entropy or GENERATOR, threads or THREADS
    async with AsyncExitStack() as closing:
        readers = Threads(making)
        closing.push_async_callback(readers.stop)
        store = Store(settings, clock, connect, entropy)
        await _open(store, clock, readers, closing, compared=compared)
        vault = vault or Vault(settings.chain_length, entropy)
        games = _rulesets(settings, games, store, making, closing)
        await readers.read(_brought_up, store, games, vault)
        line = await _started(line or line_of(settings), closing)
        teller = _LoopNotifier(news := News())
        views = ViewCache(store, games, settings.cached_games, making)
        tokens = _tokens(store, clock, making)
        engine = _engine(settings, store, views, games, vault, clock, teller, watch, making)
        reader = Reader(store, readers, views, tokens, news, engine)
        writer = Writer(engine, reader, readers, tokens)
        mail = _mail(settings, store, clock, readers, writer, sender, resolving, proving)
        public = await readers.read(open_public_log, settings, store, clock, making)
        following = _following(store, views, clock, games, teller, mail.courier, making, public)
        reach = await _reach(store, clock, readers, compared=compared)
        office = _office(settings, engine, views, readers, clock, nursery, making)
        desk = Desk(
            games,
            store,
            engine,
            readers,
            reader,
            writer,
            Records(following, store, readers.read, clock),
            following,
            mail.webhooks,
            mail.courier,
            _timekeeper(settings, readers, reader, writer, clock, reach),
            office,
            line,
            Probe(engine, store, readers, office),
            clock,
            Announcer(store.lost, readers.read, partial(_take_up, writer)),
            Engines(games, store),
            Caretaker(store.unplayed, writer.hand_in_for, clock, readers.read),
            public,
            _clerk(store, engine, games, writer, readers, reach, tokens, news),
            _opener(store, public, writer, readers),
            _archivist(store, office, clock, readers),
            Renewal(store, games, vault, readers.read),
        )
        forget, delivering = _forgetting(desk, views, tokens), bool(settings.webhook_seconds)
        await _start(desk, teller, closing, hints, forget=forget, delivering=delivering)
        yield desk


def _rulesets(
    settings: Settings,
    games: Games | None,
    store: Store,
    making: MakesThreads,
    closing: AsyncExitStack,
) -> Rulesets:
    installed = installed_games() if games is None else games
    found = Rulesets(installed, store, making, apart=True, processes=settings.rules_processes)
    closing.callback(found.end)
    return found


def _brought_up(store: Store, games: Games, vault: Vault) -> None:
    """What another program has written is shown as this one would have written it, and is made anew
    where nothing could go on from it."""
    look_at_structs()
    store.made_anew = maker(store, games, vault)
    mark(store, games, vault)
    keep_what_shows(store, games)


async def _started(line: Line | None, closing: AsyncExitStack) -> Line | None:
    if line is not None:
        closing.push_async_callback(line.stop)
        await line.start()
    return line


async def _open(
    store: Store, clock: SteadyClock, threads: Threads, closing: AsyncExitStack, *, compared: bool
) -> None:
    await threads.read(store.open, clock.now())
    closing.callback(store.close)
    # What reads the store ends before it is closed.
    closing.push_async_callback(threads.stop)
    if compared:
        clock.compare(await threads.read(store.recorder.time))


async def _start(
    desk: Desk,
    teller: _LoopNotifier,
    closing: AsyncExitStack,
    hints: MakeHints | None,
    *,
    forget: Callable[[], None],
    delivering: bool,
) -> None:
    """Set the parts to work; what is started last stops first."""
    hints = hints or _hints_of(desk.line, desk.store.entropy)
    if desk.store.shared and hints is not None:
        teller.hints = hints(teller.news.tell)
        teller.hints.start()
        closing.push_async_callback(teller.hints.stop)
    closing.push_async_callback(desk.office.stop)
    closing.push_async_callback(desk.courier.stop)
    if desk.public_log is not None:
        desk.public_log.start()
        closing.push_async_callback(asyncio.to_thread, desk.public_log.stop)
    await desk.threads.read(desk.following.start)
    closing.push_async_callback(asyncio.to_thread, desk.following.stop)
    desk.store.recorder.when_turned(forget)
    desk.engine.start()
    closing.push_async_callback(_stop_engine, desk.engine, teller.news)
    teller.following = desk.following
    desk.engine.when_gone = lambda games: teller.on_loop(partial(teller.news.gone, games))
    if delivering:
        desk.courier.start()
    await desk.clerk.heed()
    closing.push_async_callback(desk.threads.read, desk.clerk.presence.leave)
    closing.callback(asyncio.create_task(desk.engine.patience.watch()).cancel)
    closing.callback(asyncio.create_task(desk.timekeeper.run()).cancel)
    if desk.timekeeper.beacons is not None:
        closing.callback(asyncio.create_task(desk.timekeeper.beacons.run()).cancel)
    closing.callback(asyncio.create_task(desk.announcer.run()).cancel)
    closing.callback(asyncio.create_task(desk.caretaker.run()).cancel)
    closing.callback(asyncio.create_task(desk.clerk.run()).cancel)
    notary = Notary(desk.store, desk.threads.read, lambda: stamp(desk.clock.now()))
    closing.callback(asyncio.create_task(notary.run()).cancel)
    closing.callback(asyncio.create_task(desk.opener.run()).cancel)
    locksmith = Locksmith(desk.store, desk.threads.read)
    closing.callback(asyncio.create_task(locksmith.run()).cancel)
    closing.callback(asyncio.create_task(desk.archivist.run()).cancel)
    closing.callback(asyncio.create_task(desk.renewal.run()).cancel)
    closing.callback(asyncio.create_task(bot_keeper_of(desk).run()).cancel)
    if desk.store.shared:
        closing.callback(asyncio.create_task(_watch(desk.store, desk.threads, teller)).cancel)


def _archivist(store: Store, office: Office, clock: SteadyClock, readers: Threads) -> Archivist:
    """Each game is judged where work is done."""

    async def judge(game: str) -> Judged:
        return msgspec.json.decode(await office.do(Judge(game), OFFICE, _free), type=Judged)

    return Archivist(store, judge, clock, readers.read, store.archive_days)


BOTS = "bots"
"""Whose turn the work of all bots is: they wait behind each other, and not before anybody else."""


def bot_keeper_of(desk: Desk) -> BotKeeper:
    """Who gives the orders of the seats that bots play."""
    store = desk.store

    async def due(limit: int) -> list[str]:
        return await desk.threads.read(store.bot_turns, limit)

    async def choose(turn: Turn) -> bytes:
        question, seat = turn.question, turn.seat
        asked = (turn.game, seat.seat, turn.version, question.question, question.subject)
        task = ChooseOrder(*asked, seat.bot, seat.strength, drawn(store.entropy, 16))
        return await desk.office.do(task, BOTS, _free)

    return BotKeeper(due, desk.reader.summary, choose, desk.writer.hand_in_for, desk.clock)


def _free(seconds: float) -> None:
    """Nobody is charged for what the service does by itself."""


def _forgetting(desk: Desk, views: ViewCache, tokens: TokenCache) -> Callable[[], None]:
    """What happens as soon as a connection meets another store, on whatever thread."""

    def forget() -> None:
        views.clear()
        tokens.clear()
        desk.following.forget()
        desk.office.forget()
        desk.engine.nudge()

    return forget


def _opener(store: Store, public: PublicLog | None, writer: Writer, readers: Threads) -> Opener:
    """What waits for the public log: masters, and the links of locked orders."""
    settled = None if public is None else public.settled
    writer.logged = None if public is None else public.has
    return Opener(store.recorder, settled, writer.hand_in_for, readers.read)


def _tokens(store: Store, clock: Clock, making: MakesThreads) -> TokenCache:
    """Others may revoke a token where the store is shared: what is known of it is not kept long."""
    trusted = TRUSTED_SECONDS if store.shared else None
    return TokenCache(store.recorder, trusted, clock, making)


def _engine(
    settings: Settings,
    store: Store,
    views: ViewCache,
    games: Games,
    vault: Vault,
    clock: Clock,
    teller: _LoopNotifier,
    watch: Watch,
    threads: MakesThreads,
) -> Engine:
    return Engine(
        store,
        views,
        games,
        vault,
        clock,
        teller.deliver,
        cached_games=settings.cached_games,
        queue_limit=settings.queue_limit,
        watch=watch,
        threads=threads,
    )


async def _take_up(writer: Writer, game: str) -> None:
    """Have the engine take a game up, by which it gets its new dice."""

    def work(bench: WorkingGames) -> Write:
        bench.live(game)
        return Write([])

    await writer.hand_in_for(game, work)


async def _reach(store: Store, clock: SteadyClock, threads: Threads, *, compared: bool) -> Reach:
    """A clock that was brought is nobody's but its bringer's: no database can put it right."""
    reach = Reach(store, clock, store.recorder.time) if compared else Reach(store, clock)
    try:
        await threads.read(reach.look)
    except ServiceError as error:
        log.warning("it cannot be put down that the service is there: %s", error)
    return reach


def _timekeeper(
    settings: Settings,
    threads: Threads,
    reader: Reader,
    writer: Writer,
    clock: SteadyClock,
    reach: Reach,
) -> Timekeeper:
    grace = settings.deadline_grace
    logged = partial(getattr, writer, "logged")
    beacons = Beacons(settings.beacon, threads.read, clock)
    due, hand_in = reader.due, writer.hand_in_for
    return Timekeeper(due, hand_in, clock, reach, threads.read, grace, logged, beacons)


def _clerk(
    store: Store,
    engine: Engine,
    rulesets: Rulesets,
    writer: Writer,
    readers: Threads,
    reach: Reach,
    tokens: TokenCache,
    news: News,
) -> Clerk:
    def forget(game: str) -> None:
        engine.forget(game)
        news.gone((game,))

    def thaw(game: str) -> None:
        rulesets.ask_again()
        engine.patience.thaw(game)

    presence = Presence(store)
    presence.playing(lambda: tuple(sorted(engine.patience.frozen.copy())), thaw)
    return Clerk(
        store,
        writer.hand_in_for,
        readers.read,
        lambda: reach.away,
        forget,
        partial(outdate, store.recorder),
        tokens.revoked,
        presence,
    )


def _office(
    settings: Settings,
    engine: Engine,
    views: ViewCache,
    readers: Threads,
    clock: Clock,
    nursery: Nursery | None,
    making: MakesThreads,
) -> Office:
    """Processes where there is a nursery for them; else what is expensive is done in line."""
    materials = Materials(engine.games, views, engine.store)
    works: Works = InLine(materials, readers.read)
    if nursery is not None:
        works = Pool(nursery, materials.source, settings.work_processes, making, clock)
    return Office(works, engine.found_damaged)


def _sender(settings: Settings, clock: Clock, resolving: Resolve) -> Sender:
    private, seconds = settings.webhook_private, settings.webhook_seconds
    return Sender(resolving, private=private, seconds=seconds, clock=clock)


class _Mail(NamedTuple):
    """Webhooks, and what delivers to them."""

    webhooks: Webhooks
    courier: Courier


def _mail(
    settings: Settings,
    store: Store,
    clock: SteadyClock,
    threads: Threads,
    writer: Writer,
    sender: MessageSender | None,
    resolving: Resolve,
    proving: Proves | None,
) -> _Mail:
    """A receiver's consent is asked over HTTP, or not at all where webhooks may lead anywhere."""
    own = _sender(settings, clock, resolving)
    if sender is None and not settings.webhook_private:
        proving = proving or own.prove
    courier = Courier(store, clock, sender or own, threads.read, settings.webhook_seconds)
    webhooks = Webhooks(
        store,
        clock,
        resolving,
        private=settings.webhook_private,
        prove=proving,
        once=writer.once,
        answered=told,
        read=threads.read,
        wake=courier.wake,
    )
    return _Mail(webhooks, courier)


def _following(
    store: Store,
    views: ViewCache,
    clock: Clock,
    games: Games,
    teller: _LoopNotifier,
    courier: Courier,
    threads: MakesThreads,
    public: PublicLog | None,
) -> Following:
    """Projections, the leaves of the public log, and the messages that the courier sends."""

    def followed(name: str) -> None:
        if name == Messages.name:
            teller.on_loop(courier.wake)
        if name == Leaves.name and public is not None:
            public.wake()

    return Following(
        store,
        installed_projections(),
        [Messages(store, views, clock)],
        [] if public is None else [public.leaves],
        followed,
        games,
        clock,
        threads,
    )


def _hints_of(line: Line | None, entropy: Entropy) -> MakeHints | None:
    return partial(Hints, line, entropy=entropy) if line is not None else None


def line_of(settings: Settings) -> Line | None:
    """The line to the Redis that the workers share, if there is one."""
    return Line(settings.redis, settings.shared_prefix) if settings.redis else None


async def _stop_engine(engine: Engine, news: News) -> None:
    """Nobody waits any longer, and all that was handed in is answered."""
    news.close()
    await asyncio.to_thread(engine.stop)
    for _ in range(STEPS_TO_AN_ANSWER):
        await asyncio.sleep(0)


class _LoopNotifier:
    """From the engine's thread to those who wait on the event loop."""

    def __init__(self, news: News) -> None:
        self.news = news
        self.hints: HintChannel | None = None
        self.following: Following | None = None
        self._loop = asyncio.get_running_loop()

    def deliver(self, replies: Sequence[Reply], news: Mapping[str, int]) -> None:
        """One call into the loop for a whole commit."""
        try:
            self._loop.call_soon_threadsafe(self._resolve, replies, news)
        except RuntimeError:
            log.warning("%d replies came after the event loop was closed", len(replies))
        if self.following is not None:
            self.following.wake()

    def on_loop(self, function: Callable[[], None]) -> None:
        """From another thread."""
        try:
            self._loop.call_soon_threadsafe(function)
        except RuntimeError:
            log.debug("the event loop is closed")

    def _resolve(self, replies: Sequence[Reply], news: Mapping[str, int]) -> None:
        for reply in replies:
            if reply.handle.done():
                continue
            if reply.error is not None:
                reply.handle.set_exception(reply.error)
            else:
                reply.handle.set_result(reply.answer)
        self.news.tell(news)
        if self.hints is not None:
            self.hints.publish(news)


async def _watch(store: Store, threads: Threads, teller: _LoopNotifier) -> None:
    """Ask the store again and again for what other processes have written."""
    while True:
        hinted = teller.hints is not None and teller.hints.live
        await asyncio.sleep(HINTED_SECONDS if hinted else WATCH_SECONDS)
        if not (games := teller.news.games):
            continue
        try:
            found = await threads.read(store.versions, games)
            teller.news.tell(found)
            teller.news.gone(game for game in games if game not in found)
        except ServiceError as error:
            log.warning("nothing is known of other processes: %s", error)


class Probe:
    """Whether the parts work. Of several who ask at the same time one alone asks the store."""

    def __init__(self, engine: Engine, store: Store, threads: Threads, office: Office) -> None:
        self._office = office
        self._engine = engine
        self._store = store
        self._threads = threads
        self._probing: asyncio.Future[dict[str, bool]] | None = None

    async def ready(self) -> dict[str, bool]:
        """As :meth:`Desk.ready`."""
        own = {"engine": self._engine.alive, "work": self._office.alive}
        if self._probing is None or self._probing.done():
            self._probing = asyncio.ensure_future(self._threads.read(self._asked))
        try:
            async with asyncio.timeout(READY_SECONDS):
                return {**own, **await asyncio.shield(self._probing)}
        except (TimeoutError, Stopping):
            return {**own, "store": False, "writable": False}

    def _asked(self) -> dict[str, bool]:
        recorder = self._store.recorder
        try:
            recorder.query("SELECT value FROM meta WHERE name = 'format'")
            return {"store": True, "writable": recorder.writable()}
        except ServiceError:
            return {"store": False, "writable": False}
