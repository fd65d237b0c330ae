"""Winning, linked games, teams, ways out (WIN, LINK, TEAM, RUL)."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.evening import LEADS
from domain.games.naval_battles.rules.facts import points, side
from domain.games.naval_battles.rules.scenarios import SCENARIOS
from domain.games.naval_battles.rules.ships import NATIONS, SHIPS
from domain.games.naval_battles.rules.winning import goal
from domain.kernel.rules import Refused
from domain.kernel.values import StepKey

from ..tables import SEATS, Battle, Prepared, given, opened, ship

SUNK_23 = ("de-bismarck", "de-graf-zeppelin", "de-prinz-eugen", "de-koln")
"""23 points of German ships."""


def last_shot(*more: Any, sunk: dict[str, tuple[str, ...]], **fields: Any) -> Battle:
    """p1 fires at T13 (2 points) and Schnellboot; a carrier's raid on Tirpitz is declared after."""
    battle = given(
        ship("p1", "jp-yamato"), ship("p1", "jp-shoho"), ship("p2", "de-t13"),
        ship("p2", "de-tirpitz"), *more, hands={"p1": ["main-14-18-4"]}, sunk=sunk, **fields,
    )  # fmt: skip
    battle.does(
        "p1",
        c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13"),
        c.AirRaid("jp-shoho", "de-tirpitz"),
        c.Pass(),
    )
    while battle.state.step == StepKey("defense"):
        (seat,) = battle.asked()
        battle.act(seat, c.Pass())
    return battle


@pytest.mark.rule("NB-WIN-01", "NB-WIN-02", "NB-GEN-02", "NB-WIN-03", "NB-AMB-36", "NB-SHIP-03")
def test_25_points_win_before_anything_else_is_resolved() -> None:
    battle = last_shot(sunk={"p1": SUNK_23})
    assert points(battle.state, "p1") == 25
    result = battle.state.result
    assert result is not None
    assert (result.winners, result.rule) == (("p1",), "NB-WIN-01")
    assert battle.state.awaiting is None, "the raid is not rolled any more"
    assert battle.state.attacks
    battle.refused("p2", c.Pass(), "game.over", "NB-WIN-01")
    assert GAME.legal(battle.state, "p2").commands == ()


@pytest.mark.rule("NB-WIN-01")
def test_fewer_points_do_not_win() -> None:
    battle = last_shot(sunk={"p1": SUNK_23[:-1]})
    assert battle.state.result is None
    assert battle.state.awaiting is not None


# --- the handicap --------------------------------------------------------------------------------


@pytest.mark.rule("NB-RUL-12")
def test_the_handicap_of_the_house_counts_as_if_ships_were_sunk() -> None:
    lead = LEADS["japan"]
    assert lead == 2, "choose ships below that are worth 25 less it"
    sunk = ("de-bismarck", "de-graf-zeppelin", "de-prinz-eugen")
    without = last_shot(sunk={"p1": sunk})
    assert (points(without.state, "p1"), without.state.result) == (22, None)
    battle = last_shot(sunk={"p1": (*sunk, "de-schnellboot")}, options={"handicap": "house"})
    assert points(battle.state, "p1") == 25
    assert battle.state.result is not None
    assert battle.state.result.winners == ("p1",)


@pytest.mark.rule("NB-RUL-12")
def test_weaker_nations_begin_with_points() -> None:
    assert set(LEADS) < set(NATIONS)
    for handicap in ("house", "none"):
        leads = {nation: LEADS.get(nation, 0) * (handicap == "house") for nation in NATIONS}
        battle = opened(6, handicap=handicap)
        for seat, nation in zip(SEATS, NATIONS, strict=True):
            before = battle.state
            taken = battle.act(seat, c.ChooseNation(nation)).last[0]
            assert ("NB-RUL-12" in taken.rules) == bool(leads[nation])
            assert ("begins with" in (GAME.says(before, taken) or "")) == bool(leads[nation])
        begun = [leads[nation] for nation in NATIONS]
        assert GAME.scores(battle.state) == dict(zip(SEATS, begun, strict=True))


@pytest.mark.rule("NB-RUL-12")
def test_it_counts_in_each_battle_of_linked_games() -> None:
    lead = LEADS["germany"]
    battle = last_shot(
        sunk={"p1": SUNK_23}, scenario="linked", options={"handicap": "house"},
        earlier={"p1": 10, "p2": 20},
    )  # fmt: skip
    state = battle.state
    assert state.battle == 2
    assert state.earlier == {"p1": 10 + 25 + LEADS["japan"], "p2": 20 + lead}
    assert GAME.scores(state)["p2"] == 20 + 2 * lead


