"""One order, one time, one seed: threads, event loops and processes of a simulated world.

Every thread of the service is a greenlet, and the hub wakes one at a time in an order that the seed
gives. Time is virtual: it goes on where everybody waits, and by what a step is said to cost. A
process that was killed is never woken again: nothing of it runs, no ``finally``, no destructor.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import random
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any
from zlib import crc32

from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]

from service.threads import Empty

STEP = 20e-6
"""Virtual seconds that a step of an event loop takes."""

SWITCH = 5e-6
"""Virtual seconds between waking a thread and its going on."""

BEGINNING = 1000.0
"""Where the virtual time of a world begins."""

Do = Callable[[], object]


class World:
    """The hub.

    order, fate, entropy, play  four streams of chance, so that one more draw of the one does not
             move what the others give: who goes first, what goes wrong, secrets, what people do
    allowed  the harms that may happen, by name; None: whatever the seed gives
    harms    those that did happen, in order
    faults   what was found wrong; the world ends with the first
    slept    seconds that went by at once
    path     a check sum of every step: which thread went on, and when
    """

    def __init__(
        self, seed: int, *, allowed: frozenset[str] | None = None, keep: bool = False
    ) -> None:
        self.seed = seed
        self.order = random.Random(f"{seed}/order")
        self.fate = random.Random(f"{seed}/fate")
        self.entropy = random.Random(f"{seed}/entropy")
        self.play = random.Random(f"{seed}/play")
        self.allowed = allowed
        self.now = BEGINNING
        self.slept = 0.0
        self.steps = 0
        self.path = 0
        self.hub = getcurrent()
        self.current: Thread | None = None
        self.lines: list[str] | None = [] if keep else None
        self.digest = hashlib.sha256()
        self.harms: list[str] = []
        self.faults: list[str] = []
        self.dead: list[object] = []
        self._sites: dict[str, int] = {}
        self._heap: list[tuple[float, float, int, Do]] = []
        self._count = 0

    @property
    def over(self) -> bool:
        return bool(self.faults)

    @property
    def awake(self) -> float:
        """The time without what went by at once."""
        return self.now - self.slept

    def at(self, when: float, do: Do) -> None:
        """Do it then; of what is due at one moment chance takes one first."""
        self._count += 1
        heapq.heappush(self._heap, (max(when, self.now), self.order.random(), self._count, do))

    def after(self, seconds: float, do: Do) -> None:
        self.at(self.now + seconds, do)

    def leap(self, seconds: float) -> None:
        """So much time goes by, and what was to happen in it happens after it, in its order."""
        self.now += seconds
        self.slept += seconds
        self.log(f"{seconds:.0f} s go by")

    def log(self, what: str) -> None:
        """A line of the world's log, which two runs of one seed have in common to the byte."""
        line = f"{self.now:.6f} {what}"
        self.digest.update(line.encode() + b"\n")
        if self.lines is not None:
            self.lines.append(line)

    def strikes(self, site: str, chance: float) -> float | None:
        """Whether harm is done here and now: a number below 1, to make more of; or None.

        Every site has a numbered row of fates of its own. So harm that is left out changes nothing
        of what the rest would be, and a world that fails can be made small.
        """
        if chance <= 0.0:
            return None
        number = self._sites[site] = self._sites.get(site, 0) + 1
        drawn = random.Random(f"{self.seed}/{site}/{number}").random()
        name = f"{site}#{number}"
        if drawn >= chance or (self.allowed is not None and name not in self.allowed):
            return None
        self.harms.append(name)
        self.log(f"harm {name}")
        return drawn / chance

    def fail(self, what: str) -> None:
        self.log(f"FAULT {what}")
        self.faults.append(what)

    def keep(self, what: object) -> None:
        """Never let go of it: a greenlet or a coroutine that is collected runs its ``finally``."""
        self.dead.append(what)

    def run(self, until: float) -> None:
        """Whatever is due up to then, or up to the first fault."""
        heap = self._heap
        while heap and not self.faults and heap[0][0] <= until:
            when, _, _, do = heapq.heappop(heap)
            self.now = max(self.now, when)
            self.steps += 1
            do()
        if not self.faults:
            self.now = max(self.now, until)


