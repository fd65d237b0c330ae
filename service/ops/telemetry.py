"""Counters and traces together, as the engine and the application tell them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import Context

from service.build import commit, service_version
from service.desk import Desk
from service.ops.measures import Measures
from service.ops.metrics import Metrics
from service.ops.traces import Tracer
from service.play.watch import Fact, Watch
from service.settings import Settings
from service.store.schema import FORMAT


def _one(told: Mapping[str, float], name: str) -> dict[str, float]:
    """The figure alone, without a label; nothing where it is not known."""
    return {"": told[name]} if name in told else {}


def _unsigned(desk: Desk) -> dict[str, float]:
    """Nothing where no public log is kept."""
    return {} if desk.public_log is None else {"": desk.public_log.waiting.seconds}


def _uncosigned(desk: Desk) -> dict[str, float]:
    """Nothing where no witness is asked."""
    found = None if desk.public_log is None else desk.public_log.uncosigned
    return {} if found is None else {"": found}


def _unstamped(desk: Desk) -> dict[str, float]:
    """Nothing where no time-stamping authority is asked."""
    found = None if desk.public_log is None else desk.public_log.unstamped
    return {} if found is None else {"": found}


def _beaconless(desk: Desk) -> float:
    """Of the round that is missed longest; 0 where no game waits for one."""
    return 0.0 if desk.timekeeper.beacons is None else desk.timekeeper.beacons.waiting


STEP = 1 << 24
"""Bytes of a step in which sizes are told to whoever may look: an exact one would tell how long the
last hidden order was, and with it something of what is in it."""


def stepped(sizes: Mapping[str, float]) -> dict[str, float]:
    """Sizes in whole steps, upwards."""
    return {name: float(-(-size // STEP) * STEP) for name, size in sizes.items()}


Figure = tuple[str, str, Callable[[], Mapping[str, float]]]
"""A gauge's name, what it says, and what reads it."""


def _of_the_store(measures: Measures) -> tuple[Figure, ...]:
    """What is told of the store and of the archive beside it."""
    return (
        (
            "store_bytes",
            "Bytes of the store, in steps of 16 MiB.",
            lambda: stepped(_one(measures.store, "bytes")),
        ),
        (
            "store_events",
            "Events that the store was given: those of archived and deleted games count, too.",
            lambda: _one(measures.store, "events"),
        ),
        (
            "archived_games",
            "Games that have left the table of events for a file each.",
            lambda: _one(measures.store, "games"),
        ),
        (
            "archived_bytes",
            "Bytes of their files, in steps of 16 MiB.",
            lambda: stepped(_one(measures.store, "size")),
        ),
        (
            "store_archived_timestamp_seconds",
            "When PostgreSQL last archived a part of its log, since 1970.",
            lambda: _one(measures.archive, "timestamp"),
        ),
        (
            "unopened_seconds",
            "Seconds for which the game that has waited longest for its master has been seen.",
            lambda: _one(measures.unopened, "seconds"),
        ),
    )


def _of_the_backups(measures: Measures) -> tuple[Figure, ...]:
    """What is told of the copies."""
    return (
        (
            "backup_timestamp_seconds",
            "When the last whole backup was made, since 1970.",
            lambda: _one(measures.backup, "timestamp"),
        ),
        (
            "backup_bytes",
            "Bytes of the last whole backup, in steps of 16 MiB.",
            lambda: stepped(_one(measures.backup, "bytes")),
        ),
        (
            "backup_whole",
            "Whether the last attempt came to a whole backup.",
            lambda: _one(measures.backup, "whole"),
        ),
        (
            "backup_drill_timestamp_seconds",
            "When a copy was last restored and played on, since 1970.",
            lambda: _one(measures.drill, "timestamp"),
        ),
        (
            "backup_drill_succeeded",
            "Whether the last such drill has passed.",
            lambda: _one(measures.drill, "succeeded"),
        ),
        (
            "backup_shadow_timestamp_seconds",
            "Up to when all that was committed is in the second folder, since 1970.",
            lambda: _one(measures.shadow, "timestamp"),
        ),
    )


