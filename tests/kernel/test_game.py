"""A game's commands and its orders of play cover each other, or the game cannot be imported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules import sequence
from domain.kernel.play import Course
from domain.kernel.values import StepKey
from tests.support import pennant
from tests.support.suites import AnyGame, suites

GAMES: list[AnyGame] = [*(suite.game for suite in suites().values()), pennant.GAME]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset)
def test_a_command_that_no_question_takes_is_refused(game: AnyGame) -> None:
    """What set-up asks, what a turn asks, passing and the ways out alike."""

    class Forgotten:
        pass

    with pytest.raises(ValueError, match="no question, way out or pass takes Forgotten"):
        replace(game, commands=(*game.commands, Forgotten))
    for left_out in game.commands:
        strange = f"{game.ruleset}: {left_out.__name__} is carried out, and is no command of it"
        with pytest.raises(ValueError, match=strange):
            replace(game, commands=tuple(each for each in game.commands if each is not left_out))


def test_a_way_out_or_a_set_up_that_is_forgotten_is_refused() -> None:
    """War at Sea without resigning and calling a stalemate; and with nothing of its set-up."""
    game, whole = suites()["war_at_sea"].game, sequence.battle("2007")
    no_ways = Course(sequence.HOOKS, turn=whole.steps, above=whole.above)
    with pytest.raises(ValueError, match=r"pass takes CallStalemate, Resign$"):
        replace(game, courses=(no_ways,))
    no_set_up = Course(sequence.HOOKS, turn=whole.turn, above=whole.above, ways=whole.ways)
    with pytest.raises(ValueError, match=r"takes ChooseEdge, ChooseSide, Deploy, SubmitFleet$"):
        replace(game, courses=(no_set_up,))


def test_of_two_questions_of_one_name_both_have_their_answers() -> None:
    """An attack under way asks as ``use-ability`` does, and takes something else."""
    step = next(s for s in sequence.battle("2007").turn if s.key == StepKey("sea-movement", "hunt"))
    assert step.asks is not None
    only = replace(step.asks, key="use-ability", acts=step.asks.acts[:1])
    under_way = sequence.battle("2007").above[0]
    found = Course(sequence.HOOKS, turn=(replace(step, asks=only),), above=(under_way,)).commands
    assert found == {c.Use, c.Risk, c.Pass}