# --- linked games --------------------------------------------------------------------------------


@pytest.mark.rule("NB-LINK-01", "NB-LINK-02", "NB-LINK-05", "NB-LINK-04", "NB-LINK-06")
def test_25_points_end_a_battle_of_linked_games() -> None:
    sunk = {"p1": SUNK_23, "p2": ("jp-kagero",)}
    battle = last_shot(sunk=sunk, scenario="linked", earlier={"p1": 10, "p2": 20})
    ended = battle.saw("battle-ended")
    assert (ended.winner, ended.points) == ("p1", {"p1": 25, "p2": 2})
    state = battle.state
    assert (state.battle, state.step, state.turn) == (2, StepKey("fleets"), 0)
    assert state.earlier == {"p1": 35, "p2": 22}
    assert state.nations == {"p1": "japan", "p2": "germany"}
    assert GAME.scores(state) == state.earlier
    assert (state.ships, state.discards, state.deck.count) == ({}, (), 0)
    battle.does("p1", battle.offers("p1")[0]).does("p2", battle.offers("p2")[0])
    assert battle.state.awaiting is not None, "the first player is rolled anew"


def test_nations_may_be_chosen_anew_by_agreement() -> None:
    battle = last_shot(sunk={"p1": SUNK_23}, scenario="linked", options={"linkedNations": "anew"})
    assert (battle.state.step, battle.state.nations) == (StepKey("nations"), {})


@pytest.mark.rule("NB-LINK-03", "NB-AMB-37", "NB-AMB-38")
@pytest.mark.parametrize("sunk", [SUNK_23, SUNK_23[:1]])
def test_75_points_in_all_win_in_mid_battle(sunk: tuple[str, ...]) -> None:
    """With 25 in this battle too, or long before: the overall win counts."""
    earlier = 73 - sum(POINTS[name] for name in sunk)
    battle = last_shot(sunk={"p1": sunk}, scenario="linked", earlier={"p1": earlier, "p2": 70})
    result = battle.state.result
    assert result is not None
    assert (result.winners, result.rule) == (("p1",), "NB-LINK-03")
    battle.not_saw("battle-ended")
    assert GAME.scores(battle.state) == {"p1": 75, "p2": 70}


EARLIER = {"p1": 0, "p2": 20, "p3": 0}
POINTS = {"de-bismarck": 7, "de-graf-zeppelin": 9, "de-prinz-eugen": 4, "de-koln": 3}


# --- teams ---------------------------------------------------------------------------------------


@pytest.mark.rule("NB-TEAM-04", "NB-TEAM-03")
@pytest.mark.parametrize(
    ("scenario", "seats", "sides"),
    [
        ("pairs", 4, [("p1", "p3"), ("p2", "p4")]),
        ("pairs", 6, [("p1", "p4"), ("p2", "p5"), ("p3", "p6")]),
        ("trios", 6, [("p1", "p3", "p5"), ("p2", "p4", "p6")]),
    ],
)
def test_partners_sit_alternately(scenario: str, seats: int, sides: list[tuple[str, ...]]) -> None:
    state = opened(seats, scenario).state
    assert [side(state, seat) for seat in state.seats[: len(sides)]] == sides


PAIRS: dict[str, Any] = {"scenario": "pairs", "seats": 4}
ITALY = (ship("p3", "it-roma"), ship("p4", "fr-richelieu"))


@pytest.mark.rule("NB-TEAM-01")
def test_a_partner_is_not_attacked() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p1", "jp-shoho"), *ITALY,
        hands={"p1": ["main-14-18-4", "surprise-attack", "land-air-x1"]}, **PAIRS,
    )  # fmt: skip
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "it-roma")
    for attack in (salvo, c.AirRaid("jp-shoho", "it-roma"), c.LandRaid("land-air-x1", "it-roma")):
        battle.refused("p1", attack, "attack.own-side", "NB-TEAM-01")
    surprise = c.SurpriseAttack("surprise-attack", "p3")
    battle.refused("p1", surprise, "attack.no-enemy", "NB-SURP-01")
    assert all(not _aims_at(offer, "it-roma", "p3") for offer in battle.offers("p1"))


def _aims_at(command: Any, target: str, seat: str) -> bool:
    return target == getattr(command, "target", "") or seat == getattr(command, "seat", "")


