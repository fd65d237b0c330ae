"""Thousands of malformed tokens and hostile requests: each refused, and nothing is given away.

``python -m tests.campaigns.intruders --tokens 10000 --requests 5000``; the first failure ends it
and names its seed. The short tier is tests/service/http/test_intruders.py.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from litestar.testing import TestClient

from service.app import create_app
from service.http.registry import operations
from service.settings import Settings
from tests.service.http.table import Table
from tests.support.contract import Contract
from tests.support.intruder import attack, check_token
from tests.support.pennant import GAME

STEP = 100


def main(arguments: list[str]) -> int:
    """0 when nothing was let in and nothing given away."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.intruders", description=__doc__)
    parser.add_argument("--tokens", type=int, default=10_000, help="how many malformed tokens")
    parser.add_argument("--requests", type=int, default=5_000, help="how many hostile requests")
    parser.add_argument("--first", type=int, default=100_000, help="the first seed")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            database=Path(folder) / "x.sqlite",
            rate_limit=0,
            chain_length=64,
            webhook_seconds=0,
            log_level="ERROR",
        )
        app = create_app(settings, {"pennant": GAME})
        with TestClient(app) as client:
            table = Table(client, Contract.of(app.state.http.describe()))
            match = table.create()
            seeds = range(options.first, options.first + options.tokens)
            shapes: set[tuple[str, ...]] = set()
            for number, seed in enumerate(seeds, 1):
                shapes.add(tuple(sorted(check_token(table, match, seed))))
                _tell(number, options.tokens, "tokens", began)
            assert len(shapes) <= 1, shapes
            statuses: Counter[int] = Counter()
            seeds = range(options.first, options.first + options.requests)
            for number, seed in enumerate(seeds, 1):
                kept = tuple(each for each in operations() if each.id != "revokeToken")
                statuses[attack(table, match, kept, seed)] += 1
                _tell(number, options.requests, "requests", began)
    print(f"\nstatuses: {dict(sorted(statuses.items()))}")
    return 0


def _tell(number: int, of: int, what: str, began: float) -> None:
    if number % STEP == 0 or number == of:
        seconds = time.monotonic() - began
        text = f"\r{number:,} of {of:,} {what}, {seconds:,.0f} s "
        print(text, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
