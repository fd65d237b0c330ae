"""Delivers what waits: at least once, in order for each webhook, by one worker at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from ..clock import SteadyClock, stamp
from ..errors import ServiceError
from ..store.box import WrongKey
from ..store.store import Conflict, Store
from . import rows
from .rows import Attempt, Delivery
from .sending import GONE, MessageSender, Outcome

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
"""How often the store is asked for what has become due."""

AT_ONCE = 32
"""Deliveries that are under way at the same time."""

DELAYS = (5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 28_800)
"""Seconds between one attempt and the next; the last one stands for all that follow."""

PERSISTENCE = timedelta(hours=24)
"""So long after a message was made it is tried for the last time; never before the second."""

SPARE_SECONDS = 20
"""Longer than an attempt takes: after that another worker may try."""

Read = Callable[..., Awaitable[Any]]


class Courier:
    """Runs on the event loop from ``start`` to ``stop``.

    waiting  deliveries that waited at the latest look, at whatever worker
    given_up  messages that this worker will not try to deliver any more
    """

    def __init__(
        self, store: Store, clock: SteadyClock, sender: MessageSender, read: Read, seconds: float
    ) -> None:
        """``seconds`` that an attempt may take; ``read`` runs a function on another thread."""
        self._store = store
        self._clock = clock
        self._sender = sender
        self._read = read
        self._lease = timedelta(seconds=seconds + SPARE_SECONDS)
        self._woken = asyncio.Event()
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self.waiting = self.given_up = 0

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """There may be something to send. On the event loop."""
        self._woken.set()

    async def stop(self) -> None:
        """Let what is under way be finished; what waits is sent after the next start."""
        self._stopping = True
        self.wake()
        if self._task is not None:
            await self._task
        if self._busy:
            await asyncio.wait(self._busy.values())
        await self._sender.close()

    async def _run(self) -> None:
        while not self._stopping:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), POLL_SECONDS)
            self._woken.clear()
            try:
                await self._look()
            except ServiceError as error:
                log.warning("webhooks are not delivered now: %s", error)
            except Exception:
                log.exception("delivering webhooks failed")

    async def _look(self) -> None:
        if self._stopping or self._clock.suspended:
            return
        self.waiting = await self._read(rows.waiting, self._store.recorder)
        now = self._clock.now()
        free = AT_ONCE - len(self._busy)
        found = await self._read(rows.due, self._store.recorder, stamp(now), AT_ONCE)
        for delivery in [each for each in found if each.id not in self._busy][:free]:
            if self._stopping:  # what is begun now the stop would wait for
                return
            if await self._claimed(delivery, now):
                task = asyncio.create_task(self._deliver(delivery))
                self._busy[delivery.id] = task
                task.add_done_callback(lambda _, id=delivery.id: self._done(id))  # type: ignore[misc]

    def _done(self, id: str) -> None:
        self._busy.pop(id, None)
        self.wake()

    async def _claimed(self, delivery: Delivery, now: datetime) -> bool:
        guard = rows.claim(delivery.id, stamp(now), stamp(now + self._lease))
        taken: bool = await self._read(self._store.recorder.exchange, [guard], [])
        return taken

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            await self._attempt(delivery)
        except (ServiceError, Conflict) as error:
            # Sent, perhaps, and not recorded: it is sent again when the claim has run out.
            log.warning("a delivery was not recorded: %s", error)
        except WrongKey:
            log.exception("a webhook's secrets do not open")

    async def _attempt(self, delivery: Delivery) -> None:
        secrets = await self._read(
            rows.secrets_of, self._store.recorder, self._store.box, delivery.hook
        )
        if secrets is None:
            return
        begun = self._clock.now()
        if secrets.former_until <= stamp(begun):
            secrets = rows.without_former(secrets)
        outcome = await self._sender.send(delivery, secrets, begun)
        attempt = Attempt(
            delivery.tries + 1, stamp(begun), outcome.status, outcome.error, outcome.millis
        )
        state, due = verdict(delivery, outcome, self._clock.now())
        statements = rows.settlement(delivery, attempt, state, due)
        if outcome.status == GONE:
            statements += rows.ending(delivery.hook)
        await self._read(self._store.recorder.put, (), statements)
        self.given_up += state == rows.FAILED


def verdict(delivery: Delivery, outcome: Outcome, now: datetime) -> tuple[str, str]:
    """What becomes of a delivery after an attempt, and when it is tried again."""
    if outcome.delivered:
        return rows.DELIVERED, stamp(now)
    last = datetime.fromisoformat(delivery.made) + PERSISTENCE
    if outcome.status == GONE or (now >= last and delivery.tries):
        return rows.FAILED, stamp(now)
    again = now + timedelta(seconds=DELAYS[min(delivery.tries, len(DELAYS) - 1)])
    return rows.WAITING, stamp(again if now >= last else min(again, last))
