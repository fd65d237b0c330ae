"""Set-up: nations, secret fleets, first player, layout, deal (SETUP, HID, RND)."""

from __future__ import annotations

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules import setup
from domain.games.naval_battles.rules.setup import ready_fleets
from domain.games.naval_battles.rules.ships import SHIPS, ships_of
from domain.kernel.chance import Dice
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, TRUTH, Hidden, Known, StepKey

from ..tables import SEATS, Battle, given, opened, resumed, seen, ship, table


def nations(battle: Battle, *names: str) -> Battle:
    for seat, name in zip(battle.state.seats, names, strict=True):
        battle.act(seat, c.ChooseNation(name))  # type: ignore[arg-type]
    return battle


def fleets(battle: Battle) -> Battle:
    for seat in battle.asked():
        battle.act(seat, battle.offers(seat)[0])
    return battle


@pytest.mark.rule("NB-SETUP-01", "NB-SETUP-08", "NB-COMP-04")
def test_nations_are_chosen_in_seat_order_and_never_twice() -> None:
    battle = opened(3)
    assert battle.asked() == ("p1",)
    battle.refused("p2", c.ChooseNation("italy"), "turn.not-yours", "NB-SETUP-08")
    battle.does("p1", c.ChooseNation("japan"))
    assert battle.asked() == ("p2",)
    battle.refused("p2", c.ChooseNation("japan"), "nation.taken", "NB-COMP-04")
    assert c.ChooseNation("japan") not in battle.offers("p2")
    battle.refused("p2", c.Pass(), "turn.must-act", "NB-SETUP-08")


@pytest.mark.rule("NB-SETUP-08", "NB-RND-03")
def test_nations_at_random() -> None:
    battle = opened(6, nations="random")
    assert battle.asked() == ()
    assert battle.state.awaiting is not None
    assert battle.state.awaiting.pools == tuple(Dice(1, n) for n in (6, 5, 4, 3, 2))
    battle.roll((6,), (1,), (4,), (2,), (1,))
    assert list(battle.state.nations.values()) == [
        "united-states", "france", "japan", "great-britain", "germany", "italy",
    ]  # fmt: skip
    assert battle.state.step == StepKey("fleets")


@pytest.mark.rule("NB-SETUP-02", "NB-SETUP-09", "NB-SHIP-02", "NB-AMB-01")
def test_a_fleet_is_worth_exactly_25() -> None:
    battle = nations(opened(2), "japan", "germany")
    assert battle.asked() == ("p1", "p2"), "all choose at the same time"
    assert all(question.together for question in GAME.pending(battle.state))
    example = ("jp-mikuma", "jp-kashii", "jp-yamato", "jp-kagero", "jp-shoho", "jp-i-174")
    assert [SHIPS[name].points for name in example] == [4, 3, 8, 2, 6, 2]
    less = c.CommitFleet(example[:-1])
    battle.refused("p1", less, "fleet.points", "NB-SETUP-09")
    more = c.CommitFleet((*example, "jp-i-19"))
    battle.refused("p1", more, "fleet.points", "NB-SETUP-09")
    twice = c.CommitFleet((*example, "jp-kagero"))
    battle.refused("p1", twice, "fleet.twice", "NB-COMP-04")
    foreign = c.CommitFleet((*example[:-1], "de-t13"))
    battle.refused("p1", foreign, "fleet.not-your-nation", "NB-SHIP-02")
    battle.does("p1", c.CommitFleet(example))
    assert battle.asked() == ("p2",)
    battle.refused("p1", c.CommitFleet(example), "turn.not-yours", "NB-SETUP-02")


@pytest.mark.rule("NB-SETUP-09")
def test_a_fleet_of_at_most_25_by_agreement() -> None:
    battle = nations(opened(2, startingFleet="at-most"), "japan", "germany")
    battle.does("p1", c.CommitFleet(("jp-yamato",)))
    big = c.CommitFleet(("de-bismarck", "de-tirpitz", "de-scharnhorst", "de-gneisenau"))
    battle.refused("p2", big, "fleet.points", "NB-SETUP-09")


@pytest.mark.rule("NB-HID-01")
def test_a_fleet_is_one_sealed_envelope() -> None:
    battle = nations(opened(2), "japan", "germany").does(
        "p1", c.CommitFleet(ready_fleets("japan")[0])
    )
    event = battle.saw("fleet-committed")
    for viewer in ("p2", PUBLIC):
        assert seen(event, viewer).ships == Hidden(1)
    assert seen(event, "p1").ships == event.ships


@pytest.mark.rule("NB-SETUP-04", "NB-LINK-06")
def test_the_highest_die_moves_first_and_the_tied_roll_again() -> None:
    battle = fleets(nations(opened(3), "japan", "germany", "italy"))
    battle.roll((5, 2, 5))
    assert battle.state.tied == ("p1", "p3")
    assert battle.state.awaiting is not None
    assert battle.state.awaiting.pools == (Dice(2),)
    battle.roll((3, 3)).roll((1, 6))
    assert battle.state.first == "p3"
    assert battle.asked() == ("p3",)


