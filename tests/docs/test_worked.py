"""The worked changes of domain/FIRST-HOUR.md are true: each applies, and its tests pass.

A patch that does not apply any more is mended by hand where its neighbours changed; its lines above
``---`` say what it is about, what of ``make remake`` it needs, and which tests hold it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, text, tracked
from tests.support.remake import STEPS

WORKED = "tests/docs/worked/"
PATCHES = sorted(name for name in tracked() if name.startswith(WORKED))
PAGE = "domain/FIRST-HOUR.md"


def said(patch: str, field: str) -> str:
    """What a patch says of itself in a line of its head."""
    head = text(patch).partition("\n---\n")[0]
    (found,) = re.findall(rf"^{field}:(.*)$", head, re.MULTILINE)
    return str(found).strip()


def remade(patch: str) -> list[str]:
    return [name.strip() for name in said(patch, "Remake").split(",") if name.strip()]


def run(tree: Path, *command: str) -> str:
    """Run a command in a tree; what it said. Raises AssertionError when it fails."""
    done = subprocess.run(
        command,
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout[-4000:]}"
    return done.stdout


def changed(patch: str, tree: Path) -> Path:
    """A copy of the tree with a patch applied, and what it needs made anew."""
    for name in tracked():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    for top in ("domain", "projections", "service", "tests"):  # what is compiled need not be again
        for compiled in (ROOT / top).rglob("__pycache__"):
            if (tree / compiled.relative_to(ROOT)).parent.is_dir():
                shutil.copytree(compiled, tree / compiled.relative_to(ROOT))
    run(tree, "git", "init", "--quiet")
    run(tree, "git", "apply", "-C1", str(ROOT / patch))
    if remade(patch):
        only = [argument for name in remade(patch) for argument in ("--only", name)]
        run(tree, sys.executable, "-m", "tests.support.remake", *only)
    return tree


@pytest.mark.slow("worked")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: Path(patch).stem)
def test_a_worked_change_applies_and_its_tests_pass(patch: str, tmp_path: Path) -> None:
    tests = shlex.split(said(patch, "Tests"))
    tree = changed(patch, tmp_path / "tree")
    told = run(tree, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert re.search(r"\b[1-9]\d* passed", told), told


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: Path(patch).stem)
def test_the_page_names_it_and_it_names_steps_that_there_are(patch: str) -> None:
    assert f"](../{patch})" in text(PAGE)
    assert said(patch, "Subject")
    assert {*remade(patch)} <= {step.name for step in STEPS}


def test_there_are_worked_changes() -> None:
    assert len(PATCHES) > 1
