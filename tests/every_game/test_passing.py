"""Passing is told by the rule by which there is something to pass: whoever looks up the order and
the question reads of one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.kernel.commands import Pass
from tests.support.cases import FOLDER, load
from tests.support.suites import Suite, suites
from tests.support.templated import AnyGame, positions

pytestmark = pytest.mark.slow("conformance")

OTHERWISE = {
    ("war_at_sea", "combat-air-patrol"): "WAS-AIRM-01",
    ("war_at_sea", "sub-hunter"): "WAS-SEA-01",
}
"""Questions in the middle of a phase, whose end is what is passed: by its rule."""
EVERYWHERE = {"crimson_tide": "CT-SEQ-06"}
"""Games with one rule about passing."""

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]


def passed(suite: Suite) -> Iterator[tuple[Any, Any, Any]]:
    """State, question and passing, wherever that is offered in the numbered cases."""
    game = suite.game
    for case in load(suite.folder):
        for state in positions(suite, case):
            if game.result(state) is None and game.awaiting(state) is None:
                for asked in game.pending(state):
                    for command in game.legal(state, asked.seat).commands:
                        if isinstance(command, Pass):
                            yield state, asked, command


def told(folder: str, game: AnyGame, state: Any, asked: Any, command: Any) -> str:
    """What is told by another rule than the question is asked by."""
    rule = game.describe(state, command).rule
    usual = EVERYWHERE.get(folder, asked.rule)
    wanted = OTHERWISE.get((folder, asked.question), usual)
    return "" if rule == wanted else f"{asked.question} ({asked.rule}) is passed by {rule}"


@pytest.mark.parametrize("suite", PLAYED, ids=lambda suite: suite.folder)
def test_passing_is_told_by_the_rule_of_the_question(suite: Suite) -> None:
    found = {told(suite.folder, suite.game, *at) for at in passed(suite)} - {""}
    assert found == set(), "the rule of the question in rules/questions.py, or of shown/words.py"


def alike(texts: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Words by which more than one question is passed."""
    found: dict[str, set[str]] = {}
    for text, question in texts:
        found.setdefault(text, set()).add(question)
    return {text: questions for text, questions in found.items() if len(questions) > 1}


@pytest.mark.parametrize("suite", PLAYED, ids=lambda suite: suite.folder)
def test_no_two_questions_are_passed_in_the_same_words(suite: Suite) -> None:
    """Words that were copied from another step tell of what is not done there."""
    texts = {
        (suite.game.describe(state, command).text, asked.question)
        for state, asked, command in passed(suite)
        if (suite.folder, asked.question) not in OTHERWISE
    }
    assert alike(texts) == {}, "shown/words.py"


def test_words_of_another_step_are_found() -> None:
    texts = [("Claim nothing more", "claim"), ("Move no more", "move"), ("Move no more", "move")]
    assert alike(texts) == {}
    assert alike([*texts, ("Claim nothing more", "scuttle")]) == {
        "Claim nothing more": {"claim", "scuttle"}
    }


def test_passing_by_another_rule_is_found() -> None:
    suite = suites()["naval_battles"]
    at = next(passed(suite))

    def describe(state: Any, command: Any) -> Any:
        return changed(suite.game.describe(state, command), rule="NB-GEN-01")

    assert told(suite.folder, suite.game, *at) == ""
    assert told(suite.folder, replace(suite.game, describe=describe), *at).endswith("NB-GEN-01")
