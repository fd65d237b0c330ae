"""What the kits for scenarios and maps show is so: documents are good, outputs are real."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.games import crimson_tide, war_at_sea
from domain.kernel.game import Game
from tests.architecture.tree import ROOT, parsed
from tests.docs.console import matches, run, shown

GAMES: dict[str, Game[Any, Any, Any]] = {
    "crimson_tide": crimson_tide.GAME,
    "war_at_sea": war_at_sea.GAME,
}
CHECKS = {
    "crimson_tide": ("chart_check.py", "scenario_check.py", "start_check.py"),
    "war_at_sea": ("map_check.py", "scenario_check.py"),
}
FOLDERS = {"scenario": "scenarios", "map": "maps"}
KITS = [(game, kind) for game in GAMES for kind in FOLDERS]


def kit(game: str, kind: str) -> str:
    """The document for a game's kind of custom."""
    path = ROOT / "domain" / "games" / game / "rules" / FOLDERS[kind] / "README.md"
    return path.read_text("utf-8")


DOCUMENT = re.compile(r"^```json( faulty)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^\| `((?:scenario|map)\.[a-z-]+)` \|", re.MULTILINE)


@pytest.mark.parametrize(("game", "kind"), KITS)
def test_the_documents_are_as_good_as_they_are_said_to_be(game: str, kind: str) -> None:
    custom = next(each for each in GAMES[game].customs if each.kind == kind)
    found = DOCUMENT.findall(kit(game, kind))
    assert {bool(faulty) for faulty, _ in found} == {True, False}
    for faulty, text in found:
        assert bool(custom.check(json.loads(text))) == bool(faulty), text


@pytest.mark.parametrize(("game", "kind"), KITS)
def test_the_commands_say_what_is_shown(game: str, kind: str, tmp_path: Path) -> None:
    document = kit(game, kind)
    for _, text in DOCUMENT.findall(document):
        (tmp_path / f"{json.loads(text)['id']}.json").write_text(text, "utf-8")
    commands = list(shown(document))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = run([each.command for each in commands], tmp_path, {**os.environ, "PATH": path}, 120)
    assert len(commands) == len(done) > 0
    for each, (output, _) in zip(commands, done, strict=True):
        assert matches(each.output, output), f"$ {each.command}\n{output}"


@pytest.mark.parametrize(("game", "kind"), KITS)
def test_every_code_of_a_fault_is_explained(game: str, kind: str) -> None:
    names = [f"domain/games/{game}/rules/{name}" for name in CHECKS[game]]
    given = {
        str(call.args[0].value)
        for name in names
        for call in ast.walk(parsed(name))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Fault"
        if isinstance(call.args[0], ast.Constant)
    }
    explained = set(CODE.findall(kit(game, kind)))
    assert explained == {code for code in given if code.startswith(f"{kind}.")}
