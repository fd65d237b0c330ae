"""Bytes of any kind for every parser of what strangers send, for as long as one likes.

    python -m tests.campaigns.foreign --seconds 600 [--only Accept] [--seed 1]

Each parser has its share of the time, in runs of a thousand examples; a failure is made small by
hypothesis and shown, with the seed that finds it again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.support.foreign import PARSERS, Parser, bytes_for, holds

EXAMPLES = 1_000


def run(parser: Parser, number: int, tally: Counter[bool]) -> None:
    """A thousand examples. Raises what the parser raises, AssertionError."""

    @seed(number)
    @settings(
        max_examples=EXAMPLES, database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def test(data: st.DataObject) -> None:
        tally[holds(parser, data.draw(bytes_for(parser)))] += 1

    test()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.foreign")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="the name of one parser")
    given = parser.parse_args(arguments)
    chosen = [each for each in PARSERS if given.only in ("", each.name)]
    failed = 0
    for each in chosen:
        tally: Counter[bool] = Counter()
        number, until = given.seed, time.monotonic() + given.seconds / len(chosen)
        try:
            while not tally or time.monotonic() < until:
                run(each, number, tally)
                number += 1
            print(f"{each.name}: {tally[True]} read, {tally[False]} refused", flush=True)
        except Exception as error:
            failed += 1
            print(f"{each.name}, --seed {number}: {type(error).__name__}: {error}", flush=True)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
