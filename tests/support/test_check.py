"""``make check`` takes the tests that a change reaches, the nearest first, and ends in time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import grimp
import pytest

from tests.support import check
from tests.support.check import Minute, changed, light, main, modules_of, reached, run
from tests.support.tiers import Tier

IMPORTS = {
    "domain.rules": (),
    "domain.game": ("domain.rules",),
    "domain.other": (),
    "tests.kit": ("domain.game", "tests.support.server"),
    "tests.support.server": (),
    "tests.near.test_rules": ("domain.rules",),
    "tests.far.test_game": ("domain.game",),
    "tests.far.test_whole": ("tests.kit",),
    "tests.far.test_other": ("domain.other",),
}


@pytest.fixture
def graph() -> grimp.ImportGraph:
    made = grimp.ImportGraph()
    for module in IMPORTS:
        made.add_module(module)
    for module, used in IMPORTS.items():
        for each in used:
            made.add_import(importer=module, imported=each)
    return made


def test_the_nearest_is_first_and_what_is_not_reached_is_left_out(graph: grimp.ImportGraph) -> None:
    near, far, whole = "tests.near.test_rules", "tests.far.test_game", "tests.far.test_whole"
    assert reached(graph, {"domain.rules"}) == [near, far, whole]
    assert reached(graph, {"tests.far.test_other"}) == ["tests.far.test_other"]
    assert reached(graph, set()) == []


def test_what_starts_a_server_is_left_out(graph: grimp.ImportGraph) -> None:
    """Also where a kit of the tests starts it."""
    tests = ["tests.near.test_rules", "tests.far.test_whole"]
    assert [*light(graph, tests)] == ["tests.near.test_rules"]


def test_data_is_tested_where_it_lies() -> None:
    known = {"domain.cards.load", "domain.cards.sub.other", "tests.every_game.test_cases"}
    assert modules_of(["domain/cards/load.py"], known) == {"domain.cards.load"}
    assert modules_of(["domain/cards/data/bismarck.toml"], known) == {"domain.cards.load"}
    assert modules_of(["tests/cases/toy/a.jsonl"], known) == {"tests.every_game.test_cases"}
    assert modules_of(["README.md", "domain/cards/gone.py"], known) == set()


def test_what_changed_is_told_by_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "ROOT", tmp_path)
    for name in ("same", "other"):
        (tmp_path / name).write_text(name, "utf-8")
    me = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*me, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / "other").write_text("changed", "utf-8")
    (tmp_path / "new").write_text("new", "utf-8")
    assert changed("HEAD") == ["new", "other"]


@pytest.fixture
def tests(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One that passes, one that fails, one that passes; a file each."""
    monkeypatch.setattr(check, "ROOT", pytester.path)
    monkeypatch.setattr(check, "BATCH", 1)
    # Or each run in a run imports them anew.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    bodies = {"test_a": "pass", "test_b": "assert False", "test_c": "pass"}
    pytester.makepyfile(**{name: f"def {name}(): {body}" for name, body in bodies.items()})
    return list(bodies)


def test_the_first_failure_ends_it(tests: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test_a", "test_c"], Minute(60)) == 0
    assert "all 2 files were seen" in capsys.readouterr().out
    assert run(tests, Minute(60)) == pytest.ExitCode.TESTS_FAILED


@pytest.mark.usefixtures("tests")
def test_of_slow_tiers_the_light_ones_are_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = {"light": Tier("", (), light=True), "heavy": Tier("", ())}
    monkeypatch.setattr(check, "tiers", lambda: book)
    monkeypatch.setattr("tests.support.tiers.tiers", lambda: book)
    monkeypatch.setattr("tests.support.tiers.digests", lambda: dict.fromkeys(book, "0"))
    for name, ends in (("heavy", 0), ("light", pytest.ExitCode.TESTS_FAILED)):
        marked = f'import pytest\n\n@pytest.mark.slow("{name}")\ndef test(): assert False\n'
        pytester.makepyfile(**{f"test_{name}": marked})
        assert run([f"test_{name}"], Minute(60)) == ends, name


def test_it_stops_in_time_and_says_so(tests: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tests, Minute(-1)) == 0
    assert "the time is over: 0 files and a part of the next" in capsys.readouterr().out


def test_bad_style_ends_it_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "LINTERS", (("python", "-c", "raise SystemExit(1)"),))
    assert main([]) == 1


pytest_plugins = ["pytester"]
