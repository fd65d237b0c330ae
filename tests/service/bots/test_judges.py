"""A bot of the service judges every question of its game, and does not take what is listed first
where nobody has thought of it: a new step let it sink its own ships.
"""

from __future__ import annotations

from collections.abc import Collection

import pytest

from domain.games.crimson_tide import GAME as CRIMSON_TIDE
from domain.games.war_at_sea import GAME as WAR_AT_SEA
from service.bots.crimson_tide import captain
from service.bots.war_at_sea import greedy
from tests.support.suites import AnyGame

BOTS = [(WAR_AT_SEA, greedy.SCORES), (CRIMSON_TIDE, captain.SCORES)]


def unjudged(game: AnyGame, scores: Collection[str]) -> set[str]:
    """Questions without a judge, and judges of no question."""
    assert game.tables is not None
    return set(game.tables.questions) ^ set(scores)


@pytest.mark.parametrize(("game", "scores"), BOTS, ids=["war-at-sea", "crimson-tide"])
def test_every_question_has_a_judge(game: AnyGame, scores: Collection[str]) -> None:
    assert unjudged(game, scores) == set(), "SCORES of the bot"


@pytest.mark.parametrize(("game", "scores"), BOTS, ids=["war-at-sea", "crimson-tide"])
def test_a_judge_that_lacks_is_named(game: AnyGame, scores: Collection[str]) -> None:
    assert unjudged(game, set(scores) - {"move"}) == {"move"}
    assert unjudged(game, {*scores, "moves"}) == {"moves"}
