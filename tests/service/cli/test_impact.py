"""``impact``: recorded games by other rules, as text, as JSON and as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.engines import wall
from service.engines.build import build
from tests.service.cli.conftest import Run
from tests.service.engines.trees import PENNANT, tree
from tests.service.impact.playing import POINTS, git, lines, sources, write_tree


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(lines())
    return path


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose last commit has other points; one stands in it."""
    folder = tmp_path / "checkout"
    write_tree(folder, sources({}))
    git(folder, "init", "-q")
    _commit(folder, "first")
    write_tree(folder, sources(POINTS))
    _commit(folder, "second")
    monkeypatch.chdir(folder)
    return folder


def _commit(folder: Path, name: str) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", name)
    git(folder, "tag", name)


def test_evidence_by_the_rules_of_its_game(run: Run, bundle: Path) -> None:
    done = run("impact", "installed", "1.0.0", bundle)
    assert (done.code, done.err) == (0, "")
    assert "0 differ, in 0 games" in done.out
    assert "stopped" not in done.out
    told = run("impact", "installed", "installed", bundle, "--json").json
    assert (told["games"], told["differences"], told["stopped"]) == (1, [], [])
    assert told["decisions"] > 10


def test_a_commit_against_the_one_before(run: Run, game: Path, checkout: Path) -> None:
    same = run("impact", "first", "installed", game)
    assert (same.code, "0 differ" in same.out) == (0, True)
    done = run("impact", "first", "second", game)
    assert done.code == 1
    assert "  outcome\n" in done.out
    assert f"{game}:" in done.out
    old = [line for line in done.out.splitlines() if line.startswith("  old  ")]
    new = [line for line in done.out.splitlines() if line.startswith("  new  ")]
    assert old
    assert new
    assert old[0].removeprefix("  old") != new[0].removeprefix("  new")
    assert "  /points: " in done.out


def test_the_first_history_is_checked(run: Run, bundle: Path, checkout: Path) -> None:
    """A state that the old rules come to and that is not the sealed one: not their game."""
    done = run("impact", "second", "first", bundle, "--json")
    (stop,) = done.json["stopped"]
    assert "the old rules come to another state than is sealed there" in stop["why"]
    assert done.code == 1, "what was compared before that differs"


def test_as_a_page(run: Run, game: Path, checkout: Path, tmp_path: Path) -> None:
    page = tmp_path / "impact.html"
    evil = game.rename(tmp_path / "<b>.jsonl")
    assert run("impact", "first", "second", evil, "--page", page).code == 1
    html = page.read_text()
    assert "<h2>Decisions that differ</h2>" in html
    assert "&lt;b&gt;.jsonl" in html
    assert "<b>" not in html
    assert "<script" not in html
    assert "default-src &#x27;none" in html or "default-src 'none'" in html


def test_another_option(run: Run, game: Path) -> None:
    """A game of one turn less ends sooner: what is recorded after its end is refused."""
    done = run("impact", "installed", game, "--option", "turns=2", "--json")
    assert done.code == 1
    assert done.json["option"] == "turns=2"
    assert done.json["endings"][0]["new"]["rule"] == "PEN-6"
    assert done.json["kinds"]["outcome"] > 0
    same = run("impact", "installed", game, "--option", "turns=4")
    assert (same.code, "0 differ" in same.out) == (0, True)


def test_an_option_that_there_is_not(run: Run, game: Path) -> None:
    done = run("impact", "installed", game, "--option", "wind=2")
    assert "it does not begin with that option" in done.out
    assert done.code == 3
    run("impact", "installed", game, "--option", "turns").assert_mistake("no option with a value")


def test_strange_rules_run_behind_a_wall_or_not_at_all(
    run: Run, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = tmp_path / "strange.engine"
    engine.write_bytes(build(sources(POINTS), PENNANT))
    monkeypatch.setattr(wall, "walled", lambda: None)
    done = run("impact", "installed", engine, game)
    done.assert_mistake("is not known here, and there is no wall for it")


def test_strange_rules_are_asked_in_a_process_apart(
    run: Run, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = tmp_path / "strange.engine"
    engine.write_bytes(build(tree(PENNANT), PENNANT._replace(version="9")))
    monkeypatch.setattr(wall, "walled", wall.plain)
    done = run("impact", "installed", engine, game)
    assert (done.code, "0 differ" in done.out) == (0, True)
    assert "-> pennant 9 (" in done.out


def test_what_is_no_game_is_named_and_the_others_are_compared(
    run: Run, game: Path, live_bundle: Path
) -> None:
    done = run("impact", "installed", "installed", live_bundle, game, "--json")
    assert (done.code, done.json["games"]) == (3, 1)
    assert "only a file that opens all" in done.json["stopped"][0]["why"]


def test_wrong_use(run: Run, game: Path) -> None:
    run("impact", "installed", game).assert_mistake("too few words")
    run("impact", "installed", "0" * 12, game).assert_mistake("is no archive, version, digest or")
    made = game.parent / "made"
    option = f"--output={made}"
    run("impact", "installed", "--", option, game).assert_mistake("is no archive, version")
    assert not made.exists(), "what is asked for is never an option of git"
    run("impact", "installed", "installed", "nowhere.jsonl").assert_mistake("cannot be read")
    nowhere = game.parent / "none" / "page.html"
    done = run("impact", "installed", "installed", game, "--page", nowhere)
    done.assert_mistake("cannot be written")
