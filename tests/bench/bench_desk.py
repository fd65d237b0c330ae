"""The desk in a long game, in a browser: opened, and each step drawn (in ms).

    python -m tests.bench.bench_desk [EVENTS] [STEPS] [TIMES] [--write]

A random linked battle of six in Naval Battles (as bench_travel) of EVENTS events. TIMES times a
browser with nothing kept opens its desk: until the board of the newest moment is drawn, what all
requests took that were answered until then, laid one over the other, and until the whole film is
there; then STEPS random versions, from the wish to the next frame of the screen. Reference: a frame
of the same page in which nothing is drawn. ``--write`` keeps the figures and makes the table of
tests/campaigns/BY-HAND.md of them.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from tests.bench.bench_travel import FIRST, Journey, played
from tests.bench.report import Report, machine
from tests.support.chromium import chromium
from tests.support.server import running
from tests.support.suites import TESTS

BOOK = TESTS / "campaigns" / "BY-HAND.md"
KEPT = TESTS / "data" / "desk.json"
BEGIN, END = "<!-- desk -->\n", "<!-- end of the desk -->\n"
PATIENCE = 120_000
"""Milliseconds."""

STEP = """async (version) => {
  const slider = document.querySelector("#version"), began = performance.now();
  if (version) {
    slider.value = String(version);
    slider.dispatchEvent(new Event("input"));
  }
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  return performance.now() - began;
}"""
"""From the wish for a version to the frame in which it is drawn; without one, a frame."""
ASKED = """() => performance.getEntriesByType("resource")
  .filter(({ name, responseEnd }) => name.includes("/v1") && responseEnd)
  .map(({ startTime, responseEnd }) => [startTime, responseEnd])"""
DRAWN = "() => document.querySelector('.desk-board .boardbox')"
WHOLE = "() => document.querySelector('.desk-board').dataset.film === 'whole'"
NOW = "performance.now()"


def covered(spans: Iterable[tuple[float, float]]) -> float:
    """How long at least one was on its way."""
    whole, until = 0.0, 0.0
    for start, end in sorted(spans):
        whole += max(0.0, end - max(start, until))
        until = max(until, end)
    return whole


def opened(page: Page, url: str, journey: Journey, report: Report) -> None:
    page.add_init_script(
        f"localStorage.setItem('decklog.games', '{json.dumps({journey.game: kept(journey)})}')"
    )
    page.goto(f"{url}/#/replay/{journey.game}")
    page.wait_for_function(DRAWN, timeout=PATIENCE)
    report.add("until the board is drawn", page.evaluate(NOW))
    spans = page.evaluate(ASKED)
    report.add("of it, requests on their way", covered((a, b) for a, b in spans))
    page.wait_for_function(WHOLE, timeout=PATIENCE)
    report.add("until the whole film is there", page.evaluate(NOW))


def kept(journey: Journey) -> dict[str, Any]:
    return {"name": "Long", "seats": {"p1": journey.tokens["p1"]}, "invitations": {}}


def measured(browser: Browser, url: str, journey: Journey, steps: int, times: int) -> Report:
    about = f"linked Naval Battles of {journey.events:,} events"
    report = Report("the desk in a browser", "ms", about)
    for number in range(times):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        opened(page, url, journey, report)
        for version in random.Random(number).choices(range(FIRST, journey.events), k=steps):
            report.add("a step", page.evaluate(STEP, version))
            report.add("a frame without one", page.evaluate(STEP, 0))
        context.close()
    return report


def table(told: dict[str, Any]) -> str:
    """The figures as they stand in the document."""
    lines = ["| what | ms: half, the most | times |", "|---|---|---|"]
    for name, figures in told["figures"].items():
        lines.append(f"| {name} | {median(figures):,.0f}, {max(figures):,.0f} | {len(figures):,} |")
    machine_, command = told["machine"], told["command"]
    return "\n".join([*lines, "", f"{machine_}; {told['events']:,} events; `{command}`", ""])


def written(book: str, told: dict[str, Any]) -> str:
    before, _, rest = book.partition(BEGIN)
    return before + BEGIN + table(told) + END + rest.partition(END)[2]


def main(arguments: list[str]) -> None:
    write = "--write" in arguments
    numbers = [int(each) for each in arguments if each != "--write"]
    events, steps, times = [*numbers, *(10_000, 100, 5)[len(numbers) :]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (journey,) = asyncio.run(played(folder / "decklog.sqlite", [events]))
        with running(folder) as server, chromium() as browser:
            report = measured(browser, server.url, journey, steps, times)
    report.show(reference="a frame without one")
    if write:
        command = f"python -m tests.bench.bench_desk {events} {steps} {times}"
        told = {
            "machine": machine(), "command": command, "events": journey.events,
            "figures": {k: [round(f) for f in v] for k, v in report.figures.items()},
        }  # fmt: skip
        KEPT.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
        BOOK.write_text(written(BOOK.read_text("utf-8"), told), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
