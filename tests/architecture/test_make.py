"""The Makefile does what the documents say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, text, tracked

RULE = re.compile(r"^([a-z]+):(?!=)(.*)$", re.MULTILINE)
TARGETS = dict(RULE.findall(text("Makefile")))
MENTION = re.compile(r"`make ([a-z]+)|^\$? ?make ([a-z]+)", re.MULTILINE)
DOCUMENTS = [name for name in tracked() if name.endswith(".md")]


@pytest.mark.parametrize("target", ["serve", "test", "demo", "rules", "lint", "bench", "fuzz"])
def test_the_promised_targets_exist(target: str) -> None:
    assert target in TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_is_explained(target: str) -> None:
    assert "## " in TARGETS[target]


def test_every_documented_target_exists() -> None:
    named = {
        (name, first or second)
        for name in DOCUMENTS
        for first, second in MENTION.findall(text(name))
    }
    assert named, "no document mentions make"
    assert {(name, target) for name, target in named if target not in TARGETS} == set()


def test_phony_targets_are_the_targets() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", text("Makefile"), re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == set(TARGETS)


def test_ci_runs_the_test_command_with_nothing_of_the_machine(tmp_path: Path) -> None:
    """``make`` is one that tells how it was called; Node, Java and strange variables are gone."""
    (tmp_path / ".ci").mkdir()
    shutil.copy2(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    told = tmp_path / "bin"
    told.mkdir()
    for name, script in (("make", TELLS), ("node", "exit 0"), ("java", "exit 0")):
        (told / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (told / name).chmod(0o755)
    environment = os.environ | {"STRANGE": "1", "PATH": f"{told}:{os.environ['PATH']}"}
    environment["DECKLOG_TEST_PROMTOOL"] = "/bin/true"  # else it is fetched
    done = subprocess.run(
        [tmp_path / ".ci" / "run"], env=environment, capture_output=True, text=True, check=False
    )
    words, names, *found = done.stdout.splitlines()
    assert words == "test", done.stderr
    assert {"HOME", "PATH", "PYTHON"} <= {*names.split()}
    assert not {"STRANGE", "PYTHONPATH", "VIRTUAL_ENV"} & {*names.split()}
    assert [Path(each).name for each in found] == ["python3", "make", "git", "sh"]


TELLS = """echo "$@"; env | cut -d= -f1 | tr '\\n' ' '; echo
for name in python3 node java make git sh; do command -v $name; done; true"""


@pytest.mark.parametrize("target", TARGETS)
def test_make_can_plan_every_target(target: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
