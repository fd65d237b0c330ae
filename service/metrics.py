"""Counters of this process in Prometheus' text form. No counter names a game or a seat."""

from __future__ import annotations

from collections import defaultdict

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds, in seconds, of the request duration histogram."""


class Metrics:
    """What /metrics shows."""

    def __init__(self) -> None:
        self.commands = 0
        self.conflicts = 0
        self.refusals = 0
        self.streams = 0
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._buckets = [0] * len(BUCKETS)
        self._seconds = 0.0
        self._count = 0

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request; ``route`` is the path template, never the path."""
        self._requests[method, route, status] += 1
        self._seconds += seconds
        self._count += 1
        for place, bound in enumerate(BUCKETS):
            if seconds <= bound:
                self._buckets[place] += 1

    def text(self) -> str:
        """The exposition, format 0.0.4."""
        lines = [
            *_single("decklog_commands_total", "counter", "Commands accepted.", self.commands),
            *_single("decklog_conflicts_total", "counter", "Stale commands.", self.conflicts),
            *_single("decklog_refusals_total", "counter", "Refused requests.", self.refusals),
            *_single("decklog_streams", "gauge", "Event streams open now.", self.streams),
            "# HELP decklog_requests_total Requests by route and status.",
            "# TYPE decklog_requests_total counter",
            *(
                f'decklog_requests_total{{method="{method}",route="{route}",status="{status}"}} {n}'
                for (method, route, status), n in sorted(self._requests.items())
            ),
            *self._durations(),
        ]
        return "\n".join(lines) + "\n"

    def _durations(self) -> list[str]:
        name = "decklog_request_seconds"
        return [
            f"# HELP {name} Seconds until the answer's head was sent.",
            f"# TYPE {name} histogram",
            *(
                f'{name}_bucket{{le="{bound}"}} {count}'
                for bound, count in zip(BUCKETS, self._buckets, strict=True)
            ),
            f'{name}_bucket{{le="+Inf"}} {self._count}',
            f"{name}_sum {self._seconds:.6f}",
            f"{name}_count {self._count}",
        ]


def _single(name: str, kind: str, text: str, value: int) -> list[str]:
    return [f"# HELP {name} {text}", f"# TYPE {name} {kind}", f"{name} {value}"]
