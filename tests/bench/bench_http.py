"""Durable War at Sea commands over HTTP. Target: 500 a second, p99 under 50 ms (50,000 µs).

    python -m tests.bench.bench_http [SECONDS] [ROUNDS] [SCRIPTS] [ORDERS] [CONNECTIONS]

One worker, one SQLite file (WAL, synchronous=FULL), 32 connections, each with games of its own that
are played through from set-up to result; rounds of SECONDS, interleaved with the reference: a
handler on the same framework and server that commits one row, with group commit and without. The
clients run in one process of their own and share the machine. The games are SCRIPTS recorded ones
(random play, named seeds), cut after ORDERS orders.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from service.desk import Desk
from service.settings import Settings
from tests.bench import trivial
from tests.bench.load import Address, Load, Round, quantile, request
from tests.bench.report import Report
from tests.bench.scripts import GAMES, Script, record, requests
from tests.support.server import running

PLENTY = 3_000
"""Orders a second for which requests are kept ready."""

COMMAND = "War at Sea command"
GROUP = "one row, group commit (reference)"
PATHS = {GROUP: "/group", "one row, a commit each": "/alone", "no row at all": "/nothing"}


async def scripts(folder: Path, many: int, orders: int) -> list[Script]:
    """Recorded on a desk in this process."""
    desk = Desk(Settings(database=folder / "recorded.sqlite"), GAMES)
    await desk.start()
    found = [await record(desk, f"bench-{number}", orders) for number in range(many)]
    await desk.stop()
    return found


class Games:
    """Keeps each connection supplied with new games."""

    def __init__(self, url: str, load: Load, made: list[Script], connections: int) -> None:
        self._url = url
        self._load = load
        self._scripts = cycle(made)
        self._ready = [0] * connections
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        self._address: Address = (parts.hostname, parts.port)

    def supply(self, least: int) -> None:
        """So many requests, or more, for each connection."""
        while (short := min(self._ready)) < least:
            place = self._ready.index(short)
            more: list[list[bytes]] = [[] for _ in self._ready]
            more[place] = requests(self._url, next(self._scripts))
            self._ready[place] += len(more[place])
            self._load.feed(COMMAND, self._address, more)

    def stagger(self) -> None:
        """Bring each connection's first game to another place, so that all phases are mixed."""
        self.supply(1)
        many = len(self._ready)
        self.run(limits=[ready * place // many for place, ready in enumerate(self._ready)])

    def run(self, seconds: float = 3600.0, limits: list[int] | None = None) -> Round:
        """A round of orders. After it each connection has fewer."""
        one = self._load.run(COMMAND, seconds, limits)
        self._ready = [ready - sent for ready, sent in zip(self._ready, one.counts, strict=True)]
        return one


def reports(about: str) -> dict[str, Report]:
    return {
        "rate": Report("durable command over HTTP", "a second", about),
        "p50": Report("half of the answers within", "µs", about),
        "p99": Report("99 of 100 answers within", "µs", about),
    }


def rounds(
    load: Load, games: Games, found: dict[str, Report], seconds: float, many: int, connections: int
) -> None:
    for _ in range(many):
        games.supply(int(PLENTY * seconds / connections) + 1)
        for name in (COMMAND, *PATHS):
            one = games.run(seconds) if name == COMMAND else load.run(name, seconds)
            found["rate"].add(name, one.rate)
            found["p50"].add(name, quantile(one.waits, 0.5) * 1e6)
            found["p99"].add(name, quantile(one.waits, 0.99) * 1e6)


def main(
    seconds: float = 3, many: float = 5, script: float = 8, orders: float = 1e6, lines: float = 32
) -> None:
    connections = int(lines)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        made = asyncio.run(scripts(folder, int(script), int(orders)))
        served = folder / "served"
        served.mkdir()
        server = stack.enter_context(running(served))
        plain = stack.enter_context(trivial.running(folder))
        load = stack.enter_context(Load())
        for what, path in PATHS.items():
            one = [request("POST", path, trivial.BODY)]
            load.feed(what, plain, [one] * connections, ever=True)
            load.run(what, limits=[20] * connections)
        games = Games(server.url, load, made, connections)
        games.stagger()
        sync = sync_time(folder)
        found = reports(
            f"{connections} connections, rounds of {seconds:g} s, "
            f"{len(made)} games of {min(map(length, made))} to {max(map(length, made))} orders, "
            f"a synced write of the disk takes {sync * 1e6:,.0f} µs"
        )
        rounds(load, games, found, seconds, int(many), connections)
    for report in found.values():
        report.show(reference=GROUP)
        print()


def length(script: Script) -> int:
    return len(script.orders)


def sync_time(folder: Path, times: int = 50) -> float:
    """Seconds for a page written and synced: how real the disk is."""
    with (folder / "sync").open("wb", buffering=0) as file:
        begin = perf_counter()
        for _ in range(times):
            file.write(bytes(4096))
            os.fsync(file.fileno())
        return (perf_counter() - begin) / times


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
