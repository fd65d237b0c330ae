"""``make remake`` runs what has a reason, in order, and says what moved; its list is whole."""

from __future__ import annotations

import fnmatch
import subprocess
from pathlib import Path

import pytest

from tests.architecture.tree import text, tracked
from tests.support.remake import STEPS, Step, remake

COPY = ("-c", "open('made.txt', 'w').write(open('read.txt').read()); open('runs', 'a').write('x')")
FIRST = Step("first", COPY, ("made.txt",), ("read.txt",), "tests/test_first.py")
FAILS = Step("fails", ("-c", "raise SystemExit('raise VERSION')"), (), ("read.txt",), "")
LAST = Step("last", ("-c", "open('last', 'w')"), ("last",), ("made.txt",), "")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("/build/\n/runs\n")
    (tmp_path / "read.txt").write_text("one\ntwo\n")
    (tmp_path / "made.txt").write_text("one\n")
    return tmp_path


def runs(tree: Path) -> int:
    return len((tree / "runs").read_text())


def test_what_moved_is_told_with_files_lines_and_who_compares_it(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert remake([FIRST], tree) == 0
    said = capsys.readouterr().out
    assert "first: 1 file moved; made by python -c" in said
    assert "compared by tests/test_first.py" in said
    assert "    made.txt: +1 -0 lines" in said


def test_a_step_runs_again_only_when_something_is_otherwise(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remake([FIRST], tree)
    capsys.readouterr()
    assert remake([FIRST], tree) == 0
    assert runs(tree) == 1
    assert "nothing moved" in capsys.readouterr().out
    (tree / "read.txt").write_text("one\nthree\n")
    remake([FIRST], tree)
    assert runs(tree) == 2
    assert "made.txt: +1 -1 lines" in capsys.readouterr().out
    (tree / "made.txt").write_text("by hand\n")
    remake([FIRST], tree)
    assert runs(tree) == 3
    assert (tree / "made.txt").read_text() == "one\nthree\n"


def test_a_step_that_refuses_stops_all_with_its_own_words(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert remake([FAILS, LAST], tree) == 1
    said = capsys.readouterr().out
    assert "raise VERSION" in said
    assert "fails: stopped" in said
    assert not (tree / "last").exists()
    assert remake([FAILS], tree) == 1, "a step that failed has a reason to be run again"


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_makes_files_that_git_keeps(step: Step) -> None:
    for pattern in step.makes:
        assert any(fnmatch.fnmatch(name, pattern) for name in tracked()), pattern


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_who_compares_names_the_command(step: Step) -> None:
    assert "make remake" in text(step.test)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_is_a_program(step: Step) -> None:
    module = step.command[1].replace(".", "/")
    (file,) = {f"{module}.py", f"{module}/__main__.py"} & {*tracked()}
    assert 'if __name__ == "__main__":' in text(file)
