"""Threads come from one place, and what they wait by: a simulation gives threads of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Thread(Protocol):
    """One line of work."""

    def start(self) -> None: ...
    def join(self) -> None: ...
    def is_alive(self) -> bool: ...


class Lock(AbstractContextManager[bool], Protocol):
    """Held by one at a time."""

    def acquire(self, blocking: bool = True) -> bool: ...
    def release(self) -> None: ...


class Event(Protocol):
    """Something that happens once, until it is cleared."""

    def is_set(self) -> bool: ...
    def set(self) -> None: ...
    def clear(self) -> None: ...
    def wait(self, timeout: float | None = None) -> bool: ...


class Queue(Protocol[T]):
    """First in, first out. Both ways of getting raise Empty."""

    def put(self, item: T) -> None: ...
    def get(self, *, timeout: float) -> T: ...
    def get_nowait(self) -> T: ...
    def qsize(self) -> int: ...


class MakesThreads(Protocol):
    """Makes whatever runs beside the event loop, and whatever waits for it."""

    def thread(self, work: Callable[[], Any], name: str) -> Thread:
        """A thread that has not begun, and does not keep the program from ending."""
        ...

    def pool(self, many: int, name: str) -> Executor:
        """So many threads for whatever is handed to them."""
        ...

    def lock(self) -> Lock: ...
    def event(self) -> Event: ...
    def queue(self) -> Queue[Any]: ...


class SystemThreads:
    """Threads of the operating system."""

    def thread(self, work: Callable[[], Any], name: str) -> Thread:
        return threading.Thread(target=work, name=name, daemon=True)

    def pool(self, many: int, name: str) -> Executor:
        return ThreadPoolExecutor(many, name)

    def lock(self) -> Lock:
        return threading.Lock()

    def event(self) -> Event:
        return threading.Event()

    def queue(self) -> Queue[Any]:
        return SimpleQueue()


def this_thread() -> int:
    """The number of the thread that asks, by which CPython knows it."""
    return threading.get_ident()


def effort(thread: int) -> float:
    """CPU seconds that a thread which is alive has used; 0 where the system does not tell."""
    clock = getattr(time, "pthread_getcpuclockid", None)
    return 0.0 if clock is None else time.clock_gettime(clock(thread))


SYSTEM = SystemThreads()
"""What is asked where nobody gives another one."""

__all__ = [
    "SYSTEM", "Empty", "Event", "Lock", "MakesThreads", "Queue", "SystemThreads", "Thread",
    "effort", "this_thread",
]  # fmt: skip
