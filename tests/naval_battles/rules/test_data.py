"""Ships and cards: counts, figures of the booklet, formulas (COMP, SHIP, FIG, DECK, FLEET)."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import facts, reckoning
from domain.games.naval_battles.rules.cards import RAIDS, SHIELDS, SHOTS, steps_of
from domain.games.naval_battles.rules.cards.land_air_raid import needed
from domain.games.naval_battles.rules.cards.torpedo_spread import guidance
from domain.games.naval_battles.rules.commands import CommitFleet
from domain.games.naval_battles.rules.deck import STANDARD, STANDARD_TABLE, full_deck, load_deck
from domain.games.naval_battles.rules.drawing import deal
from domain.games.naval_battles.rules.setup import FLEET_POINTS, ready_fleets, why_not_fleet
from domain.games.naval_battles.rules.ships import NATIONS, SHIPS, ShipCard, _load, ships_of
from domain.games.naval_battles.shown import formulas
from domain.kernel.flow import Flow
from domain.kernel.values import StepKey

from ..tables import SEATS, given, opened, ship, table

BY_NAME = {each.name: each for each in SHIPS.values()}
"""Names are unique as well."""


@pytest.mark.rule("NB-COMP-01", "NB-DECK-01", "NB-DECK-02")
def test_180_cards_are_78_ships_and_102_action_cards() -> None:
    deck = load_deck()
    assert len(SHIPS) == len(BY_NAME) == 78
    assert sum(card.count for card in deck.cards) == 102
    assert len(SHIPS) + len(full_deck(STANDARD_TABLE)) == 180
    kinds = Counter[tuple[str, ...]]()
    for card in deck.cards:
        kinds[steps_of(card.family)] += card.count
    assert kinds == {
        ("attack",): 64,
        ("prepare", "defense"): 19,
        ("prepare",): 3,
        ("defense",): 9,
        ("reorganize",): 7,
    }
    families = {card.family for card in deck.cards}
    assert len(families) == 15
    assert families >= {*SHOTS, *SHIELDS}
    state = table(step=StepKey("deal"), deck={"sight": "known", "items": []}, first="p1", active="")
    flow = Flow(state, GAME.evolve)
    assert deal(flow)
    assert flow.state.deck.count == 102


@pytest.mark.rule("NB-COMP-02", "NB-COMP-04", "NB-GEN-03")
def test_thirteen_ships_for_each_of_six_nations() -> None:
    assert _load() == SHIPS
    assert len(NATIONS) == 6
    for nation in NATIONS:
        assert len(ships_of(nation)) == 13
        assert any(each.submarine for each in ships_of(nation))
        assert any(not each.submarine for each in ships_of(nation))


@pytest.mark.rule("NB-SHIP-12", "NB-FIG-07", "NB-AMB-04")
def test_mounts_and_mikuma() -> None:
    mikuma = ship("p1", "jp-mikuma")
    assert "main-12" in facts.mounts(table(mikuma), mikuma)
    historical = table(mikuma, options={"mikuma": "historical"})
    assert not any(mount.startswith("main") for mount in facts.mounts(historical, mikuma))
    allowed = {"main": {11, 12, 13, 14, 15, 16, 18}, "secondary": {4, 5, 6, 8}, "torpedo": {0}}
    for each in SHIPS.values():
        for mount in each.mounts:
            assert facts.caliber(mount) in allowed[mount.partition("-")[0]]


@pytest.mark.parametrize("each", SHIPS.values(), ids=lambda each: each.id)
@pytest.mark.rule("NB-FLEET-01", "NB-FLEET-02", "NB-FLEET-03", "NB-FLEET-04", "NB-FLEET-06")
def test_figures_follow_from_history(each: ShipCard) -> None:
    basis = each.provenance["basis"]
    assert formulas.hull(basis["standardTons"], each.type) == each.hull
    assert formulas.mounts(basis) == each.mounts
    assert formulas.anti_aircraft(basis) == each.anti_aircraft
    wings = (each.air_raid, each.air_cover, each.cover_symbols)
    assert formulas.wings(each.type, basis["aircraft"]) == wings
    assert formulas.points(each) == each.points


@pytest.mark.rule("NB-FLEET-01", "NB-FLEET-03", "NB-FLEET-06")
def test_formulas_by_the_inventory() -> None:
    assert formulas.hull(41_700, "battleship") == 11
    assert formulas.hull(853, "destroyer") == 2
    assert formulas.hull(100, "patrol") == 1
    bismarck = BY_NAME["Bismarck"].provenance["basis"]["antiAircraft"]
    assert bismarck == {"heavy": 16, "medium": 16, "light": 12}
    assert formulas.anti_aircraft({"antiAircraft": bismarck}) == -1
    assert formulas.points(BY_NAME["Yamato"]) == 8
    assert formulas.points(BY_NAME["Shimakaze"]) == 2


def test_figures_that_the_booklet_gives() -> None:
    """NB-FIG-01 to -06, -08 to -11: every figure of the booklet stands on a card of ours."""
    assert (BY_NAME["Bismarck"].hull, BY_NAME["Bismarck"].anti_aircraft) == (11, -1)
    assert BY_NAME["Shimakaze"].points == 2
    assert (BY_NAME["I-174"].guidance, BY_NAME["I-174"].submarine) == (3, True)
    assert BY_NAME["Shoho"].air_raid[1] == 6
    assert BY_NAME["Graf Zeppelin"].air_cover == 5
    assert "main-18" in BY_NAME["Yamato"].mounts
    assert {"secondary-4", "secondary-5"} & set(BY_NAME["Kagero"].mounts)
    assert "torpedo" in BY_NAME["I-174"].mounts
    assert BY_NAME["T13"].hull <= 4
    assert BY_NAME["T13"].anti_aircraft == BY_NAME["Aliseo"].anti_aircraft == 0
    assert BY_NAME["Schnellboot"].hull <= 2
    assert BY_NAME["Littorio"].hull > 4
    assert all(each.points > 1 for each in ships_of("japan"))
    cards = {card.id: card for card in STANDARD.cards}
    assert 5 in cards["secondary-4-5-1"].calibers
    assert 12 in cards["main-11-13-2"].calibers
    assert {14, 15, 16, 18} == set(cards["main-14-18-4"].calibers)
    assert cards["land-air-x2"].needs[:2] == (3, 4)
    assert cards["reinforcements-3"].points == 3


@pytest.mark.rule("NB-FLEET-07", "NB-SETUP-09", "NB-SETUP-02")
@pytest.mark.parametrize(
    ("nation", "total"),
    [
        ("france", 48),
        ("germany", 55),
        ("great-britain", 66),
        ("italy", 53),
        ("japan", 69),
        ("united-states", 67),
    ],
)
def test_every_nation_makes_exactly_25(nation: str, total: int) -> None:
    assert sum(each.points for each in ships_of(nation)) == total
    state = table(step=StepKey("fleets"), nations={"p1": nation})
    fleets = ready_fleets(nation)
    assert len(fleets) >= 5
    for fleet in fleets:
        assert sum(SHIPS[name].points for name in fleet) == FLEET_POINTS
        assert why_not_fleet(state, "p1", CommitFleet(fleet)) is None
        assert len(fleet) < len(ships_of(nation)), "a reinforcement pile is left"


@pytest.mark.rule("NB-DECK-04", "NB-LBAR-03", "NB-LBAR-09", "NB-AMB-23")
@pytest.mark.parametrize(
    ("card", "numbers"),
    [("land-air-x1", (4, 2, 3, 4)), ("land-air-x2", (5, 3, 4, 5)), ("land-air-x3", (6, 4, 5, 6))],
)
def test_numbers_of_land_based_raids(card: str, numbers: tuple[int, ...]) -> None:
    for row, number in enumerate(numbers):
        name = "de-u-47" if row == 0 else "de-t13"
        assert needed(STANDARD_TABLE[card], ship("p2", name, row)).total == number


@pytest.mark.rule("NB-SHIP-10", "NB-AIR-03", "NB-DEF-02", "NB-COVER-03", "NB-SUB-04")
def test_special_symbols() -> None:
    """Every symbol of the booklet is a figure of a card: flak, raid, cover, guidance, silence."""
    assert guidance("jp-i-174")[0].value == 3
    assert guidance("us-pt-109") == ()
    row2 = ship("p2", "de-bismarck", 2)
    assert reckoning.carrier_needed("jp-shoho", row2).total == 6
    assert [reason.value for reason in reckoning.flak(row2)] == [1]
    assert reckoning.flak(ship("p2", "de-t13")) == ()
    assert reckoning.cover_needed("de-graf-zeppelin").total == 5
    assert reckoning.silence_needed("jp-i-174").total == 4
    assert RAIDS == ("air-raid", "land-air-raid")


@pytest.mark.rule("NB-GEN-01", "NB-GEN-04", "NB-TEAM-03", "NB-RUL-05")
def test_two_to_six_players() -> None:
    for seats in range(2, 7):
        assert opened(seats).state.seats == SEATS[:seats]
    assert given(ship("p1", "de-t13")).state.seats == ("p1", "p2")
