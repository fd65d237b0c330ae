"""What is expensive, for a request: it ends with the request, and is charged to who asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from service.http.streams import gone
from service.work.office import Office
from service.work.tasks import Task

T = TypeVar("T")


class HungUp(TimeoutError):
    """Nobody is there any more to be answered."""


async def worked(
    office: Office, scope: Any, receive: Any, task: Task, charge: Callable[[float], object]
) -> bytes:
    """What the task makes, for as long as the client is there.

    charge  is told the CPU seconds that it took
    Raises what :meth:`Office.do` raises, :class:`HungUp`.
    """
    return await _while_there(receive, office.do(task, scope["decklog.origin"], charge))


async def _while_there(receive: Any, work: Awaitable[T]) -> T:
    doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone(receive))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise HungUp
        return doing.result()
    finally:
        for each in (doing, leaving):
            each.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)
