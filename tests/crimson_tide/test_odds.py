"""Odds of a declared attack against the tree of all its dice, as the rules decide them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.cards import cards
from domain.games.crimson_tide.rules.damage import counter
from domain.games.crimson_tide.rules.facts import card_of
from domain.games.crimson_tide.rules.odds import CHECKS, exploding, prospects
from domain.games.crimson_tide.rules.state import State
from domain.kernel.chance import Faces
from domain.kernel.values import CHANCE
from tests.campaigns.odds import rolls
from tests.support import cases as numbered
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


def lost(state: State, name: str, share: Fraction, left: int) -> tuple[Fraction, Fraction]:
    """The share of all ways in which the unit gets its counter, and of those that go deeper."""
    awaited = GAME.awaiting(state)
    if awaited is None or state.shot is None:
        return share * (counter(state, name) == "destroyed"), Fraction(0)
    if not left:
        return Fraction(0), share
    count = awaited.pools[0].count
    found = deeper = Fraction(0)
    for faces in product(range(1, 7), repeat=count):
        after = state
        for event in GAME.decide(state, CHANCE, Faces(awaited.label, (faces,))):
            after = GAME.evolve(after, event)
            if event.NAME == "attack-ended":
                break
        more, rest = lost(after, name, share * Fraction(1, 6**count), left - 1)
        found, deeper = found + more, deeper + rest
    return found, deeper


def hurt(state: State, hull: int) -> State:
    """The target with so many hull points left, or as many as it has."""
    assert state.shot is not None
    target = state.units[state.shot.target]
    full = card_of(state, target).hull_points
    less = replace(target, hull_lost=max(target.hull_lost, full - hull))
    return replace(state, units={**state.units, target.id: less})


@pytest.mark.parametrize("hull", [1, 2, 99])
def test_who_is_destroyed_is_so_in_as_many_of_all_ways_as_is_told(hull: int) -> None:
    """By the last hull point, by torpedoes together, or by an explosion of the critical table."""
    told = []
    for position in small(("attack", "torpedo", *CHECKS)):
        state = hurt(position, hull)
        assert state.shot is not None
        found, rest = lost(state, state.shot.target, Fraction(1), DEEP + 1)
        share = Fraction((prospects(state) or {})["destroyed"]["exact"])
        assert rest < Fraction(1, 10)
        assert found <= share <= found + rest, state.shot
        told.append(share)
    assert any(told), "an explosion, at least"


def guns() -> State:
    """A shot of guns at a ship."""
    found = small(("attack",))
    return next(each for each in found if each.shot and each.shot.weapon not in ("aaw", "torpedo"))


def carrying(state: State, ability: str) -> State:
    """The target as a card that has the ability."""
    assert state.shot is not None
    card = next(n for n, c in cards().items() if ability in {each.family for each in c.abilities})
    target = replace(state.units[state.shot.target], card=card)
    return replace(state, units={**state.units, target.id: target})


@pytest.mark.parametrize(
    ("ability", "ways"), [("", 1), ("guarded-magazines", 0), ("vulnerable-magazine", 3)]
)
def test_a_magazine_makes_explosions_likelier_or_none(ability: str, ways: int) -> None:
    state = carrying(guns(), ability) if ability else guns()
    told = prospects(state) or {}
    critical = next(o["exact"] for o in told["outcomes"] if o["outcome"] == "critical")
    assert Fraction(told["destroyed"]["exact"]) == Fraction(critical) * Fraction(ways, 36)


@pytest.mark.parametrize(("hull", "ways"), [(2, 91), (4, 16), (6, 1), (7, 0)])
def test_torpedoes_destroy_together(hull: int, ways: int) -> None:
    """By agreement they are rolled at once: each six of three dice is two hull points."""
    case = next(c for c in numbered.load("crimson_tide") if c["id"] == "CT-C-148")
    table = suites()["crimson_tide"].begin(case)
    numbered.do(GAME, table, case["script"][0])
    state = table.state
    assert state.shot is not None
    full = card_of(state, state.units["p2-1"]).hull_points
    hurt_ = replace(state.units["p2-1"], hull_lost=full - hull)
    told = prospects(replace(state, units={**state.units, "p2-1": hurt_})) or {}
    assert Fraction(told["destroyed"]["exact"]) == Fraction(ways, 216)


def test_who_has_the_counter_already_is_not_destroyed_again() -> None:
    state = next(each for each in small(("attack",)) if each.shot and each.shot.weapon != "aaw")
    assert state.shot is not None
    target = state.units[state.shot.target]
    sunk = replace(target, pending=card_of(state, target).hull_points)
    told = prospects(replace(state, units={**state.units, target.id: sunk})) or {}
    assert told["destroyed"]["exact"] == "0/1"


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
