"""``make remake`` runs what has a reason, in order, and says what moved; its list is whole."""

from __future__ import annotations

import fnmatch
import subprocess
from pathlib import Path

import pytest

from tests.architecture.tree import text, tracked
from tests.support import remake as module
from tests.support.remake import BEGIN, CHANGELOG, END, STEPS, Step, at_rest, remake
from tests.support.suites import folders

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


GAMES_ARE_COPIED = """
import sys
from pathlib import Path
games = sys.argv[2::2] or ["a", "b"]
open("runs", "a").write(" ".join(games) + "; ")
for game in games:
    Path(f"{game}.txt").write_text(Path(f"of/{game}/read.txt").read_text())
"""
BY_GAME = Step(
    "by game", ("-c", GAMES_ARE_COPIED), ("{game}.txt",), ("all.txt", "of/{game}"), "", ("a", "b")
)


def test_a_step_runs_again_for_the_games_of_which_something_is_otherwise(tree: Path) -> None:
    for game in ("a", "b"):
        (tree / "of" / game).mkdir(parents=True)
        (tree / "of" / game / "read.txt").write_text("one")
    (tree / "all.txt").write_text("one")
    remake([BY_GAME], tree)
    remake([BY_GAME], tree)
    (tree / "of" / "b" / "read.txt").write_text("two")
    (tree / "of" / "b" / "test_it.py").write_text("a test, which nothing is made of")
    remake([BY_GAME], tree)
    assert ((tree / "a.txt").read_text(), (tree / "b.txt").read_text()) == ("one", "two")
    (tree / "a.txt").write_text("by hand")
    remake([BY_GAME], tree)
    (tree / "all.txt").write_text("two")
    remake([BY_GAME], tree)
    assert (tree / "runs").read_text() == "a b; b; a; a b; "


def test_of_a_tree_at_rest_only_what_is_changed_then_is_a_reason(tree: Path) -> None:
    at_rest([FIRST], tree)
    remake([FIRST], tree)
    assert not (tree / "runs").exists()
    (tree / "read.txt").write_text("one\nthree\n")
    remake([FIRST], tree)
    assert runs(tree) == 1


READER = """
from pathlib import Path
for name in ("named.txt", "other.txt", "ignored.txt", "test_it.py"):
    (Path(__file__).parent / name).read_text()
"""
READS = Step("reads", ("-m", "reader"), (), ("named.txt", "reader.py"), "")


def test_a_step_that_opens_what_it_does_not_name_is_an_error(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would not be run when that changes. What git ignores may be read."""
    for name in ("named.txt", "other.txt", "ignored.txt", "test_it.py"):
        (tree / name).write_text("")
    (tree / "reader.py").write_text(READER)
    (tree / ".gitignore").write_text("/build/\nignored.txt\n__pycache__/\n/tests/\n")
    for name in ("tests/__init__.py", "tests/support/__init__.py", "tests/support/opened.py"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text(name))
    assert remake([READS], tree) == 1
    assert "other.txt, test_it.py" in capsys.readouterr().out
    more = READS._replace(reads=(*READS.reads, "other.txt", "test_*.py"))
    assert remake([more], tree) == 0


def test_what_is_written_by_hand_beside_it_is_no_reason(tree: Path) -> None:
    """The changelog: of it a step writes what stands between two marks."""
    step = FIRST._replace(makes=(CHANGELOG,))
    file = tree / CHANGELOG
    file.write_text(f"old\n{BEGIN}\nmade\n{END}\n")
    remake([step], tree)
    file.write_text(f"new\n{BEGIN}\nmade\n{END}\n")
    remake([step], tree)
    assert runs(tree) == 1
    file.write_text(f"new\n{BEGIN}\nby hand\n{END}\n")
    remake([step], tree)
    assert runs(tree) == 2


def test_the_steps_know_every_game() -> None:
    assert sorted(module.GAMES) == folders()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_makes_files_that_git_keeps(step: Step) -> None:
    for pattern in step.makes:
        shape = pattern.replace("{game}", "*")
        assert any(fnmatch.fnmatch(name, shape) for name in tracked()), pattern


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_who_compares_names_the_command(step: Step) -> None:
    assert "make remake" in text(step.test)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_is_a_program(step: Step) -> None:
    module = step.command[1].replace(".", "/")
    (file,) = {f"{module}.py", f"{module}/__main__.py"} & {*tracked()}
    assert 'if __name__ == "__main__":' in text(file)
