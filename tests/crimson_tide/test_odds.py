"""Odds of a declared attack against the tree of all its dice, as the rules decide them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.odds import CHECKS, exploding, prospects
from domain.games.crimson_tide.rules.state import State
from domain.kernel.chance import Faces
from domain.kernel.values import CHANCE
from tests.campaigns.odds import rolls
from tests.support.suites import suites

MOST_DICE = 2
DEEP = 3
"""Throws of one attack that the tree follows; deeper ones are a rest that is told apart."""

REST = "rest"


def followed(state: State, share: Fraction, left: int, found: dict[str, Fraction]) -> None:
    """Every way that the attack may go, by decide; what is deeper than ``left`` is the rest."""
    awaited = GAME.awaiting(state)
    assert awaited is not None
    if not left:
        found[REST] = found.get(REST, Fraction(0)) + share
        return
    count = awaited.pools[0].count
    for faces in product(range(1, 7), repeat=count):
        part = share * Fraction(1, 6**count)
        after, outcome = state, ""
        for event in GAME.decide(state, CHANCE, Faces(awaited.label, (faces,))):
            if event.NAME in ("attack-resolved", "attack-wasted"):
                outcome = getattr(event, "outcome", "wasted")
            after = GAME.evolve(after, event)
            if outcome:
                break
        if outcome:
            found[outcome] = found.get(outcome, Fraction(0)) + part
        else:
            followed(after, part, left - 1, found)


def small(kinds: tuple[str, ...]) -> list[State]:
    """Positions of recorded battles in which few dice are awaited, each kind a few times."""
    found: dict[Any, State] = {}
    for roll in rolls_and_checks():
        purpose, shot = roll.purpose, roll.shot
        if purpose is None or shot is None or purpose.kind not in kinds:
            continue
        if shot.dice.total <= MOST_DICE:
            ratings = (shot.armor.total, shot.critical.total, shot.least.total, shot.weapon)
            found.setdefault((purpose.kind, shot.dice.total, ratings, len(purpose.rounds)), roll)
    return list(found.values())


def rolls_and_checks() -> list[State]:
    return [roll.state for roll in rolls(suites()["crimson_tide"], every=True)]


def test_small_attacks_are_what_every_way_of_their_dice_comes_to() -> None:
    positions = small(("attack", "torpedo", *CHECKS))
    assert len(positions) >= 5
    for state in positions:
        told = prospects(state)
        assert told is not None
        found: dict[str, Fraction] = {}
        followed(state, Fraction(1), DEEP, found)
        rest = found.pop(REST, Fraction(0))
        assert rest < Fraction(1, 10)
        outcomes = {o["outcome"]: Fraction(o["exact"]) for o in told["outcomes"]}
        assert sum(outcomes.values()) == 1
        for outcome in outcomes.keys() | found.keys():
            low = found.get(outcome, Fraction(0))
            assert low <= outcomes.get(outcome, Fraction(0)) <= low + rest, (outcome, told)


@pytest.mark.parametrize("least", [4, 5, 6])
def test_one_die_that_is_rolled_again_on_a_six(least: int) -> None:
    spread = exploding(least, 8)
    assert sum(spread) == 1
    assert spread[0] == Fraction(least - 1, 6)
    assert spread[2] == Fraction(1, 6) * spread[0]
    assert spread[3] == Fraction(1, 6) * spread[1]


def test_nothing_is_reckoned_where_no_attack_is_open() -> None:
    assert all(
        prospects(state) is None
        for state in rolls_and_checks()
        if state.purpose is not None and state.purpose.kind == "initiative"
    )
