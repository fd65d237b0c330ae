"""Whatever a case comes to, all viewers see it come to: points, questions, dice, the end.

Conformance asks that of random games, which seldom come to a step that an option opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.games.war_at_sea.rules import events as was
from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC
from tests.support.cases import FOLDER, do, load
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]


def otherwise(suite: Suite, case: Mapping[str, Any], game: AnyGame) -> Iterator[str]:
    """What a viewer sees otherwise than it is, after an order of a numbered case."""
    with suite.around(), suppress(Refused):
        table = suite.begin(case)
        for entry in case.get("script", ()):
            state, known = table.state, len(table.events)
            with suppress(Refused):
                do(suite.game, table, entry)
            events = table.events[known:]
            for viewer in (PUBLIC, *state.seats) if events else ():
                view = game.fold([game.seen(event, viewer) for event in events], state)
                for name, function in (
                    ("points", game.scores),
                    ("the end", game.result),
                    ("dice", game.awaiting),
                    ("questions", asked(game)),
                ):
                    if function(view) != function(table.state):
                        yield f"{case['id']}: {viewer} sees other {name}"


def asked(game: AnyGame) -> Any:
    """Who is asked what; nothing while dice are thrown or the game is over."""

    def questions(state: Any) -> Any:
        over = game.result(state) is not None or game.awaiting(state) is not None
        return None if over else game.pending(state)

    return questions


@pytest.mark.parametrize("suite", PLAYED, ids=lambda suite: suite.folder)
def test_all_viewers_see_what_a_case_comes_to(suite: Suite) -> None:
    found = [each for case in load(suite.folder) for each in otherwise(suite, case, suite.game)]
    assert found[:5] == [], "rules/sight.py"


def test_points_that_one_seat_does_not_see_are_found() -> None:
    suite = suites()["war_at_sea"]

    def seen(event: Any, viewer: str) -> Any:
        told = suite.game.redact(event, viewer)
        if isinstance(event, was.UnitRemoved) and viewer == event.scorer:
            return changed(told, points=0)
        return told

    (case,) = (each for each in load("war_at_sea") if each["id"] == "WAS-C-140")
    found = list(otherwise(suite, case, replace(suite.game, redact=seen)))
    assert found
    assert all(" sees other points" in each for each in found)
