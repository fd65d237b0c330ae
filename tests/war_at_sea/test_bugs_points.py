"""Faults about points, arrivals and room that a reviewer found by playing."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.state import Unit
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, Battle, given, opened, unit

CONVOY = {"scenario": "convoy", "escort": "p2"}


def used(battle: Battle, seat: str) -> set[str]:
    """The abilities that the seat may use now."""
    return {each.ability for each in battle.offers(seat) if isinstance(each, c.Use)}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("family", "units", "fields"),
    [
        pytest.param(
            "shore-support",
            [unit("p1-1", "schleswig-holstein", "11.4")],
            {"step": StepKey("surface-attack", "first")},
            id="shore-support",
        ),
        pytest.param(
            "air-raid",
            [unit("p1-1", "ryujo", "1.2"), unit("p1-2", "b5n2-kate", base="p1-1")],
            {"step": StepKey("air-mission")},
            id="air-raid",
        ),
    ],
)
def test_abilities_that_only_give_points_rest_where_the_convoy_alone_decides(
    edition: str, family: str, units: list[Unit], fields: dict[str, Any]
) -> None:
    enemy = unit("p2-1", "hms-hood", "9.1")
    assert family in used(given(edition, *units, enemy, **fields), "p1")
    convoy = given(edition, *units, enemy, **fields, **CONVOY)
    assert family not in used(convoy, "p1")


@pytest.mark.rule("WAS-VP-01", "WAS-DMG-16")
@pytest.mark.parametrize(("setting", "points"), [({}, 2), (CONVOY, 0)])
def test_heavy_raider_scores_no_bounty_in_a_convoy(setting: dict[str, Any], points: int) -> None:
    battle = given(
        "2009",
        unit("p1-1", "moltke", "6.2"),
        unit("p2-1", "convoy-ship", "6.4"),
        unit("p2-2", "convoy-ship", "6.1"),
        unit("p2-3", "hms-hood", "11.1"),
        step=StepKey("surface-attack", "first"),
        **setting,
    )
    battle.act("p1", c.Fire("p1-1", "main", "p2-1"))
    assert battle.state.awaiting is not None
    battle.roll([6] * battle.state.awaiting.pools[0].count).on_to("initiative")
    assert battle.state.scores["p1"] == points


def test_no_cruiser_hides_with_a_ship_where_a_sector_never_holds_both() -> None:
    """They arrive together: with one Ship in a sector they stayed off the map for ever."""
    assert hiding(ships=2) is True
    assert hiding(ships=1) is False


def hiding(ships: int) -> bool:
    """Whether the Cruiser may start off the map as well."""
    scenario = {
        "id": "narrow-seas", "name": "Narrow seas", "text": "Few Ships in a sector.",
        "zone": 1, "turns": 4, "ships": ships, "deploys": "first",
        "sides": [
            {"alliance": "Axis", "edge": "south", "fleet": ["rheinubung-bismarck", "prinz-eugen"]},
            {"alliance": "Allies", "edge": "north", "fleet": ["hms-hood"]},
        ],
    }  # fmt: skip
    battle = opened("2009", scenario="custom", customs={"scenario": scenario})
    battle.act("p1", c.Deploy("rheinubung-bismarck", "off-map"))
    return c.Deploy("prinz-eugen", "off-map") in battle.offers("p1")


def test_where_one_ship_fills_a_sector_a_close_escort_leaves_none_too_full_behind() -> None:
    """It made room for two others there; once it had left, they stayed together."""
    scenario = {"id": "one-a-sector", "name": "One", "text": "One Ship.", "turns": 4, "ships": 1}
    battle = given(
        "2009",
        unit("p1-1", "zg3", "2.6"),
        unit("p1-2", "naka", "1.6"),
        unit("p1-3", "tone", "1.7"),
        unit("p2-1", "hms-hood", "11.1"),
        scenario="custom",
        custom_scenario=scenario,
    )
    battle.act("p1", c.Move("p1-2", "2.6"))
    battle.refused("p1", c.Move("p1-3", "2.6"), "move.overstacked", "WAS-STACK-06")
    battle.act("p1", c.Move("p1-1", "4.6"))
    assert [each.id for each in battle.state.units.values() if each.sector == "2.6"] == ["p1-2"]
