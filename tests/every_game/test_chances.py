"""The odds of rolls are what the engine does: each face of small ones, many throws of large."""

from __future__ import annotations

from itertools import product

import pytest

from domain.kernel.chance import PUBLIC_DOMAIN, Dice
from domain.kernel.chances import Chances, Outcome, convolved, several, threshold
from domain.kernel.values import PUBLIC
from tests.campaigns.odds import ODD, engine_score, rolls, throw
from tests.support.recorded import files, read, replay
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

SMALL = 3
"""Dice of a roll whose every way is decided."""
A_KIND = 3
"""Small rolls that are taken of each kind and number of dice."""
THROWS = 2_000


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_every_way_of_a_small_roll_counts_as_the_rules_count_it(suite: Suite) -> None:
    taken: dict[tuple[object, ...], int] = {}
    for roll in rolls(suite):
        kind = (roll.chances.kind, roll.dice, roll.chances.worth)
        taken[kind] = taken.get(kind, 0) + 1
        if roll.dice > SMALL or taken[kind] > A_KIND:
            continue
        counted: dict[int, int] = {}
        faces = [
            product(range(1, pool.sides + 1), repeat=pool.count) for pool in roll.awaited.pools
        ]
        for fallen in product(*faces):
            score = roll.chances.score(fallen)
            engine = engine_score(roll, fallen)
            assert engine in (score, None), (roll.chances, fallen)
            counted[score] = counted.get(score, 0) + 1
        assert counted == roll.chances.ways(roll.awaited.pools)
    kinds = {kind for kind, *_ in taken}
    assert "naval_battles" in suite.folder or {"attack", "initiative"} <= kinds


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_many_throws_of_the_largest_roll_come_out_as_reckoned(suite: Suite) -> None:
    roll, chance = throw(suite, THROWS, seed=7)
    assert chance > ODD, roll.chances


def test_scores_add_up_over_pools_and_name_their_outcome() -> None:
    chances = Chances("x", "p1", ((0, 1), (0, 0, 5)), (Outcome("low", 0), Outcome("high", 5)))
    pools = (Dice(2, 2), Dice(1, 3))
    assert chances.ways(pools) == {0: 2, 1: 4, 2: 2, 5: 1, 6: 2, 7: 1}
    assert chances.score(((2, 2), (3,))) == 7
    assert [chances.outcome(score) for score in (0, 4, 5, 7)] == ["low", "low", "high", "high"]


def test_several_dice_are_the_sum_of_each() -> None:
    worth = threshold(6, 4, 6)
    assert worth == (0, 0, 0, 1, 1, 2)
    one = {0: 3, 1: 2, 2: 1}
    by_hand = {0: 1}
    for count in range(8):
        assert several(worth, count) == by_hand
        by_hand = convolved(by_hand, one)


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_the_odds_of_open_dice_hang_on_nothing_that_is_hidden(suite: Suite) -> None:
    """They are stored for all to see: the public's view has the same."""
    game, compared = suite.game, 0
    for path in files(suite)[::3]:
        replayed = replay(suite, read(path))
        true = public = None
        for event in replayed.events:
            true, public = game.evolve(true, event), game.evolve(public, game.redact(event, PUBLIC))
            awaited = game.awaiting(true)
            if awaited is not None and awaited.domain == PUBLIC_DOMAIN:
                assert game.chances(true) == game.chances(public)
                compared += 1
    assert compared
