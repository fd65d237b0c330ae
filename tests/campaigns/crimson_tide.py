"""What is particular to an open table, at length.

``python -m tests.campaigns.crimson_tide geometry --count 100000``
    every predicate against exact fractions, on so many random and wicked configurations
``python -m tests.campaigns.crimson_tide reflections --count 500``
    so many random battles, played again turned by quarters, mirrored, with the seats changed

The first failure ends it and names its seed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
import traceback
from collections.abc import Callable

from domain.kernel.conformance import play
from tests.crimson_tide import agreement
from tests.crimson_tide.random_battles import game_of, setup_of
from tests.crimson_tide.reflections import TURNINGS, check_reflection

REPORT_SECONDS = 5.0


def geometry(seed: int) -> str:
    """One configuration; what was wrong with it, if anything."""
    return _failure(lambda: agreement.check(f"campaign {seed}"))


def reflection(seed: int) -> str:
    """One battle on one of the fifteen other tables; with quadrants only on one that is turned.

    Quadrants go from the left as the first side sees it: a mirror, and other seats, exchange them.
    """
    choose, setup = random.Random(f"reflection {seed}"), setup_of(seed)
    *_, played = play(game_of(seed), setup, choose.randrange)
    quadrants = len(setup.seats) > 2 and setup.options.get("quadrants", "set-up") == "set-up"
    turnings = [t for t in TURNINGS if not (quadrants and (t.mirrored or t.changed))]
    return _failure(lambda: check_reflection(played, turnings[seed % len(turnings)], every=20))


def _failure(check: Callable[[], None]) -> str:
    try:
        check()
    except Exception:
        return traceback.format_exc(limit=-6)
    return ""


CAMPAIGNS: dict[str, tuple[Callable[[int], str], int]] = {
    "geometry": (geometry, 100_000),
    "reflections": (reflection, 500),
}
"""What is checked for one seed, and how many seeds unless told."""


def main(arguments: list[str]) -> int:
    """0 when nothing differed."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.crimson_tide", description=__doc__)
    parser.add_argument("campaign", choices=list(CAMPAIGNS))
    parser.add_argument("--count", type=int, help="how many seeds")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options = parser.parse_args(arguments)
    check, usual = CAMPAIGNS[options.campaign]
    count = usual if options.count is None else options.count
    told = time.monotonic()
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        seeds = range(options.first, options.first + count)
        for seed, failure in zip(seeds, pool.imap(check, seeds, chunksize=8), strict=True):
            if failure:
                print(f"\nseed {seed}:\n{failure}", file=sys.stderr)
                return 1
            if time.monotonic() - told >= REPORT_SECONDS:
                told = time.monotonic()
                done = seed - options.first + 1
                print(f"\r{done:,} of {count:,} agree ", end="", file=sys.stderr, flush=True)
    print(f"\r{options.campaign}: all {count:,} agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
