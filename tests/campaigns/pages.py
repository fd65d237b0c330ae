"""Whole games at the pages: every ruleset by mouse, by finger at 390 pixels, and by keys alone.

    python -m tests.campaigns.pages [--game war-at-sea] [--way keys] [--seed NAME] [--write]

Each seat has a browser of its own, four of them in Naval Battles. On the way the service is killed
and started again, and a browser loses the network. The evidence of each game is judged, screenshots
of its end are left in build/screenshots, to be looked at. What each game took is kept in
tests/data/pages, and ``--write`` makes the tables of BY-HAND.md of that. CI plays one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.pages.evening import Evening, played
from tests.pages.hands import WAYS
from tests.support.chromium import SHOTS, chromium
from tests.support.suites import TESTS

KEPT = TESTS / "data" / "pages"
BOOK = TESTS / "campaigns" / "BY-HAND.md"

EVENINGS = {
    each.ruleset: each
    for each in (
        Evening("war-at-sea", edition="2009"),
        Evening("crimson-tide", options={"turns": 2}),
        Evening("naval-battles", seats=4),
    )
}


def main(arguments: list[str]) -> int:
    """0 when every game came to its end as it must; else the failure is told."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.pages", description=__doc__)
    parser.add_argument("--game", action="append", choices=sorted(EVENINGS))
    parser.add_argument("--way", action="append", choices=sorted(WAYS))
    parser.add_argument("--seed", default="whole games by hand")
    parser.add_argument("--keep", default=str(KEPT), help="where figures are kept; '' for nowhere")
    parser.add_argument("--write", action="store_true", help="write the tables of BY-HAND.md")
    asked = parser.parse_args(arguments)
    for name in asked.game or ([] if asked.write else EVENINGS):
        for way in asked.way or WAYS:
            began = time.monotonic()
            told = play(EVENINGS[name], way, asked.seed)
            if asked.keep:
                keep(told, Path(asked.keep))
            spent = time.monotonic() - began
            print(f"{name} by {way}: {told['orders']} orders, {spent:.0f} s; see {SHOTS.name}")
    if asked.write:
        BOOK.write_text(written(BOOK.read_text("utf-8"), kept()), "utf-8")
    return 0


def play(evening: Evening, way: str, seed: str) -> dict[str, Any]:
    """One game on a server and in browsers of its own."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        return played(browser, Path(folder), evening, way, seed)


def keep(told: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(told, indent=1) + "\n"
    (folder / f"{told['ruleset']}-{told['way']}.json").write_text(text, "utf-8")


def kept(folder: Path = KEPT) -> dict[tuple[str, str], dict[str, Any]]:
    """The newest figures of each ruleset in each way."""
    told = [json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*.json"))]
    return {(each["ruleset"], each["way"]): each for each in told}


BEGIN, END = "<!-- games by hand -->\n", "<!-- end -->\n"


def written(book: str, told: dict[tuple[str, str], dict[str, Any]]) -> str:
    """The document with its tables made anew."""
    before, _, rest = book.partition(BEGIN)
    return before + BEGIN + tables(told) + END + rest.partition(END)[2]


def tables(told: dict[tuple[str, str], dict[str, Any]]) -> str:
    """What each game took as a whole, then the presses of each part that was asked for."""
    lines = [*WHOLE, *(whole(each) for each in told.values()), ""]
    for ruleset in sorted({name for name, _ in told}):
        lines += [*parts(ruleset, told), ""]
    return "\n".join(lines) + "\n"


HEADS = (
    "game", "way", "browsers", "orders", "presses an order",
    "seen elsewhere after, s: half, 19 of 20", "opening: files, requests, bytes",
    "requests an order", "bytes an order", "memory, MB: first, last", "restarts, networks lost",
)  # fmt: skip
WHOLE = (f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|")


def whole(each: dict[str, Any]) -> str:
    presses = sum(part["times"] * part["mean"] for part in each["asked"].values())
    orders, sight, memory = each["orders"], each["sight"], each["memory"]
    opening = each["opening"]
    heap = [memory[when]["heap"] / 1e6 for when in ("at first", "at last")]
    return (
        f"| {each['ruleset']} | {each['way']} | {each['browsers']} | {orders} "
        f"| {presses / orders:.1f} | {sight['median']:.2f}, {sight['of 20 the last']:.2f} "
        f"| {opening['files']}, {opening['requests']}, {opening['bytes']:,} "
        f"| {each['requests'] / orders:.1f} | {each['bytes'] / orders:,.0f} "
        f"| {heap[0]:.1f}, {heap[1]:.1f} | {each['restarts']}, {each['lost networks']} |"
    )


def parts(ruleset: str, told: dict[tuple[str, str], dict[str, Any]]) -> list[str]:
    """Of one ruleset by question and part: in each way the mean and the most presses."""
    found = {way: told[ruleset, way]["asked"] for way in WAYS if (ruleset, way) in told}
    names = sorted({name for asked in found.values() for name in asked})
    head = f"| {ruleset}: question / part | " + " | ".join(found) + " |"
    rows = [f"| {n} | " + " | ".join(_cell(a.get(n)) for a in found.values()) + " |" for n in names]
    return [head, "|---|" + "---|" * len(found), *rows]


def _cell(part: dict[str, Any] | None) -> str:
    return f"{part['mean']:.1f}, {part['most']} ({part['times']})" if part else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