@pytest.mark.rule("NB-TEAM-06", "NB-AMB-40", "NB-DEF-06", "NB-TEAM-07")
def test_partners_help_with_cards_from_the_hand_only() -> None:
    """p1 fires at p2; p4 helps p2, from the hand; p3 is nobody's partner in this."""
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-bismarck"), ship("p2", "de-t13"),
        ship("p4", "fr-bearn"), ship("p3", "it-roma"),
        hands={"p1": ["main-14-18-4", "land-air-x1", "main-14-18-3"],
               "p4": ["near-miss", "escort-ship"], "p3": ["evasive-action"]},
        prepared={"p4": [Prepared("evasive-action", "fr-bearn"),
                         Prepared("near-miss", "fr-bearn")],
                  "p3": [Prepared("near-miss", "it-roma")]},
        **PAIRS,
    )  # fmt: skip
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck")
    battle.does("p1", salvo, c.LandRaid("land-air-x1", "de-bismarck"), c.Pass())
    assert battle.asked() == ("p2",)
    battle.does("p2", c.Pass())
    assert battle.asked() == ("p4",)
    own = c.Defend("near-miss", 1, prepared=True)
    battle.refused("p4", own, "defense.not-yours", "NB-TEAM-06")
    cover = c.AirCover("fr-bearn", 2)
    battle.refused("p4", cover, "cover.not-yours", "NB-COVER-06")
    elsewhere = c.Defend("escort-ship", 1, to="fr-bearn")
    battle.refused("p4", elsewhere, "defense.not-in-row", "NB-ESC-01")
    battle.does("p4", c.Defend("escort-ship", 1, to="de-t13")).does("p2", c.Pass())
    battle.does("p4", c.Defend("near-miss", 1))
    assert battle.saw("attack-stopped", attack=1)


@pytest.mark.rule("NB-TEAM-02", "NB-TEAM-05", "NB-AMB-39")
@pytest.mark.parametrize(("mine", "wins"), [(23, True), (21, False)])
def test_a_team_of_two_wins_with_50_together(mine: int, wins: bool) -> None:
    """p1 has 23 (or 20) points, p3 25: a single player's 25 has no effect, the team's 50 has."""
    own = SUNK_23 if mine == 23 else SUNK_23[:-1]
    partner = ("fr-richelieu", "fr-bearn", "fr-dunkerque", "fr-algerie", "fr-mogador")
    battle = last_shot(
        ship("p3", "it-roma"), ship("p4", "fr-bretagne"), sunk={"p1": own, "p3": partner},
        **PAIRS,
    )  # fmt: skip
    assert points(battle.state, "p3") == 25
    result = battle.state.result
    if wins:
        assert result is not None
        assert (result.winners, result.rule) == (("p1", "p3"), "NB-TEAM-02")
    else:
        assert result is None


@pytest.mark.rule("NB-TEAM-02")
@pytest.mark.parametrize(("scenario", "seats", "most"), [("pairs", 4, 50), ("trios", 6, 75)])
def test_points_that_win_for_a_team(scenario: str, seats: int, most: int) -> None:
    """One point less does not. T13 is worth the last two."""
    there = {"jp-yamato", "jp-shoho", "de-t13", "de-tirpitz", "it-roma", "fr-bretagne"}
    for wanted in (most - 1, most):
        sunk: list[str] = []
        for name in sorted(SHIPS.keys() - there, key=lambda name: (-SHIPS[name].points, name)):
            if sum(SHIPS[each].points for each in [*sunk, name]) <= wanted - 2:
                sunk.append(name)
        assert sum(SHIPS[name].points for name in sunk) == wanted - 2
        battle = last_shot(
            ship("p3", "it-roma"), ship("p4", "fr-bretagne"), sunk={"p1": tuple(sunk)},
            scenario=scenario, seats=seats,
        )  # fmt: skip
        assert (battle.state.result is not None) == (wanted == most)


# --- ways out ------------------------------------------------------------------------------------


def stalled(calm: int, **fields: Any) -> Battle:
    return given(ship("p1", "jp-yamato"), ship("p2", "de-t13"), step=StepKey("reorganize"),
                 calm=calm, **fields)  # fmt: skip