@pytest.mark.rule("NB-SETUP-04")
def test_who_left_while_the_dice_fell_does_not_roll_again() -> None:
    battle = fleets(nations(opened(3), "japan", "germany", "italy"))
    battle.act("p1", c.Resign())
    battle.roll((5, 2, 5))
    assert battle.saw("first-player-rolled", first="").faces == {"p1": 5, "p2": 2, "p3": 5}
    assert battle.state.first == "p3", (
        "the other of the two that were tied has nobody to roll against"
    )
    assert battle.asked() == ("p3",)


@pytest.mark.rule("NB-SETUP-05", "NB-RUL-01")
def test_who_left_before_his_turn_to_lay_out_is_passed_over() -> None:
    battle = fleets(nations(opened(3), "japan", "germany", "italy")).roll((6, 2, 1))
    battle.act("p2", c.Resign())
    battle.act("p1", battle.offers("p1")[0])
    assert battle.asked() == ("p3",)
    battle.act("p3", battle.offers("p3")[0])
    assert battle.state.step == StepKey("deal")
    assert {each.seat for each in battle.state.ships.values()} == {"p1", "p3"}
    held = {seat: hand.count for seat, hand in battle.draws().state.hands.items()}
    assert held == {"p1": 7, "p2": 0, "p3": 7}, "nor is he dealt any cards"


@pytest.mark.rule("NB-SETUP-05", "NB-SETUP-10", "NB-AMB-43", "NB-SETUP-03", "NB-SHIP-04")
def test_laying_out_clockwise_from_the_first_player() -> None:
    battle = fleets(nations(opened(3), "japan", "germany", "italy")).roll((1, 6, 2))
    order = []
    for _ in range(3):
        (seat,) = battle.asked()
        order.append(seat)
        battle.act(seat, battle.offers(seat)[-1])
        laid = battle.saw("fleet-laid-out", seat=seat)
        ships = {name for row in laid.rows for name in row} | set(laid.submarines)
        nation = battle.state.nations[seat]
        assert ships | set(laid.reserve) == {each.id for each in ships_of(nation)}
        assert set(laid.active) <= set(laid.submarines)
        assert seen(laid, PUBLIC) == laid, "the next player sees it"
    assert order == ["p2", "p3", "p1"]


@pytest.mark.rule(
    "NB-SETUP-06", "NB-SETUP-11", "NB-COMP-01", "NB-DRAW-01", "NB-RND-01", "NB-RND-02"
)
def test_seven_cards_each() -> None:
    battle = fleets(nations(opened(3), "japan", "germany", "italy")).roll((1, 6, 2))
    while battle.asked():
        (seat,) = battle.asked()
        battle.act(seat, battle.offers(seat)[0])
    awaited = battle.state.awaiting
    assert awaited is not None
    assert (awaited.domain, awaited.owner) == ("sealed", "p2")
    assert awaited.pools == tuple(Dice(1, n) for n in range(102, 95, -1))
    battle.draws()
    assert [battle.state.hands[seat].count for seat in SEATS[:3]] == [7, 7, 7]
    assert battle.state.deck.count == 81
    drawn = [event.seat for event in battle.events if event.NAME == "cards-drawn"]
    assert drawn == ["p2", "p3", "p1"]
    assert battle.state.active == "p2"


@pytest.mark.rule("NB-RUL-10")
@pytest.mark.parametrize("cards", [0, 1, 6])
def test_the_first_player_may_be_dealt_fewer_cards(cards: int) -> None:
    battle = fleets(nations(opened(3, firstHand=cards), "japan", "germany", "italy"))
    battle.roll((1, 6, 2))
    while battle.asked():
        (seat,) = battle.asked()
        battle.act(seat, battle.offers(seat)[0])
    battle.draws()
    assert [battle.state.hands[seat].count for seat in SEATS[:3]] == [7, cards, 7]
    assert battle.state.active == "p2"


@pytest.mark.rule("NB-RUL-10")
def test_after_his_first_turn_he_draws_up_to_seven_as_everybody() -> None:
    options = {"firstHand": 3}
    battle = given(
        ship("p1", "de-t13"), ship("p2", "jp-kagero"), step=StepKey("discard"), options=options,
        hands={"p1": ["near-miss"] * 2},
    )  # fmt: skip
    battle.ends("p1").draws()
    assert battle.state.hands["p1"].count == 7


@pytest.mark.rule("NB-RUL-11")
def test_one_carrier_at_most_by_agreement() -> None:
    two = ("jp-shokaku", "jp-taiyo", "jp-mikuma", "jp-kashii", "jp-i-174")
    one = ("jp-shokaku", "jp-haruna", "jp-mikuma", "jp-kagero", "jp-shimakaze")
    assert [sum(SHIPS[name].points for name in each) for each in (two, one)] == [25, 25]
    free = nations(opened(2), "japan", "germany")
    free.does("p1", c.CommitFleet(two))
    battle = nations(opened(2, carriers="one"), "japan", "germany")
    battle.refused("p1", c.CommitFleet(two), "fleet.carriers", "NB-RUL-11")
    ready = [each.ships for each in battle.offers("p1") if isinstance(each, c.CommitFleet)]
    assert len(ready) == setup.READY
    assert all(sum(bool(SHIPS[name].air_raid) for name in each) <= 1 for each in ready)
    battle.does("p1", c.CommitFleet(one))


