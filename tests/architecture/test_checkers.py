"""Style and types of the whole tree: the same checkers as ``make lint``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT


@pytest.mark.timeout(600)
@pytest.mark.parametrize("command", ["ruff check .", "ruff format --check .", "mypy"])
def test_the_checker_is_content(command: str) -> None:
    tool, *arguments = command.split()
    path = Path(sys.executable).with_name(tool)
    done = subprocess.run([path, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
