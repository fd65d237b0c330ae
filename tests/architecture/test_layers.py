"""Who may import whom: the contracts of pyproject.toml."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.architecture.tree import ROOT, parsed, python, text


def test_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_package_names_a_game() -> None:
    """Games are found by entry point, so nothing but a game, and its referee, names one."""
    games = [path.name for path in (ROOT / "domain" / "games").iterdir() if path.is_dir()]
    importing = [
        f"{name} names {game}"
        for name in python("domain", "projections", "service")
        for game in games
        if not name.startswith((f"domain/games/{game}/", f"service/referees/{game}"))
        and f"domain.games.{game}" in text(name)
    ]
    assert importing == []


def test_every_package_says_what_it_is() -> None:
    silent = [
        name
        for name in python("domain", "projections", "service")
        if ast.get_docstring(parsed(name)) is None
    ]
    assert silent == []
