"""Bytes of a finished game in the store, and of one event, by ruleset.

    python -m tests.bench.bench_bytes [RUNS] [POSTGRES]

Bots play a whole game of each ruleset over HTTP on a store of its own; POSTGRES of 1 takes that as
well. Counted is all that the store has then, with its indexes, but for what it has once for all
games: the archives of engines, and what a store takes that no game is in. The reference is the
evidence file of the same game; beside it stands what that takes in the archive
(``service/store/archive.py``).
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from domain.kernel.finder import games
from service.bots import bots_of, demo
from service.clock import SYSTEM
from service.play.archiving import judged, put_away
from service.settings import Settings
from service.store.store import Store
from service.views.rulesets import Rulesets
from tests.bench.report import Report
from tests.support import postgres

ARCHIVES = ("engines", "shown")


class Weight(NamedTuple):
    """Of a game: its events, its bytes in the store, and those of its evidence and of its file in
    the archive."""

    events: int
    bytes: int
    evidence: int
    archived: int

    @property
    def of_an_event(self) -> int:
        return self.bytes // self.events


def played(ruleset: str, folder: Path, given: Mapping[str, str]) -> demo.Battle:
    """A whole game, the same each time."""
    game = games()[ruleset]
    bots = (next(iter(bots_of(game))),) * min(game.seat_counts)
    plan = demo.Plan("bytes", game, game.editions[-1], bots)
    with demo.service(folder, given) as url:
        return demo.play(url, plan, lambda line: None)


def in_a_file(ruleset: str) -> Weight:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "decklog.sqlite"
        battle = played(ruleset, Path(name), {"DECKLOG_DATABASE": str(file)})
        size = _size(file) - _size_of_none(Path(name) / "empty.sqlite")
        given = Settings(database=file, archive=str(Path(name) / "archive"))
        return weighed(battle, size, archived(given, battle.game))


def _size(file: Path) -> int:
    """Of a closed store, without room that it has to spare."""
    with closing(sqlite3.connect(file)) as connection:
        for table in ARCHIVES:
            connection.execute(f"DELETE FROM {table}")
        connection.commit()
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size


def _size_of_none(file: Path) -> int:
    """Of a store that no game is in."""
    _opened(Settings(database=file))
    return _size(file)


def _opened(given: Settings) -> None:
    store = Store(given)
    store.open(SYSTEM.now())
    store.close()


def weighed(battle: demo.Battle, size: int, filed: int) -> Weight:
    return Weight(battle.summary["version"], size, len(battle.evidence), filed)


def archived(given: Settings, game: str) -> int:
    """The size of the game's file, when it has really gone there and is read as before."""
    store = Store(given)
    store.open(SYSTEM.now())
    try:
        store.recorder.put([("cut/bench", 1, "", b"")], ())  # the newest event of all stays
        before = _kept(store, game)
        done = put_away(store, judged(store, Rulesets(games(), store), game), game, "bench", "size")
        assert _kept(store, game) == before
        assert store.archive.row(store.recorder, game) is not None
        return done.size
    finally:
        store.close()


def _kept(store: Store, game: str) -> list[Any]:
    rows = [(seq, topic, bytes(state)) for seq, topic, state in store.rows(game)]
    return [rows, [bytes(order.command) for order in store.commands(game)]]


def in_postgresql(ruleset: str) -> Weight:
    with tempfile.TemporaryDirectory() as name, postgres.running() as address:
        given = {"DECKLOG_STORE": address, "DECKLOG_KEY": postgres.KEY}
        shared = Settings(store=address, key=postgres.KEY, archive=str(Path(name) / "archive"))
        _opened(shared)
        empty = _taken(address)
        battle = played(ruleset, Path(name), given)
        return weighed(battle, _taken(address) - empty, archived(shared, battle.game))


def _taken(address: str) -> int:
    asked = (
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND "
        "relnamespace = current_schema()::regnamespace AND NOT relname = ANY(%s)"
    )
    with psycopg.connect(address) as connection:
        row = connection.execute(asked, (list(ARCHIVES),)).fetchone()
    assert row is not None
    return int(row[0])


def main(runs: int, shared: int) -> None:
    whole = Report("bytes of a finished game", "B", "bots, to the end")
    single = Report("bytes of an event in it", "B", "bots, to the end")
    stores = {"SQLite": in_a_file} | ({"PostgreSQL": in_postgresql} if shared else {})
    for _ in range(runs):
        for ruleset in games():
            for store, weigh in stores.items():
                found = weigh(ruleset)
                whole.add(f"{ruleset}, evidence", found.evidence)
                whole.add(f"{ruleset}, archive", found.archived)
                whole.add(f"{ruleset}, {store}", found.bytes)
                single.add(f"{ruleset}, evidence", found.evidence // found.events)
                single.add(f"{ruleset}, archive", found.archived // found.events)
                single.add(f"{ruleset}, {store}", found.of_an_event)
    whole.show(whole.first())
    print()
    single.show(single.first())


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*given, *(1, 0)[len(given) :])
