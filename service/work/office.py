"""Where the service hands in what is expensive: by this worker's own pool, or in line."""

from __future__ import annotations

import logging
from collections.abc import Callable

from ..errors import Damaged
from .outcomes import opened
from .tasks import Task, written
from .works import Spent, Works

log = logging.getLogger(__name__)


class Office:
    """Has tasks done. On the event loop; a task ends when who waits for it is cancelled."""

    def __init__(self, works: Works, damaged: Callable[[str], None]) -> None:
        """``damaged``: is told of a game that was found damaged."""
        self._works = works
        self._damaged = damaged

    @property
    def alive(self) -> bool:
        """Whether anything that is expensive can be done."""
        return self._works.alive

    async def do(self, task: Task, caller: str, spent: Spent) -> bytes:
        """What the task makes. ``caller``, ``spent``: as in :meth:`Works.do`.

        Raises Refusal, Refused, ServiceError, Overloaded, Stopping, and
        :class:`~.works.Exceeded`, a TimeoutError.
        """
        outcome = await self._works.do(written(task), type(task).budget, caller, spent)
        try:
            return opened(outcome)
        except Damaged:
            for game in task.games:
                log.exception("game %s is frozen", game)
                self._damaged(game)
            raise

    def forget(self) -> None:
        """Keep nothing of any game: the store is not what it was."""
        self._works.forget()

    async def stop(self) -> None:
        """End what is being done."""
        await self._works.stop()