class Process:
    """What dies, stands still and has a wrong clock as a whole.

    standing  until when it stands still
    jump      seconds by which its clock is wrong
    """

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.dead = False
        self.standing = 0.0
        self.jump = 0.0

    def kill(self) -> None:
        self.dead = True
        self.world.keep(self)


class Thread:
    """One line of work of a process, as ``service.threads`` knows it.

    loop  the event loop that runs on it, if one does
    turn  counts its waits, so that who wakes it up late wakes up nothing
    """

    def __init__(self, process: Process, work: Do, name: str) -> None:
        self.process, self.world, self.name = process, process.world, name
        self.loop: Loop | None = None
        self.turn = 0
        self._mark = f"{process.name}/{name}".encode()
        self._work = work
        self._greenlet = greenlet(self._main, self.world.hub)
        self._begun = self._done = False
        self._joining: list[tuple[Thread, int]] = []

    def start(self) -> None:
        self._begun = True
        self.world.keep(self)
        self.world.after(0.0, self._go)

    def is_alive(self) -> bool:
        return self._begun and not self._done

    def join(self) -> None:
        if self.is_alive():
            me = here(self.world)
            self._joining.append((me, me.turn + 1))
            me.wait()

    def _main(self) -> None:
        try:
            self._work()
        except Exception as error:
            self.world.fail(f"{self.process.name}/{self.name} died: {error!r}")
        self._done = True
        for thread, turn in self._joining:
            thread.wake(turn)

    def _go(self) -> None:
        process, world = self.process, self.world
        if process.dead:
            return
        if process.standing > world.now:
            world.at(process.standing, self._go)
            return
        world.current = self
        world.path = crc32(b"%d %s" % (int(world.now * 1e9), self._mark), world.path)
        if self.loop is None:
            self._greenlet.switch()
        else:
            events._set_running_loop(self.loop)
            self._greenlet.switch()
            events._set_running_loop(None)
        world.current = None

    # --- for the thread itself ---

    def sleep(self, seconds: float) -> None:
        self.world.after(seconds, self._go)
        self.world.hub.switch()

    def wait(self, timeout: float | None = None) -> None:
        """Until somebody wakes this very wait, or its time is over."""
        self.turn += 1
        if timeout is not None:
            turn = self.turn
            self.world.after(timeout, lambda: self._due(turn))
        self.world.hub.switch()

    def _due(self, turn: int) -> None:
        if turn == self.turn:
            self.turn += 1
            self._go()

    def wake(self, turn: int) -> None:
        """End the wait of that number, if it still lasts. From anywhere."""
        if turn == self.turn:
            self.turn += 1
            self.world.after(SWITCH, self._go)


def here(world: World) -> Thread:
    """The thread that is at work now."""
    assert world.current is not None, "only a thread of the world can wait"
    return world.current


class Waiting:
    """Threads that wait for something, in the order in which they came."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._threads: deque[tuple[Thread, int]] = deque()

    def wait(self, timeout: float | None = None) -> None:
        me = here(self.world)
        entry = (me, me.turn + 1)
        self._threads.append(entry)
        me.wait(timeout)
        if entry in self._threads:
            self._threads.remove(entry)

    def wake_one(self) -> None:
        if self._threads:
            thread, turn = self._threads.popleft()
            thread.wake(turn)

    def wake_all(self) -> None:
        for _ in range(len(self._threads)):
            self.wake_one()


class Lock:
    """Held by one thread at a time."""

    def __init__(self, world: World) -> None:
        self._held = False
        self._waiting = Waiting(world)

    def acquire(self, blocking: bool = True) -> bool:
        while self._held:
            if not blocking:
                return False
            self._waiting.wait()
        self._held = True
        return True

    def release(self) -> None:
        self._held = False
        self._waiting.wake_one()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()


class Event:
    """Something that happens once, until it is cleared."""

    def __init__(self, world: World) -> None:
        self._set = False
        self._waiting = Waiting(world)

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        self._waiting.wake_all()

    def clear(self) -> None:
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        if not self._set:
            self._waiting.wait(timeout)
        return self._set


class Queue:
    """First in, first out. Both ways of getting raise Empty."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._items: deque[Any] = deque()
        self._waiting = Waiting(world)

    def put(self, item: Any) -> None:
        self._items.append(item)
        self._waiting.wake_one()

    def get(self, *, timeout: float) -> Any:
        until = self._world.now + timeout
        while not self._items:
            if self._world.now >= until:
                raise Empty
            self._waiting.wait(until - self._world.now)
        return self._items.popleft()

    def get_nowait(self) -> Any:
        if not self._items:
            raise Empty
        return self._items.popleft()

    def qsize(self) -> int:
        return len(self._items)


