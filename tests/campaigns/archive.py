"""A store of many short finished games, before they leave the table of events and afterwards: its
bytes, and how long a copy, a start and a rebuild of the projections take. The figures of
deploy/SCALING.md.

    python -m tests.campaigns.archive --games 20000             an SQLite file
    python -m tests.campaigns.archive --games 5000 --postgres   a PostgreSQL
    python -m tests.campaigns.archive --games 100000 --folder F goes on in F where it was killed

The games are of Pennant, the ruleset of the tests, played by chance: eleven events each. Each has a
chain, seals and dice of its own, so none can be copied from another. Times are given in seconds of
the processor, of this process and those that it started, and by the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from projections.finder import found
from service.backups import copies
from service.desk import Desk
from service.following.follower import rebuild
from service.following.meaning import Meanings
from service.play.archiving import before, candidates, judged, put_away
from service.store.archive import count
from service.store.shrinking import shrink
from tests.service.desk.kit import GAMES, desk_in, new_game, play
from tests.service.ops.test_backup import with_tools
from tests.support import postgres
from tests.support.server import running

WAITS = 60
"""Times that it is asked whether a projection has taken in all."""

AT_ONCE = 200
"""Games that are played side by side."""


def say(text: str) -> None:
    print(text, flush=True)


def cpu() -> float:
    """Seconds of the processor so far, with those of processes that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


@contextmanager
def timed(what: str) -> Iterator[None]:
    begun, spent = time.monotonic(), cpu()
    yield
    say(f"{what:<44}{cpu() - spent:9.1f} s of the processor, {time.monotonic() - begun:8.1f} s")


class Place:
    """Where the games are kept."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.address = address
        self.settings: dict[str, Any] = {
            "archive": str(folder / "archive"), "chain_length": 512, "cached_games": 10_000,
            "store_busy_seconds": 60,
        }  # fmt: skip
        self.settings |= (
            {"store": address, "key": postgres.KEY}
            if address
            else {"database": folder / "decklog.sqlite"}
        )

    def tell(self, when: str) -> None:
        """How large it is, and how long what an operator does with it takes."""
        say(f"\n{when}")
        self.sizes()
        with timed("a copy, with its sum"):
            copy = self.copied()
        say(f"{'bytes of the copy':<44}{copy.stat().st_size:15,}")
        with timed("a start, until it is ready"):
            self.started()
        asyncio.run(self.rebuilt())

    def copied(self) -> Path:
        backups = self.folder / "copies"
        if not self.address:
            return copies.sqlite(Path(self.settings["database"]), backups)
        os.environ["PATH"] = with_tools()
        return copies.postgresql(self.address, backups)

    def sizes(self) -> None:
        files = list((self.folder / "archive").rglob("*.zip.gz"))
        whole, blocks = (
            sum(file.stat().st_size for file in files),
            sum(file.stat().st_blocks * 512 for file in files),
        )
        say(f"{'bytes of the store':<44}{asyncio.run(self.size()):15,}")
        say(f"{'bytes of the archive, and of its blocks':<44}{whole:15,}{blocks:15,}")

    async def size(self) -> int:
        async with desk_in(self.folder, **self.settings) as desk:
            return desk.store.recorder.size()

    def started(self) -> None:
        given = {name: str(value) for name, value in self.settings.items()}
        with running(self.folder, games="pennant", **given):
            pass

    async def rebuilt(self) -> None:
        async with desk_in(self.folder, **self.settings) as desk:
            recorder = desk.store.recorder
            for name, projection in found().items():
                with timed(f"projection {name}, made anew"):
                    await asyncio.to_thread(rebuild, recorder, projection, meanings=Meanings(GAMES))


async def filled(desk: Desk, number: int) -> int:
    """So many games that are over, and one that has the newest event; how many were played now."""

    async def one(seed: int) -> None:
        await play(desk, (await new_game(desk, turns=1)).game.id, seed)

    asked = "SELECT count(*) FROM games WHERE status = 'finished'"
    there = int(desk.store.recorder.query(asked)[0][0])
    for first in range(there, number, AT_ONCE):
        await asyncio.gather(*(one(first + each) for each in range(AT_ONCE)))
    await new_game(desk)
    for name in found():  # each question waits a while by itself
        assert any([await desk.records.reached(name) for _ in range(WAITS)])
    return max(0, number - there)


async def archived(desk: Desk) -> int:
    """All that are over; how many went now."""
    there, _ = count(desk.store.recorder)
    old = [each.id for each in candidates(desk.store, before(desk.clock.now(), -1))]
    for game in old:
        found_ = judged(desk.store, GAMES, game)
        await asyncio.to_thread(put_away, desk.store, found_, game, "campaign", "measured")
    assert count(desk.store.recorder)[0] == there + len(old)
    return len(old)


def compacted(place: Place) -> None:
    if not place.address:
        shrink(Path(place.settings["database"]))
        return
    import psycopg

    with psycopg.connect(place.address, autocommit=True) as connection:
        connection.execute("VACUUM FULL")


def measure(place: Place, number: int) -> None:
    async def fill() -> int:
        async with desk_in(place.folder, **place.settings) as desk:
            return await filled(desk, number)

    async def archive() -> int:
        async with desk_in(place.folder, **place.settings) as desk:
            return await archived(desk)

    with timed("games, played"):
        say(f"{'games that are played now':<44}{asyncio.run(fill()):15,}")
    if not any((place.folder / "archive").rglob("*.zip.gz")):
        place.tell("all in the table of events")
    say("")
    with timed("judged, written, compared, deleted"):
        say(f"{'games that are archived now':<44}{asyncio.run(archive()):15,}")
    with timed("store shrink, or VACUUM FULL"):
        compacted(place)
    place.tell("all in the archive")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--folder", type=Path, help="keep all there; of an SQLite file alone")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="decklog-archive-") as name:
        if not asked.postgres:
            measure_file(asked.folder or Path(name), asked.games)
            return
        with postgres.running() as address:
            measure(Place(Path(name), address), asked.games)


def measure_file(folder: Path, number: int) -> None:
    folder.mkdir(exist_ok=True)
    measure(Place(folder, ""), number)
    with closing(sqlite3.connect(folder / "decklog.sqlite")) as connection:
        (events,) = connection.execute("SELECT count(*) FROM stored_events").fetchone()
    say(f"{'events that are left in the table':<44}{events:15,}")


if __name__ == "__main__":
    main()
