"""Runs the language-neutral conformance cases (tests/cases/README.md) against our engines.

``python -m tests.support.cases --next war_at_sea`` names the next free number of a game's cases.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from domain.kernel.rules import Refused
from domain.kernel.testing import cases as kernel
from domain.kernel.testing.cases import commands, do, event
from tests.support import reasons
from tests.support.suites import TESTS, AnyGame, Suite, suites

FOLDER = TESTS / "cases"


def load(game: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """Every case of a game, in order of file and line; blank lines separate groups.

    Raises ValueError where two have one number, whichever of them a run of the tests selects.
    """
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for path in sorted((folder / game).glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if line.strip():
                case, where = json.loads(line), f"{path.name}:{number}"
                if case["id"] in found:
                    raise ValueError(_doubled(game, case, where, *found[case["id"]]))
                found[case["id"]] = where, case
    return [case for _, case in found.values()]


def _doubled(
    game: str, case: Mapping[str, Any], where: str, before: str, first: Mapping[str, Any]
) -> str:
    """What is wrong, for who took a number that is taken."""
    return (
        f"{case['id']} is the number of two cases: {first['title']!r} ({before}) and "
        f"{case['title']!r} ({where}). Free: python -m tests.support.cases --next {game}"
    )


def free(listed: Iterable[Mapping[str, Any]]) -> str:
    """The number after all that are taken, in the style of the cases."""
    game, last = max(
        ((game, int(number)) for game, _, number in (c["id"].rpartition("-") for c in listed)),
        key=lambda taken: taken[1],
    )
    return f"{game}-{last + 1:03}"


def run(suite: Suite, case: Mapping[str, Any]) -> None:
    """Play a case; AssertionError says in what the engine differs."""
    with suite.around():
        kernel.run(suite.game, case, suite.begin, partial(_look, suite.game))


def _look(
    game: AnyGame, state: Any, events: Iterable[Any], refusal: Refused | None
) -> Iterator[str]:
    """What decides names its rule, and the rule is one of the game's edition."""
    yield from reasons.faults(game, state, events)
    if refusal is not None and reasons.foreign(game, state, (refusal.rule,)):
        yield f"{refusal} names a rule of another edition"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.cases", description=__doc__)
    parser.add_argument("--next", metavar="GAME", choices=suites(), required=True)
    print(free(load(parser.parse_args().next)))
    return 0


__all__ = ["commands", "do", "event", "free", "load", "run"]

if __name__ == "__main__":
    sys.exit(main())
