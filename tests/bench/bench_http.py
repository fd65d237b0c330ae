"""Durable War at Sea commands over HTTP. Target: 500 a second, p99 under 50 ms (50,000 µs).

    python -m tests.bench.bench_http [SECONDS] [ROUNDS] [SCRIPTS] [ORDERS] [CONNECTIONS]

One worker, one SQLite file (WAL, synchronous=FULL), 32 connections, each with games of its own, one
after the other, from set-up on; rounds of SECONDS, interleaved with the reference: a
handler on the same framework and server that commits one row, with group commit and without. The
clients run in one process of their own and share the machine. The games are SCRIPTS recorded ones
(random play, named seeds), cut after ORDERS orders.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from service.desk import open_desk
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
STAT = Path("/proc/self/stat")
STAGGER = 100
"""Orders over which the first games are spread before the first round."""
PATHS = {GROUP: "/group", "one row, a commit each": "/alone", "no row at all": "/nothing"}


async def scripts(folder: Path, many: int, orders: int) -> list[Script]:
    """Recorded on a desk in this process."""
    async with open_desk(Settings(database=folder / "recorded.sqlite"), GAMES) as desk:
        return [await record(desk, f"bench-{number}", orders) for number in range(many)]


class Games:
    """Keeps each connection supplied with new games."""

    def __init__(
        self,
        urls: Sequence[str],
        load: Load,
        made: list[Script],
        connections: int,
        name: str = COMMAND,
    ) -> None:
        """``urls`` of the workers, over which the connections are spread."""
        self._name = name
        self._urls = cycle(urls)
        self._load = load
        self._scripts = cycle(made)
        self.connections = connections
        self._ready = [0] * connections
        self._addresses = [address_of(url) for url in urls]

    def supply(self, least: int) -> None:
        """So many requests, or more, for each connection."""
        while (short := min(self._ready)) < least:
            place = self._ready.index(short)
            more: list[list[bytes]] = [[] for _ in self._ready]
            more[place] = requests(next(self._urls), next(self._scripts))
            self._ready[place] += len(more[place])
            self._load.feed(self._name, self._addresses, more)

    def stagger(self) -> None:
        """Bring each connection's first game to another place, so that all phases are mixed."""
        self.supply(1)
        spread = min(STAGGER, *self._ready)
        self.run(limits=[spread * place // self.connections for place in range(self.connections)])

    def run(self, seconds: float = 3600.0, limits: list[int] | None = None) -> Round:
        """A round of orders. After it each connection has fewer."""
        one = self._load.run(self._name, seconds, limits)
        self._ready = [ready - sent for ready, sent in zip(self._ready, one.counts, strict=True)]
        return one


def address_of(url: str) -> Address:
    """Host and port."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


class Figures:
    """The reports of a measurement, and the rounds that fill them."""

    def __init__(self, about: str) -> None:
        self._rate = Report("durable command over HTTP", "a second", about)
        self._half = Report("half of the answers within", "µs", about)
        self._most = Report("99 of 100 answers within", "µs", about)
        self._processor = Report("processor time of the server", "µs an answer", about)

    def add(self, name: str, one: Round, spent: float) -> None:
        self._rate.add(name, one.rate)
        self._half.add(name, quantile(one.waits, 0.5) * 1e6)
        self._most.add(name, quantile(one.waits, 0.99) * 1e6)
        self._processor.add(name, spent / sum(one.counts) * 1e6)

    def show(self) -> None:
        shown = [self._rate, self._half, self._most]
        if STAT.exists():
            shown.append(self._processor)
        for report in shown:
            report.show(reference=GROUP)
            print()


def processor_seconds(pid: int) -> float:
    """Processor time of a process so far; 0 where the system does not say so in a file."""
    if not STAT.exists():
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rounds(
    load: Load, games: Games, found: Figures, pids: tuple[int, int], seconds: float, many: int
) -> None:
    """Interleaved, so that what else the machine does falls on all alike."""
    for _ in range(many):
        games.supply(int(PLENTY * seconds / games.connections) + 1)
        for name in (COMMAND, *PATHS):
            pid = pids[name != COMMAND]
            before = processor_seconds(pid)
            one = games.run(seconds) if name == COMMAND else load.run(name, seconds)
            found.add(name, one, processor_seconds(pid) - before)


def main(
    seconds: float = 2.5,
    many: float = 5,
    recorded: float = 4,
    orders: float = 300,
    lines: float = 32,
) -> None:
    connections = int(lines)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        server = stack.enter_context(running(folder))
        plain = stack.enter_context(trivial.running(folder))
        load = stack.enter_context(Load())
        made = asyncio.run(scripts(folder, int(recorded), int(orders)))
        for what, path in PATHS.items():
            one = [request("POST", path, trivial.BODY)]
            load.feed(what, plain.address, [one] * connections, ever=True)
            load.run(what, limits=[20] * connections)
        games = Games([server.url], load, made, connections)
        games.stagger()
        found = Figures(
            f"{connections} connections, rounds of {seconds:g} s, "
            f"{len(made)} scripts of {min(map(length, made))} to {max(map(length, made))} orders, "
            f"a synced write takes {sync_time(folder) * 1e6:,.0f} µs"
        )
        rounds(load, games, found, (server.process.pid, plain.pid), seconds, int(many))
    found.show()


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
