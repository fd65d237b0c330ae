"""The published shares of battles won by nation: made from outcomes that still come about."""

from __future__ import annotations

import pytest

from domain.games.naval_battles.rules.ships import NATIONS
from tests.campaigns import nations
from tests.campaigns.nations import BOOK, HOUSE, WAYS, Way

AGAIN = 97
"""One in so many of the kept battles is fought again."""

ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@ways
def test_the_table_is_what_the_outcomes_make(way: Way) -> None:
    found = nations.read(way)
    text = nations.TABLE.read_text("utf-8")
    assert nations.within(text, way, nations.table(found)) == text
    assert [(n, tuple(pair)) for n, pair, *_ in found] == nations.outcomes(len(found) // 30)


@ways
def test_no_battle_was_given_up_or_left_undecided(way: Way) -> None:
    assert set(nations.endings(nations.read(way))) <= {"points", "agreement"}


@pytest.mark.timeout(300)
@ways
def test_kept_battles_come_about_again(way: Way) -> None:
    """Rules, ships, deck, handicap and bot are still those that the table tells of."""
    for kept in nations.read(way)[::AGAIN]:
        number, (one, other) = kept[0], kept[1]
        assert nations.battle(way.name, number, (one, other)) == kept


@ways
def test_every_nation_meets_every_other_as_often(way: Way) -> None:
    met = [(pair[0], pair[1]) for _, pair, *_ in nations.read(way)]
    assert {met.count(pair) for pair in met} == {len(met) // 30}
    assert {nation for pair in met for nation in pair} == set(NATIONS)


def test_at_the_table_of_the_house_they_are_even() -> None:
    """What the handicap is for: a nation wins 45 to 55 in 100, who moves first 47 to 53.

    As far as so many battles tell: it is the interval that must reach there.
    """
    for who, (won, played) in nations.shares(nations.read(HOUSE)).items():
        off = 0.03 if who == nations.FIRST else 0.05
        low, high = nations.interval(won, played)
        assert low <= 0.5 + off, who
        assert high >= 0.5 - off, who
        assert high - low < 0.11, "too few battles to say so"


def test_by_the_book_they_are_not() -> None:
    """Or nobody would need a handicap."""
    found = nations.shares(nations.read(BOOK))
    assert max(100 * won / played for won, played in found.values()) > 55


def test_the_interval_is_the_text_books() -> None:
    low, high = nations.interval(5, 10)
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)
