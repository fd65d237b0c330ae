"""How far projections are behind under load, and how long a restart takes. No target is named.

    python -m tests.bench.bench_follow [SECONDS] [ROUNDS] [SCRIPTS] [ORDERS] [CONNECTIONS]

War at Sea commands as in bench_http, one worker, one SQLite file. Meanwhile somebody asks again and
again: for the gauges of /metrics, how many events the furthest projection is behind at its latest
look, and for a page of results, which the service answers when that projection has what was stored
when it was asked. The reference is a page that waits for no projection, asked for in between. Then
the server is stopped as an operator would stop it and started again on the file as it is: from the
start of the process to the first answer of /readyz, and to the view of a game.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import httpx

from tests.bench.bench_http import COMMAND, PLENTY, Games, scripts
from tests.bench.load import Load, quantile
from tests.bench.report import Report
from tests.support.server import Running, running

LAG = re.compile(rb"^decklog_projection_lag_events\{.*\} (\S+)$", re.MULTILINE)
PLAIN, BEHIND = "/v1/games?limit=1", "/v1/results?limit=1"


class Asker(threading.Thread):
    """Asks until it is told to stop. ``waits`` are seconds by path."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._over = threading.Event()
        self.lags: list[float] = []
        self.waits: dict[str, list[float]] = {PLAIN: [], BEHIND: []}
        self.failed: Exception | None = None

    def run(self) -> None:
        try:
            with httpx.Client(base_url=self._url, timeout=60) as client:
                self._ask(client)
                while not self._over.is_set():
                    self._ask(client)
        except Exception as error:
            self.failed = error

    def _ask(self, client: httpx.Client) -> None:
        self.lags.append(max(map(float, LAG.findall(client.get("/metrics").content))))
        for path, waits in self.waits.items():
            begin = perf_counter()
            client.get(path).raise_for_status()
            waits.append(perf_counter() - begin)

    def stop(self) -> None:
        """Raises what went wrong."""
        self._over.set()
        self.join()
        if self.failed is not None:
            raise self.failed


def restart(folder: Path, report: Report) -> None:
    """Start on the file that is there, and stop."""
    begin = perf_counter()
    with running(folder) as server, httpx.Client(base_url=server.url, timeout=60) as client:
        report.add("ready", (perf_counter() - begin) * 1e3)
        game = client.get("/v1/games?limit=1").raise_for_status().json()["items"][0]["id"]
        client.get(f"/v1/games/{game}").raise_for_status()
        report.add("first view", (perf_counter() - begin) * 1e3)


def measure(
    server: Running, games: Games, seconds: float, rate: Report, behind: Report, wait: Report
) -> None:
    asker = Asker(server.url)
    asker.start()
    one = games.run(seconds)
    asker.stop()
    behind.add("half of the looks at most", quantile(asker.lags, 0.5))
    behind.add("99 of 100 looks at most", quantile(asker.lags, 0.99))
    rate.add(COMMAND, one.rate)
    for path, waits in asker.waits.items():
        wait.add(f"{path}, half within", quantile(waits, 0.5) * 1e6)
        wait.add(f"{path}, 99 of 100 within", quantile(waits, 0.99) * 1e6)


def main(
    seconds: float = 3,
    many: float = 3,
    recorded: float = 4,
    orders: float = 300,
    lines: float = 32,
) -> None:
    connections = int(lines)
    rate = Report("commands meanwhile", "a second", f"{connections} connections")
    behind = Report("events a projection is behind", "events", f"{connections} connections")
    wait = Report("a page that waits for a projection", "µs", "asked one after the other")
    again = Report("from the start of the process", "ms", "on the file of the rounds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with ExitStack() as stack:
            server = stack.enter_context(running(folder))
            load = stack.enter_context(Load())
            made = asyncio.run(scripts(folder, int(recorded), int(orders)))
            games = Games([server.url], load, made, connections)
            games.stagger()
            for _ in range(int(many)):
                games.supply(int(PLENTY * seconds / connections) + 1)
                measure(server, games, seconds, rate, behind, wait)
        for _ in range(int(many)):
            restart(folder, again)
    rate.show()
    print()
    behind.show()
    print()
    wait.show(reference=f"{PLAIN}, half within")
    print()
    again.show(reference="ready")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
