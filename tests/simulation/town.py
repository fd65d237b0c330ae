"""Workers on one database, the network between them and the people outside, and their hints."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from service.app import create_app
from service.desk import Desk, open_desk
from service.errors import ServiceError, StoreRefused
from service.news.hints import Tell
from service.settings import Settings
from service.webhooks.rows import Delivery, Secrets
from service.webhooks.sending import Outcome

from .ages import HOURS
from .database import Disk, Faulty, SimDatabase
from .kernel import Process, World, loop_of
from .redis import SimLine, SimRedis
from .seams import SimClock, SimEntropy, SimThreads

KEY = "11" * 32
AGAIN = 0.5
"""Seconds after which a worker that could not start is started again."""


class Said(NamedTuple):
    """An answer, from whatever level.

    status    of HTTP, also where nobody spoke HTTP
    code      of the problem; "" where it is done
    body      the bytes of the answer, the same at every repeat
    told      what the body says
    replayed  whether it says that it was given before
    """

    status: int
    code: str
    body: bytes
    told: Any
    replayed: bool = False


class Lost(Exception):
    """Nobody outside knows what became of the request."""


@dataclass
class Weather:
    """How likely what goes wrong is on the way between people, workers and receivers."""

    unsent: float = 0.0
    unanswered: float = 0.0
    unheard: float = 0.0
    doubled: float = 0.0
    late: float = 0.0
    unposted: float = 0.0

    def heal(self) -> None:
        self.__init__()  # type: ignore[misc]


class Plan(NamedTuple):
    """What the workers of a world are like.

    level     "desk": people call the desk itself; "app": the application over ASGI
    hinted    whether workers tell each other what they stored; else they look every 0.1 s
    hooks     whether they deliver webhooks
    quota     requests of a caller in a minute, counted in Redis (over ASGI alone); 0: as many as
              he likes
    days      for which is kept what nobody uses, in a world with nights; 0: there are none
    """

    level: str = "desk"
    workers: int = 2
    hinted: bool = True
    hooks: bool = False
    chain_length: int = 64
    cached_games: int = 1000
    grace: int = 5
    quota: int = 0
    days: int = 0


class SimHints:
    """What one worker tells the others: it may be lost, come twice, or late."""

    live = True

    def __init__(self, worker: Worker, tell: Tell) -> None:
        self._worker, self.tell = worker, tell

    def start(self) -> None:
        self._worker.hear = self.tell

    async def stop(self) -> None:
        self._worker.hear = None

    def publish(self, news: Mapping[str, int]) -> None:
        if not news:
            return
        for other in self._worker.town.workers:
            if other is not self._worker and other.hear is not None:
                self._send(other, dict(news))

    def _send(self, other: Worker, news: dict[str, int]) -> None:
        town, me = self._worker.town, self._worker.process.name
        world, weather = town.world, town.weather
        copies = 1 + (world.strikes(f"{me}/hint-doubled", weather.doubled) is not None)
        if world.strikes(f"{me}/hint-lost", weather.unheard) is not None:
            copies = 0
        for _ in range(copies):
            late = world.strikes(f"{me}/hint-late", weather.late)
            wait = town.latency() + (0.0 if late is None else late * 3)
            world.after(wait, lambda: other.told(news))


class Post:
    """What delivers webhooks: a receiver that writes everything down."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    async def send(self, delivery: Delivery, secrets: Secrets, now: datetime) -> Outcome:
        town, name = self._worker.town, self._worker.process.name
        await asyncio.sleep(town.latency())
        if town.world.strikes(f"{name}/post-refused", town.weather.unposted) is not None:
            return Outcome(503, "", 1)
        town.received.append((delivery.hook, delivery.message, delivery.type, delivery.seq))
        await asyncio.sleep(town.latency())
        if town.world.strikes(f"{name}/post-unanswered", town.weather.unposted) is not None:
            return Outcome(0, "timeout", 1)
        return Outcome(204, "", 1)

    async def close(self) -> None:
        """Nothing is open."""


