"""What the clock answers for who is away, at a question that a numbered case begins or comes to."""

from __future__ import annotations

from typing import Any

from domain.kernel.commands import deed, tag_of
from domain.kernel.options import Pending
from tests.support import cases
from tests.support.suites import AnyGame, Suite


def begun(suite: Suite, number: str, entries: int = 0) -> Any:
    """The state of a numbered case after so many entries of its script."""
    (case,) = (each for each in cases.load(suite.folder) if each["id"] == number)
    table = suite.begin(case)
    assert not isinstance(table, Exception)
    for entry in case.get("script", ())[:entries]:
        cases.do(suite.game, table, entry)
    return table.state


def answer(game: AnyGame, state: Any, question: Pending) -> Any:
    """The usual answer: a pass where one may pass and only there, accepted, and it changes things.

    Raises Refused for one that the rules do not accept.
    """
    offers = game.legal(state, question.seat).commands
    assert question.optional == any(deed(tag_of(type(each))) == "pass" for each in offers), question
    command = game.usual(state, question)
    assert question.optional == (deed(tag_of(type(command))) == "pass"), (question, command)
    assert game.fold(game.decide(state, question.seat, command), state) != state
    return command
