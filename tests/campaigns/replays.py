"""Every recorded game, replayed with nothing but the rules and msgspec: for interpreters that have
none of the service's packages. ``tests/campaigns/newest_python.py`` runs it there.

``python -m tests.campaigns.replays [GAME] [NAME ...]``: all rulesets, or one, or some of its games
"""

from __future__ import annotations

import hashlib
import importlib
import json
import platform
import sys
import time
from collections.abc import Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.chance import Faces
from domain.kernel.codec import Codec, canonical
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE

GAMES = Path(__file__).resolve().parents[1] / "games"


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, as recorded."""
    return hashlib.sha256(canonical(value)).hexdigest()


def differences(game: Game[Any, Any, Any], lines: list[dict[str, Any]]) -> Iterator[str]:
    """Where a replay comes to another state, or another end, than its record."""
    commands: Any = reduce(or_, game.commands)
    events = list(game.opening(msgspec.convert(lines[0]["setup"], Setup)))
    state = game.fold(events)
    for number, line in enumerate(lines[1:-1], 2):
        if "turn" in line:
            if digest(state) != line["state"]:
                yield f"line {number}: another state at the start of turn {line['turn']}"
            continue
        if "faces" in line:
            awaited = game.awaiting(state)
            assert awaited is not None
            order: Any = Faces(awaited.label, tuple(map(tuple, line["faces"])))
            more = game.decide(state, CHANCE, order)
        else:
            order = msgspec.convert(line["command"], commands)
            more = game.decide(state, line["seat"], order)
        events.extend(more)
        state = game.fold(more, state)
    name = Codec(game).name
    found: dict[str, Any] = {
        "events": len(events),
        "history": digest([[name(event), msgspec.to_builtins(event)] for event in events]),
        "state": digest(state),
        "result": json.loads(canonical(game.result(state))),
    }
    yield from (f"{key} of the end differs" for key in found if found[key] != lines[-1][key])


def replay(path: Path) -> list[str]:
    """What differs in one recorded game."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    game = importlib.import_module(f"domain.games.{path.parent.name}.game").GAME
    try:
        return list(differences(game, lines))
    except Exception as error:  # whatever it is, it is what this looks for
        return [f"{type(error).__name__}: {error}"]


def main(arguments: list[str]) -> int:
    """0 when every game comes out as it was recorded."""
    game, names = (arguments or ["*"])[0], arguments[1:]
    paths = sorted(p for p in GAMES.glob(f"{game}/*.jsonl") if not names or p.stem in names)
    began, wrong = time.monotonic(), 0
    for path in paths:
        found = replay(path)
        wrong += bool(found)
        for text in found:
            print(f"{path.parent.name}/{path.stem}: {text}", flush=True)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    where = f"{sys.platform} {platform.machine()}, {sys.maxsize.bit_length() + 1} bits"
    alike = f"{len(paths) - wrong} of {len(paths)} recorded games alike"
    seconds = time.monotonic() - began
    print(f"{python} ({where}), msgspec {msgspec.__version__}: {alike}, {seconds:.0f} s")
    return int(bool(wrong) or not paths)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
