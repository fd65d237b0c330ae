"""Rows and the reorganize step: arranging, Retreat, Reinforcements (ROW, REORG, RET, REIN)."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.facts import damage
from domain.kernel.values import StepKey

from ..tables import Battle, Prepared, given, ship

FLEET = (
    ship("p1", "jp-mikuma"),
    ship("p1", "jp-yamato", 2),
    ship("p1", "jp-kagero", 3),
    ship("p1", "jp-i-174"),
)
ENEMY = ship("p2", "de-bismarck")


def table(**fields: Any) -> Battle:
    return given(*FLEET, ENEMY, step=StepKey("reorganize"), **fields)


@pytest.mark.rule("NB-ROW-01", "NB-ROW-02", "NB-ROW-03", "NB-ROW-08", "NB-REORG-01", "NB-REORG-04")
def test_a_fleet_stands_in_one_to_three_rows_without_a_gap() -> None:
    abreast = c.Arrange((("jp-mikuma", "jp-yamato", "jp-kagero"),))
    battle = table().does("p1", abreast)
    assert {s.row for s in battle.state.ships.values() if s.seat == "p1"} == {0, 1}
    column = c.Arrange((("jp-kagero",), ("jp-yamato",), ("jp-mikuma",)))
    battle.does("p1", column, abreast, column)
    assert battle.state.ships["jp-mikuma"].row == 3
    gap = c.Arrange((("jp-kagero", "jp-yamato"), (), ("jp-mikuma",)))
    battle.refused("p1", gap, "rows.gap", "NB-ROW-08")
    four = c.Arrange((("jp-kagero",), ("jp-yamato",), ("jp-mikuma",), ("jp-i-174",)))
    battle.refused("p1", four, "rows.too-many", "NB-ROW-01")


@pytest.mark.rule("NB-ROW-04", "NB-SUB-07", "NB-SHIP-04", "NB-REORG-02", "NB-SUB-01", "NB-SHIP-11")
def test_submarines_are_in_no_row_and_have_two_sides() -> None:
    rows = (("jp-mikuma",), ("jp-yamato",), ("jp-kagero",))
    battle = table().does("p1", c.Arrange(rows, active=("jp-i-174",)))
    assert battle.state.ships["jp-i-174"].active
    battle.does("p1", c.Arrange(rows))
    assert not battle.state.ships["jp-i-174"].active
    below = c.Arrange((("jp-mikuma", "jp-i-174"), ("jp-yamato",), ("jp-kagero",)))
    battle.refused("p1", below, "rows.not-the-fleet", "NB-ROW-04")
    surfaced = c.Arrange(rows, active=("jp-mikuma",))
    battle.refused("p1", surfaced, "rows.not-submarines", "NB-SHIP-04")
    missing = c.Arrange((("jp-mikuma",), ("jp-yamato",)))
    battle.refused("p1", missing, "rows.not-the-fleet", "NB-ROW-04")


@pytest.mark.rule("NB-ROW-07", "NB-ROW-01")
def test_a_fleet_of_submarines_has_no_row() -> None:
    battle = given(ship("p1", "jp-i-174"), ENEMY, step=StepKey("reorganize"))
    battle.does("p1", c.Arrange((), active=("jp-i-174",)))
    assert battle.state.ships["jp-i-174"].active


@pytest.mark.rule("NB-REORG-05", "NB-SEQ-03", "NB-SEQ-04")
def test_moves_are_free_and_without_limit_but_there_is_no_way_back() -> None:
    battle = table(hands={"p1": ["near-miss"]})
    rows = (("jp-mikuma",), ("jp-yamato",), ("jp-kagero",))
    for turned in range(12):
        battle.does("p1", c.Arrange(rows, active=("jp-i-174",) if turned % 2 else ()))
    battle.does("p1", c.Pass())
    assert battle.state.step == StepKey("prepare")
    battle.refused("p1", c.Arrange(rows), "turn.wrong-step", "NB-PREP-01")


@pytest.mark.rule("NB-REORG-03", "NB-CARD-01", "NB-CARD-03", "NB-RUL-03")
def test_only_reorganize_cards_from_the_own_hand() -> None:
    battle = table(hands={"p1": ["near-miss", "reinforcements-3"], "p2": ["retreat"]})
    battle.refused("p1", c.Retreat("retreat"), "card.not-in-hand", "NB-RUL-03")
    battle.refused("p1", c.Retreat("near-miss"), "card.wrong-step", "NB-CARD-01")
    battle.refused("p1", c.Retreat("reinforcements-3"), "card.wrong-kind", "NB-CARD-01")
    battle.refused("p2", c.Retreat("retreat"), "turn.not-yours", "NB-REORG-01")
    battle.does("p1", c.Reinforce(("reinforcements-3",)))


# --- Retreat -------------------------------------------------------------------------------------

HURT = (
    ship("p1", "jp-mikuma", damage=("main-14-18-4", "main-11-13-1")),
    ship("p1", "jp-i-19", damage=("depth-2",)),
    ship("p1", "jp-yamato", 2, damage=("torpedo-3",)),
)


@pytest.mark.rule("NB-RET-01", "NB-RET-02", "NB-RET-06")
def test_retreat_removes_up_to_three_damage_cards_of_any_points() -> None:
    battle = given(*HURT, ENEMY, step=StepKey("reorganize"), hands={"p1": ["retreat"]})
    battle.does("p1", c.Retreat("retreat"))
    assert battle.state.removing == 3
    battle.refused("p1", c.Arrange(()), "turn.wrong-step", "NB-RET-02")
    battle.refused(
        "p1", c.RemoveDamage("jp-mikuma", "torpedo-3"), "retreat.no-such-damage", "NB-RET-02"
    )
    battle.does(
        "p1",
        c.RemoveDamage("jp-mikuma", "main-14-18-4"),
        c.RemoveDamage("jp-yamato", "torpedo-3"),
        c.RemoveDamage("jp-i-19", "depth-2"),
    )
    assert battle.state.removing == 0
    assert damage(battle.state, battle.state.ships["jp-mikuma"]) == 1
    assert set(battle.state.discards) == {"main-14-18-4", "torpedo-3", "depth-2"}


@pytest.mark.rule("NB-RET-02")
def test_fewer_may_be_removed_and_none_is_asked_of_an_unhurt_fleet() -> None:
    battle = given(*HURT, ENEMY, step=StepKey("reorganize"), hands={"p1": ["retreat"]})
    battle.does("p1", c.Retreat("retreat"), c.RemoveDamage("jp-i-19", "depth-2"), c.Pass())
    assert (battle.state.removing, battle.state.step) == (0, StepKey("reorganize"))
    unhurt = table(hands={"p1": ["retreat"]}).does("p1", c.Retreat("retreat"))
    assert unhurt.state.removing == 0


@pytest.mark.rule("NB-RET-03", "NB-RET-07")
def test_who_retreats_skips_the_attack_step() -> None:
    hand = ["retreat", "surprise-attack", "near-miss", "main-14-18-4", "land-air-x1"]
    battle = table(hands={"p1": hand}).does("p1", c.Retreat("retreat"), c.Pass())
    assert battle.state.step == StepKey("prepare")
    battle.does("p1", c.Prepare("near-miss", "jp-kagero"), c.Pass())
    assert battle.state.step == StepKey("discard")


@pytest.mark.rule("NB-RET-04", "NB-RET-09", "NB-AMB-13", "NB-SURP-02", "NB-SURP-03", "NB-AMB-14")
def test_a_fleet_in_retreat_cannot_be_attacked_but_surprised() -> None:
    """NB-SURP-03: with Retreat and a prepared card in play, both go, and the salvo is legal."""
    battle = given(
        *FLEET, ENEMY, ship("p2", "de-u-47"), retreats={"p2": ["retreat"]},
        prepared={"p2": [Prepared("near-miss", "de-bismarck")]},
        hands={"p1": ["surprise-attack", "main-14-18-4", "land-air-x1", "depth-1"]},
    )  # fmt: skip
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck")
    battle.refused("p1", salvo, "attack.retreated", "NB-RET-04")
    under = c.DeclareAttack("depth-1", ("jp-mikuma",), ("torpedo",), "de-u-47")
    battle.refused("p1", under, "attack.retreated", "NB-RET-04")
    raid = c.LandRaid("land-air-x1", "de-u-47")
    battle.refused("p1", raid, "attack.retreated", "NB-RET-04")
    battle.does("p1", c.SurpriseAttack("surprise-attack", "p2"))
    assert battle.state.discards == ("retreat", "near-miss", "surprise-attack")
    assert battle.state.prepared["p2"] == ()
    battle.does("p1", salvo)


@pytest.mark.rule("NB-RET-05", "NB-SEQ-02")
def test_retreat_and_prepared_cards_go_when_the_own_turn_begins() -> None:
    battle = given(
        *FLEET, ENEMY, step=StepKey("discard"), retreats={"p2": ["retreat"]},
        prepared={"p2": [Prepared("near-miss", "de-bismarck")],
                  "p1": [Prepared("planning", "jp-kagero")]},
        hands={"p1": ["near-miss"] * 7},
    )  # fmt: skip
    battle.does("p1", c.Pass())
    expired = battle.saw("cards-expired")
    assert (expired.seat, expired.cards) == ("p2", ("retreat", "near-miss"))
    assert battle.state.retreats == {}
    assert [lying.card for lying in battle.state.prepared["p1"]] == ["planning"]


@pytest.mark.rule("NB-RET-10", "NB-RET-08", "NB-AMB-12")
def test_retreating_again() -> None:
    again = {"hands": {"p1": ["retreat"]}, "withdrew": {"p1": 1}, "round": 2}
    table(**again).does("p1", c.Retreat("retreat"))
    strict = table(**again, options={"consecutiveRetreats": False})
    strict.refused("p1", c.Retreat("retreat"), "retreat.consecutive", "NB-RET-10")
    later = {**again, "round": 3}
    table(**later, options={"consecutiveRetreats": False}).does("p1", c.Retreat("retreat"))
    late = given(*FLEET, ENEMY, hands={"p1": ["retreat"]})
    late.refused("p1", c.Retreat("retreat"), "turn.wrong-step", "NB-ATK-01")


@pytest.mark.rule("NB-RET-02")
def test_nobody_is_asked_for_damage_that_is_not_there() -> None:
    """Three cards may go; when the last is gone, or there was none, the step goes on."""
    hit = ship("p1", "jp-yamato", damage=("main-14-18-4",))
    battle = given(hit, ENEMY, step=StepKey("reorganize"), hands={"p1": ["retreat", "retreat"]})
    battle.does("p1", c.Retreat("retreat"), c.RemoveDamage("jp-yamato", "main-14-18-4"))
    assert GAME.pending(battle.state)[0].question == "reorganize"
    battle.does("p1", c.Retreat("retreat"))
    assert GAME.pending(battle.state)[0].question == "reorganize"


@pytest.mark.rule("NB-RET-10")
def test_a_retreat_played_is_remembered_in_the_next_turn() -> None:
    cards = ["retreat", "retreat", *["near-miss"] * 6]
    battle = table(hands={"p1": cards}, options={"consecutiveRetreats": False})
    battle.does("p1", c.Retreat("retreat"))
    while battle.state.active == "p1":
        battle.ends("p1")
    while battle.state.active == "p2":
        battle.ends("p2").draws()
    assert (battle.state.round, battle.asked()) == (2, ("p1",))
    battle.refused("p1", c.Retreat("retreat"), "retreat.consecutive", "NB-RET-10")


# --- Reinforcements ------------------------------------------------------------------------------


@pytest.mark.rule("NB-REIN-01", "NB-REIN-02", "NB-REIN-04", "NB-REIN-06")
def test_ships_from_the_pile_join_the_fleet() -> None:
    battle = table(hands={"p1": ["reinforcements-3", "near-miss"]})
    too_much = c.Reinforce(("reinforcements-3",), (c.Posting("jp-taiyo", 1),))
    battle.refused("p1", too_much, "reinforce.points", "NB-REIN-02")
    in_play = c.Reinforce(("reinforcements-3",), (c.Posting("jp-kagero", 1),))
    battle.refused("p1", in_play, "reinforce.not-in-pile", "NB-REIN-02")
    battle.does("p1", c.Reinforce(("reinforcements-3",), (c.Posting("jp-shimakaze", 1),)))
    assert battle.saw("reinforcements-played").lost == 1
    assert "jp-shimakaze" not in battle.state.reserves["p1"]
    battle.does("p1", c.Pass(), c.Prepare("near-miss", "jp-shimakaze"))


@pytest.mark.rule("NB-REIN-03", "NB-REIN-05", "NB-REIN-07")
def test_several_cards_add_up_and_may_bring_nothing() -> None:
    hand = ["reinforcements-3", "reinforcements-2", "reinforcements-4"]
    battle = table(hands={"p1": hand})
    both = ("reinforcements-3", "reinforcements-2")
    new = (c.Posting("jp-i-19", active=True), c.Posting("jp-shimakaze", 3))
    battle.does("p1", c.Reinforce(both, new))
    assert battle.saw("reinforcements-played").lost == 0
    assert battle.state.ships["jp-i-19"].active
    rows = (("jp-mikuma",), ("jp-yamato", "jp-kagero", "jp-shimakaze"))
    battle.does("p1", c.Arrange(rows), c.Reinforce(("reinforcements-4",)))
    assert battle.state.ships["jp-shimakaze"].row == 2
    assert not battle.state.ships["jp-i-19"].active
    assert battle.hand("p1") == ()


@pytest.mark.rule("NB-ROW-04", "NB-ROW-08", "NB-REIN-02")
def test_new_ships_go_where_ships_may_be() -> None:
    battle = given(ship("p1", "jp-mikuma"), ENEMY, step=StepKey("reorganize"),
                   hands={"p1": ["reinforcements-5"]})  # fmt: skip

    def bring(*new: c.Posting) -> c.Reinforce:
        return c.Reinforce(("reinforcements-5",), new)

    battle.refused("p1", bring(c.Posting("jp-i-174", 1)), "reinforce.place", "NB-ROW-04")
    battle.refused("p1", bring(c.Posting("jp-kagero")), "reinforce.place", "NB-ROW-04")
    wrong = bring(c.Posting("jp-kagero", 1, active=True))
    battle.refused("p1", wrong, "reinforce.place", "NB-ROW-04")
    battle.refused("p1", bring(c.Posting("jp-kagero", 3)), "rows.gap", "NB-ROW-08")
    twice = bring(c.Posting("jp-kagero", 1), c.Posting("jp-kagero", 1))
    battle.refused("p1", twice, "reinforce.not-in-pile", "NB-REIN-02")
    battle.does("p1", bring(c.Posting("jp-kagero", 2), c.Posting("jp-shimakaze", 3)))
    assert battle.state.ships["jp-shimakaze"].row == 3


@pytest.mark.rule("NB-SINK-07", "NB-REIN-02")
def test_a_sunk_ship_never_returns() -> None:
    battle = table(hands={"p1": ["reinforcements-3"]}, sunk={"p2": ["jp-shimakaze"]})
    back = c.Reinforce(("reinforcements-3",), (c.Posting("jp-shimakaze", 1),))
    battle.refused("p1", back, "reinforce.not-in-pile", "NB-REIN-02")


@pytest.mark.rule("NB-AMB-18")
def test_a_submarine_that_prepared_stays_active_until_the_next_reorganize_step() -> None:
    submarine = ship("p1", "jp-i-174", active=True)
    battle = given(submarine, ENEMY, step=StepKey("prepare"), hands={"p1": ["near-miss"]})
    battle.does("p1", c.Prepare("near-miss", "jp-i-174"))
    assert battle.state.ships["jp-i-174"].active
    battle.draws()
    assert battle.state.ships["jp-i-174"].active
    battle.refused("p1", c.Arrange(()), "turn.not-yours", "NB-REORG-01")
    after = given(submarine, ENEMY, step=StepKey("reorganize")).does("p1", c.Arrange(()))
    assert not after.state.ships["jp-i-174"].active
