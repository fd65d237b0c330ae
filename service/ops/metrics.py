"""Counters of this process for Prometheus. None names a game or a seat.

Each application has a registry of its own, and so has each worker: Prometheus asks them one by one
and adds up. Numbers are of all games together, and only of what is public in each: dice batches,
but not the rolls in them, of which there may be hidden ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the durations."""
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Upper bounds of the engine's groups."""

disable_created_metrics()  # type: ignore[no-untyped-call]

Read = Callable[[], Mapping[str, float]]
Answered = tuple[Callable[[], None], Callable[[float], None]]
"""What counts an answer, and what takes its seconds."""


class Metrics:
    """What /metrics shows. Any thread may count."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.commands = self._counter("commands", "Commands accepted.")
        self.conflicts = self._counter("conflicts", "Commands refused because they were stale.")
        self.refusals = self._counter("refusals", "Requests refused, for whatever reason.")
        self.batches = self._counter("dice_batches", "Dice batches opened and stored.")
        self.turns = self._counter(
            "store_turns", "Times the store became another one while this worker ran."
        )
        self._answered: dict[tuple[str, str, int], Answered] = {}
        self._damaged: set[str] = set()
        text = "Games that were found damaged, or frozen, since this worker was started."
        self.reading("decklog_games_damaged", text, lambda: float(len(self._damaged)))
        self.streams = Gauge("decklog_streams", "Event streams open now.", registry=self.registry)
        self._works = Gauge(
            "decklog_works", "Whether a part works (1) or not (0).", ("part",),
            registry=self.registry,
        )  # fmt: skip
        self._requests = Counter(
            "decklog_requests", "Requests by route and status.", ("method", "route", "status"),
            registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "decklog_request_seconds", "Seconds until the answer's head was sent, by route.",
            ("method", "route"), buckets=SECONDS, registry=self.registry,
        )  # fmt: skip
        self._lag = self._histogram(
            "stream_lag_seconds", "From an event's time to its being sent to who follows.", SECONDS
        )
        self._groups = self._histogram("engine_group_size", "Requests of one group.", SIZES)
        self._commits = self._histogram(
            "store_commit_seconds", "How long a group's transaction took.", SECONDS
        )

    @property
    def commands_taken(self) -> float:
        """How many commands this worker has accepted."""
        samples = (sample for family in self.commands.collect() for sample in family.samples)
        return next(each.value for each in samples if each.name.endswith("_total"))

    @property
    def streams_open(self) -> int:
        """How many event streams are open now."""
        return int(next(iter(self.streams.collect())).samples[0].value)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request; ``route`` is the path template, never the path."""
        kind = (method, route, status)
        count, observe = self._answered.get(kind) or self._counting(*kind)
        count()
        observe(seconds)

    def _counting(self, method: str, route: str, status: int) -> Answered:
        """What counts answers of a kind, looked up once: there are as many as there are series."""
        found = self._answered[method, route, status] = (
            self._requests.labels(method, route, str(status)).inc,
            self._seconds.labels(method, route).observe,
        )
        return found

    def damaged(self, *games: str) -> None:
        """Games that cannot be played on: counted once each, and never named."""
        self._damaged.update(games)

    def sent(self, at: str) -> None:
        """An event of the time ``at`` (RFC 3339) went out to somebody who waited for it."""
        lag = datetime.now(UTC) - datetime.fromisoformat(at)
        self._lag.observe(max(0.0, lag.total_seconds()))

    def grouped(self, size: int) -> None:
        """The engine took a group of requests from its queue."""
        self._groups.observe(size)

    def stored(self, seconds: float, batches: int) -> None:
        """A group's transaction is durable."""
        self._commits.observe(seconds)
        self.batches.inc(batches)

    def works(self, parts: Mapping[str, bool]) -> None:
        """Which parts of the service work now."""
        for part, does in parts.items():
            self._works.labels(part).set(does)

    def reading(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A gauge that is read whenever somebody asks; ``read`` is quick and does not raise."""
        Gauge(name, text, registry=self.registry).set_function(read)

    def readings(self, name: str, text: str, label: str, read: Read) -> None:
        """The same by one label: ``read`` gives the number of each of its values.

        Without a label it gives one number, or none where it is not known.
        """
        self.registry.register(_Readings(name, text, label, read))

    def counting(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A counter that somebody else keeps, and that is read whenever somebody asks."""
        self.registry.register(_Counting(name, text, read))

    def build(self, **labels: str) -> None:
        """Which program this is: always 1, with all of it in the labels."""
        text = "Which program this is, and on what store it works."
        Gauge("decklog_build_info", text, tuple(labels), registry=self.registry).labels(
            **labels
        ).set(1)

    def text(self) -> bytes:
        """The exposition, format 0.0.4."""
        return generate_latest(self.registry)

    def _counter(self, name: str, text: str) -> Counter:
        return Counter(f"decklog_{name}", text, registry=self.registry)

    def _histogram(self, name: str, text: str, bounds: tuple[float, ...]) -> Histogram:
        return Histogram(f"decklog_{name}", text, buckets=bounds, registry=self.registry)


class _Counting(Collector):
    def __init__(self, name: str, text: str, read: Callable[[], float]) -> None:
        self._name, self._text, self._read = name, text, read

    def describe(self) -> Iterator[CounterMetricFamily]:
        yield CounterMetricFamily(self._name, self._text)

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield CounterMetricFamily(self._name, self._text, value=self._read())


class _Readings(Collector):
    def __init__(self, name: str, text: str, label: str, read: Read) -> None:
        self._name, self._text, self._read = name, text, read
        self._labels = [label] if label else []

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(self._name, self._text, labels=self._labels)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = GaugeMetricFamily(self._name, self._text, labels=self._labels)
        # One that nobody can tell now is left out: absent() is what notices it.
        for value, number in sorted(self._read().items()):
            family.add_metric([value] if self._labels else [], number)
        yield family
