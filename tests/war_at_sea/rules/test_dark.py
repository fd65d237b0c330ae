"""DARK: the dice that decide on the light."""

from __future__ import annotations

import msgspec
import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.cards import AbilityRef
from domain.kernel.chance import Dice
from domain.kernel.values import StepKey
from tests.support.battle import Battle, bare, catalogues, given, unit


def drawn_at_random() -> Battle:
    """The battle zone is laid out; a die says what the light will be."""
    return given(
        "2009",
        unit("p1-1", "tone", "1.1"),
        unit("p2-1", "hms-hood", "11.1"),
        step=StepKey("battle-zone"),
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


@pytest.mark.rule("WAS-DARK-10", "WAS-ABIL-41", "WAS-DARK-09")
@pytest.mark.parametrize("ability", ["", "night-fighter", "improved-radar", "radar-fire-control"])
def test_each_of_three_abilities_alone_takes_the_penalty_off(ability: str) -> None:
    """No card has Improved Radar alone; this one does."""
    ship = bare("duca-d-aosta")
    held = (AbilityRef(ability),) if ability else ()
    for catalogue in catalogues():
        catalogue[ship] = msgspec.structs.replace(catalogue[ship], abilities=held)
    battle = given(
        "2009", unit("p1-1", ship, "6.1"), unit("p2-1", "hmas-canberra", "6.2"),
        step=StepKey("surface-attack", "first"), light="night",
    )  # fmt: skip
    battle.act("p1", c.Fire("p1-1", "main", "p2-1"))
    assert battle.saw("attack-declared").attack.die.total == (0 if ability else -1)
