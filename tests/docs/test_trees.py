"""The documented commands use the tree that they stand in, not the one that was installed.

A copy of the tree, with a marker, stands for a second worktree; its .venv is the first one's, as
where two worktrees share one.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from tests.architecture.tree import ROOT, text, tracked

MARKER = "Second worktree"
BUILT = [f"--assume-old=.venv/.decklog-{name}" for name in ("serve", "test", "browser")]
"""Stamps of the environment: it is there already, and nothing shall be installed for a test."""
NEEDED = (
    "domain/", "projections/", "service/", "openapi/openapi.json", "Makefile", "pyproject.toml",
    "requirements/",
)  # fmt: skip
REMAKE = "tests/support/remake.py"
TOLD = ("PYTHONPATH", "MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES")
"""What says to a program which tree it is of, and to make what another make was asked: ``ARGS``."""


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second tree, whose commands say that they are its own."""
    tree = tmp_path_factory.mktemp("second")
    for name in tracked():
        if name.startswith(NEEDED) or name in (REMAKE, "tests/__init__.py"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tree / name)
    marked = tree / "service" / "cli" / "serve.py"
    marked.write_text(text("service/cli/serve.py").replace("Run the service until", MARKER))
    said = text(REMAKE).replace("All that is generated", MARKER)
    (tree / REMAKE).write_text(said)
    (tree / ".venv").symlink_to(sys.prefix)
    return tree


def output(folder: Path, *command: str, more: Mapping[str, str] | None = None) -> str:
    """What a command says that nobody has told a tree."""
    environment = {name: value for name, value in os.environ.items() if name not in TOLD}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment | dict(more or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("target", ["serve", "remake"])
def test_make_uses_the_tree_that_it_stands_in(target: str, second: Path) -> None:
    command = ("make", "--silent", *BUILT, target, "ARGS=--help")
    assert MARKER in output(second, *command)
    assert MARKER not in output(ROOT, *command)


def test_make_serve_needs_python_make_and_a_shell(second: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, program in (("python3", sys.executable), ("make", "make"), ("sh", "sh")):
        (programs / name).symlink_to(shutil.which(program) or name)
    served = subprocess.Popen(
        ["make", "--silent", *BUILT, "serve", "ARGS=--port 0"],
        cwd=second, env={"PATH": str(programs)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        assert served.stdout is not None
        said: list[str] = []
        for line in served.stdout:
            said.append(line)
            if found := re.search(r"at (http://\S+)", line):
                assert httpx.get(f"{found[1]}/readyz").json()["status"] == "ready"
                return
        pytest.fail("".join(said))
    finally:
        os.killpg(served.pid, signal.SIGTERM)
        served.wait()
        if served.stdout is not None:
            served.stdout.close()


def test_setting_up_warns_of_nothing(second: Path, tmp_path: Path) -> None:
    """An index without a folder for a package is a warning of pip's for each of them."""
    wheel = tmp_path / "toy-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("toy.py", "")
        about = "Metadata-Version: 2.1\nName: toy\nVersion: 1\n"
        packed.writestr("toy-1.dist-info/METADATA", about)
        packed.writestr("toy-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr("toy-1.dist-info/RECORD", "")
    links = f"-f {tmp_path} -f {tmp_path}/nowhere"
    recipe = f"toy: ; @$(PIP) install --dry-run --no-deps --no-index {links} toy"
    quiet = ("make", "--no-print-directory", "--eval", recipe, "toy")  # also below another make
    said = output(second, *quiet, more={"PIP_CONFIG_FILE": os.devnull})
    assert said == ""


def test_every_recipe_and_what_it_starts_is_told_the_tree(second: Path) -> None:
    """Tests, tour and guide start programs of their own, in other folders."""
    program = "import service; print(service.__file__)"
    recipe = f"where: ; @cd / && $(abspath $(BIN))/python -c '{program}'"
    said = output(second, "make", "--silent", "--eval", recipe, "where")
    assert said.strip() == str(second / "service" / "__init__.py")


def test_the_readme_s_terminal_uses_the_tree_that_it_stands_in(second: Path) -> None:
    (line,) = re.findall(r"^\$ (export PATH=.*)$", text("README.md"), re.MULTILINE)
    assert MARKER in output(second, "bash", "-c", f"{line}; decklog serve --help")


def test_who_runs_another_tree_is_told_so(second: Path) -> None:
    other = output(second, ".venv/bin/decklog", "serve", "--help", more={"PYTHONPATH": str(ROOT)})
    assert MARKER not in other
    assert f"the tree {ROOT}, and you stand in another" in other
    assert f'PYTHONPATH="{second}"' in other
    own = output(second, ".venv/bin/decklog", "serve", "--help", more={"PYTHONPATH": str(second)})
    assert "you stand in" not in own
