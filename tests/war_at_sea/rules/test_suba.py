"""SUBA: what no shipped card shows."""

from __future__ import annotations

import msgspec
import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from tests.support.battle import bare, catalogues, given, unit


@pytest.mark.rule("WAS-SUBA-04", "WAS-SUBA-10")
@pytest.mark.parametrize(("value", "dice"), [(0, 3), (1, 2)])
def test_an_asw_value_of_1_threatens_and_one_of_0_does_not(value: int, dice: int) -> None:
    """Every Ship with an ASW row has 2 or more."""
    ship = bare("uss-fletcher-dd-445")
    for catalogue in catalogues():
        row = {**catalogue[ship].attacks, "asw": (value, -1, -1, -1)}
        catalogue[ship] = msgspec.structs.replace(catalogue[ship], attacks=row)
    battle = given(
        "2009", unit("p1-1", bare("u-510"), "5.4"), unit("p2-1", ship, "5.5"),
        step=StepKey("submarine-attack", "first"),
    )  # fmt: skip
    battle.act("p1", c.Fire("p1-1", "torpedo", "p2-1"))
    assert battle.saw("attack-declared").attack.dice.total == dice