@pytest.mark.rule("NB-RUL-09")
def test_a_fleet_that_is_drawn_has_one_carrier_too() -> None:
    battle = nations(opened(2, carriers="one"), "great-britain", "germany")
    every = setup.fleets("great-britain", "one")
    assert 0 < len(every) < len(setup.fleets("great-britain"))
    battle.does("p1", c.DrawFleet())
    awaited = battle.state.awaiting
    assert awaited is not None
    assert awaited.pools == (Dice(1, len(every)),)
    battle.roll((len(every),))
    assert battle.saw("fleet-committed", seat="p1").ships.items == tuple(
        name for name in SHIPS if name in every[-1]
    )


@pytest.mark.rule("NB-HID-02", "NB-HID-03", "NB-HID-04", "NB-SINK-04")
def test_who_sees_what_of_a_draw() -> None:
    battle = given(ship("p1", "de-t13"), ship("p2", "jp-kagero"), step=StepKey("discard"))
    battle.draws()
    drawn = battle.saw("cards-drawn", seat="p1")
    assert isinstance(seen(drawn, "p1").cards, Known)
    for viewer in ("p2", PUBLIC):
        assert seen(drawn, viewer).cards == Hidden(7)
    (die,) = (event for event in battle.events if event.NAME == "dice-thrown")
    assert die.domain == "sealed"
    for viewer in ("p1", "p2", PUBLIC):
        assert seen(die, viewer).faces == Hidden(7), "not even who draws sees the dice"
    assert seen(die, TRUTH) == die


@pytest.mark.rule("NB-SINK-04", "NB-HID-04")
@pytest.mark.parametrize("viewer", ["p1", "p2", "p3", PUBLIC])
def test_everybody_sees_what_each_player_has_sunk(viewer: str) -> None:
    """p1 sinks a ship of p2's: p3, and who only looks on, sees the pile and the open discards."""
    before = table(ship("p1", "jp-yamato"), ship("p2", "de-t13"), ship("p3", "it-roma"), seats=3,
                   hands={"p1": ["main-14-18-4"]})  # fmt: skip
    battle = resumed(before)
    battle.act("p1", c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13"))
    battle.ends("p2")
    known = GAME.fold([seen(event, viewer) for event in battle.events], before)
    assert known.sunk == {"p1": ("de-t13",), "p2": (), "p3": ()}
    assert known.discards == ("main-14-18-4",)


@pytest.mark.rule("NB-RND-02", "NB-RND-01")
def test_a_die_counts_to_a_card_among_those_that_are_left() -> None:
    """Three cards are left: each face names one of them, all with the same chance."""
    left = ("main-11-13-1", "torpedo-3", "escort-ship")
    for die in (1, 2, 3):
        battle = given(
            ship("p1", "de-t13"), ship("p2", "jp-kagero"), step=StepKey("discard"),
            hands={"p1": ["near-miss"] * 6}, deck=Known(left),
        )  # fmt: skip
        battle.act("p1", c.Pass())
        battle.roll((die,))
        assert battle.saw("cards-drawn").cards.items == (left[die - 1],)


def test_the_deck_has_a_domain_that_no_seat_sees() -> None:
    setup = Setup("naval-battles", "1", "standard", SEATS[:3])
    assert GAME.domains(setup) == ("pub", "sealed")


@pytest.mark.parametrize(
    ("scenario", "seats", "code", "rule"),
    [
        ("standard", 1, "setup.wrong-seats", "NB-GEN-01"),
        ("pairs", 5, "setup.wrong-seats", "NB-TEAM-03"),
        ("trios", 4, "setup.wrong-seats", "NB-TEAM-03"),
        ("duel", 2, "setup.unknown-scenario", "NB-GEN-01"),
    ],
)
@pytest.mark.rule("NB-GEN-01")
def test_set_ups_that_no_rule_allows(scenario: str, seats: int, code: str, rule: str) -> None:
    with pytest.raises(Refused) as refusal:
        opened(seats, scenario)
    assert (refusal.value.code, refusal.value.rule) == (code, rule)


@pytest.mark.rule("NB-RUL-05")
def test_options_and_editions_that_nobody_knows() -> None:
    with pytest.raises(Refused, match="NB-RUL-05"):
        opened(2, stallRounds=-1)
    with pytest.raises(Refused, match="NB-RUL-05"):
        opened(2, noSuchOption=True)
    with pytest.raises(Refused, match="NB-GEN-01"):
        GAME.opening(Setup("naval-battles", "2", "standard", SEATS[:2]))
