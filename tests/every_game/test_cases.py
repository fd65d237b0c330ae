"""Every numbered conformance case, played by our engines (tests/cases/README.md)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.agreed import options_of
from domain.kernel.rules import Refused
from domain.kernel.values import StepKey
from tests.support import cases
from tests.support.option_reads import watched
from tests.support.outcomes import outcome
from tests.support.suites import Suite, suites

CASES = {name: cases.load(name) for name in suites()}


@pytest.mark.parametrize(
    ("game", "case"),
    [
        pytest.param(game, case, id=case["id"], marks=pytest.mark.rule(*case["rules"]))
        for game, listed in CASES.items()
        for case in listed
    ],
)
def test_case(game: str, case: dict[str, Any]) -> None:
    cases.run(suites()[game], case)


HALFWAY = {
    "id": "WAS-C-000",
    "title": "Nothing sinks",
    "rules": [],
    "edition": "2009",
    "setup": {
        "step": StepKey("surface-attack", "first"),
        "units": [
            {"id": "p1-1", "card": "naka", "sector": "5.4"},
            {"id": "p2-1", "card": "uss-fletcher-dd-445", "sector": "5.4"},
        ],
    },
    "script": [
        {
            "seat": "p1",
            "command": {
                "type": "war-at-sea.attack",
                "unit": "p1-1",
                "weapon": "main",
                "target": "p2-1",
            },
        }
    ],
}
"""It stops where the dice are awaited that decide."""


@pytest.mark.parametrize(
    "key", [{"never": [{"type": "unit-removed"}]}, {"withholds": {"p2": [{}]}}]
)
def test_a_case_that_says_only_what_is_not_does_not_end_on_dice(key: dict[str, Any]) -> None:
    suite = suites()["war_at_sea"]
    with pytest.raises(AssertionError, match="it ends on dice that nobody expected"):
        cases.run(suite, {**HALFWAY, "expect": key})
    cases.run(suite, {**HALFWAY, "expect": {**key, "events": [{"type": "attack-declared"}]}})


AGREED = [
    pytest.param(game, case, id=case["id"])
    for game, listed in CASES.items()
    for case in listed
    if case.get("setup", {}).get("options")
]


def asked(game: str, case: dict[str, Any]) -> set[str]:
    """The options that rules ask for while a case is played."""
    suite = suites()[game]
    with watched(suite.game.options, f"domain.games.{game}") as read:
        cases.run(suite, case)
    return read


@cache
def live(game: str) -> frozenset[str]:
    """The options that rules ask for in some case, and not only when a battle is opened."""
    found = [case for case in CASES[game] if case.get("setup", {}).get("options")]
    return frozenset[str]().union(*(asked(game, case) for case in found))


def idle(game: str, case: dict[str, Any]) -> set[str]:
    """The options of a case that do nothing there.

    That is so where no rule asks for it and nothing comes out otherwise with the default: a rule
    may have asked before, and remember. A case about the option's own rule may show that it rests,
    if it acts in others.
    """
    known = {each.name: each.rule for each in options_of(suites()[game].game.options)}
    left = set(case["setup"]["options"]) - asked(game, case)
    resting = {name for name in left & live(game) if known[name] in case["rules"]}
    return {name for name in left - resting if _same_without(game, case, name)}


def _same_without(game: str, case: dict[str, Any], option: str) -> bool:
    setup = case["setup"]
    options = {name: value for name, value in setup["options"].items() if name != option}
    plain = {**case, "setup": {**setup, "options": options}}
    strict = (Refused, AssertionError)
    events, others = (outcome(suites()[game], each, refusing=strict)[:2] for each in (case, plain))
    return events == others


AT_REST = {
    "NB-C-1260": "linkedNations",
    "NB-C-1261": "surpriseAttack",
    "WAS-C-2396": "strafingAntiair",
}
"""Cases that show an option at rest which acts wherever a rule asks: beside that, none does."""


@pytest.mark.parametrize(("game", "case"), AGREED)
def test_every_option_of_a_case_is_asked_for(game: str, case: dict[str, Any]) -> None:
    """In the middle of a battle some come too late: they became terms when it was opened."""
    unasked = {AT_REST[case["id"]]} if case["id"] in AT_REST else set()
    assert idle(game, case) == unasked, "it does nothing there: set the field of the state itself"


def test_an_option_that_does_nothing_or_is_none_is_found() -> None:
    game, case = next(each.values for each in AGREED if each.values[0] == "crimson_tide")
    assert isinstance(case, dict)
    setup = case["setup"]
    late = {**case, "setup": {**setup, "options": {**setup["options"], "strafingLeast": "one"}}}
    assert idle(str(game), late) == {"strafingLeast"}
    none = {**case, "setup": {**setup, "options": {**setup["options"], "moonlight": True}}}
    with pytest.raises(AssertionError, match="options: unknown keys \\['moonlight'\\]"):
        cases.run(suites()[str(game)], none)


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_cases_are_numbered_once_and_name_rules(suite: Suite) -> None:
    listed = CASES[suite.folder]
    names = [case["id"] for case in listed]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(rf"{suite.cases}-\d{{3,4}}", name) for name in names)
    assert all(case["rules"] and case["title"] for case in listed)


def test_two_cases_of_one_number_are_both_named(tmp_path: Path) -> None:
    folder = tmp_path / "war_at_sea"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"id":"WAS-C-007","title":"One"}\n\n', "utf-8")
    (folder / "b.jsonl").write_text('\n{"id":"WAS-C-007","title":"Another"}\n', "utf-8")
    said = (
        "WAS-C-007 is the number of two cases: 'One' (a.jsonl:1) and 'Another' (b.jsonl:2). "
        "Free: python -m tests.support.cases --next war_at_sea"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        cases.load("war_at_sea", tmp_path)


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_the_next_number_is_free_and_the_one_before_is_not(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["cases", "--next", suite.folder])
    assert cases.main() == 0
    free = capsys.readouterr().out.strip()
    taken = {case["id"] for case in CASES[suite.folder]}
    game, _, number = free.rpartition("-")
    assert game == suite.cases
    assert free not in taken
    assert f"{game}-{int(number) - 1:03}" in taken