async def resolve(host: str, port: int) -> list[str]:
    return ["93.184.215.14"]


def leaves(error: BaseException) -> list[BaseException]:
    """The errors of a group, which is what comes out of an application; or the one that it is."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in leaves(each)]
    return [error]


class Worker:
    """One process of the service, from its start to its death; then another takes its name.

    ready  whether it is up
    app    the application; None at the level of the desk
    hear   takes what other workers say
    """

    desk: Desk

    def __init__(self, town: Town, number: int) -> None:
        self.town, self.number = town, number
        self.process = Process(town.world, f"w{number}")
        self.process.jump = town.jumps[number]
        self.ready = False
        self.app: Any = None
        self.hear: Tell | None = None
        self.inflight: dict[Exchange, None] = {}
        self._leaving: asyncio.Future[None] | None = None
        self.loop = loop_of(self.process)
        self.loop.spawn(self._live())

    async def _live(self) -> None:
        self._leaving = self.loop.create_future()
        log, name = self.town.world.log, self.process.name
        try:
            async with self._opened() as desk:
                self.desk = desk if self.app is None else self.app.state.http.desk
                self.ready = True
                log(f"{name} ready")
                await self._leaving
                self.ready = False
        except Exception as error:
            known = all(isinstance(each, ServiceError | StoreRefused) for each in leaves(error))
            (log if known else self.town.world.fail)(f"{name} does not start: {error!r}")
        log(f"{name} has ended")
        self.kill()
        self.town.world.after(AGAIN, lambda: self.town.again(self.number))

    def _opened(self) -> AbstractAsyncContextManager[Any]:
        town, plan = self.town, self.town.plan
        settings = Settings(
            store="postgresql://sim/sim", key=KEY, chain_length=plan.chain_length,
            rate_limit=plan.quota, creation_limit=10_000,
            webhook_seconds=5.0 if plan.hooks else 0.0, log_level="CRITICAL", stream_limit=0,
            parallel_limit=0, cached_games=plan.cached_games, deadline_grace=plan.grace,
        )  # fmt: skip
        if plan.days:
            settings = replace(
                settings, idempotency_hours=HOURS, fork_days=plan.days,
                unplayed_days=plan.days, document_days=plan.days,
            )  # fmt: skip
        given: dict[str, Any] = {
            "connect": lambda _: town.database_of(self.process),
            "sender": Post(self),
            "hints": (lambda tell: SimHints(self, tell)) if plan.hinted else None,
            "entropy": SimEntropy(town.world),
            "threads": SimThreads(self.process),
            "resolving": resolve,
            "compared": True,
        }
        clock = SimClock(self.process)
        if plan.level == "desk":
            return open_desk(settings, town.games, clock, **given)
        if plan.quota:
            given["line"] = SimLine(town.redis, self.process)
        self.app = create_app(settings, town.games, clock, **given)
        opened: AbstractAsyncContextManager[Any] = self.app.lifespan()
        return opened

    def told(self, news: dict[str, int]) -> None:
        """Another worker says something."""
        if self.hear is not None and not self.process.dead:
            self.loop.call_soon(self.hear, news)

    def leave(self) -> None:
        """Stop as it is told to by its operator: finish what is under way, then go."""
        if self.ready and self._leaving is not None and not self._leaving.done():
            self.town.world.log(f"{self.process.name} is told to stop")
            self.loop.call_soon(self._leaving.set_result, None)
            self.ready = False

    def kill(self) -> None:
        if self.process.dead:
            return
        self.town.world.log(f"{self.process.name} dies")
        self.ready = False
        self.process.kill()
        self.town.world.keep(self)
        for exchange in list(self.inflight):
            exchange.broken()


Ask = Callable[["Exchange"], Awaitable[Said]]
"""What a worker does for a request, on its loop."""


class Exchange:
    """One request and its answer, between somebody outside and a worker.

    future  the answer; it raises Lost where none comes
    """

    def __init__(
        self, town: Town, worker: Worker, ask: Ask, chunk: Callable[[bytes], None] | None = None
    ) -> None:
        """``chunk`` gets what comes before the end of the answer."""
        self.town, self.worker, self._ask, self._chunk = town, worker, ask, chunk
        self.future: asyncio.Future[Said] = town.outside.create_future()
        self.gone: asyncio.Future[None] = worker.loop.create_future()
        self._task: asyncio.Task[None] | None = None
        self._over = False
        self._last = 0.0
        town.world.after(town.latency(), self._arrive)

    def _arrive(self) -> None:
        worker, world = self.worker, self.town.world
        lost = world.strikes(f"{worker.process.name}/request-lost", self.town.weather.unsent)
        if not worker.ready or lost is not None:
            self.broken()
            return
        worker.inflight[self] = None
        worker.loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._task = self.worker.loop.create_task(self._serve())

    async def _serve(self) -> None:
        try:
            said = await self._ask(self)
        except asyncio.CancelledError:
            return
        except Exception as error:
            self.town.world.fail(f"{self.worker.process.name}: a request failed: {error!r}")
            return
        finally:
            self.worker.inflight.pop(self, None)
        name = f"{self.worker.process.name}/answer-lost"
        if self.town.world.strikes(name, self.town.weather.unanswered) is not None:
            self.broken()
        elif not self._over:
            self._in_order(lambda: self._settle(said))

    def hear(self, data: bytes) -> None:
        """A piece of the answer, from the worker."""
        if data and not self._over:
            self._in_order(lambda: self._piece(data))

    def _in_order(self, do: Callable[[], None]) -> None:
        """What one connection carries does not overtake itself."""
        self._last = max(self._last + 1e-7, self.town.world.now + self.town.latency())
        self.town.world.at(self._last, do)

    def _piece(self, data: bytes) -> None:
        if self._chunk is not None and not self._over and not self.future.done():
            self._chunk(data)

    def broken(self) -> None:
        """The connection is."""
        self._over = True
        self.town.world.after(self.town.latency(), self._lose)

    def hang_up(self) -> None:
        """Whoever asked does not wait any longer."""
        self._over = True
        if not self.worker.process.dead:
            self.worker.loop.call_soon(self._leave)
        self._lose()

    def _leave(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)
        # An application is told by a message; who called the desk itself is no longer there.
        if self._task is not None and self.worker.app is None:
            self._task.cancel()

    def _settle(self, said: Said) -> None:
        if not self.future.done():
            self.future.set_result(said)

    def _lose(self) -> None:
        if not self.future.done():
            self.future.set_exception(Lost())


class Town:
    """The workers of a world, and all that is between them and the people.

    received  what receivers of webhooks were sent: hook, message, type, seq
    admitted  of each caller, when requests that counted came to a worker, and were answered
    slack     seconds that may lie between deciding on something and storing it
    """

    def __init__(self, world: World, games: Mapping[str, Any], plan: Plan) -> None:
        self.world, self.games, self.plan = world, dict(games), plan
        self.disk, self.faulty, self.weather = Disk(world), Faulty(), Weather()
        self.redis = SimRedis(world)
        self.admitted: dict[str, list[tuple[float, float]]] = {}
        self.slack = 0.0
        self.jumps = [0.0] * plan.workers
        self.received: list[tuple[str, str, str, int]] = []
        self.outside = loop_of(Process(world, "people"))
        self.workers: list[Worker] = []
        for number in range(plan.workers):
            self.workers.append(Worker(self, number))

    def database_of(self, process: Process) -> SimDatabase:
        return SimDatabase(self.disk, process, self.faulty)

    def latency(self) -> float:
        return 1e-4 + self.world.fate.random() * 2e-3

    def again(self, number: int) -> None:
        """Start a worker in place of one that is dead."""
        if self.workers[number].process.dead:
            self.workers[number] = Worker(self, number)

    def call(self, number: int, ask: Ask, chunk: Callable[[bytes], None] | None = None) -> Exchange:
        """A request to the worker of that number."""
        return Exchange(self, self.workers[number], ask, chunk)
