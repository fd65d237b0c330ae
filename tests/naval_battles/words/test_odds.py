"""Exact odds, before a die, from what lies open."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.kernel.shown.odds_summary import OddsSummary
from domain.kernel.values import Hidden

from ..tables import Prepared, given, ship
from ..test_example import ON_BISMARCK, declared, reorganized


def share(odds: dict[str, Any] | None) -> Fraction:
    assert odds is not None
    return Fraction(odds["success"]["numerator"], odds["success"]["denominator"])


@pytest.mark.parametrize(
    ("command", "chance"),
    [
        (c.DeclareAttack("torpedo-4", ("jp-i-174",), ("torpedo",), "it-littorio"), Fraction(5, 6)),
        (c.LandRaid("land-air-x2", "it-aliseo"), Fraction(4, 6)),
        (c.LandRaid("land-air-x2", "de-bismarck"), Fraction(2, 6)),
        (c.AirRaid("jp-shoho", "de-t13"), Fraction(1, 6)),
        (c.AirRaid("jp-shoho", "de-graf-zeppelin"), Fraction(0)),
    ],
)
def test_odds_of_the_worked_turn(command: c.AnyCommand, chance: Fraction) -> None:
    battle = reorganized().does("p1", c.Pass())
    assert share(GAME.odds(battle.state, command)) == chance


def test_a_die_that_never_suffices_is_hopeless() -> None:
    battle = reorganized().does("p1", c.Pass())
    found = GAME.odds(battle.state, c.AirRaid("jp-shoho", "de-graf-zeppelin"))
    assert found is not None
    short = GAME.odds_in_short(found)
    assert short is not None
    assert short.hopeless == "needs 8: with all that may be added it stays below (NB-AIR-03)"


def test_a_raid_that_needs_seven_succeeds_only_with_planning() -> None:
    """NB-AIR-06: 6 + 1 = 7."""
    plans = [Prepared("planning", "jp-kagero"), Prepared("planning", "jp-kashii")]
    battle = given(
        ship("p1", "jp-shoho"), ship("p1", "jp-kagero"), ship("p1", "jp-kashii"),
        ship("p2", "de-t13"), ship("p2", "de-z23", 2), ship("p2", "de-koln", 3),
        prepared={"p1": plans},
    )  # fmt: skip
    found = GAME.odds(battle.state, c.AirRaid("jp-shoho", "de-koln"))
    assert found is not None
    assert (found["needed"], found["added"]) == (7, 0)
    assert GAME.odds_in_short(found) == OddsSummary(0), "Planning may still bring it about"
    assert found["success"] == {"numerator": 0, "denominator": 1}
    assert found["planning"] == [
        {"numerator": 1, "denominator": 6},
        {"numerator": 1, "denominator": 3},
    ]
    assert [reason["rule"] for reason in found["reasons"]] == ["NB-AIR-03"]


def test_odds_of_defenses() -> None:
    battle = declared().does("p2", c.Pass())
    assert share(GAME.odds(battle.state, c.AirCover("de-graf-zeppelin", ON_BISMARCK))) == Fraction(
        2, 6
    )
    assert GAME.odds(battle.state, c.AirCover("de-graf-zeppelin", 1)) is None
    assert GAME.odds(battle.state, c.Pass()) is None
    assert GAME.odds(battle.state, c.Defend("evasive-action", ON_BISMARCK)) is None
    hidden = given(ship("p1", "jp-kagero"), ship("p2", "de-u-47"), hands={"p1": ["depth-1"]})
    hidden.does("p1", c.DeclareAttack("depth-1", ("jp-kagero",), ("torpedo",), "de-u-47"))
    assert share(GAME.odds(hidden.state, c.RunSilent(1))) == Fraction(4, 6)


def test_odds_in_the_planning_window() -> None:
    battle = given(
        ship("p1", "jp-kagero"), ship("p2", "de-t13"), hands={"p1": ["torpedo-4"]},
        prepared={"p1": [Prepared("planning", "jp-kagero")]},
    )  # fmt: skip
    fire = c.DeclareAttack("torpedo-4", ("jp-kagero",), ("torpedo",), "de-t13")
    battle.does("p1", fire).does("p2", c.Pass())
    assert GAME.pending(battle.state)[0].subject == "attack 1"
    found = GAME.odds(battle.state, c.Plan(1))
    assert found is not None
    assert (found["needed"], found["added"], found["planning"]) == (5, 3, [])
    assert share(found) == Fraction(5, 6)
    assert GAME.odds(battle.state, c.Plan(2)) is None


def test_odds_do_not_depend_on_what_others_hold() -> None:
    raid = c.AirRaid("jp-shoho", "de-t13")
    one, other = (
        given(ship("p1", "jp-shoho"), ship("p2", "de-t13"), hands={"p2": [card]})
        for card in ("small-target", "planning")
    )
    hidden = replace(one.state, hands={**one.state.hands, "p2": Hidden(1)}, deck=Hidden(101))
    answers = [GAME.odds(state, raid) for state in (one.state, other.state, hidden)]
    assert answers[0] == answers[1] == answers[2] is not None


def test_no_odds_where_nothing_is_rolled() -> None:
    battle = given(ship("p1", "jp-yamato"), ship("p2", "de-t13"), hands={"p1": ["main-14-18-4"]})
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13")
    assert GAME.odds(battle.state, salvo) is None
    unfit = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("torpedo",), "de-t13")
    assert GAME.odds(battle.state, unfit) is None
