"""Counters and traces together, as the engine and the application tell them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import Context

from service.desk import Desk
from service.ops.metrics import Metrics
from service.ops.traces import Tracer
from service.play.watch import Fact, Watch


class Telemetry(Watch):
    """Hands on what the engine tells."""

    def __init__(self, metrics: Metrics, tracer: Tracer) -> None:
        self.metrics = metrics
        self.tracer = tracer

    def read(self, desk: Desk) -> None:
        """From now on a scrape shows how much waits at the desk."""

        if desk.store.found_behind:
            self.metrics.turns.inc()

        def behind() -> dict[str, float]:
            return {name: float(lag) for name, lag in desk.following.seen.items()}

        text = "Requests that wait for the engine."
        self.metrics.reading("decklog_engine_queue", text, lambda: float(desk.engine.waiting))
        text = "Events that a projection has yet to take in."
        self.metrics.readings("decklog_projection_lag_events", text, "projection", behind)
        text = "Deliveries of webhooks that wait."
        self.metrics.reading(
            "decklog_webhook_deliveries_waiting", text, lambda: float(desk.courier.waiting)
        )
        text = "Whether the clock jumped or is not the database's: nothing is done by time alone."
        self.metrics.reading("decklog_clock_suspended", text, lambda: float(desk.clock.suspended))
        text = "Games that are played no more here: rules came to no end, or a record is damaged."
        self.metrics.readings("decklog_games_frozen", text, "why", lambda: desk.engine.frozen)
        if (line := desk.line) is not None:
            text = "Whether Redis answers; without it only speed and common quotas suffer."
            self.metrics.reading("decklog_redis_up", text, lambda: float(line.up))

    def grouped(self, size: int) -> None:
        self.metrics.grouped(size)

    def stored(self, seconds: float, batches: int) -> None:
        self.metrics.stored(seconds, batches)

    def turned(self) -> None:
        self.metrics.turns.inc()

    def span(
        self, name: str, of: Sequence[Context] = (), **facts: Fact
    ) -> AbstractContextManager[object]:
        return self.tracer.span(name, of, facts)

    async def close(self) -> None:
        """Send the spans that wait."""
        await asyncio.to_thread(self.tracer.close)