FOR_EVER = 1e12


class Pool(Executor):
    """So many threads for whatever is handed to them; made when they are needed."""

    def __init__(self, process: Process, many: int, name: str) -> None:
        self._process, self._many, self._name = process, many, name
        self._queue = Queue(process.world)
        self._threads: list[Thread] = []
        self._idle = 0
        self._shut = False

    def hand_in(self, work: Do) -> None:
        """Raises RuntimeError after the end, as the library's pools do."""
        if self._shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if len(self._threads) < self._many and not self._idle:
            thread = Thread(self._process, self._run, f"{self._name}_{len(self._threads)}")
            self._threads.append(thread)
            thread.start()
        self._queue.put(work)

    def _run(self) -> None:
        while True:
            self._idle += 1
            work = self._queue.get(timeout=FOR_EVER)
            self._idle -= 1
            if work is None:
                return
            work()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if not self._shut:
            self._shut = True
            for _ in self._threads:
                self._queue.put(None)
        for thread in self._threads:
            thread.join()


class Loop(asyncio.AbstractEventLoop):
    """An event loop of one process, on a thread of its own: first in, first out, as asyncio's."""

    def __init__(self, process: Process) -> None:
        self.process, self._world = process, process.world
        self._ready: deque[asyncio.Handle] = deque()
        self._idle = False
        self._pool = Pool(process, 4, "asyncio")
        # Kept, or the collector would run the ``finally`` of a process that is dead.
        self._tasks: list[asyncio.Task[Any]] = []
        self._living = 100
        self._thread = Thread(process, self._run, "loop")
        self._thread.loop = self
        self._thread.start()

    def _run(self) -> None:
        thread, ready = self._thread, self._ready
        while True:
            while ready:
                handle = ready.popleft()
                if not handle.cancelled():
                    handle._run()
                    del handle
                    thread.sleep(STEP)
            self._idle = True
            thread.wait()
            self._idle = False

    def _add(self, handle: asyncio.Handle) -> None:
        self._ready.append(handle)
        if self._idle:
            self._idle = False
            self._thread.wake(self._thread.turn)

    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._add(handle)
        return handle

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._world.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._world.at(when, lambda: self._due(handle))
        return handle

    def _due(self, handle: asyncio.TimerHandle) -> None:
        if not handle.cancelled() and not self.process.dead:
            self._add(handle)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Asyncio tells its loop of it; here a cancelled one is passed over when it is due."""

    def time(self) -> float:
        return self._world.now

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Any = None
    ) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        if len(self._tasks) > 2 * self._living:
            self._tasks = [each for each in self._tasks if not each.done()]
            self._living = max(self._living, len(self._tasks))
        return task

    def look_after(self) -> None:
        """Let go of the tasks that are done: what one failed with, and nobody asked, is told."""
        self._tasks = [each for each in self._tasks if not each.done()]

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """A task, from outside of the loop."""
        self.call_soon(self.create_task, work)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Any, *args: Any
    ) -> asyncio.Future[Any]:
        """What the function gives, on a thread of the pool."""
        future = self.create_future()

        def work() -> None:
            try:
                self.call_soon(_answered, future, func(*args))
            except Exception as error:
                self.call_soon(_refused, future, error)

        pool = self._pool if executor is None else executor
        pool.hand_in(work)
        return future

    def get_task_factory(self) -> None:
        """There is none."""

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """What nobody looked at in the service is a fault of it."""
        if (error := context.get("exception")) is not None:
            self._world.fail(f"{self.process.name}: {context['message']}: {error!r}")
        else:
            self._world.log(f"{self.process.name}: {context['message']}")


def loop_of(process: Process) -> Loop:
    """A loop for the process. Of what asyncio's loops can do it has what the service uses."""
    return Loop(process)  # type: ignore[abstract]


def _answered(future: asyncio.Future[Any], answer: Any) -> None:
    if not future.done():
        future.set_result(answer)


def _refused(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
