"""What the clock answers for an absent player, at every kind of question (Game.usual).

The inventory names no answer, so it is ours: pass where one may, else an attack that is required,
else the first thing on offer.
"""

from __future__ import annotations

import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules.commands import Fire
from domain.games.war_at_sea.rules.sequence import battle
from tests.support.absence import answer, begun
from tests.support.suites import suites

ASKED = {
    "choose-side": ("WAS-C-002", 1, False),
    "build-fleet": ("WAS-C-001", 0, False),
    "deploy": ("WAS-C-012", 0, False),
    "move": ("WAS-C-020", 0, True),
    "sub-hunter": ("WAS-C-058", 0, True),
    "place-aircraft": ("WAS-C-101", 0, True),
    "combat-air-patrol": ("WAS-C-586", 0, True),
    "use-ability": ("WAS-C-808", 0, True),
    "attack": ("WAS-C-044", 0, True),
    "risk-aircraft": ("WAS-C-140", 0, False),
    "return-aircraft": ("WAS-C-1043", 0, False),
    "claim": ("WAS-C-1300", 0, True),
}
"""Kind of question: where it is asked (a case and how far it is played), whether one may pass."""

COMPULSORY = {"place-aircraft": ("WAS-C-055", 0), "use-ability": ("WAS-C-1032", 0)}
"""Questions that leave no way out in some positions, and one such."""


def test_no_kind_of_question_is_left_out() -> None:
    asked = {key for edition in GAME.editions for key in battle(edition).questions}
    assert {*ASKED, "choose-edge"} == asked


@pytest.mark.parametrize(
    ("kind", "case", "entries", "optional"),
    [(kind, *where) for kind, where in ASKED.items()]
    + [(kind, *where, False) for kind, where in COMPULSORY.items()],
)
def test_the_clock_passes_or_takes_the_first_offer(
    kind: str, case: str, entries: int, optional: bool
) -> None:
    state = begun(suites()["war_at_sea"], case, entries)
    question = GAME.pending(state)[0]
    assert (question.question, question.optional) == (kind, optional)
    command = answer(GAME, state, question)
    if not optional:
        assert command == GAME.legal(state, question.seat).commands[0]


@pytest.mark.rule("RUL-108")
def test_the_clock_makes_an_attack_that_has_to_be_made_before_any_other() -> None:
    """Tone stands first in the list; it is the Fighter that is drawn."""
    state = begun(suites()["war_at_sea"], "WAS-C-1710", 1)
    (question,) = GAME.pending(state)
    assert GAME.legal(state, "p1").commands[0] == Fire("p1-1", "antiair", "p2-1")
    assert answer(GAME, state, question) == Fire("p1-2", "antiair", "p2-1")
