"""Fold of stored events: read, hash check, decode, evolve. Target: 100,000 events a second.

    python -m tests.bench.bench_fold [EVENTS] [RUNS]

Beside it, in the same runs: the steps one by one, and bare decoding of the same events.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from service.desk import Desk, open_desk
from service.evidence.chain import GENESIS, Seals
from service.evidence.changed import Reading
from service.play.live import load
from service.store.rows import read_rows
from service.store.store import Store
from service.views.views import GameViews, tell
from tests.bench.report import Report
from tests.service.desk.kit import GAMES, new_game, order, settings
from tests.support.pennant import GAME, Choose, Fire


async def make(folder: Path, events: int) -> str:
    """A game of at least so many events: every turn fires, so that a third of them are dice."""
    async with open_desk(settings(folder, chain_length=events), GAMES) as desk:
        game = (await new_game(desk, turns=events)).game.id
        await order(desk, game, "p1", Choose("bold"))
        await order(desk, game, "p2", Choose("steady"))
        version, mover = 5, 0
        while version < events:
            outcome = await order(desk, game, ("p1", "p2")[mover], Fire("hull"), expected=version)
            version, mover = outcome.version, 1 - mover
    return game


def measure(store: Store, desk: Desk, game: str, runs: int) -> Report:
    stored = store.game(game)
    assert stored is not None
    count = stored.summary.version
    seals = Seals(stored.master, bytes.fromhex(stored.summary.params))
    reading = Reading(GAME)
    rows = store.rows(game)
    records = read_rows(game, rows, seals, 0, GENESIS)
    told = [tell(reading, record) for record in records]
    events = [one.event for one in told if one.event is not None]
    decoders = {f"pennant.{t.NAME}": msgspec.json.Decoder(t) for t in GAME.events}

    def bare() -> None:
        for record in records:
            decoder = decoders.get(record.body.type)
            if decoder is not None:
                decoder.decode(record.truth)

    def view() -> None:
        GameViews(game, GAME, lambda: GAME, store, seals).at("p1", count)

    vault = desk.engine.vault
    steps: dict[str, Callable[[], object]] = {
        "bare decoding of the events (reference)": bare,
        "read the rows": lambda: store.rows(game),
        "check and open the rows": lambda: read_rows(game, rows, seals, 0, GENESIS),
        "decode the events": lambda: [tell(reading, record) for record in records],
        "evolve": lambda: GAME.fold(events),
        "the engine's fold, all of it": lambda: load(store, GAMES, vault, game),
        "a seat's view, cold, all of it": view,
    }
    report = Report("fold of stored events", "events/s", f"one game of {count:,} events")
    for _ in range(runs):
        for name, step in steps.items():
            begin = time.process_time()
            step()
            report.add(name, count / (time.process_time() - begin))
    return report


async def main(events: int, runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        game = await make(Path(folder), events)
        async with open_desk(settings(Path(folder), chain_length=events), GAMES) as desk:
            report = measure(desk.store, desk, game, runs)
    report.show(reference="bare decoding of the events (reference)")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    asyncio.run(main(*(numbers + [3_000, 9][len(numbers) :])))
