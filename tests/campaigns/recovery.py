"""How long a copy, a restore and a start take at a store of a given size, and how far the second
folder is behind: the figures of deploy/DRILLS.md.

    python -m tests.campaigns.recovery --megabytes 1000             an SQLite file
    python -m tests.campaigns.recovery --megabytes 1000 --postgres  a PostgreSQL

A game is played to its end, and its events are then repeated under names that are no game's until
the store is that large: every byte is copied, started on and restored as any other.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from service.backups.copies import newest, restore
from service.backups.shadow import Shadow, follow
from service.bots import demo
from service.ops.measures import last_shadow
from tests.service.cli.test_backup_drill import drilled
from tests.service.ops.test_backup import backup
from tests.support import postgres

KEY = postgres.KEY
PLAYED = "CREATE TEMPORARY TABLE played AS SELECT * FROM stored_events"
"""The game's own rows, so that no repetition looks through those that were made before."""
AGAIN = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
    "SELECT '{name}' || originator_id, originator_version, topic, state FROM played"
)


def say(text: str) -> None:
    print(text, flush=True)


@contextmanager
def timed(what: str) -> Iterator[None]:
    begun = time.monotonic()
    yield
    say(f"{what:<44}{time.monotonic() - begun:8.1f} s")


def played(folder: Path, **given: str) -> None:
    """A store with a game that is over."""
    from domain.kernel.finder import games
    from service.bots import bots_of

    game = next(iter(games().values()))
    bot = next(iter(bots_of(game)))
    plan = demo.Plan("recovery", game, game.editions[-1], (bot,) * min(game.seat_counts))
    with demo.service(folder, given) as url:
        demo.play(url, plan, lambda line: None)


def started(folder: Path, **given: str) -> None:
    with timed("start, until it is ready"), demo.service(folder, given):
        pass


def ran(*words: object) -> None:
    done = backup(*words)
    if done.returncode:
        raise RuntimeError(done.stderr)


def of_a_file(folder: Path, size: int) -> None:
    database = folder / "decklog.sqlite"
    own = {"DECKLOG_KEY": KEY}
    played(folder, DECKLOG_DATABASE=str(database), **own)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(PLAYED)
        number = 0
        while database.stat().st_size < size:
            connection.execute("BEGIN")
            for _ in range(50):
                number += 1
                connection.execute(AGAIN.format(name=f"cut/{number:09}/"))
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    say(f"an SQLite file of {database.stat().st_size / 1e6:,.0f} MB")
    with timed("backup, with its sum"):
        ran("sqlite", database, folder / "copies")
    with timed("restore, with its sum"):
        restore(newest(folder / "copies"), str(folder / "back.sqlite"))
    started(folder, DECKLOG_DATABASE=str(folder / "back.sqlite"), **own)
    (folder / "back.sqlite").unlink()
    with timed("drill: restore, start, play, judge"):
        done = drilled(folder / "copies", "--room", folder, key=KEY)
        assert done.code == 0, done
    say(f"    {done.json['seconds']}")
    behind(folder, database)


def behind(folder: Path, database: Path) -> None:
    """The second folder, while a battle is played."""
    target = folder / "second"
    target.mkdir()
    stop = threading.Event()
    shadow = Shadow(database, target, target)
    follower = threading.Thread(target=follow, args=(shadow, 2.0, stop.wait))
    with timed("second folder: the first whole copy"):
        follower.start()
        while not last_shadow(str(target)):
            time.sleep(0.05)
    lags: list[float] = []
    done = threading.Event()
    given = {"DECKLOG_DATABASE": str(database), "DECKLOG_KEY": KEY}

    def battle() -> None:
        try:
            played(folder, **given)
        finally:
            done.set()

    player = threading.Thread(target=battle)
    player.start()
    while not done.wait(0.05):
        lags.append(time.time() - last_shadow(str(target))["timestamp"])
    stop.set()
    follower.join()
    say(f"second folder, under play: behind by {max(lags):.1f} s at most, {len(lags)} looks")
    (copy,) = target.glob("shadow-*")
    with timed("second folder: restore"):
        restore(copy, str(folder / "again.sqlite"))
    started(folder, DECKLOG_DATABASE=str(folder / "again.sqlite"), DECKLOG_KEY=KEY)


def of_postgresql(folder: Path, size: int) -> None:
    with postgres.running() as address:
        other = address.replace("/postgres?", "/other?")
        played(folder, DECKLOG_STORE=address, DECKLOG_KEY=KEY)
        with psycopg.connect(address, autocommit=True) as operator:
            operator.execute("CREATE DATABASE other")
            operator.execute("SET synchronous_commit = off")
            operator.execute(PLAYED)
            number, found = 0, 0
            while found < size:
                for _ in range(50):
                    number += 1
                    operator.execute(AGAIN.format(name=f"cut/{number:09}/").encode())
                row = operator.execute("SELECT pg_total_relation_size('stored_events')").fetchone()
                found = int(row[0]) if row else size
        say(f"a PostgreSQL of {found / 1e6:,.0f} MB")
        with timed("backup, with its sum"):
            ran("postgresql", address, folder / "copies")
        say(f"    {newest(folder / 'copies').stat().st_size / 1e6:,.0f} MB")
        with timed("restore, with its sum"):
            ran("restore", newest(folder / "copies"), other)
        started(folder, DECKLOG_STORE=other, DECKLOG_KEY=KEY)


def main() -> None:
    parser = argparse.ArgumentParser(description="Times of recovery, by the size of the store.")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--disk", type=Path, help="folder on the disk that is measured")
    asked: Any = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="decklog-recovery-", dir=asked.disk) as name:
        measured = of_postgresql if asked.postgres else of_a_file
        measured(Path(name), asked.megabytes * 1_000_000)


if __name__ == "__main__":
    main()
