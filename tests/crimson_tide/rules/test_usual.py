"""What the clock answers for an absent player, at every kind of question (CT-FSM-14)."""

from __future__ import annotations

import pytest

from domain.games.crimson_tide import GAME
from domain.games.crimson_tide.rules.options import Options
from domain.games.crimson_tide.rules.sequence import battle
from tests.support.absence import answer, begun
from tests.support.suites import suites

PASSED = {
    "move": "CT-C-200",
    "deploy-aircraft": "CT-C-080",
    "attack": "CT-C-110",
}
"""Kind of question and a case that begins with it: the clock ends the step, or passes."""

ACTED = {
    "build-fleet": "CT-C-001",
    "place": "CT-C-371",
    "land-aircraft": "CT-C-160",
}
"""Questions without a pass: the battle cannot go on without an answer."""


def test_no_kind_of_question_is_left_out() -> None:
    """Dives are in test_core: there the clock leaves things as they are."""
    assert {*PASSED, *ACTED, "dive"} == battle(Options()).questions.keys()


@pytest.mark.rule("CT-FSM-14")
@pytest.mark.parametrize(("kind", "case"), [*PASSED.items(), *ACTED.items()])
def test_the_clock_passes_or_takes_the_first_offer(kind: str, case: str) -> None:
    state = begun(suites()["crimson_tide"], case)
    question = GAME.pending(state)[0]
    assert (question.question, question.optional) == (kind, kind in PASSED)
    command = answer(GAME, state, question)
    if kind in ACTED:
        assert command == GAME.legal(state, question.seat).commands[0]
