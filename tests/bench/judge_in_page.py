"""The judge in a browser against the command line, on the same files.

    python -m service.judge; python -m tests.bench.judge_in_page [RUNS]

``judge.html`` from a disk, in Chromium: cold, from opening the page to the first verdict, and warm,
each further file. Battles of War at Sea of about 300 events, and the longest of a few random ones.
Wall time; beside it the command line's verifier, in this process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect

from domain.kernel.finder import games
from service.evidence.verify import verify
from service.judge import alone, vendor
from tests.bench.bench_verify import played, standard
from tests.bench.report import Report
from tests.support.chromium import chromium

PATIENCE = 300_000
SIZES = (300, 3_000)


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


def main(runs: int = 3) -> None:
    report, game = Report("The judge in a page", "ms", "wall time"), games()["war-at-sea"]
    with TemporaryDirectory() as name, chromium() as browser:
        files = []
        for size in SIZES:
            table = max((played(game, standard(game), seed, size) for seed in range(3)),
                        key=lambda each: len(each.rows))  # fmt: skip
            path = Path(name) / f"{len(table.rows)}.decklog"
            path.write_bytes(table.export())
            files.append(path)
        for _ in range(runs):
            page = browser.new_page()

            def cold(page: Page = page) -> None:
                page.goto((vendor.FOLDER / alone.NAME).as_uri())
                judged(page, files[0])

            report.add(f"page, cold, {files[0].stem} events", seconds(cold) * 1000)
            for path in files:
                warm = seconds(lambda page=page, path=path: judged(page, path)) * 1000  # type: ignore[misc]
                report.add(f"page, warm, {path.stem} events", warm)
                line = seconds(lambda path=path: verify(path.read_bytes(), games())) * 1000  # type: ignore[misc]
                report.add(f"command line, {path.stem} events", line)
            page.close()
    report.show()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
