"""Whole games as the events that were stored: their fold comes to the same state for ever.

tests/games/<game>/history/*.jsonl: one stored event a line (``type``, ``schema``, ``data``), and
last the digest of the state that they fold to. A file here is not written again: rules may change
what is decided from now on, never what has happened. ``python -m tests.support.history`` adds the
recorded games that have no history yet. Until there is a release, ``--anew`` may strike what only
our own tree has, where stored forms change on purpose.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec

from tests.support.recorded import digest, read, replay
from tests.support.suites import Suite, chosen, with_games


def files(suite: Suite) -> list[Path]:
    """Every history of a ruleset."""
    return sorted((suite.recorded / "history").glob("*.jsonl"))


def stored(suite: Suite, event: Any) -> dict[str, Any]:
    """An event as a line of a history."""
    codec = suite.codec
    data = msgspec.json.decode(codec.encode(event))
    return {"type": codec.name(event), "schema": event.SCHEMA, "data": data}


def folded(suite: Suite, path: Path) -> tuple[str, str]:
    """The digest that a history's events fold to, and the one that was written with them."""
    codec = suite.codec
    *lines, last = read(path)
    events = (
        codec.decode(line["type"], line["schema"], json.dumps(line["data"]).encode())
        for line in lines
    )
    return digest(suite.game.fold(events)), last["state"]


def add(suite: Suite, anew: bool = False) -> None:
    """Add what is missing; change nothing, or write all of them ``anew``."""
    folder = suite.recorded / "history"
    folder.mkdir(parents=True, exist_ok=True)
    for name in suite.recipes:
        path = folder / f"{name}.jsonl"
        if path.exists() and not anew:
            continue
        replayed = replay(suite, read(suite.recorded / f"{name}.jsonl"))
        lines = [stored(suite, event) for event in replayed.events]
        lines.append({"state": digest(replayed.state)})
        text = "\n".join(json.dumps(line, separators=(",", ":"), sort_keys=True) for line in lines)
        path.write_text(text + "\n", "utf-8")
        print(f"{name}: {len(lines) - 1} events")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.support.history", description=__doc__)
    parser.add_argument("--anew", action="store_true", help="strike those that there are")
    with_games(parser)
    given = parser.parse_args()
    for each in chosen(given.game).values():
        add(each, given.anew)


if __name__ == "__main__":
    main()
