"""A slow tier runs when what it guards changed, and is kept only when all of it passed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

from tests.architecture.tree import text, tracked
from tests.support import tiers
from tests.support.check import TOPS
from tests.support.tiers import Tier, contents, digest_of, guards, left_out, whole

pytest_plugins = ["pytester"]

SUITE = """
import pytest
FAILS = {fails}

@pytest.mark.slow("one")
@pytest.mark.parametrize("number", range(3))
def test_one(number):
    assert not (FAILS and number == 2)

@pytest.mark.slow("two")
def test_two(): pass

def test_quick(): pass
"""
BOOK = """
common = []
[one]
title = "the first"
guards = ["rules", "test_tree.py"]
[two]
title = "the second"
guards = ["other.py"]
"""


@pytest.fixture
def tree(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository of two tiers; the plugin looks at it."""
    # Or each run in a run imports them anew.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    root = pytester.path
    files = {"rules/a.py": "A = 1", "rules/README.md": "", "other.py": "", "tiers.toml": BOOK}
    files |= {"tiers.json": "{}", "test_tree.py": SUITE.format(fails=False)}
    files |= {"pytest.ini": "[pytest]\ntestpaths = .\n"}
    for name, content in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(content, "utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    monkeypatch.setattr(tiers, "ROOT", root)
    monkeypatch.setattr(tiers, "BOOK", root / "tiers.toml")
    monkeypatch.setattr(tiers, "KEPT", root / "tiers.json")
    forget()
    yield root
    monkeypatch.undo()
    forget()


def forget() -> None:
    """What was read of another tree is read again."""
    tiers.tiers.cache_clear()
    tiers.digests.cache_clear()


def run(pytester: pytest.Pytester, *args: str) -> dict[str, int]:
    """Outcomes of a run in the tree, by their words."""
    forget()
    sys.modules.pop("test_tree", None)
    found = pytester.runpytest_inprocess(*PLUGINS, *args).parseoutcomes()
    return {word: count for word, count in found.items() if word != "warnings"}


PLUGINS = ("-p", "tests.support.tiers", "-p", "no:cacheprovider")


def test_a_tier_runs_until_it_passed_whole_and_again_when_its_files_change(
    tree: Path, pytester: pytest.Pytester
) -> None:
    assert run(pytester) == {"passed": 5}
    assert run(pytester) == {"passed": 5}, "a run keeps nothing unless it is told to"
    (tree / "test_tree.py").write_text(SUITE.format(fails=True), "utf-8")
    assert run(pytester, "-m", "slow", "--keep-tiers") == {
        "failed": 1,
        "passed": 3,
        "deselected": 1,
    }
    assert {*json.loads((tree / "tiers.json").read_text())} == {"two"}, "one failed in part"
    (tree / "test_tree.py").write_text(SUITE.format(fails=False), "utf-8")
    assert run(pytester, "-m", "slow", "--keep-tiers") == {"passed": 3, "deselected": 2}
    assert run(pytester) == {"passed": 1, "deselected": 4}
    assert run(pytester, "--tiers", "all") == {"passed": 5}
    assert run(pytester, "--tiers", "two") == {"passed": 2, "deselected": 3}
    refused = pytester.runpytest_inprocess(*PLUGINS, "--keep-tiers", "-k", "one")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR, "a part of a tier is not the tier"
    (tree / "rules" / "README.md").write_text("prose", "utf-8")
    assert run(pytester) == {"passed": 1, "deselected": 4}
    (tree / "rules" / "b.py").write_text("B = 1", "utf-8")
    assert run(pytester) == {"passed": 4, "deselected": 1}


def test_where_there_is_no_repository_every_tier_is_run(
    tree: Path, pytester: pytest.Pytester
) -> None:
    run(pytester, "--keep-tiers")
    assert run(pytester) == {"passed": 1, "deselected": 4}
    shutil.rmtree(tree / ".git")
    assert run(pytester) == {"passed": 5}


def test_what_was_asked_for_is_run() -> None:
    now, passed = {"a": "1", "b": "2"}, {"a": "1", "b": "1"}
    assert left_out("changed", now, passed) == {"a"}
    assert left_out("all", now, passed) == set()
    assert left_out("none", now, passed) == {"a", "b"}
    assert left_out("b", now, passed) == {"a"}
    with pytest.raises(pytest.UsageError, match="no such tier: c"):
        left_out("b,c", now, passed)


def test_whole_is_every_test_and_no_failure() -> None:
    assert whole({"a": 2, "b": 2, "c": 1}, {"a": 2, "b": 1, "c": 1}, {"c"}) == {"a"}


def test_every_tier_guards_files_that_there_are_and_its_own_tests() -> None:
    marked = {name for name in tracked() if name.endswith(".py") and name.startswith("tests/")}
    for name, tier in tiers.tiers().items():
        for guard in tier.guards:
            assert any(guards(Tier("", (guard,)), each) for each in tracked()), f"{name}: {guard}"
        own = [each for each in marked if f'mark.slow("{name}")' in text(each)]
        assert own, f"no test is of the tier {name}"
        assert all(guards(tier, each) for each in own), name


def test_what_the_tests_of_a_tier_import_is_guarded() -> None:
    """Else a tier that was kept says nothing of the helpers by which its tests pass.

    What they import of the product itself, too: it is what they try.
    """
    graph = grimp.build_graph(*TOPS, cache_dir=None)
    marked = {
        name: {each for each in tiers.tiers() if f'mark.slow("{each}")' in text(name)}
        for name in tracked()
        if name.startswith("tests/") and name.endswith(".py") and name not in BESIDE
    }
    bare = [
        f"{tier}: {name} imports {each}"
        for name, own in marked.items()
        for tier in sorted(own)
        for each in lent_to(graph, name) - BESIDE
        if not guards(tiers.tiers()[tier], each)
    ]
    assert bare == []


BESIDE = {*tiers.PLUGINS, "tests/support/test_tiers.py"}
"""What says which tests run is nothing that a tier shows."""


def lent_to(graph: grimp.ImportGraph, name: str) -> set[str]:
    """The files that a file of tests imports."""
    module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    found = {each.replace(".", "/") for each in graph.find_modules_directly_imported_by(module)}
    return {f"{each}{end}" for each in found for end in (".py", "/__init__.py")} & {*tracked()}


def test_what_is_kept_is_a_tier() -> None:
    assert tiers.kept().keys() <= tiers.tiers().keys()


def test_the_digest_is_of_names_and_bytes(tree: Path) -> None:
    tier = Tier("", ("rules",))
    before = digest_of("one", tier, contents(tree))
    (tree / "rules" / "a.py").rename(tree / "rules" / "b.py")
    renamed = digest_of("one", tier, contents(tree))
    (tree / "rules" / "b.py").write_text("A = 2", "utf-8")
    assert len({before, renamed, digest_of("one", tier, contents(tree))}) == 3
    assert "rules/README.md" not in contents(tree)


def test_a_file_of_other_tests_matters_only_where_it_is_imported(tree: Path) -> None:
    tier = Tier("", ("rules",))

    def digest() -> str:
        return digest_of("one", tier, contents(tree))

    mine = 'import pytest\n@pytest.mark.slow("one")\ndef test_it(): pass\n'
    for name, body in (("test_mine", mine), ("test_other", ""), ("test_lent", "")):
        (tree / "rules" / f"{name}.py").write_text(body, "utf-8")
    (tree / "rules" / "kit.py").write_text("from rules.test_lent import A\n", "utf-8")
    for name, matters in (("test_mine", True), ("test_other", False), ("test_lent", True)):
        before, path = digest(), tree / "rules" / f"{name}.py"
        path.write_text(path.read_text("utf-8") + "# changed\n", "utf-8")
        assert (digest() != before) == matters, name
