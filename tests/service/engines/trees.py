"""Trees of sources for the tests of archives: those of the games, and changed ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from domain.kernel.finder import games
from service.engines import build as building
from service.engines import installed, normal
from service.engines.build import Ruleset, build
from service.engines.normal import Line
from service.evidence.digest import ruleset_of
from tests.support import pennant

ROOT = Path(__file__).resolve().parents[3]
RULESETS = {game.ruleset: ruleset_of(game) for game in (*games().values(), pennant.GAME)}
PENNANT = RULESETS["pennant"]
RULES = f"{PENNANT.home.replace('.', '/')}/rules/"


@cache
def _lines(source: str) -> tuple[Line, ...]:
    return tuple(normal.lines(source))


building.lines = _lines  # type: ignore[assignment, attr-defined]
"""The trees here differ in a file or two: what a file's text comes to is worked out once."""


@cache
def tree(ruleset: Ruleset) -> dict[str, bytes]:
    """The files of a game and of the kernel as they are."""
    return installed.sources(ruleset.home)


@cache
def built(ruleset: Ruleset) -> bytes:
    """The archive of a game as it is."""
    return build(tree(ruleset), ruleset)


def changed(ruleset: Ruleset, name: str, change: Callable[[str], str]) -> dict[str, bytes]:
    """The files with one of them changed."""
    before = tree(ruleset)[name].decode()
    after = change(before)
    assert after != before, f"{name} is as it was"
    return {**tree(ruleset), name: after.encode()}


def replaced(ruleset: Ruleset, name: str, old: str, new: str) -> dict[str, bytes]:
    """The files with one passage of one of them replaced."""
    return changed(ruleset, name, lambda text: text.replace(old, new, 1))


def alone(archive: bytes, folder: Path, files: Iterable[Path]) -> dict[str, Any]:
    """What games come to in a process that has nothing but the archive."""
    (folder / "game.engine").write_bytes(archive)
    program = Path(__file__).with_name("alone.py")
    done = subprocess.run(
        [sys.executable, program, folder / "game.engine", folder, *files],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