class Telemetry(Watch):
    """Hands on what the engine tells."""

    def __init__(self, metrics: Metrics, tracer: Tracer) -> None:
        self.metrics = metrics
        self.tracer = tracer

    def read(self, desk: Desk, settings: Settings) -> Measures:
        """From now on a scrape shows how the desk is doing; what it has to be asked for first."""
        self.metrics.build(
            version=service_version(),
            commit=commit(),
            format=str(FORMAT),
            store="postgresql" if desk.store.shared else "sqlite",
        )
        self._read_desk(desk)
        self._read_clock(desk)
        self._read_pool(desk)
        measures = Measures(settings, desk)
        for name, text, read in (*_of_the_store(measures), *_of_the_backups(measures)):
            self.metrics.readings(f"decklog_{name}", text, "", read)
        text = "Bytes that are free on the disk, in steps of 16 MiB, by what lies there."
        self.metrics.readings("decklog_room_bytes", text, "place", lambda: stepped(measures.room))
        return measures

    def _read_clock(self, desk: Desk) -> None:
        """What is done by time, and by which."""

        def skew() -> dict[str, float]:
            return {} if desk.clock.skew is None else {"": desk.clock.skew}

        text = "Whether the clock jumped or is not the database's: nothing is done by time alone."
        self.metrics.reading("decklog_clock_suspended", text, lambda: float(desk.clock.suspended))
        text = "Seconds that the clock is before the database's; where that has one."
        self.metrics.readings("decklog_clock_skew_seconds", text, "", skew)
        text = "Answers that were given for a seat whose time was over."
        self.metrics.counting("decklog_clock_answers", text, lambda: desk.timekeeper.answers)
        text = "Deadlines that were put off, since the game could not be played on by the clock."
        self.metrics.counting(
            "decklog_deadlines_postponed", text, lambda: desk.timekeeper.postponed
        )

    def _read_pool(self, desk: Desk) -> None:
        """How the store is reached, and which history it is in."""

        def timeline() -> dict[str, float]:
            name = desk.store.recorder.lineage.rpartition("/")[2]
            return {"": float(int(name, 16))} if name else {}

        waits = desk.store.recorder.waits
        text = "Who waits for a connection to the store now."
        self.metrics.reading("decklog_store_waiting", text, lambda: float(waits().waiting))
        text = "How often somebody had to wait for a connection to the store."
        self.metrics.counting("decklog_store_waits", text, lambda: waits().waited)
        text = "Seconds that all of them have waited for a connection to the store."
        self.metrics.counting("decklog_store_wait_seconds", text, lambda: waits().seconds)
        text = "The timeline of PostgreSQL: another one after a failover or a restore."
        self.metrics.readings("decklog_store_timeline", text, "", timeline)
        text = "Whether this worker follows the log for all, as one of them does."
        self.metrics.reading("decklog_following", text, lambda: float(desk.following.leads))

    def _read_desk(self, desk: Desk) -> None:
        """What waits, and what was given up."""
        if desk.store.found_behind:
            self.metrics.turns.inc()

        def behind() -> dict[str, float]:
            return {name: float(lag) for name, lag in desk.following.seen.items()}

        text = "Whether an operator has drained this worker: it takes nothing new."
        self.metrics.reading("decklog_draining", text, lambda: float(desk.clerk.presence.draining))
        text = "Whether nothing is signed any more, because a key that signs has ended."
        self.metrics.reading("decklog_signing_ended", text, lambda: float(desk.store.signing_ended))
        text = "Requests that wait for the engine."
        self.metrics.reading("decklog_engine_queue", text, lambda: float(desk.engine.waiting))
        text = "Events that a projection has yet to take in."
        self.metrics.readings("decklog_projection_lag_events", text, "projection", behind)
        text = "Deliveries of webhooks that wait."
        self.metrics.reading(
            "decklog_webhook_deliveries_waiting", text, lambda: float(desk.courier.waiting)
        )
        text = "Messages of webhooks that were given up."
        self.metrics.counting(
            "decklog_webhooks_given_up", text, lambda: float(desk.courier.given_up)
        )
        text = "Games that are played no more here: rules fail, or a record is damaged."
        self.metrics.readings("decklog_games_frozen", text, "why", lambda: desk.engine.frozen)
        text = "Instructions that were not given with a key of the store: nobody does them."
        self.metrics.reading(
            "decklog_instructions_foreign", text, lambda: float(len(desk.clerk.foreign))
        )
        text = "Games that are over and old, and had to stay in the table of events."
        self.metrics.reading("decklog_games_unarchived", text, lambda: float(desk.archivist.left))
        text = "Seconds for which the oldest event that no checkpoint covers has waited for one."
        self.metrics.readings("decklog_log_waiting_seconds", text, "", lambda: _unsigned(desk))
        text = "Seconds for which the newest checkpoint lacks the cosignatures of its policy."
        self.metrics.readings("decklog_log_uncosigned_seconds", text, "", lambda: _uncosigned(desk))
        text = "Seconds for which the last checkpoint of a day lacks its time stamp."
        self.metrics.readings("decklog_log_unstamped_seconds", text, "", lambda: _unstamped(desk))
        text = "Seconds for which games have waited for a round of the beacon that was due."
        self.metrics.reading("decklog_beacon_waiting_seconds", text, lambda: _beaconless(desk))
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
