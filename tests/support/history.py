"""Whole battles as the events that were stored: their fold comes to the same state for ever.

tests/games/<ruleset>/history/*.jsonl: one stored event a line (``type``, ``schema``, ``data``), and
last the digest of the state that they fold to. A file here is never written again: rules may change
what is decided from now on, never what has happened. ``python -m tests.support.history`` adds the
recorded battles that have no history yet.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from domain.games.war_at_sea import GAME
from domain.kernel.codec import Codec
from tests.support.recorded import FOLDER, RECIPES, digest, read, replay

HISTORY = FOLDER / "history"
CODEC: Codec[Any] = Codec(GAME)


def stored(event: Any) -> dict[str, Any]:
    """An event as a line of a history."""
    data = msgspec.json.decode(CODEC.encode(event))
    return {"type": CODEC.name(event), "schema": event.SCHEMA, "data": data}


def folded(path: Path) -> tuple[str, str]:
    """The digest that a history's events fold to, and the one that was written with them."""
    *lines, last = read(path)
    events = (
        CODEC.decode(line["type"], line["schema"], json.dumps(line["data"]).encode())
        for line in lines
    )
    return digest(GAME.fold(events)), last["state"]


def main() -> None:
    """Add what is missing; change nothing."""
    HISTORY.mkdir(exist_ok=True)
    for name in RECIPES:
        path = HISTORY / f"{name}.jsonl"
        if path.exists():
            continue
        replayed = replay(read(FOLDER / f"{name}.jsonl"))
        lines = [*map(stored, replayed.events), {"state": digest(replayed.state)}]
        text = "\n".join(json.dumps(line, separators=(",", ":"), sort_keys=True) for line in lines)
        path.write_text(text + "\n", "utf-8")
        print(f"{name}: {len(lines) - 1} events")


if __name__ == "__main__":
    main()
