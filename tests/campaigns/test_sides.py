"""What the campaign of bots is said to have shown comes from games that still come about."""

from __future__ import annotations

import pytest

from tests.campaigns import bots, sides
from tests.campaigns.bots import Done
from tests.support.suites import suites

GAMES = sorted(suites())


def test_the_table_of_what_ran_is_what_is_kept() -> None:
    text = sides.RAN.read_text("utf-8")
    assert sides.within(text, bots.table(sides.every())) == text


@pytest.mark.parametrize("folder", sides.HOUSES)
def test_the_shares_are_those_of_the_games_kept(folder: str) -> None:
    text = sides.house(folder).read_text("utf-8")
    assert sides.within(text, sides.shares(bots.kept(folder).values())) == text


@pytest.mark.parametrize("folder", GAMES)
def test_no_game_that_is_kept_is_idle(folder: str) -> None:
    found = bots.kept(folder)
    assert [done for done in found.values() if done.idle] == []
    assert sorted(found) == list(range(len(found))), "none between them is left out"
    assert len(found) >= len(bots.ways(folder)), "every way once"


@pytest.mark.timeout(300)
@pytest.mark.slow("games")
@pytest.mark.parametrize("folder", GAMES)
def test_games_that_are_kept_come_about_again(folder: str) -> None:
    """Rules, scenarios and bots are still those that the tables tell of."""
    assert bots.stale(bots.kept(folder)) == []


GAME = Done("any", 0, "1 convoy 2", "points", 9, 9, ("p1",), "p2", {})


def test_a_share_is_of_who_won_alone() -> None:
    other = GAME._replace(winners=("p1", "p2"))
    made = sides.shares([GAME, GAME, other, GAME._replace(winners=("p2",), first="p1")])
    assert "| 1 convoy | the first seat | 4 | 1 | 50% | 15% to 85% |" in made
    assert f"| 1 convoy | {sides.LEADS} | 4 | 1 | 0% | 0% to 49% |" in made
    assert f"| {bots.ALL} | the first seat | 4 | 1 | 50% |" in made


def test_what_a_seat_was() -> None:
    assert dict(sides.parts(GAME)) == {"the first seat": "p1", sides.LEADS: "p2"}
    escorted = GAME._replace(sides={"p1": "escort"})
    assert dict(sides.parts(escorted))["escort"] == "p1"
    allied = GAME._replace(sides={"p1": "Allies escort", "p2": "Axis"})
    assert dict(sides.parts(allied)) == {"escort": "p1", "Axis": "p2", sides.LEADS: "p2"}
