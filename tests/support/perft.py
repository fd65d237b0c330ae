"""Option counts by depth from named positions, as chess has perft: a wrong count is a wrong rule.

tests/perft/<game>.jsonl: one position a line, set up like a conformance case
(tests/cases/README.md), with ``counts``, which domain/kernel/testing/counts.py explains.

``python -m tests.support.perft`` prints what differs; ``--write`` writes the counts anew, to the
same depths; ``--divide NAME`` splits a position's deepest count by its first command, which finds
the one rule in which two engines differ.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from domain.kernel.testing import counts as kernel
from tests.support import cases
from tests.support.suites import TESTS, Suite, chosen, with_games

Position = dict[str, Any]


def file(suite: Suite) -> Path:
    """Where a game's positions are."""
    return TESTS / "perft" / f"{suite.folder}.jsonl"


def load(suite: Suite) -> list[Position]:
    """Every position of a game."""
    return [json.loads(line) for line in file(suite).read_text("utf-8").splitlines() if line]


def counts(suite: Suite, position: Mapping[str, Any], depth: int) -> list[int]:
    """How many ways there are to give 1 up to ``depth`` commands."""
    with suite.around():
        return kernel.counts(suite.game, begun(suite, position), depth)


def begun(suite: Suite, position: Mapping[str, Any]) -> Any:
    """The state that is counted from: the set-up, then the script."""
    table = suite.begin(position)
    for entry in position.get("script", ()):
        cases.do(suite.game, table, entry)
    return table.state


def divide(suite: Suite, position: Mapping[str, Any]) -> dict[str, int]:
    """The deepest count by first command."""
    with suite.around():
        return kernel.divided(suite.game, begun(suite, position), len(position["counts"]))


def _line(position: Position) -> str:
    return json.dumps(position, separators=(",", ":"), ensure_ascii=False)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.support.perft", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the counts anew")
    parser.add_argument("--divide", metavar="NAME", help="split one position's deepest count")
    with_games(parser)
    options = parser.parse_args()
    for suite in chosen(options.game).values():
        if not file(suite).exists():
            continue
        positions = load(suite)
        for position in positions:
            if options.divide is not None:
                if position["id"] == options.divide:
                    print("\n".join(f"{n:8} {c}" for c, n in divide(suite, position).items()))
                continue
            found = counts(suite, position, len(position["counts"]))
            if found != position["counts"]:
                print(f"{position['id']}: {found}, not {position['counts']}")
            position["counts"] = found
        if options.write:
            file(suite).write_text("\n".join(map(_line, positions)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
