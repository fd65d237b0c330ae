"""A view at a random version of a long game. Target: p95 warm 20 ms, cold 100 ms (in µs here).

    python -m tests.bench.bench_view [EVENTS] [VIEWS] [ROUNDS] [STARTS]

A game of War at Sea (the first random one that is long enough) is looked at by its first seat, at
VIEWS random versions up to EVENTS in each round; cold views are a quarter as many. Warm: the
game was looked at before, at other random versions. Cold: what is kept of it was dropped just
before (the service keeps one game only, and another one is looked at); the file is still in the
system's memory. First of a process: the first request to a server that was just started.
In this process: the desk alone. References: the encoding of such a state as JSON, and an answer of
the server that needs no game.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from domain.kernel.values import PUBLIC
from service.desk import Desk, open_desk
from service.settings import Settings
from tests.bench.load import Address, Load, quantile, request
from tests.bench.report import Report
from tests.bench.scripts import GAMES, Script, record
from tests.support.server import Running, running

MOST_GAMES = 1_000
COLD_SHARE = 4
"""How many times fewer the cold views are."""
VIEWER = "p1"
ENCODING = "encode the state (reference)"
NOTHING = "no game: GET /healthz (reference)"


class Books(NamedTuple):
    """Where the games are: a long one, a short one to look at in between, and the seat's token."""

    database: Path
    long: Script
    short: Script
    token: str

    def versions(self, events: int, many: int, seed: int) -> list[int]:
        """Random ones; before the first order there is hardly anything to see."""
        chooser = random.Random(seed)
        return [chooser.randint(self.long.orders[0].version, events) for _ in range(many)]

    def desk(self, cached_games: int = 1_000) -> AbstractAsyncContextManager[Desk]:
        return open_desk(Settings(database=self.database, cached_games=cached_games), GAMES)


async def play(folder: Path, events: int) -> Books:
    """Random games until one is long enough."""
    database = folder / "decklog.sqlite"
    async with open_desk(Settings(database=database), GAMES) as desk:
        short = await record(desk, "bench-short", most=1)
        for number in range(MOST_GAMES):
            long = await record(desk, f"bench-view-{number}")
            if long.version >= events:
                return Books(database, long, short, long.tokens[VIEWER])
    raise ValueError(f"no random game has {events} events")


def add(report: Report, name: str, waits: Sequence[float]) -> None:
    """Both quantiles of a round."""
    report.add(f"{name}: p50", quantile(waits, 0.5) * 1e6)
    report.add(f"{name}: p95", quantile(waits, 0.95) * 1e6)


class Server:
    """A running service, asked over one connection."""

    def __init__(self, load: Load, server: Running, books: Books) -> None:
        parts = urlsplit(server.url)
        assert parts.hostname is not None
        assert parts.port is not None
        self._load = load
        self._name = server.url
        self._address: Address = (parts.hostname, parts.port)
        self._books = books

    def ask(self, requests: list[bytes]) -> list[float]:
        """Seconds that each answer took."""
        self._load.feed(self._name, self._address, [requests])
        return self._load.run(self._name, limits=[len(requests)]).waits

    def nothing(self) -> bytes:
        return request("GET", "/healthz")

    def view(self, version: int) -> bytes:
        path = f"/v1/games/{self._books.long.game}/view?at={version}"
        return request("GET", path, Authorization=f"Bearer {self._books.token}")

    def between(self) -> bytes:
        """A look at the other game, which drops what is kept of the long one."""
        return request("GET", f"/v1/games/{self._books.short.game}/view")


def warm_over_http(
    report: Report, load: Load, books: Books, events: int, views: int, rounds: int
) -> None:
    with running(books.database.parent) as process:
        server = Server(load, process, books)
        server.ask([server.view(version) for version in books.versions(events, views, -1)])
        for number in range(rounds):
            add(report, NOTHING, server.ask([server.nothing()] * views))
            versions = books.versions(events, views, number)
            add(report, "HTTP, warm", server.ask([server.view(version) for version in versions]))


def cold_over_http(
    report: Report, load: Load, books: Books, events: int, views: int, rounds: int
) -> None:
    with running(books.database.parent, cached_games=1) as process:
        server = Server(load, process, books)
        for number in range(rounds):
            asked: list[bytes] = []
            for version in books.versions(events, views // COLD_SHARE + 1, number):
                asked += server.between(), server.view(version)
            add(report, "HTTP, cold", server.ask(asked)[1::2])


def first_over_http(report: Report, load: Load, books: Books, events: int, starts: int) -> None:
    """One figure for each start."""
    for version in books.versions(events, starts, -2):
        with running(books.database.parent) as process:
            server = Server(load, process, books)
            waits = server.ask([server.view(version)])
        report.add("HTTP, first of a process", waits[0] * 1e6)


async def in_process(report: Report, books: Books, events: int, views: int, rounds: int) -> None:
    """Warm and cold, and how long it takes to write such a state down."""
    async with books.desk() as warm:
        for version in books.versions(events, views, -1):
            await warm.reader.view(books.long.game, VIEWER, version)
        state = (await warm.reader.view(books.long.game, VIEWER, events // 2)).state
        for number in range(rounds):
            versions = books.versions(events, views, number)
            add(report, ENCODING, [encoding(state) for _ in versions])
            waits = [await looking(warm, books.long.game, version) for version in versions]
            add(report, "in process, warm", waits)
    await cold_in_process(report, books, events, views // COLD_SHARE + 1, rounds)


async def cold_in_process(
    report: Report, books: Books, events: int, views: int, rounds: int
) -> None:
    async with books.desk(cached_games=1) as cold:
        for number in range(rounds):
            waits = []
            for version in books.versions(events, views, number):
                await cold.reader.view(books.short.game, PUBLIC)
                waits.append(await looking(cold, books.long.game, version))
            add(report, "in process, cold", waits)


async def looking(desk: Desk, game: str, version: int) -> float:
    """Seconds that the view took."""
    begin = perf_counter()
    await desk.reader.view(game, VIEWER, version)
    return perf_counter() - begin


def encoding(state: object) -> float:
    begin = perf_counter()
    msgspec.json.encode(state)
    return perf_counter() - begin


def main(events: int = 3_000, views: int = 200, rounds: int = 5, starts: int = 5) -> None:
    with tempfile.TemporaryDirectory() as folder, Load() as load:
        books = asyncio.run(play(Path(folder), events))
        about = f"a game of {books.long.version:,} events, versions up to {events:,}"
        desk = Report("a view, in process", "µs", about)
        asyncio.run(in_process(desk, books, events, views, rounds))
        http = Report("a view, over HTTP", "µs", about)
        warm_over_http(http, load, books, events, views, rounds)
        cold_over_http(http, load, books, events, views, rounds)
        first_over_http(http, load, books, events, starts)
    desk.show(reference=f"{ENCODING}: p50")
    print()
    http.show(reference=f"{NOTHING}: p50")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
