"""LOS: what the map says about sight is what attackers are offered, in every zone."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, bare, given, unit

RANGE = 3
"""As far as the guns of these tests reach."""


def seen_from(edition: str, zone: int, sector: str, smoke: dict[str, int]) -> set[str]:
    """Sectors in which a Cruiser in ``sector`` is offered a target for its main guns."""
    land = {*board.zone(zone).islands, *board.zone(zone).shoals}
    near = [s for s in board.within(sector, RANGE) if s not in land]
    targets = {f"p2-{number}": at for number, at in enumerate(near, 1)}
    units = [unit(name, "hmas-canberra", at) for name, at in targets.items()]
    battle = given(
        edition,
        unit("p1-1", bare("myoko"), sector),
        *units,
        step=StepKey("surface-attack", "first"),
        turn=2,
        zone=zone,
        smoke=smoke,
    )
    offers = battle.offers("p1")
    return {targets[o.target] for o in offers if isinstance(o, c.Fire) and o.weapon == "main"}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("zone", range(1, 7))
@pytest.mark.rule("WAS-LOS-01", "WAS-LOS-02", "WAS-LOS-06", "WAS-SURF-20", "WAS-ATK-11")
def test_guns_are_offered_what_is_seen_and_sight_is_mutual(edition: str, zone: int) -> None:
    """From every third sector; smoke lies in two places."""
    smoke = {"5.4": 9, "7.2": 9}
    chart = board.zone(zone)
    land = {*chart.islands, *chart.shoals}
    stands = [s for s in board.SECTORS[::3] if s not in land]
    for stand in stands:
        seen = seen_from(edition, zone, stand, smoke)
        for sector in board.within(stand, RANGE):
            if sector not in land:
                there = board.sight(chart, frozenset(smoke), stand, sector, "2009")
                back = board.sight(chart, frozenset(smoke), sector, stand, "2009")
                assert there == back
                assert (sector in seen) == there.clear, (stand, sector)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-LOS-18", "WAS-ATK-12")
def test_a_crowd_in_between_blocks_nothing(edition: str) -> None:
    crowd = [unit(f"p2-{n}", "hmas-canberra", "5.4") for n in (2, 3)]
    crowd += [unit("p2-4", "s-13", "5.4"), unit("p2-5", "sbd-dauntless", "5.4")]
    crowd += [unit(f"p1-{n}", "duca-d-aosta", "5.4") for n in (2, 3)]
    battle = given(
        edition,
        unit("p1-1", "duca-d-aosta", "4.4"),
        unit("p2-1", "hmas-canberra", "6.4"),
        *crowd,
        step=StepKey("surface-attack", "first"),
        turn=2,
    )
    assert c.Fire("p1-1", "main", "p2-1") in battle.offers("p1")


@pytest.mark.rule("WAS-LOS-07", "WAS-LOS-10", "RUL-54")
def test_concealment_is_rolled_after_the_dice_and_before_survivor() -> None:
    battle = given(
        "2009",
        unit("p1-1", "yamato", "5.6"),
        unit("p2-1", "uss-enterprise-cv-6", "5.4"),
        step=StepKey("surface-attack", "first"),
        turn=3,
        smoke={"5.4": 9},
    )
    battle.fire("p1", "p1-1", "main", "p2-1", (6,) * 5 + (1,) * 11).roll((4,)).roll((5,))
    tried = ["attack-rolled", "concealment-rolled", "ability-rolled", "attack-resolved"]
    assert [name for name in battle.names() if name in tried] == tried
    assert battle.unit("p2-1").pending == 1


@pytest.mark.rule("WAS-LOS-09", "RUL-61")
def test_an_attack_resolved_before_the_smoke_stands() -> None:
    battle = given(
        "2009",
        unit("p1-1", "duca-d-aosta", "6.2"),
        unit("p1-2", "ascari", "6.3"),
        unit("p1-3", "duca-d-aosta", "6.2"),
        unit("p2-1", "hmas-canberra", "6.3"),
        step=StepKey("surface-attack", "first"),
        turn=3,
    )
    battle.fire("p1", "p1-1", "main", "p2-1", (6, 6, 1, 1, 1, 1, 1))
    battle.act("p1", c.Use("p1-2", "lay-smoke-screen"))
    assert battle.unit("p2-1").pending == 1, "it was hit before there was smoke"
    battle.fire("p1", "p1-3", "main", "p2-1", (6, 6, 1, 1, 1, 1, 1)).roll((6,))
    assert battle.unit("p2-1").pending == 1, "the second attack met the smoke, friend or foe's"
