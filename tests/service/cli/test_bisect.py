"""``bisect``: the first commit of a checkout under which a recorded game goes otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.service.cli.conftest import Run
from tests.service.impact.playing import POINTS, Changes, git, lines, sources, write_tree

COMMENT: Changes = {"course.py": ("# --- the order of play", "# --- how it is played")}
BROKEN: Changes = {"course.py": ("from .state", "from .nowhere")}
STEPS: Mapping[str, Changes] = {
    "zero": {},
    "one": COMMENT,
    "two": BROKEN,
    "three": POINTS,
    "four": POINTS,
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(lines())
    return path


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a commit for each step; one stands in it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "-q")
    for name, changes in STEPS.items():
        write_tree(folder, sources(changes))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "--allow-empty", "-m", name)
        git(folder, "tag", name)
    monkeypatch.chdir(folder)
    return folder


def test_the_first_commit_is_found_around_one_that_does_not_load(
    run: Run, game: Path, checkout: Path
) -> None:
    found = run("bisect", "zero", "four", game, "--json")
    assert found.code == 1
    told = found.json
    commits = {name: git(checkout, "rev-parse", name) for name in STEPS}
    assert told["first"] == commits["three"]
    assert told["before"] == commits["one"]
    assert told["between"] == [commits["two"]]
    assert (told["difference"]["kind"], told["difference"]["file"]) == ("outcome", str(game))


def test_it_is_told_with_the_difference(run: Run, game: Path, checkout: Path) -> None:
    done = run("bisect", "zero", "three", game)
    assert done.code == 1
    assert done.out.startswith(f"{git(checkout, 'rev-parse', 'three')}  pennant 1.0.0 (")
    assert "outcome" in done.out
    assert "  old  " in done.out
    assert "  new  " in done.out


def test_what_does_not_differ(run: Run, game: Path, checkout: Path) -> None:
    done = run("bisect", "zero", "one", game)
    assert (done.code, done.out) == (0, "nothing differs from zero; 1 tried\n")


def test_one_decision_alone_may_be_asked_for(run: Run, game: Path, checkout: Path) -> None:
    at = run("bisect", "zero", "three", game, "--json").json["difference"]["at"]
    assert run("bisect", "zero", "three", game, "--at", at).code == 1
    assert run("bisect", "zero", "three", game, "--at", 2).code == 0


def test_wrong_use(run: Run, game: Path, checkout: Path) -> None:
    run("bisect", "nowhere", "three", game).assert_mistake("no archive, version, digest or commit")
    run("bisect", "zero", "nowhere", game).assert_mistake("no way from zero to nowhere")
    (checkout / "not.jsonl").write_text("{}")
    run("bisect", "zero", "three", checkout / "not.jsonl").assert_mistake("is no game")
