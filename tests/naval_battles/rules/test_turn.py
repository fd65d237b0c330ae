"""The turn: steps, prepare, discard, draw, rounds (SEQ, PREP, DISC, DRAW, CARD, FSM)."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.cards import SHIELDS, planning, steps_of
from domain.games.naval_battles.rules.deck import STANDARD
from domain.games.naval_battles.rules.sequence import battle as course
from domain.kernel.chance import Faces
from domain.kernel.values import CHANCE, Known, StepKey

from ..tables import Battle, Prepared, given, opened, ship

OWN = (ship("p1", "jp-yamato", 2), ship("p1", "jp-kagero"), ship("p1", "jp-i-174"))
ENEMY = (ship("p2", "de-bismarck"), ship("p2", "de-t13", 2))
FULL = ["near-miss"] * 7
OTHERS = ["armor-plating"] * 5


def table(**fields: Any) -> Battle:
    return given(*OWN, *ENEMY, **fields)


@pytest.mark.rule("NB-SEQ-01", "NB-FSM-01", "NB-ATK-02", "NB-SEQ-03", "NB-SETUP-07", "NB-FSM-04")
def test_the_steps_of_a_turn_in_order() -> None:
    hand = ["near-miss"] * 6 + ["main-14-18-4"]
    battle = table(step=StepKey("reorganize"), hands={"p1": hand, "p2": OTHERS})
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck")
    battle.does("p1", c.Pass(), c.Pass(), salvo, c.Pass()).does("p2", c.Pass())
    battle.does("p1", c.Pass()).draws()
    steps = [event.step.phase for event in battle.events if event.NAME == "step-began"]
    assert steps == [
        "prepare", "declare", "defense", "resolve", "discard", "draw", "reorganize",
    ]  # fmt: skip
    assert (battle.state.active, battle.state.turn, battle.state.round) == ("p2", 2, 1)


@pytest.mark.rule("NB-RUL-04", "NB-WIN-04", "NB-AMB-41", "NB-AMB-45")
def test_rounds_and_a_player_without_ships() -> None:
    """p2 has lost everything: he still takes his turn, plays a raid, and keeps his points."""
    battle = given(
        ship("p1", "jp-yamato"), seats=3, step=StepKey("discard"), active="p3", first="p2",
        last="p3", hands={"p3": FULL, "p2": ["land-air-x1", *OTHERS]},
        sunk={"p2": ["de-schnellboot"]}, nations={"p3": "germany"},
    )  # fmt: skip
    battle.does("p3", c.Pass())
    assert (battle.state.active, battle.state.round) == ("p1", 1)
    battle.does("p1", c.Pass()).draws()
    assert (battle.state.active, battle.state.round) == ("p2", 2)
    battle.does("p2", c.Pass(), c.LandRaid("land-air-x1", "jp-yamato"))
    assert GAME.scores(battle.state)["p2"] == 1


# --- prepare -------------------------------------------------------------------------------------


@pytest.mark.rule("NB-PREP-01", "NB-PREP-02", "NB-PREP-10", "NB-SUB-02", "NB-CARD-02")
def test_a_ship_or_active_submarine_prepares_one_card() -> None:
    hand = ["near-miss", "escort-ship", "armor-plating", "planning", "small-target"]
    battle = table(step=StepKey("prepare"), hands={"p1": hand})
    battle.refused("p1", c.Prepare("near-miss", "jp-i-174"), "prepare.passive", "NB-PREP-02")
    enemy = c.Prepare("near-miss", "de-t13")
    battle.refused("p1", enemy, "prepare.not-your-ship", "NB-PREP-01")
    battle.refused("p1", c.Prepare("small-target", "jp-kagero"), "card.wrong-step", "NB-CARD-01")
    battle.does("p1", c.Prepare("near-miss", "jp-kagero"))
    battle.refused("p1", c.Prepare("planning", "jp-kagero"), "prepare.busy", "NB-PREP-10")
    battle.does("p1", c.Prepare("planning", "jp-yamato"))
    assert [lying.card for lying in battle.state.prepared["p1"]] == ["near-miss", "planning"]
    active = given(
        ship("p1", "jp-i-174", active=True),
        *ENEMY,
        step=StepKey("prepare"),
        hands={"p1": ["planning"]},
    )
    active.does("p1", c.Prepare("planning", "jp-i-174"))


@pytest.mark.rule("NB-PREP-03", "NB-ATK-11")
def test_a_ship_that_prepared_fires_nothing() -> None:
    battle = table(
        step=StepKey("prepare"), hands={"p1": ["near-miss", "torpedo-4", "secondary-4-5-1"]}
    )
    battle.does("p1", c.Prepare("near-miss", "jp-kagero"), c.Pass())
    for card, mount in (("torpedo-4", "torpedo"), ("secondary-4-5-1", "secondary-5")):
        fire = c.DeclareAttack(card, ("jp-kagero",), (mount,), "de-bismarck")
        battle.refused("p1", fire, "attack.prepared", "NB-PREP-03")
        assert fire not in battle.offers("p1")


@pytest.mark.rule("NB-PREP-07", "NB-AMB-17")
def test_a_carrier_that_prepared_may_still_launch() -> None:
    carrier = ship("p1", "jp-shoho", prepared=True)
    launch = c.AirRaid("jp-shoho", "de-bismarck")
    given(carrier, *ENEMY).does("p1", launch)
    strict = given(carrier, *ENEMY, options={"preparedCarrierRaids": False}, hands={"p1": FULL})
    strict.refused("p1", launch, "raid.prepared", "NB-PREP-07")


SALVOS = ("main-14-18-4", "main-14-18-3")


def fired(**fields: Any) -> Battle:
    """p1 fires two salvos at p2, who has a Near Miss prepared by Bismarck."""
    battle = table(hands={"p1": SALVOS}, prepared={"p2": [Prepared("near-miss", "de-bismarck")]},
                   **fields)  # fmt: skip
    for card in SALVOS:
        battle.act("p1", c.DeclareAttack(card, ("jp-yamato",), ("main-18",), "de-bismarck"))
    return battle.ends("p1")


@pytest.mark.rule("NB-PREP-05", "NB-NM-02", "NB-DEF-04", "NB-AMB-19")
def test_a_prepared_card_works_once_in_each_other_turn() -> None:
    battle = fired().does("p2", c.Defend("near-miss", 1, prepared=True))
    again = c.Defend("near-miss", 2, prepared=True)
    battle.refused("p2", again, "defense.not-prepared", "NB-PREP-05")
    assert again not in battle.offers("p2")
    (lying,) = battle.state.prepared["p2"]
    assert lying.used
    assert "near-miss" not in battle.state.discards
    unused = fired().does("p2", c.Pass())
    assert not unused.state.prepared["p2"][0].used


@pytest.mark.rule("NB-PREP-09", "NB-COVER-05", "NB-PLAN-01", "NB-AMB-20")
def test_what_was_used_is_fresh_again_when_the_next_turn_begins() -> None:
    battle = given(
        ship("p1", "jp-shoho", raided=True, covered=1), *ENEMY, ship("p3", "it-roma"), seats=3,
        step=StepKey("discard"),
        prepared={"p3": [Prepared("near-miss", "it-roma", used=True),
                         Prepared("planning", "it-roma", used=True)]},
        hands={"p1": ["near-miss"] * 7},
    )  # fmt: skip
    battle.does("p1", c.Pass())
    assert planning.unused(battle.state, "p3") == ("planning",)
    assert not any(lying.used for lying in battle.state.prepared["p3"])
    carrier = battle.state.ships["jp-shoho"]
    assert (carrier.raided, carrier.covered) == (False, 0)


@pytest.mark.rule("NB-PREP-08", "NB-CARD-05", "NB-PREP-04")
def test_a_prepared_card_outlives_its_ship() -> None:
    battle = given(
        *OWN, ship("p2", "de-t13"), ship("p2", "de-bismarck", 2),
        hands={"p1": ["main-14-18-4"], "p2": ["near-miss"]},
        step=StepKey("prepare"), active="p2", last="p2",
    )  # fmt: skip
    battle.does("p2", c.Prepare("near-miss", "de-t13")).draws()
    gone = {name: s for name, s in battle.state.ships.items() if name != "de-t13"}
    state = replace(
        battle.state, ships=gone, active="p1", step=StepKey("declare"), last="p1", passed=()
    )
    later = Battle(GAME, state)
    later.does(
        "p1",
        c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck"),
    )
    assert c.Defend("near-miss", 1, prepared=True) in later.offers("p2")


# --- cards, discard, draw ------------------------------------------------------------------------


@pytest.mark.rule("NB-CARD-01", "NB-CARD-02", "NB-CARD-03")
def test_the_type_of_a_card_names_its_steps() -> None:
    for card in STANDARD.cards:
        steps = steps_of(card.family)
        assert ("defense" in steps) == (card.family in SHIELDS)
        assert set(steps) <= {"reorganize", "prepare", "attack", "defense"}
    families = {card.family for card in STANDARD.cards}
    assert {each for each in families if steps_of(each) == ("prepare", "defense")} == {
        "near-miss",
        "armor-plating",
        "escort-ship",
    }
    shields = families & set(SHIELDS)
    assert {name for name in shields if steps_of(name) == ("defense",)} == {
        "small-target",
        "evasive-action",
    }
    battle = fired()
    battle.refused("p1", c.Defend("near-miss", 1), "turn.not-yours", "NB-DEF-03")


@pytest.mark.rule("NB-DISC-01", "NB-CARD-06", "NB-RUL-03")
def test_any_number_of_cards_is_discarded_face_up() -> None:
    hand = ["near-miss", "near-miss", "planning"]
    battle = table(step=StepKey("discard"), hands={"p1": hand})
    three = c.DiscardCards(("near-miss",) * 3)
    battle.refused("p1", three, "card.not-in-hand", "NB-RUL-03")
    battle.does("p1", c.DiscardCards(("planning", "near-miss")))
    event = battle.saw("cards-discarded")
    assert GAME.seen(event, "p2") == event
    assert set(battle.state.discards) == {"planning", "near-miss"}
    assert battle.state.awaiting is not None, "one discard, then the draw"


@pytest.mark.rule("NB-DRAW-01", "NB-DRAW-05", "NB-SEQ-03")
def test_the_hand_is_filled_up_to_seven_in_the_own_draw_step_only() -> None:
    battle = fired(step=StepKey("declare")).does("p2", c.Pass())
    assert battle.state.hands["p2"].count == 0
    battle.draws()
    assert battle.state.hands["p1"].count == 7
    assert battle.state.hands["p2"].count == 0


@pytest.mark.rule("NB-DRAW-02", "NB-DRAW-03", "NB-AMB-33", "NB-RND-02")
def test_two_in_the_deck_five_to_draw() -> None:
    """Draw 2 (the second without dice), turn the discards over, draw 3."""
    discards = ("torpedo-3", "near-miss", "main-14-18-4", "depth-1")
    battle = table(
        step=StepKey("discard"), hands={"p1": ["small-target", "small-target"]},
        deck=Known(("planning", "retreat")), discards=discards,
    )  # fmt: skip
    battle.does("p1", c.Pass())
    assert battle.state.awaiting is not None
    assert [pool.sides for pool in battle.state.awaiting.pools] == [2]
    battle.roll((2,))
    laid = battle.saw("deck-laid", renewed=True)
    assert laid.cards.items == ("main-14-18-4", "torpedo-3", "depth-1", "near-miss")
    assert battle.state.discards == ()
    assert [pool.sides for pool in battle.state.awaiting.pools] == [4, 3, 2]
    battle.draws()
    assert battle.state.hands["p1"].count == 7
    assert battle.state.deck.count == 1


@pytest.mark.rule("NB-DRAW-04", "NB-AMB-33")
def test_both_piles_empty() -> None:
    poor = table(step=StepKey("discard"), hands={"p1": ["small-target"]}, deck=Known(("planning",)))
    poor.does("p1", c.Pass())
    assert poor.hand("p1") == ("planning", "small-target")
    assert poor.state.active == "p2"


def the_last_card(reshuffle: str) -> Battle:
    """One card is left, one is wanted, and something lies in the discards."""
    battle = table(
        step=StepKey("discard"), hands={"p1": ["near-miss"] * 6}, deck=Known(("planning",)),
        discards=("retreat", "depth-1"), options={"reshuffle": reshuffle},
    )  # fmt: skip
    return battle.does("p1", c.Pass())


@pytest.mark.rule("NB-DRAW-03", "NB-AMB-34")
def test_the_deck_is_emptied_with_its_last_card() -> None:
    battle = the_last_card("emptied")
    laid = battle.saw("deck-laid", renewed=True)
    assert laid.cards.items == ("depth-1", "retreat")
    assert battle.state.deck == laid.cards
    assert battle.state.discards == ()
    assert battle.state.hands["p1"].count == 7
    assert battle.state.active == "p2"


@pytest.mark.rule("NB-AMB-34")
def test_by_agreement_the_discards_wait_until_a_card_is_wanted() -> None:
    battle = the_last_card("wanted").not_saw("deck-laid")
    assert battle.state.deck.count == 0
    assert battle.state.discards == ("retreat", "depth-1")


# --- refusals of the machine ---------------------------------------------------------------------


@pytest.mark.rule("NB-FSM-05", "NB-RUL-06")
def test_a_wrong_command_is_refused_whole() -> None:
    battle = table(hands={"p1": ["main-14-18-4"]})
    bad = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-16",), "de-bismarck")
    battle.refused("p1", bad, "attack.mount", "NB-ATK-05")
    assert battle.hand("p1") == ("main-14-18-4",)
    battle.refused("p1", c.Prepare("near-miss", "jp-kagero"), "turn.wrong-step", "NB-ATK-01")
    battle.refused("p3", c.Pass(), "turn.no-seat", "NB-GEN-01")
    battle.refused("p1", Faces("x", ()), "turn.not-chance", "NB-RUL-06")
    assert battle.refusal(CHANCE, Faces("x", ())) is not None
    waiting = table(step=StepKey("discard"), hands={"p1": []})
    waiting.refused("p1", c.Pass(), "turn.dice-awaited", "NB-RUL-06")


@pytest.mark.rule("NB-FSM-06", "NB-SUB-05", "NB-AMB-31")
def test_a_missed_deadline_passes_and_the_submarine_still_rolls() -> None:
    battle = given(ship("p1", "jp-kagero"), ship("p2", "de-u-47"), hands={"p1": ["depth-1"]})
    battle.does("p1", c.DeclareAttack("depth-1", ("jp-kagero",), ("torpedo",), "de-u-47"))
    (question,) = GAME.pending(battle.state)
    assert GAME.usual(battle.state, question) == c.Pass()
    battle.act(question.seat, GAME.usual(battle.state, question))
    assert battle.saw("silence-tried", automatic=True)
    battle.roll((3,))
    assert battle.saw("attack-stopped", by="run-silent")


def test_every_question_of_the_set_up_has_a_usual_answer() -> None:
    battle = opened(4)
    while battle.state.turn == 0:
        if battle.state.awaiting is not None:
            pools = battle.state.awaiting.pools
            battle.roll(*(tuple(range(1, pool.count + 1)) for pool in pools))
            continue
        question = GAME.pending(battle.state)[0]
        battle.act(question.seat, GAME.usual(battle.state, question))
    assert battle.state.step == StepKey("reorganize")
    assert (battle.state.round, battle.state.calm) == (1, 0), "no round has been calm yet"


@pytest.mark.rule("NB-PREP-10", "NB-ATK-04")
def test_who_prepared_fired_or_launched_may_do_so_again_in_the_next_turn() -> None:
    battle = given(
        ship("p1", "jp-kagero", prepared=True), ship("p1", "jp-yamato", used=("main-18",) * 2),
        ship("p1", "jp-shoho", raided=True), ship("p2", "de-bismarck"), active="p2",
        step=StepKey("discard"),
        hands={"p1": ["near-miss", "main-14-18-4"], "p2": ["near-miss"] * 7},
    )  # fmt: skip
    battle.does("p2", c.Pass())
    assert battle.state.active == "p1"
    battle.does("p1", c.Pass(), c.Prepare("near-miss", "jp-kagero"), c.Pass())
    salvo = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck")
    battle.does("p1", salvo, c.AirRaid("jp-shoho", "de-bismarck"))
    busy = [name for name, each in battle.state.ships.items() if each.prepared]
    assert busy == ["jp-kagero"]


def test_every_command_answers_a_question_or_is_a_way_out() -> None:
    assert course().commands == set(get_args(c.AnyCommand))