@pytest.mark.rule("NB-WIN-05", "NB-RUL-02")
def test_agreeing_to_end_after_ten_calm_rounds() -> None:
    stalled(9).refused("p1", c.AgreeToEnd(), "game.end-not-open", "NB-WIN-05")
    stalled(99, options={"stallRounds": 0}).refused(
        "p1", c.AgreeToEnd(), "game.end-not-open", "NB-WIN-05"
    )
    battle = stalled(10, sunk={"p2": ("jp-kagero",)})
    assert GAME.legal(battle.state, "p2").concessions == (c.AgreeToEnd(), c.Resign())
    battle.does("p2", c.AgreeToEnd())
    battle.refused("p2", c.AgreeToEnd(), "game.end-called", "NB-WIN-05")
    battle.does("p1", c.AgreeToEnd())
    result = battle.state.result
    assert result is not None
    assert (result.winners, result.reason) == (("p2",), "agreement")
    even = stalled(10).does("p1", c.AgreeToEnd()).does("p2", c.AgreeToEnd())
    assert even.state.result is not None
    assert even.state.result.winners == ()


@pytest.mark.rule("NB-RUL-04")
def test_damage_ends_the_calm() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-bismarck"), calm=12, first="p2",
        hands={"p1": ["main-14-18-4"]}, calls=["p2"],
    )  # fmt: skip
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck")
    battle.does("p1", salvo).does("p2", c.Pass())
    assert (battle.state.calm, battle.state.calls) == (0, ())
    battle.draws()
    assert (battle.state.round, battle.state.calm) == (2, 0)
    quiet = given(ship("p1", "jp-yamato"), ship("p2", "de-bismarck"), calm=3, first="p2",
                  step=StepKey("discard"), hands={"p1": ["near-miss"] * 7})  # fmt: skip
    quiet = quiet.does("p1", c.Pass())
    assert (quiet.state.round, quiet.state.calm) == (2, 4)


@pytest.mark.rule("NB-RUL-01")
def test_leaving_a_game_of_two_ends_it() -> None:
    battle = stalled(0).does("p1", c.Resign())
    result = battle.state.result
    assert result is not None
    assert (result.winners, result.reason, result.rule) == (("p2",), "resignation", "NB-RUL-01")


@pytest.mark.rule("NB-RUL-01", "NB-FSM-04")
def test_who_leaves_a_larger_game_is_passed_over_and_his_ships_stay() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p3", "it-roma"), seats=3,
        step=StepKey("reorganize"), hands={"p1": ["main-14-18-4", *["near-miss"] * 6]},
        prepared={"p2": [Prepared("near-miss", "de-t13")]}, retreats={"p2": ["retreat"]},
    )  # fmt: skip
    battle.does("p2", c.Resign())
    assert battle.saw("cards-expired").cards == ("retreat", "near-miss")
    battle.refused("p2", c.Resign(), "turn.left", "NB-RUL-01")
    assert GAME.legal(battle.state, "p2").concessions == ()
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13")
    battle.does("p1", c.Pass(), c.Pass(), salvo, c.Pass())
    assert battle.saw("ship-sunk", ship="de-t13"), "nobody is asked to defend it"
    battle.does("p1", c.Pass()).draws()
    assert battle.state.active == "p3"
    assert battle.state.round == 1


@pytest.mark.rule("NB-RUL-01", "NB-FSM-03")
def test_who_leaves_while_asked_about_planning_leaves_no_question_open() -> None:
    """His submarine's die is thrown without the card, and the others play on."""
    charge = c.DeclareAttack("depth-1", ("de-z23",), ("torpedo",), "jp-i-174")
    battle = given(
        ship("p1", "de-z23"), ship("p2", "jp-i-174"), ship("p2", "jp-kashii"),
        ship("p3", "it-roma"), seats=3, hands={"p1": ["depth-1"]},
        prepared={"p2": [Prepared("planning", "jp-kashii")]},
    )  # fmt: skip
    battle.does("p1", charge).does("p2", c.RunSilent(1))
    assert GAME.pending(battle.state)[0].question == "plan"
    battle.does("p2", c.Resign()).roll((3,))
    scored = battle.saw("roll-scored")
    assert (scored.total.total, scored.success) == (3, False)
    assert battle.saw("damage-scored", ship="jp-i-174")
    assert battle.draws().asked() == ("p3",)


