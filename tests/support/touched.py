"""What each event changes of the state, learned from played games and kept for each game.

    python -m tests.support.touched

takes in events that are new, and forgets those that are gone. That an event changes more than it
did is refused: a fold that does something beside its event is a fault which no recorded game can
show, for its states are made by that very fold. Whoever means it says so by the event's name,
``--accept unit-moved``, and reads what moved in ``tests/frozen/touched``. ``--anew GAME`` learns
all of a game again, so that what no event changes any more is no longer allowed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from domain.kernel.testing.touched import Happened, Touched, learned, strange
from tests.support import stretches
from tests.support.suites import TESTS, Suite, chosen, suite_of, with_games

COMMAND = "python -m tests.support.touched"
RANDOM, LONG = 6, 300
"""Random games that are looked at besides, and how many commands of each."""


def file(suite: Suite) -> Path:
    """Where it is kept."""
    return TESTS / "frozen" / "touched" / f"{suite.folder}.json"


def load(suite: Suite) -> Touched:
    """What the events of a game are known to change; nothing of a game that is new."""
    if not file(suite).exists():
        return {}
    kept: dict[str, list[str]] = json.loads(file(suite).read_text("utf-8"))
    return {name: frozenset(places) for name, places in kept.items()}


def store(suite: Suite, known: Touched) -> None:
    """Keep it, one event a line."""
    lines = (f"{json.dumps(name)}: {json.dumps(sorted(known[name]))}" for name in sorted(known))
    file(suite).parent.mkdir(parents=True, exist_ok=True)
    file(suite).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def played(suite: Suite) -> Iterator[Happened]:
    """Its numbered cases, its recorded games, and some random ones."""
    for each in stretches.of_all(suite, RANDOM, LONG):
        yield each.before, each.events


@cache
def today(folder: str) -> Touched:
    """What the events of a game change by the folds of today."""
    suite = suite_of(folder)
    return learned(suite.game.evolve, played(suite))


def taken(suite: Suite, kept: Touched, found: Touched, accept: Collection[str] = ()) -> Touched:
    """What is to be kept. Raises ValueError where an event that is known changes more."""
    known = {event.NAME for event in suite.game.events}
    more = strange(kept, {name: each for name, each in found.items() if name in kept})
    refused = [each for each in more if each.split()[1] not in accept]
    if refused:
        raise ValueError("\n".join([*refused, f"If it is meant: {COMMAND} --accept EVENT"]))
    return {
        name: kept.get(name, frozenset()) | found.get(name, frozenset())
        for name in (kept.keys() | found.keys()) & known
    }


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--accept", metavar="EVENT", action="append", default=[])
    parser.add_argument("--anew", metavar="GAME", action="append", default=[])
    with_games(parser)
    given = parser.parse_args()
    for folder, suite in chosen(given.game).items():
        kept = {} if folder in given.anew else load(suite)
        try:
            store(suite, taken(suite, kept, today(folder), given.accept))
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{folder}: {len(load(suite))} events")
    return 0


if __name__ == "__main__":
    sys.exit(main())
