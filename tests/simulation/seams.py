"""What the service takes of the world outside, as a simulated process has it.

All of it is given to ``open_desk`` or ``create_app`` as the service takes it: clock, entropy and
threads here, the database in database.py, hints and the sender of webhooks in town.py. Nothing is
replaced from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from datetime import UTC, datetime, timedelta
from typing import Any

from service.threads import Event, Lock, Queue, Thread

from . import kernel
from .kernel import Process, World

START = datetime(2026, 1, 1, tzinfo=UTC)
"""The date at which every world begins, by a clock that is right."""


def right(world: World) -> datetime:
    """The time by a clock that is right."""
    return START + timedelta(seconds=world.now - kernel.BEGINNING)


class SimClock:
    """A process's clock: the world's time, and how wrong the process has it."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def now(self) -> datetime:
        return right(self._process.world) + timedelta(seconds=self._process.jump)

    def monotonic(self) -> float:
        return self._process.world.now

    def offset(self) -> float:
        """The time less :meth:`monotonic`: another where somebody has set the clock."""
        return self.now().timestamp() - self.monotonic()


class SimEntropy:
    """Bytes of the world's seed."""

    def __init__(self, world: World) -> None:
        self._world = world

    def draw(self, count: int) -> bytes:
        return self._world.entropy.randbytes(count)


class SimThreads:
    """Greenlets of one process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def thread(self, work: Callable[[], Any], name: str) -> Thread:
        return kernel.Thread(self._process, work, name)

    def pool(self, many: int, name: str) -> Executor:
        return kernel.Pool(self._process, many, name)

    def lock(self) -> Lock:
        return kernel.Lock(self._process.world)

    def event(self) -> Event:
        return kernel.Event(self._process.world)

    def queue(self) -> Queue[Any]:
        return kernel.Queue(self._process.world)
