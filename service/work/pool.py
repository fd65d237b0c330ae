"""A pool of processes that do tasks, each bounded, and ended when nobody waits for it any more.

On the event loop it is decided whose turn it is; a thread for each process talks to it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict, deque

import msgspec

from ..clock import SYSTEM, Clock
from ..errors import Overloaded, ServiceError, Stopping
from ..store.source import Source
from ..threads import SYSTEM as THREADS
from ..threads import MakesThreads
from .asking import handed
from .nursery import Child, Nursery
from .worker import ASKS, ENDS, SORRY, Ended, Given
from .works import Exceeded, Spent

log = logging.getLogger(__name__)

MOST_WAITING = 256
"""Tasks that may wait for a process, of all callers together."""


class Turn:
    """A task of somebody who waits for it. Changed on the event loop alone.

    began  when a process took it; None before
    over   its process is free for another one
    """

    def __init__(self, given: Given, caller: str) -> None:
        self.given = given
        self.caller = caller
        self.future: asyncio.Future[Ended] = asyncio.get_running_loop().create_future()
        self.place: Place | None = None
        self.began: float | None = None
        self.over = False


class Place:
    """Room for one process; ``child`` is None until the first task, and after its end by force."""

    def __init__(self) -> None:
        self.child: Child | None = None
        self.stale = False
        """The process is not fit for another task; set on any thread where the store turned."""


class Pool:
    """``many`` processes, which are made when they are needed.

    No caller has all of them at the same time, if there is more than one.
    """

    def __init__(
        self,
        nursery: Nursery,
        source: Source,
        many: int,
        threads: MakesThreads = THREADS,
        clock: Clock = SYSTEM,
    ) -> None:
        self._nursery = nursery
        self._source = source
        self._monotonic = clock.monotonic
        self._each = max(1, many - 1)
        self._places = [Place() for _ in range(many)]
        self._idle = deque(self._places)
        self._waiting: OrderedDict[str, deque[Turn]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._talking = threads.pool(many, "decklog-work")
        self._ending = threads.pool(1, "decklog-work-end")
        self._one_at_a_time = threads.lock()
        self._stopping = False

    @property
    def alive(self) -> bool:
        """As :attr:`~.works.Works.alive`."""
        return self._nursery.alive

    async def do(self, task: bytes, budget: float, caller: str, spent: Spent) -> bytes:
        """As :meth:`~.works.Works.do`."""
        if self._stopping:
            raise Stopping("The service is stopping: try again in a moment.")
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            raise Overloaded("Too many others ask for such work: try again in a second.")
        turn = Turn(Given(task, budget), caller)
        self._waiting.setdefault(caller, deque()).append(turn)
        self._go_on()
        seconds: float | None = None
        try:
            ended = await turn.future
            seconds = ended.seconds
            return ended.outcome
        except Exceeded:
            seconds = budget
            raise
        finally:
            if seconds is None:
                seconds = self._abandon(turn)
            spent(seconds)

    def forget(self) -> None:
        """As :meth:`~.works.Works.forget`: whoever is at work now is the last of its process."""
        for place in self._places:
            place.stale = True

    async def stop(self) -> None:
        """As :meth:`~.works.Works.stop`."""
        self._stopping = True
        for turns in self._waiting.values():
            for turn in turns:
                turn.future.cancel()
        self._waiting.clear()
        for place in self._places:
            if place.child is not None:
                await self._end(place.child)
        await asyncio.to_thread(self._talking.shutdown)
        for place in self._idle:
            self._retire(place)
        await asyncio.to_thread(self._ending.shutdown)

    # On the event loop

    def _go_on(self) -> None:
        while self._idle and (turn := self._next()) is not None:
            place = turn.place = self._idle.popleft()
            if place.stale:
                self._retire(place)
            turn.began = self._monotonic()
            self._running[turn.caller] += 1
            loop = asyncio.get_running_loop()
            talk = loop.run_in_executor(self._talking, self._talk, place, turn.given)
            talk.add_done_callback(lambda done, turn=turn: self._over(turn, done))  # type: ignore[misc]

    def _next(self) -> Turn | None:
        """Of the callers one after the other; who has his share already waits."""
        for caller in list(self._waiting):
            if self._running[caller] >= self._each:
                continue
            turns = self._waiting.pop(caller)
            turn = turns.popleft()
            if turns:
                self._waiting[caller] = turns
            return turn
        return None

    def _over(self, turn: Turn, done: asyncio.Future[Ended]) -> None:
        place = turn.place
        assert place is not None, "a task that ends has begun somewhere"
        self._running -= Counter([turn.caller])
        turn.over = True
        error = done.exception()
        if not turn.future.done():
            if error is not None:
                turn.future.set_exception(error)
            else:
                turn.future.set_result(done.result())
        if place.stale or (error is None and done.result().full):
            self._retire(place)
        self._idle.append(place)
        if not self._stopping:
            self._go_on()

    def _abandon(self, turn: Turn) -> float:
        """Nobody waits for it any more: it ends at once. How long it has been at work."""
        if turn.began is None or turn.place is None:
            turns = self._waiting.get(turn.caller)
            if turns is not None and turn in turns:
                turns.remove(turn)
                if not turns:
                    del self._waiting[turn.caller]
            return 0.0
        if turn.future.cancelled() and not turn.over:
            turn.place.stale = True
            if turn.place.child is not None:
                self._end(turn.place.child)
        return min(turn.given.budget, self._monotonic() - turn.began)

    def _retire(self, place: Place) -> None:
        place.stale = False
        child, place.child = place.child, None
        if child is not None:
            child.line.close()
            self._end(child)

    def _end(self, child: Child) -> asyncio.Future[None]:
        return asyncio.get_running_loop().run_in_executor(self._ending, self._kill, child)

    # On other threads

    def _kill(self, child: Child) -> None:
        with self._one_at_a_time:
            self._nursery.end(child.pid)

    def _talk(self, place: Place, given: Given) -> Ended:
        """A task from its begin to its end; raises :class:`Exceeded` where the process ended."""
        try:
            child = place.child = place.child or self._born()
        except OSError as error:
            log.error("no process can be had for what is expensive: %s", error)
            raise Overloaded("Nothing can be worked out now: try again in a moment.") from None
        try:
            child.line.send_bytes(msgspec.msgpack.encode(given))
            while (message := child.line.recv_bytes()).startswith(ASKS):
                child.line.send_bytes(self._answer(message[len(ASKS) :]))
            return msgspec.msgpack.decode(message[len(ENDS) :], type=Ended)
        except (EOFError, OSError):
            place.child = None
            self._kill(child)
            child.line.close()
            raise Exceeded(f"stopped; it had {given.budget:.0f} CPU seconds") from None

    def _born(self) -> Child:
        with self._one_at_a_time:
            return self._nursery.child()

    def _answer(self, question: bytes) -> bytes:
        try:
            return ENDS + handed(self._source, question)
        except ServiceError as error:
            return SORRY + error.hint.encode()
