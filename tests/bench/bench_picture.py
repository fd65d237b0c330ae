"""A board's picture at a random version of a long game, warm and cold (in µs).

    python -m tests.bench.bench_picture [EVENTS] [PICTURES] [ROUNDS]

The same game and the same ways of asking as in bench_view: a random game of War at Sea with at
least EVENTS events, PICTURES random versions up to there in each round, a quarter as many cold
ones. Reference: the view at the same versions, which a picture is made from. In this process:
describing the scene, and writing it as SVG, with the events of one order drawn in.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from domain.games.war_at_sea import GAME
from projections.svg import svg
from tests.bench.bench_view import COLD_SHARE, VIEWER, Books, Server, add, play
from tests.bench.load import Load, request
from tests.bench.report import Report
from tests.support.server import running

VIEW = "HTTP, warm: the view (reference)"
SCENE = "in process: the scene (reference)"


class ViewCache(Server):
    """A running service that is asked for pictures."""

    def picture(self, version: int) -> bytes:
        path = f"/v1/games/{self._books.long.game}/board.svg?at={version}"
        return request("GET", path, Authorization=f"Bearer {self._books.token}")


def over_http(
    report: Report, load: Load, books: Books, events: int, pictures: int, rounds: int
) -> None:
    with running(books.database.parent) as process:
        server = ViewCache(load, process, books)
        server.ask([server.view(version) for version in books.versions(events, pictures, -1)])
        for number in range(rounds):
            versions = books.versions(events, pictures, number)
            add(report, VIEW, server.ask([server.view(version) for version in versions]))
            waits = server.ask([server.picture(version) for version in versions])
            add(report, "HTTP, warm: the picture", waits)
    with running(books.database.parent, cached_games=1) as process:
        server = ViewCache(load, process, books)
        for number in range(rounds):
            asked: list[bytes] = []
            for version in books.versions(events, pictures // COLD_SHARE + 1, number):
                asked += server.between(), server.picture(version)
            add(report, "HTTP, cold: the picture", server.ask(asked)[1::2])


async def in_process(report: Report, books: Books, events: int, pictures: int, rounds: int) -> None:
    async with books.desk() as desk:
        for number in range(rounds):
            scenes, written = [], []
            for version in books.versions(events, pictures, number):
                state = (await desk.reader.view(books.long.game, VIEWER, version)).state
                before = (await desk.reader.view(books.long.game, VIEWER, version - 3)).state
                seen = await desk.reader.events(books.long.game, VIEWER, version - 3, 3)
                last = tuple(each.event for each in seen if each.event is not None)
                scene, took = timed(lambda s=state, b=before, e=last: GAME.picture(s, b, e))
                scenes.append(took)
                written.append(timed(lambda made=scene: svg(made))[1])
            add(report, SCENE, scenes)
            add(report, "in process: the SVG", written)


def timed(work: Any) -> tuple[Any, float]:
    """What came of it, and how many seconds it took."""
    begin = perf_counter()
    found = work()
    return found, perf_counter() - begin


def main(events: int = 3_000, pictures: int = 200, rounds: int = 5) -> None:
    with tempfile.TemporaryDirectory() as folder, Load() as load:
        books = asyncio.run(play(Path(folder), events))
        about = f"a game of {books.long.version:,} events, versions up to {events:,}"
        desk = Report("a picture, in process", "µs", about)
        asyncio.run(in_process(desk, books, events, pictures, rounds))
        http = Report("a picture, over HTTP", "µs", about)
        over_http(http, load, books, events, pictures, rounds)
    desk.show(reference=f"{SCENE}: p50")
    print()
    http.show(reference=f"{VIEW}: p50")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
