"""Every offer with odds has them in one shape too, and they are what the game says at length."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from domain.games.naval_battles.shown.odds import in_short as of_a_die
from domain.games.war_at_sea.shown.odds import in_short as of_an_attack
from domain.kernel.finder import games
from domain.kernel.shown.odds_summary import OddsSummary, thousandths

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


@pytest.mark.parametrize(("share", "rounded"), [((1, 2000), 1), ((1, 2001), 0), ((1, 1), 1000)])
def test_thousandths_are_rounded(share: tuple[int, int], rounded: int) -> None:
    assert thousandths(Fraction(*share)) == rounded


def test_what_odds_look_like_is_said_by_each_game_that_has_them() -> None:
    told = {name for name, game in games().items() if game.odds_form is not None}
    assert told == {"crimson-tide", "naval-battles", "war-at-sea"}
    # Crimson Tide has odds of a whole attack, told afterwards (0011): none stands beside an offer.
    for name in told - {"crimson-tide"}:
        with pytest.raises(msgspec.ValidationError):
            games()[name].odds_in_short({"hit": 3})