@pytest.mark.rule("NB-RUL-01", "NB-RUL-02")
def test_the_last_who_did_not_agree_leaves_and_the_game_ends() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p3", "it-roma"), seats=3,
        step=StepKey("reorganize"), calm=10,
        sunk={"p2": ("jp-kagero", "jp-mikuma"), "p3": ("de-koln",)},
    )  # fmt: skip
    battle.does("p1", c.AgreeToEnd()).does("p3", c.AgreeToEnd()).does("p2", c.Resign())
    result = battle.state.result
    assert result is not None
    assert (result.winners, result.reason) == (("p3",), "agreement"), "who has left wins nothing"


@pytest.mark.rule("NB-LINK-01")
def test_who_has_left_is_missing_in_the_next_battle_too() -> None:
    battle = last_shot(sunk={"p1": SUNK_23}, scenario="linked", seats=3, gone=["p3"])
    assert (battle.state.battle, battle.state.gone) == (2, ("p3",))
    assert battle.asked() == ("p1", "p2"), "they choose their fleets"


@pytest.mark.rule("NB-RUL-01", "NB-LINK-02")
def test_leaving_when_25_is_reached_in_linked_games() -> None:
    """p2 leaves between the battles: what he scored stays noted, the others set up the next one."""
    third = ship("p3", "it-roma")
    sunk = {"p1": SUNK_23, "p2": ("jp-kagero",)}
    battle = last_shot(third, sunk=sunk, scenario="linked", seats=3, earlier=EARLIER)
    assert (battle.state.battle, battle.asked()) == (2, ("p1", "p2", "p3"))
    battle.does("p2", c.Resign())
    assert battle.state.result is None
    assert battle.asked() == ("p1", "p3")
    assert GAME.scores(battle.state) == {"p1": 25, "p2": 22, "p3": 0}
    for seat in ("p1", "p3"):
        battle.act(seat, battle.offers(seat)[0])
    assert battle.state.awaiting is not None
    battle.roll((6, 1)).does("p1", battle.offers("p1")[0])
    assert battle.asked() == ("p3",), "nobody lays out for who has left"


@pytest.mark.rule("NB-RUL-01")
def test_who_left_ends_no_battle_of_linked_games_by_what_he_had_declared() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p3", "it-roma"), seats=3,
        hands={"p1": ["main-14-18-4"]}, sunk={"p1": SUNK_23}, scenario="linked",
    )  # fmt: skip
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13")
    battle.does("p1", salvo, c.Resign()).does("p2", c.Pass())
    assert points(battle.state, "p1") == 25
    battle.not_saw("battle-ended")
    assert (battle.state.battle, battle.asked()) == (1, ("p2",))


# --- linked games of teams -----------------------------------------------------------------------

ROOM = (ship("p3", "it-roma"), ship("p4", "fr-richelieu"))
FRENCH_25 = ("fr-dunkerque", "fr-bretagne", "fr-bearn", "fr-algerie", "fr-suffren")
FRENCH_24 = (*FRENCH_25[:-1], "fr-mogador")
LINKED: dict[str, Any] = {"scenario": "linked-pairs", "seats": 4}
NONE = {"p1": 0, "p2": 0, "p3": 0, "p4": 0}


@pytest.mark.rule("NB-RUL-08", "NB-LINK-02")
def test_a_battle_of_linked_teams_ends_with_a_teams_points_not_with_one_players() -> None:
    alone = last_shot(*ROOM, sunk={"p1": SUNK_23}, earlier=NONE, **LINKED)
    assert points(alone.state, "p1") == 25
    alone.not_saw("battle-ended")
    assert alone.state.battle == 1
    less = last_shot(*ROOM, sunk={"p1": SUNK_23, "p3": FRENCH_24}, earlier=NONE, **LINKED)
    assert (less.state.battle, points(less.state, "p3")) == (1, 24)
    both = last_shot(*ROOM, sunk={"p1": SUNK_23, "p3": FRENCH_25}, earlier=NONE, **LINKED)
    assert both.saw("battle-ended").points == {"p1": 25, "p2": 0, "p3": 25, "p4": 0}
    assert (both.state.battle, both.state.earlier["p3"]) == (2, 25)
    told = GAME.says(both.state, both.saw("battle-ended"))
    assert told == "p1 and p3 wins the battle (p1 25, p2 0, p3 25 and p4 0)."


@pytest.mark.rule("NB-RUL-08", "NB-LINK-03")
@pytest.mark.parametrize(("earlier", "won"), [(124, False), (125, True)])
def test_a_match_of_teams_goes_to_75_for_each_player(earlier: int, won: bool) -> None:
    """In mid-battle, whoever of the team has sunk them."""
    before = {"p1": 0, "p2": 149, "p3": earlier, "p4": 0}
    battle = last_shot(*ROOM, sunk={"p1": SUNK_23}, earlier=before, **LINKED)
    result = battle.state.result
    assert (result is not None) == won
    if result is not None:
        assert (result.winners, result.rule) == (("p1", "p3"), "NB-LINK-03")


