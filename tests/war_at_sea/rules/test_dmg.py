"""DMG: crippled, for every card and every number of hull points lost."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules.cards import Card
from domain.games.war_at_sea.rules.dice import armor, shot_of, vital_armor
from domain.games.war_at_sea.rules.facts import crippled
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, bare, cards_where, given, table, unit

VESSELS = [card.id for sort in ("Ship", "Submarine") for card in cards_where(type=sort)]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-DMG-05", "WAS-DMG-06", "WAS-DMG-07", "WAS-DMG-22", "RUL-44", "RUL-55")
def test_crippled_is_damaged_with_one_point_left_for_every_vessel(edition: str) -> None:
    for name in VESSELS:
        sound = unit("p2-1", bare(name), "5.4")
        state = table(edition, unit("p1-1", bare("yamato"), "5.4"), sound)
        card = state_card(edition, name)
        for damage in range(card.hull_points):
            hurt = unit("p2-1", bare(name), "5.4", damage=damage)
            at = table(edition, state.units["p1-1"], hurt)
            shot = shot_of(at, at.units["p1-1"], "secondary", hurt)
            down = damage > 0 and damage == card.hull_points - 1
            assert crippled(at, hurt) == down, (name, damage)
            assert armor(at, hurt, shot).total == max(1, card.armor - down), (name, damage)
            assert vital_armor(at, hurt, shot).total == max(1, card.vital_armor - down)


def state_card(edition: str, name: str) -> Card:
    return next(card for card in cards_where(edition) if card.id == name)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("damage", range(4))
@pytest.mark.rule("WAS-DMG-01", "WAS-DMG-20", "WAS-DMG-11")
def test_a_vessel_is_lost_at_its_hull_points_and_not_before(edition: str, damage: int) -> None:
    """USS Enterprise has 4: she has lost ``damage`` before and loses one point in this phase."""
    battle = given(
        edition,
        unit("p1-1", "duca-d-aosta", "5.6"),
        unit("p2-1", bare("uss-enterprise-cv-6"), "5.4", damage=damage),
        unit("p2-2", "hmas-canberra", "11.7"),
        step=StepKey("surface-attack", "first"),
        turn=3,
    )
    battle.fire("p1", "p1-1", "main", "p2-1", (6, 6, 1, 1, 1, 1)).on_to("initiative")
    gone = damage == 3
    assert ("p2-1" in battle.state.units) != gone
    assert battle.state.scores["p1"] == (25 if gone else 0)
    if not gone:
        assert battle.saw("damage-applied").crippled == (damage == 2)
        assert battle.unit("p2-1").damage == damage + 1


@pytest.mark.rule("WAS-DMG-21")
def test_nothing_gives_hull_points_back_for_ten_turns() -> None:
    battle = given(
        "2009",
        unit("p1-1", "duca-d-aosta", "1.1", damage=1),
        unit("p2-1", "hmas-canberra", "11.7", damage=2),
    )
    for turn in range(1, 11):
        assert battle.state.turn == turn
        battle.passes("p1", "p2")
        battle.roll((1, 1), (6, 6))
        assert (battle.unit("p1-1").damage, battle.unit("p2-1").damage) == (1, 2)
