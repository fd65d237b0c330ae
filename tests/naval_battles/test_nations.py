"""The published shares of battles won by nation: made from outcomes that still come about."""

from __future__ import annotations

import pytest

from domain.games.naval_battles.ships import NATIONS
from tests.campaigns import nations

AGAIN = 97
"""One in so many of the kept battles is fought again."""


def test_the_table_is_what_the_outcomes_make() -> None:
    found = nations.read()
    text = nations.TABLE.read_text("utf-8")
    assert nations.within(text, nations.table(found)) == text
    assert [(n, tuple(pair)) for n, pair, *_ in found] == nations.outcomes(len(found) // 30)


def test_no_battle_was_given_up_or_left_undecided() -> None:
    assert set(nations.endings(nations.read())) == {"points"}


@pytest.mark.timeout(300)
def test_kept_battles_come_about_again() -> None:
    """Rules, ships, deck and bot are still those that the table tells of."""
    for kept in nations.read()[::AGAIN]:
        number, (one, other) = kept[0], kept[1]
        assert nations.battle(number, (one, other)) == kept


def test_every_nation_meets_every_other_as_often() -> None:
    met = [(pair[0], pair[1]) for _, pair, *_ in nations.read()]
    assert {met.count(pair) for pair in met} == {len(met) // 30}
    assert {nation for pair in met for nation in pair} == set(NATIONS)
