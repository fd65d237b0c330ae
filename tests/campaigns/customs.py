"""Thousands of random scenarios and maps: judged, and played where they are good.

``python -m tests.campaigns.customs --count 4000``; the first failure ends it and names its seed.
The short tier is tests/war_at_sea/test_random_customs.py.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.support.random_customs import check_all

BATCH = 50


def main(arguments: list[str]) -> int:
    """0 when every document was judged, and every good one played to its end."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.customs", description=__doc__)
    parser.add_argument("--count", type=int, default=4_000, help="how many documents")
    parser.add_argument("--first", type=int, default=1_000, help="the first seed")
    options = parser.parse_args(arguments)
    played, began = 0, time.monotonic()
    for done in range(0, options.count, BATCH):
        first = options.first + done
        seeds = range(first, first + min(BATCH, options.count - done))
        played += len(check_all(seeds))
        print(
            f"\r{done + len(seeds):,} of {options.count:,} judged, {played:,} played, "
            f"{time.monotonic() - began:,.0f} s",
            end="",
            file=sys.stderr,
            flush=True,
        )
    print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
