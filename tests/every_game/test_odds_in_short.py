"""Every offer with odds has them in one shape too, and they are what the game says at length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.shown.odds import in_short as of_a_shot
from domain.games.naval_battles.shown.odds import in_short as of_a_die
from domain.games.war_at_sea.shown.odds import in_short as of_an_attack
from domain.kernel.finder import games
from domain.kernel.shown.odds_summary import OddsSummary, thousandths
from tests.support.stretches import of_cases
from tests.support.suites import suites

pytestmark = pytest.mark.slow("conformance")

SHARE = {"exact": "1/3", "perMille": 333}
TORPEDOES: dict[str, Any] = {
    "dice": 2,
    "eachDie": 0,
    "of": "36",
    "rolls": [{"count": 0, "ways": "25"}, {"count": 1, "ways": "11"}],
    "outcomes": [
        {"outcome": "destroyed", "exact": "1/36", "perMille": 28},
        {"outcome": "hit", "exact": "10/36", "perMille": 278},
        {"outcome": "miss", "exact": "20/36", "perMille": 556},
        {"outcome": "no-effect", "exact": "5/36", "perMille": 139},
    ],
    "lost": {"exact": "1/36", "perMille": 28},
    "expectedHullPoints": SHARE,
}


def test_guns_and_torpedoes_have_one_shape() -> None:
    short = OddsSummary(hit=306, destroyed=28, expected=333)
    assert of_an_attack(TORPEDOES) == short
    assert of_an_attack({**TORPEDOES, "armor": 3, "vitalArmor": 7, "badLuck": SHARE}) == short


def test_a_die_decides_whether_it_hits_and_not_what_it_sinks() -> None:
    odds = {
        "needed": 5, "reasons": [], "added": 0, "planning": [],
        "success": {"numerator": 1, "denominator": 3},
    }  # fmt: skip
    assert of_a_die(odds) == OddsSummary(hit=333)


def shot(hull: str, lost: str = "", **shares: str) -> dict[str, Any]:
    """The odds of a shot of Crimson Tide with these results; engines of before tell no ``lost``."""

    def chance(share: str) -> dict[str, Any]:
        return {"exact": share, "perMille": thousandths(Fraction(share))}

    outcomes = [{"outcome": name, **chance(share)} for name, share in shares.items()]
    told = {"dice": 2, "least": 5, "thrown": 0, "hits": [], "outcomes": outcomes}
    gone = {"destroyed": chance(lost)} if lost else {}
    return {**told, "expectedHullPoints": chance(hull), **gone}


@pytest.mark.parametrize(
    ("odds", "short"),
    [
        (shot("5/16", hit="1/4", critical="1/16", miss="11/16"), OddsSummary(313, None, 313)),
        (shot("1/4", hit="1/4", miss="1/4", wasted="1/2"), OddsSummary(250, None, 250)),
        (shot("2/3", hit="11/36", miss="25/36"), OddsSummary(306, None, 667)),
        (shot("1/4", "1/144", hit="1/4", miss="3/4"), OddsSummary(250, 7, 250)),
        (shot("0/1", aborted="1/3", destroyed="1/9", miss="5/9"), OddsSummary(444, 111)),
    ],
    ids=["guns", "after a check", "torpedoes", "what is lost by it", "at aircraft"],
)
def test_a_shot_is_told_with_the_checks_before_it(odds: Any, short: OddsSummary) -> None:
    assert of_a_shot(odds) == short


@pytest.mark.parametrize(("share", "rounded"), [((1, 2000), 1), ((1, 2001), 0), ((1, 1), 1000)])
def test_thousandths_are_rounded(share: tuple[int, int], rounded: int) -> None:
    assert thousandths(Fraction(*share)) == rounded


def test_what_odds_look_like_is_said_by_each_game_that_has_them() -> None:
    told = {name for name, game in games().items() if game.odds_form is not None}
    assert told == {"crimson-tide", "naval-battles", "war-at-sea"}
    for name in told:
        with pytest.raises(msgspec.ValidationError):
            games()[name].odds_in_short({"hit": 3})


def offered(folder: str) -> Iterator[tuple[Any, str, Any]]:
    """What is on offer in the numbered cases, between players who let each other measure."""
    game = suites()[folder].game
    for stretch in of_cases(suites()[folder]):
        state = stretch.after
        if hasattr(state.options, "measuring"):
            state = replace(state, options=replace(state.options, measuring="free"))
        if game.result(state) is None and game.awaiting(state) is None:
            for seat in (each.seat for each in game.pending(state)):
                yield from ((state, seat, each) for each in game.legal(state, seat).commands)


@pytest.mark.parametrize("folder", ["crimson_tide", "war_at_sea"])
def test_at_what_is_lost_already_dice_do_nothing_and_say_why(folder: str) -> None:
    """Numbered cases: a shot at a doomed unit is pointless and hopeless, for the same reason."""
    game, met = suites()[folder].game, Counter[str]()
    for state, seat, command in offered(folder):
        vain = game.describe(state, command).pointless
        odds = game.odds_beside(state, seat, command) if vain else None
        short = None if odds is None else game.short_beside(state, command, odds)
        if short is not None:
            lost, hull = (value and 0 for value in (short.destroyed, short.expected))
            assert short == OddsSummary(0, lost, hull, vain), command
            met[vain] += 1
    assert sum(met.values()) > 5, met
    assert len(met) > (folder == "war_at_sea"), met


def test_every_shot_has_one_meaning() -> None:
    """War at Sea: of dice that have no effect nothing is lost, and a reason is told."""
    game, number, hopeless = suites()["war_at_sea"].game, 0, 0
    for state, seat, command in islice(offered("war_at_sea"), 0, 6_000, 3):
        odds = game.odds_beside(state, seat, command)
        short = None if odds is None else game.short_beside(state, command, odds)
        if short is not None:
            assert (short.destroyed or 0) <= short.hit, command
            assert not (short.hopeless and (short.hit or short.destroyed or short.expected))
            assert short.hopeless or not game.describe(state, command).pointless
            number, hopeless = number + 1, hopeless + bool(short.hopeless)
    assert number > 200
    assert hopeless > 5
