"""Offline verification of one bundle. Target: a bundle of 3,000 events in 3 seconds (3,000 ms).

    python -m tests.bench.bench_verify [EVENTS] [RUNS]

A finished random game of at least EVENTS events is exported and verified, or the longest of TRIES
where they end sooner; times are scaled to EVENTS, so that runs with other games compare. War at Sea
is the game that counts; Pennant, whose rules cost next to nothing, shows what chain and dice cost.
Reference: hashing and decoding the same lines, without any check.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from service import container
from service.evidence.chain import hash_of
from service.evidence.verify import verify
from tests.bench.report import Report
from tests.service.evidence.playing import GAMES, Table
from tests.support import pennant

TRIES = 10
REFERENCE = "hash and decode the lines (reference)"


def finished(game: Game[Any, Any, Any], setup: Setup, least: int, most: int) -> Table:
    """The first random game, by seed, that ends with so many events; else the longest tried."""
    ended: list[Table] = []
    for seed in range(TRIES):
        table = played(game, setup, seed, most)
        if len(table.rows) >= least and game.result(table.state) is not None:
            return table
        ended += [table] if game.result(table.state) is not None else []
    return max(ended, key=lambda table: len(table.rows))


def played(game: Game[Any, Any, Any], setup: Setup, seed: int, most: int) -> Table:
    """A random game to its end, or until it has more events than ``most``."""
    table = Table(game=game, setup=setup, length=4096)
    choose = random.Random(seed)
    while game.result(table.state) is None and len(table.rows) <= most:
        moves = [
            (seat, command)
            for seat in setup.seats
            for command in game.legal(table.state, seat).commands
        ]
        table.order(*choose.choice(moves))
    return table


def standard(game: Game[Any, Any, Any]) -> Setup:
    """The standard scenario of the newest edition with the usual options."""
    options = msgspec.to_builtins(msgspec.convert({}, game.options))
    return Setup(game.ruleset, game.editions[-1], "standard", ("p1", "p2"), options)


def measure(name: str, table: Table, events: int, runs: int) -> None:
    data = table.export()
    installed = {**games(), **GAMES}
    lines = container.unpack(data)["events.jsonl"].splitlines()

    def reference() -> None:
        for line in lines:
            hash_of(line)
            msgspec.json.decode(line)

    def judged() -> None:
        verdict = verify(data, installed)
        if verdict.code:
            raise SystemExit(verdict.text())

    about = f"{len(lines):,} events, {len(data):,} bytes, {len(table.orders):,} orders"
    report = Report(f"{name}: offline verification", f"ms for {events:,} events", about)
    steps: dict[str, Callable[[], object]] = {
        REFERENCE: reference,
        "verify: all checks, rules re-run": judged,
        "verify: chain, seals and dice alone": lambda: verify(data, {}),
        "export the bundle": table.export,
    }
    for _ in range(runs):
        for step, work in steps.items():
            begin = time.perf_counter()
            work()
            report.add(step, (time.perf_counter() - begin) * 1000 * events / len(lines))
    report.show(REFERENCE)


def main(events: int, runs: int) -> None:
    small = finished(pennant.GAME, pennant.setup(events // 2), events, 2 * events)
    measure("pennant", small, events, runs)
    for name, game in games().items():
        measure(name, finished(game, standard(game), events, 2 * events), events, runs)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    main(*(numbers + [3_000, 7][len(numbers) :]))
