"""DARK: the dice that decide on the light."""

from __future__ import annotations

import pytest

from domain.kernel.chance import Dice
from tests.support.battle import Battle, given, unit


def drawn_at_random() -> Battle:
    """The battle zone is laid out; a die says what the light will be."""
    return given(
        "2009",
        unit("p1-1", "tone", "1.1"),
        unit("p2-1", "hms-hood", "11.1"),
        step="battle-zone",
        turn=0,
        options={"light": "random"},
    )


@pytest.mark.rule("WAS-DARK-15")
@pytest.mark.parametrize(("face", "light"), [(1, "day"), (3, "day"), (4, "night"), (5, "night")])
def test_one_to_three_is_day_and_four_and_five_are_night(face: int, light: str) -> None:
    assert drawn_at_random().roll([face]).state.light == light


@pytest.mark.rule("WAS-DARK-15")
@pytest.mark.parametrize(("face", "light"), [(1, "dusk"), (2, "dawn")])
def test_a_six_is_twilight_and_asks_for_a_coin(face: int, light: str) -> None:
    battle = drawn_at_random().roll([6])
    assert battle.state.awaiting is not None
    assert battle.state.awaiting.pools == (Dice(1, 2),)
    assert battle.roll([face]).state.light == light
