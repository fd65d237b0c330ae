"""Durable War at Sea commands over HTTP on each store: SQLite, PostgreSQL with one worker and two.

    python -m tests.bench.bench_workers [SECONDS] [ROUNDS] [SCRIPTS] [ORDERS] [CONNECTIONS] [FIRST]

As bench_http, with a handler that commits one row as the reference: on the same store, by as many
workers, in the same run, its rounds in turn with theirs. The two workers share a Redis. Each
arrangement is started, measured and stopped before the next one, so that it has the machine alone;
FIRST is the number of the first of them, from 0.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.bench import trivial
from tests.bench.bench_http import PLENTY, Games, scripts, sync_time
from tests.bench.load import Address, Load, Round, quantile, request
from tests.bench.report import Report
from tests.bench.scripts import Script
from tests.support import postgres, redis
from tests.support.server import running

ROW = "one row, group commit (reference)"
ARRANGEMENTS = {"SQLite, 1 worker": 0, "PostgreSQL, 1 worker": 1, "PostgreSQL, 2 workers": 2}
"""How many workers share a PostgreSQL; 0: one on a file."""


@contextmanager
def arrangement(folder: Path, shared: int) -> Iterator[tuple[list[str], list[Address]]]:
    """The workers' addresses, and those of as many reference handlers on the same store."""
    with ExitStack() as stack:
        told: dict[str, Any] = {}
        address = ""
        if shared:
            address = stack.enter_context(postgres.running())
            told |= {"store": address, "key": postgres.KEY}
        if shared > 1:
            told["redis"] = stack.enter_context(redis.running(folder)).address
        many = max(1, shared)
        servers = [stack.enter_context(running(folder, **told)) for _ in range(many)]
        plain = [stack.enter_context(trivial.running(folder, address)) for _ in range(many)]
        yield [server.url for server in servers], [one.address for one in plain]


class Figures:
    """Of one arrangement."""

    def __init__(self, about: str, counted: str = "durable command over HTTP") -> None:
        self._reports = {
            "rate": Report(counted, "a second", about),
            "half": Report("half of the answers within", "µs", about),
            "most": Report("99 of 100 answers within", "µs", about),
        }

    def add(self, name: str, one: Round) -> None:
        self._reports["rate"].add(name, one.rate)
        self._reports["half"].add(name, quantile(one.waits, 0.5) * 1e6)
        self._reports["most"].add(name, quantile(one.waits, 0.99) * 1e6)

    def show(self) -> None:
        for report in self._reports.values():
            report.show(reference=ROW)
            print()


def measure(
    name: str, made: list[Script], connections: int, seconds: float, rounds: int
) -> Figures:
    with tempfile.TemporaryDirectory() as text, ExitStack() as stack:
        folder = Path(text)
        urls, plain = stack.enter_context(arrangement(folder, ARRANGEMENTS[name]))
        load = stack.enter_context(Load())
        row = [request("POST", "/group", trivial.BODY)]
        load.feed(ROW, plain, [row] * connections, ever=True)
        load.run(ROW, limits=[20] * connections)
        games = Games(urls, load, made, connections)
        games.stagger()
        found = Figures(
            f"{name}, {connections} connections, rounds of {seconds:g} s, "
            f"a synced write takes {sync_time(folder) * 1e6:,.0f} µs"
        )
        for _ in range(rounds):
            games.supply(int(PLENTY * seconds / connections) + 1)
            found.add(name, games.run(seconds))
            found.add(ROW, load.run(ROW, seconds))
        return found


def main(
    seconds: float = 2.5,
    rounds: float = 5,
    recorded: float = 4,
    orders: float = 300,
    lines: float = 32,
    first: float = 0,
) -> None:
    with tempfile.TemporaryDirectory() as text:
        made = asyncio.run(scripts(Path(text), int(recorded), int(orders)))
    for name in list(ARRANGEMENTS)[int(first) :]:
        measure(name, made, int(lines), seconds, int(rounds)).show()


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
