"""What ``make rules`` must say and when it must fail."""

from __future__ import annotations

from typing import Any

from domain.kernel.shown.rulebook import RuleText
from tests.rules.audit import audit, render


def entry(identifier: str, **fields: Any) -> RuleText:
    facts: dict[str, Any] = {
        "title": "A rule",
        "text": "It holds.",
        "editions": ("one",),
        "source": "book",
        "status": "done",
        "area": "TOY",
    }
    return RuleText(identifier, **(facts | fields))


def home() -> None:
    """Where the toy rules live."""


HOME = home.__code__


def test_a_rule_in_code_and_proved_is_complete() -> None:
    found = audit("toy", [entry("T-1")], {"T-1": HOME}, {"T-1": ["test_a"]}, {"T-1": 2})
    assert found.complete
    assert found.counts()["missing"] == 0
    assert found.counts()["killed when broken"] == 1
    assert found.counts()["shown by one row only"] == 0
    assert "test_audit.py" in found.lines[0].home


def test_a_done_rule_without_code_or_without_proof_is_missing() -> None:
    book = [entry("T-1"), entry("T-2"), entry("T-3")]
    found = audit("toy", book, {"T-2": HOME}, {"T-3": ["test_a"]}, {"T-3": 1})
    assert {line.entry.id: line.missing for line in found.missing} == {
        "T-1": "code and test and proof",
        "T-2": "test and proof",
        "T-3": "code",
    }
    assert not found.complete
    assert "missing code and test and proof: TOY 1" in render(found)


def test_a_rule_whose_tests_notice_nothing_is_missing_its_proof() -> None:
    found = audit("toy", [entry("T-1")], {"T-1": HOME}, {"T-1": ["test_a"]}, {"T-1": 0})
    assert found.missing[0].missing == "proof"
    assert found.counts()["tested"] == 1
    assert found.counts()["killed when broken"] == 0
    assert not found.complete


def test_a_proof_that_is_owed_is_named_and_not_counted() -> None:
    tests = {"T-1": ["test_a"], "T-2": ["test_b"]}
    book = [entry("T-1"), entry("T-2")]
    found = audit("toy", book, {"T-1": HOME, "T-2": HOME}, tests, {"T-2": 1}, ["T-1", "T-2"])
    assert found.complete
    assert found.counts()["proof owed"] == found.counts()["killed when broken"] == 1
    assert "no test notices when it is broken: TOY 1" in render(found)


def test_what_one_row_alone_shows_is_counted() -> None:
    book = [entry("T-1"), entry("T-2")]
    tests = {"T-1": ["test_a"], "T-2": ["test_a", "test_b"]}
    found = audit("toy", book, {"T-1": HOME, "T-2": HOME}, tests, {"T-1": 1, "T-2": 2})
    assert found.counts()["shown by one row only"] == 1


def test_deferred_rules_and_information_lack_nothing_and_are_listed() -> None:
    book = [entry("T-1", status="deferred"), entry("T-2", status="information")]
    found = audit("toy", book, {}, {}, {})
    assert found.complete
    assert "deferred: TOY 1" in render(found)


def test_a_deferred_rule_that_is_proved_is_pointed_out() -> None:
    found = audit(
        "toy", [entry("T-1", status="deferred")], {"T-1": HOME}, {"T-1": ["test_a"]}, {"T-1": 1}
    )
    assert found.complete
    assert "could be marked done: TOY 1" in render(found)


def test_code_that_names_a_rule_of_no_book_fails() -> None:
    found = audit("toy", [], {"T-9": HOME}, {}, {})
    assert not found.complete
    assert "in no book: T-9" in render(found)