@pytest.mark.rule("NB-RUL-08", "NB-TEAM-03")
def test_teams_of_linked_games_sit_as_other_teams_do() -> None:
    trios = opened(6, "linked-trios").state
    assert side(trios, "p1") == ("p1", "p3", "p5")
    assert goal(trios, "p1", 75) == SCENARIOS["linked-trios"].points == 225
    assert goal(opened(6, "linked-pairs").state, "p1", 75) == SCENARIOS["linked-pairs"].points
    with pytest.raises(Refused) as refusal:
        opened(5, "linked-pairs")
    assert (refusal.value.code, refusal.value.rule) == ("setup.wrong-seats", "NB-TEAM-03")


@pytest.mark.rule("NB-RUL-01")
def test_who_left_in_his_attack_step_wins_nothing_by_what_he_had_declared() -> None:
    """His attacks are resolved, and the ship counts; the game goes on for those who stayed."""
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p3", "it-roma"), seats=3,
        hands={"p1": ["main-14-18-4"]}, sunk={"p1": SUNK_23},
    )  # fmt: skip
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13")
    battle.does("p1", salvo, c.Resign()).does("p2", c.Pass())
    assert battle.saw("ship-sunk", ship="de-t13")
    assert points(battle.state, "p1") == 25
    assert battle.state.result is None
    assert battle.asked() == ("p2",)


@pytest.mark.rule("NB-RUL-04", "NB-SEQ-02")
def test_damage_early_in_a_round_counts_for_the_whole_round() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-bismarck"), calm=4,
        hands={"p1": ["main-14-18-4"], "p2": ["near-miss"] * 7},
    )  # fmt: skip
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck")
    battle.does("p1", salvo).does("p2", c.Pass()).draws()
    while battle.state.active == "p2":
        battle.ends("p2").draws()
    assert (battle.state.round, battle.state.calm) == (2, 0)


@pytest.mark.rule("NB-RUL-04")
def test_rounds_are_counted_though_the_first_player_has_left() -> None:
    battle = given(
        ship("p2", "de-bismarck"), ship("p3", "it-roma"), seats=3, first="p1", active="p3",
        step=StepKey("discard"), gone=["p1"], hands={"p3": ["near-miss"] * 7},
    )  # fmt: skip
    battle.does("p3", c.Pass())
    assert (battle.state.active, battle.state.round, battle.state.calm) == ("p2", 2, 1)


@pytest.mark.rule("NB-RUL-02", "NB-WIN-05")
def test_teams_are_compared_as_teams_when_all_agree_to_end() -> None:
    """p1 has sunk most, his partner nothing; p2 and p4 have sunk more together."""
    sunk = {"p1": ("de-bismarck",), "p2": ("jp-haruna",), "p4": ("it-zara",)}
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p3", "it-littorio"),
        ship("p4", "fr-richelieu"), seats=4, scenario="pairs", step=StepKey("reorganize"), calm=10,
        sunk=sunk,
    )  # fmt: skip
    for seat in ("p1", "p2", "p3", "p4"):
        battle.does(seat, c.AgreeToEnd())
    result = battle.state.result
    assert result is not None
    assert result.winners == ("p2", "p4")


@pytest.mark.rule("NB-ROW-05")
def test_the_rows_of_who_has_left_close_up_too() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p2", "de-koln", 2),
        ship("p3", "it-roma"), seats=3, hands={"p1": ["main-14-18-4"]}, gone=["p2"],
    )  # fmt: skip
    battle.does("p1", c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13"))
    assert battle.saw("ship-sunk", ship="de-t13")
    assert battle.saw("rows-closed", seat="p2").rows == {"de-koln": 1}


@pytest.mark.rule("NB-RUL-01")
def test_who_leaves_with_raids_not_aimed_yet_leaves_no_question_open() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p3", "it-roma"), seats=3,
        hands={"p1": ["land-air-x3", "near-miss"]},
    )  # fmt: skip
    battle.does("p1", c.LandRaid("land-air-x3", "de-t13"), c.Resign())
    (question,) = GAME.pending(battle.state)
    assert (question.seat, question.question) == ("p2", "defend")
