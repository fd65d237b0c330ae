"""The judge in a browser against the command line, on the same files.

    python -m service.judge; python -m tests.bench.judge_in_page [RUNS]

``judge.html`` from a disk, in Chromium: cold, from opening the page to the first verdict, and warm,
each further file. Battles of War at Sea of about 300 events, the longest of a few random ones, and
one of at least 3,000 in which few attack.
Wall time; beside it the command line's verifier, in this process.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, expect

from domain.kernel.commands import tag_of
from domain.kernel.finder import games
from domain.kernel.game import Game
from service.evidence.verify import verify
from service.judge import alone, vendor
from tests.bench.bench_verify import played, standard
from tests.bench.report import Report
from tests.service.evidence.playing import Table
from tests.support.chromium import chromium

PATIENCE = 300_000
SIZES = (300, 3_000)
ATTACKS = 20
"""One order in so many is an attack, where others can be given: so a battle goes on for long."""


def long_battle(game: Game[Any, Any, Any], seed: int, least: int) -> Table:
    """A random battle of at least so many events, most of them movements."""
    setup = standard(game)
    table, rng = Table(game=game, setup=setup, length=4096), random.Random(seed)
    while game.result(table.state) is None and len(table.rows) < least:
        moves = [(s, each) for s in setup.seats for each in game.legal(table.state, s).commands]
        calm = [move for move in moves if "attack" not in tag_of(type(move[1]))]
        table.order(*rng.choice(calm if calm and rng.randrange(ATTACKS) else moves))
    return table


def battles(game: Game[Any, Any, Any]) -> Iterator[Table]:
    """One of about 300 events, the longest of a few random ones, and one of 3,000 at least."""
    for size in SIZES:
        tables = [played(game, standard(game), seed, size) for seed in range(3)]
        yield max(tables, key=lambda each: len(each.rows))
    long = (long_battle(game, seed, SIZES[-1]) for seed in range(20))
    yield next(each for each in long if len(each.rows) >= SIZES[-1])


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def judged(page: Page, path: Path) -> None:
    page.locator("#told").evaluate("pre => { pre.textContent = ''; }")
    page.locator("#file").evaluate("input => { input.value = ''; }")  # the same file once more
    page.set_input_files("#file", path)
    expect(page.locator("#told")).not_to_be_empty(timeout=PATIENCE)
    assert page.locator("#word").inner_text().startswith("UPHELD")


def opened(page: Page, path: Path) -> None:
    page.goto((vendor.FOLDER / alone.NAME).as_uri())
    judged(page, path)


def main(runs: int = 3) -> None:
    report, game = Report("The judge in a page", "ms", "wall time"), games()["war-at-sea"]
    with TemporaryDirectory() as name, chromium() as browser:
        files = []
        for table in battles(game):
            path = Path(name) / f"{len(table.rows)}.decklog"
            path.write_bytes(table.export())
            files.append(path)
        for _ in range(runs):
            for path in (files[0], files[-1]):
                page = browser.new_page()
                took = seconds(lambda page=page, path=path: opened(page, path)) * 1000  # type: ignore[misc]
                report.add(f"page, cold, {path.stem} events", took)
                page.close()
            page = browser.new_page()
            opened(page, files[0])
            for path in files:
                warm = seconds(lambda page=page, path=path: judged(page, path)) * 1000  # type: ignore[misc]
                report.add(f"page, warm, {path.stem} events", warm)
                line = seconds(lambda path=path: verify(path.read_bytes(), games())) * 1000  # type: ignore[misc]
                report.add(f"command line, {path.stem} events", line)
            page.close()
    report.show()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
