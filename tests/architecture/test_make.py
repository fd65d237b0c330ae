"""The Makefile does what the documents say."""

from __future__ import annotations

import os
import re
import subprocess

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


def test_ci_runs_the_test_command() -> None:
    run = ROOT / ".ci" / "run"
    assert "make test" in run.read_text("utf-8")
    assert os.access(run, os.X_OK)


@pytest.mark.parametrize("target", TARGETS)
def test_make_can_plan_every_target(target: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
