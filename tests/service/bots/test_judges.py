"""A bot of the service judges every question of its game, and does not take what is listed first
where nobody has thought of it: a new step let it sink its own ships.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain

import pytest

from domain.games.crimson_tide import GAME as CRIMSON_TIDE
from domain.games.war_at_sea import GAME as WAR_AT_SEA
from domain.kernel.commands import deed
from service.bots.bot import Bot, Item, Position
from service.bots.crimson_tide import captain
from service.bots.local import position_of, units_of
from service.bots.war_at_sea import greedy
from tests.support.stretches import at_random, of_cases, of_recorded
from tests.support.suites import AnyGame, Suite, suites

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


# --- what a judge says ----------------------------------------------------------------------------

MADE: dict[str, Callable[[], Bot]] = {"war_at_sea": greedy.Greedy, "crimson_tide": captain.Captain}
INDIFFERENT = {
    ("war_at_sea", "choose-edge"): "both edges are alike to it",
    ("war_at_sea", "choose-side"): "its fleets are as good on either side",
    ("war_at_sea", "claim"): "whatever is open is claimed, in any order",
    ("war_at_sea", "combat-air-patrol"): "whatever may patrol does, in any order",
    ("war_at_sea", "sub-hunter"): "one sector is as good as another",
}
"""Questions to which a bot takes what is listed first, with why."""
RANDOM, LONG = 4, 800


def asked(suite: Suite, wanted: Collection[str]) -> Iterator[tuple[str, Position]]:
    """Positions of cases, recorded and random games in which there is more than one answer.

    Of the wanted questions; what the bot sees is the truth, in which its judges find as much.
    """
    game, units = suite.game, units_of(suite.game)
    walks = [of_cases(suite), of_recorded(suite)]
    walks += [at_random(suite, seed, LONG) for seed in range(RANDOM)]
    for state in (each.after for each in chain(*walks)):
        if game.result(state) is not None or game.awaiting(state) is not None:
            continue
        for question in game.pending(state):
            key, subject = question.question, question.subject
            if key in wanted:
                found = position_of(game, state, units, question.seat, key, subject)
                if len(found.items) > 1:
                    yield key, found


def passes(item: Item) -> bool:
    return deed(item["command"]["type"]) == "pass"


def opinion(bot: Bot, position: Position) -> bool:
    """Whether it takes the same one whatever the order of the list, or one in the middle of it."""
    chosen = bot.choose(position)
    turned = bot.choose(replace(position, items=position.items[::-1]))
    if chosen not in position.items:  # a way out of the game, of which no judge is asked
        return False
    if passes(chosen):  # rather nothing than anything
        return True
    answers = [item for item in position.items if not passes(item)]
    ends = (answers[0], answers[-1])
    alike = len(answers) > 1 and chosen == turned
    return alike or chosen not in ends or turned not in ends


def indifferent(suite: Suite, bot: Bot, questions: Iterable[str]) -> set[str]:
    """Questions in which a bot nowhere prefers one answer to another."""
    left = set(questions)
    for key, position in asked(suite, left):
        if key in left and opinion(bot, position):
            left.discard(key)
        if not left:
            break
    return left


@pytest.mark.parametrize("folder", MADE)
def test_a_judge_prefers_one_answer_to_another(folder: str) -> None:
    suite = suites()[folder]
    assert suite.game.tables is not None
    found = indifferent(suite, MADE[folder](), suite.game.tables.questions)
    assert found == {key for game, key in INDIFFERENT if game == folder}, "SCORES of the bot"


@pytest.mark.parametrize("folder", MADE)
def test_a_judge_that_takes_what_is_listed_first_is_named(folder: str) -> None:
    class First:
        def choose(self, position: Position) -> Item:
            return next(item for item in position.items if not passes(item))

    assert indifferent(suites()[folder], First(), {"move", "attack"}) == {"move", "attack"}
