"""The collector must fail a test that names a rule whose code did not run."""

from __future__ import annotations

import json
import sys
import textwrap
from dataclasses import replace
from functools import cache
from types import FrameType
from typing import Any

import pytest

from domain.kernel.rules import HOMES, Refused
from domain.kernel.testing.table import Table
from tests.support import rules
from tests.support.pennant import GAME

pytest_plugins = ["pytester"]


def fires(range_: int) -> bool:
    return range_ <= 3


def is_far(range_: int) -> bool:
    return not fires(range_)


remembering = cache(fires)


def in_the_domain(source: str, **names: Any) -> dict[str, Any]:
    """Functions of a module that counts as part of the domain."""
    module = {"__name__": "domain.games.toy", "Refused": Refused, **names}
    exec(textwrap.dedent(source), module)
    return module


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    """``TOY-01`` lives in ``fires``."""
    monkeypatch.setitem(HOMES, "TOY-01", fires.__code__)


@pytest.mark.usefixtures("home")
def test_a_called_home_is_proof() -> None:
    with rules.Watch(["TOY-01"]) as watch:
        fires(2)
    assert watch.ran == {"TOY-01"}
    assert watch.unproved() == {}


@pytest.mark.usefixtures("home")
def test_a_home_that_was_not_called_is_none() -> None:
    with rules.Watch(["TOY-01"]) as watch:
        pass
    fires(2)
    assert "its home was not called (test_collector.py" in watch.unproved()["TOY-01"]


def test_a_rule_without_home_is_named() -> None:
    with rules.Watch(["TOY-02"]) as watch:
        fires(2)
    assert "no function is its @rule home" in watch.unproved()["TOY-02"]


def test_a_refusal_that_reaches_the_caller_is_proof() -> None:
    toy = in_the_domain("def decide(): raise Refused('toy.no', 'TOY-03')")
    with rules.Watch(["TOY-03"]) as watch, pytest.raises(Refused):
        toy["decide"]()
    assert watch.unproved() == {}


def test_a_refusal_by_another_rule_is_none() -> None:
    toy = in_the_domain("def decide(): raise Refused('toy.no', 'TOY-04')")
    with rules.Watch(["TOY-03"]) as watch, pytest.raises(Refused):
        toy["decide"]()
    assert set(watch.unproved()) == {"TOY-03"}


def test_a_refusal_that_the_domain_catches_itself_is_none() -> None:
    toy = in_the_domain(
        """
        def decide():
            raise Refused('toy.no', 'TOY-03')

        def legal():
            try:
                decide()
            except Refused:
                return ()
        """
    )
    with rules.Watch(["TOY-03"]) as watch:
        toy["legal"]()
    assert set(watch.unproved()) == {"TOY-03"}


def test_a_refusal_that_the_kernel_s_table_catches_for_a_test_is_proof() -> None:
    toy = in_the_domain("def decide(*given): raise Refused('toy.no', 'TOY-03')")
    table = Table(replace(GAME, decide=toy["decide"]), None)
    with rules.Watch(["TOY-03"]) as watch:
        assert table.refusal("p1", None) is not None
    assert watch.unproved() == {}


def test_a_refusal_that_was_only_built_is_none() -> None:
    toy = in_the_domain("def excuse(): return Refused('toy.no', 'TOY-03')")
    with rules.Watch(["TOY-03"]) as watch:
        toy["excuse"]()
    assert set(watch.unproved()) == {"TOY-03"}


def test_a_remembered_answer_is_forgotten_so_that_the_rule_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(HOMES, "TOY-05", fires.__code__)
    remembering(1)
    with rules.Watch(["TOY-05"]) as watch:
        remembering(1)
    assert watch.unproved() == {}


def test_the_profiler_of_before_is_put_back() -> None:
    def mine(frame: FrameType, event: str, arg: Any) -> None:
        """Looks at nothing."""

    before = sys.getprofile()
    sys.setprofile(mine)
    try:
        with rules.Watch(["TOY-01"]):
            assert sys.getprofile() is not mine
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(before)


@pytest.mark.usefixtures("home")
def test_a_watch_in_a_watch_leaves_it_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HOMES, "TOY-02", is_far.__code__)
    toy = in_the_domain("def decide(): raise Refused('toy.no', 'TOY-03')")
    with rules.Watch(["TOY-01", "TOY-02", "TOY-03"]) as outer:
        with rules.Watch(["TOY-02"]) as inner:
            is_far(2)
        fires(2)
        with pytest.raises(Refused):
            toy["decide"]()
    assert inner.unproved() == {}
    assert set(outer.unproved()) == {"TOY-02"}, "a call is told to the innermost"
    assert not hasattr(Refused.__init__, "__wrapped__")


@pytest.mark.usefixtures("home")
def test_what_has_seen_all_looks_no_longer() -> None:
    with rules.Watch(["TOY-01"]) as watch:
        assert sys.getprofile() is not None
        fires(2)
        assert sys.getprofile() is None
    assert watch.unproved() == {}


SUITE = """
    import pytest
    from domain.kernel.rules import rule

    @rule("TOY-11")
    def moves(): return 1

    @rule("TOY-12")
    def stays(): return 0

    @pytest.mark.rule("TOY-11")
    def test_moves(): assert moves()

    @pytest.mark.rule("TOY-11", "TOY-12")
    def test_forgets_to_stay(): assert moves()

    @pytest.mark.rule("TOY-12")
    def test_is_wrong(): assert stays()

    @pytest.mark.rule("TOY-99")
    def test_a_rule_of_no_book(): assert moves()

    def test_without_rules(): assert not stays()
"""


@pytest.mark.parametrize("workers", ["0", "1"])
def test_the_marker_decides_and_proofs_are_written(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    for number in ("11", "12"):
        monkeypatch.delitem(HOMES, f"TOY-{number}", raising=False)
    books = pytester.mkdir("games") / "toy"
    books.mkdir()
    entries = "".join(f"[[rule]]\nid = 'TOY-{number}'\n" for number in ("11", "12"))
    (books / "rulebook.toml").write_text(entries)
    pytester.makepyfile(test_suite=SUITE)
    pytester.makeconftest(
        f"""
        from pathlib import Path
        from tests.support import rules
        rules.GAMES = Path({str(books.parent)!r})
        """
    )
    monkeypatch.setenv("PYTHONPATH", str(rules.ROOT))
    result = pytester.runpytest_subprocess(
        "-p", "tests.support.rules", "-n", workers, "--rule-proofs", "out/proofs.json",
        "-p", "no:faker", "-p", "no:hypothesispytest", "-p", "no:schemathesis",
    )  # fmt: skip
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines_random(
        ["*TOY-12: its home was not called*", "*in no rulebook: TOY-99*"]
    )
    proofs = json.loads((pytester.path / "out" / "proofs.json").read_text())
    assert proofs == {"TOY-11": ["test_suite.py::test_moves"]}
