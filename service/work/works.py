"""Who does the tasks: the seam between the service and its workers, and the one that is in line."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from .outcomes import made, refused
from .tasks import SHORT, Materials, done

Spent = Callable[[float], object]
"""Is told, once, how many CPU seconds a task took, whatever became of it."""


class Works(Protocol):
    """Does tasks. On the event loop; who is cancelled while it waits has its task stopped."""

    @property
    def alive(self) -> bool:
        """Whether there is, or can be had, somebody who does them."""
        ...

    async def do(self, task: bytes, budget: float, caller: str, spent: Spent) -> bytes:
        """What becomes of it (:mod:`.outcomes`).

        budget  CPU seconds that it may take
        caller  whose turn it takes: one who asks for much waits behind himself alone
        Raises Overloaded, Stopping, :class:`Exceeded`.
        """
        ...

    def forget(self) -> None:
        """Keep nothing of any game: the store is not what it was."""
        ...

    async def stop(self) -> None:
        """End what is being done, and take no more."""
        ...


class Exceeded(TimeoutError):
    """The task took more time or memory than it may, and was stopped."""


def outcome(task: bytes, materials: Materials) -> bytes:
    """What becomes of a task: refusals and faults are outcomes, too. Raises MemoryError."""
    try:
        return made(done(task, materials))
    except MemoryError:
        raise
    except Exception as error:
        return refused(error)


class InLine:
    """Does tasks in this process, on its threads: for tests, and where no process can be forked.

    Nothing bounds a task once it has begun, it cannot be stopped, and its time is not measured: the
    same requests are answered by the same bytes each time.
    """

    def __init__(self, materials: Materials, read: Callable[..., Awaitable[Any]]) -> None:
        """``read``: calls a function on a thread. The views are the service's own."""
        self._materials = materials
        self._read = read

    @property
    def alive(self) -> bool:
        """As :attr:`Works.alive`."""
        return True

    async def do(self, task: bytes, budget: float, caller: str, spent: Spent) -> bytes:
        """As :meth:`Works.do`."""
        spent(0.0)
        found: bytes = await self._read(outcome, task, self._materials, dig=budget > SHORT)
        return found

    def forget(self) -> None:
        """Who keeps the views forgets them."""

    async def stop(self) -> None:
        """What the threads are at is finished with them."""
