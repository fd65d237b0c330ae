"""Two browsers bring a game of every ruleset to its end.

    python -m tests.campaigns.pages [--game war-at-sea] [--seed NAME]

Bots play most of it, the last moves are clicked at two pages, one of them as narrow as a phone. The
pages, the game and its evidence have to agree on how it ended, nothing is complained of, and the
accessibility engine finds nothing serious. Screenshots of the end are left in build/screenshots, to
be looked at. CI plays Naval Battles.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.pages.conftest import Person
from tests.pages.whole import Wish, played_to_the_end
from tests.support.chromium import SHOTS, chromium
from tests.support.server import running

WISHES = {
    "war-at-sea": Wish("war-at-sea"),
    "crimson-tide": Wish("crimson-tide", options={"turns": 4}),
    "naval-battles": Wish("naval-battles"),
}


def main(arguments: list[str]) -> int:
    """0 when every game came to its end as it must; else the failure is told."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.pages", description=__doc__)
    parser.add_argument("--game", action="append", choices=sorted(WISHES))
    parser.add_argument("--seed", default="two browsers to the end")
    asked = parser.parse_args(arguments)
    for name in asked.game or WISHES:
        began = time.monotonic()
        play(WISHES[name]._replace(seed=asked.seed))
        print(f"{name}: to its end in {time.monotonic() - began:.0f} s; see {SHOTS.name}")
    return 0


def play(wish: Wish) -> None:
    """One game on a server and in browsers of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), games="installed") as server,
        chromium() as browser,
    ):
        people = [
            Person(browser, server.url),
            Person(browser, server.url, viewport={"width": 420, "height": 850}),
        ]
        played_to_the_end(wish, server.url, *people)
        for each in people:
            each.leave()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
