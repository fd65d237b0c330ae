"""Recorded games of Pennant, and Pennant by other rules."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from random import Random

import msgspec

from domain.kernel.testing import recorded
from service.engines import load
from service.engines.build import build
from service.engines.wire import Wire
from service.evidence.asked import Answers
from service.impact.compare import Compared, compare
from service.impact.history import History, read
from service.impact.impact import Sentences
from tests.service.engines.trees import PENNANT, RULES, built, tree
from tests.support import pennant
from tests.support.recorded import digest

Changes = Mapping[str, tuple[str, str]]
"""File of the rules -> a passage of it, and what stands there instead."""

POINTS: Changes = {"course.py": ("else hits\n", "else hits + 1\n")}
"""Every hit is worth a point more."""

WATCHED = recorded.Watched(digest, lambda state: 4 - state.left)


def lines(seed: int = 3) -> bytes:
    """A random game."""
    game = recorded.record(pennant.GAME, pennant.SETUP, Random(seed).randrange, WATCHED)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in game)


def history(seed: int = 3) -> History:
    return read("game.jsonl", lines(seed))


def sources(changes: Changes) -> dict[str, bytes]:
    files = dict(tree(PENNANT))
    for name, (old, new) in changes.items():
        text = files[RULES + name].decode()
        assert old in text, f"{name} has no {old!r}"
        files[RULES + name] = text.replace(old, new, 1).encode()
    del files[f"{RULES}sample.jsonl"]
    return files


def rules(changes: Changes, given: History) -> Answers:
    """Pennant with passages exchanged."""
    archive = build(sources(changes), PENNANT) if changes else built(PENNANT)
    return Answers(Wire(load.load(archive)).answer, "pennant", "", given.setup)


def compared(changes: Changes, seed: int = 3) -> Compared:
    """A game of Pennant, by rules with passages exchanged."""
    given = history(seed)
    says = Sentences(pennant.GAME)
    return compare(given, rules({}, given), rules(changes, given), says)


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def git(folder: Path, *words: str) -> str:
    """What git says in a checkout of nobody's."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()
