"""The cards: each figure follows from the public facts that stand beside it."""

from __future__ import annotations

import tomllib
from collections import Counter

import pytest

from domain.games.crimson_tide.rules import air_missions
from domain.games.crimson_tide.rules.abilities import abilities, has
from domain.games.crimson_tide.rules.ability_words import LandsTroops
from domain.games.crimson_tide.rules.cards import Card, Row, cards, catalogue, dice_at
from domain.games.crimson_tide.rules.fleet_options import ready_fleets
from domain.games.crimson_tide.rules.options import Options
from domain.games.crimson_tide.rules.scenarios import scenario, terms
from domain.games.crimson_tide.rules.state import State, Weapon
from domain.games.crimson_tide.rules.targets import row
from domain.games.crimson_tide.shown import formulas
from domain.games.crimson_tide.shown.catalogue import _unit as entry
from domain.games.crimson_tide.shown.catalogue import ability_entries, units
from domain.kernel.values import StepKey
from tests.crimson_tide.seas import SEATS
from tests.support.rules import GAMES

VESSELS = [card for card in catalogue().values() if card.kind != "aircraft"]
FIVE = ("Fighter", "Torpedo Bomber", "Dive Bomber", "Patrol Bomber", "Reconnaissance")
BATTERIES: tuple[Weapon, ...] = ("secondary", "tertiary")
PLANES = [card for card in catalogue().values() if card.kind == "aircraft"]


def each(deck: list[Card]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("card", deck, ids=lambda card: card.id)


def test_every_card_of_every_nation_is_in_the_catalogue() -> None:
    """A nation has a file; nothing that stands in one is lost, and none has another's cards."""
    for path in (GAMES / "crimson_tide" / "rules" / "units").glob("*.toml"):
        listed = tomllib.loads(path.read_text("utf-8"))["unit"]
        assert [catalogue()[unit["id"]].name for unit in listed] == [u["name"] for u in listed]
        (nation,) = {unit["nation"] for unit in listed}
        own = [card.id for card in catalogue().values() if card.nation == nation]
        assert own == [unit["id"] for unit in listed]


@each(VESSELS)
@pytest.mark.rule("CT-CAT-01", "CT-CAT-02", "CT-CAT-03", "CT-CAT-04", "CT-CAT-05")
def test_a_hull_follows_from_its_facts(card: Card) -> None:
    info, basis = card.info, card.basis
    tons = info["displacementTons"]
    assert card.movement == formulas.movement(info["maxSpeedTenthKnots"])
    assert card.submerged_movement == formulas.movement(info.get("submergedSpeedTenthKnots", 0))
    assert card.size == formulas.size(card.type, tons)
    assert card.hull_points == formulas.hull_points(basis.get("grossTonsUsedForHull") or tons)
    assert card.armor == formulas.armor(basis["beltTenthInch"], basis["deckTenthInch"])
    assert card.critical == formulas.critical(card.armor, card.hull_points)


def _guns(battery: dict[str, int] | None, barrels: str, most: int) -> Row:
    if battery is None:
        return ()
    dice = formulas.battery(battery[barrels], battery["caliberInch"])
    return formulas.bands(dice, battery["rangeM"], most)


@each(VESSELS)
@pytest.mark.rule("CT-CAT-08", "CT-CAT-11")
def test_guns_follow_from_barrels_and_range(card: Card) -> None:
    basis = card.basis
    for arc in ("fore", "aft", "broadside"):
        row = card.forward if arc == "fore" else getattr(card, arc)
        assert row == _guns(basis.get("primary"), f"{arc}Barrels", 6)
    for battery in ("secondary", "tertiary"):
        row = _guns(basis.get(battery), "broadsideBarrels", 4)
        assert getattr(card, battery) == row
    barrels = basis["aaBarrels"]
    assert card.aaw == formulas.aaw(barrels["heavy"], barrels["medium"], barrels["light"])
    assert card.aircraft == formulas.aircraft(card.is_carrier, basis["aircraftCarried"])


@each([card for card in VESSELS if card.broadside])
@pytest.mark.rule("CT-CAT-06", "CT-CAT-07")
def test_a_battery_reaches_as_far_as_its_range(card: Card) -> None:
    primary = card.basis["primary"]
    assert card.broadside == _guns(primary, "broadsideBarrels", 6)
    extended = card.ability("extended-range")
    assert (len(card.broadside) > 4) == (extended is not None)


@each([card for card in VESSELS if card.asw])
@pytest.mark.rule("CT-CAT-09")
def test_depth_charges_follow_from_racks_and_throwers(card: Card) -> None:
    charges = card.basis["depthCharges"]
    assert card.asw == (formulas.asw(charges["racks"], charges["throwers"]),)


@each([card for card in VESSELS if card.torpedo])
@pytest.mark.rule("CT-CAT-10")
def test_torpedoes_follow_from_tubes_and_run(card: Card) -> None:
    tubes = card.basis["torpedoTubes"]
    dice = formulas.torpedoes(tubes["bearing"], card.kind == "submarine")
    reach = max(1, -(-3 * tubes["rangeM"] // formulas.BAND))
    assert card.torpedo == (dice,) * reach


@each(PLANES)
@pytest.mark.rule("CT-CAT-12")
def test_a_plane_follows_from_its_facts(card: Card) -> None:
    for name, figure in formulas.plane(card.type, card.info["maxSpeedMph"], card.basis).items():
        printed = getattr(card, name)
        assert (dice_at(printed, 1) if isinstance(printed, tuple) else printed) == figure


@each([*VESSELS, *PLANES])
@pytest.mark.rule("CT-CAT-13")
def test_a_cost_follows_from_the_figures(card: Card) -> None:
    assert card.points == formulas.points(card)


@pytest.mark.parametrize(("tenths", "klicks"), [(365, 9), (203, 5), (207, 5), (80, 2)])
def test_movement_is_a_quarter_of_the_knots(tenths: int, klicks: int) -> None:
    assert formulas.movement(tenths) == klicks


@pytest.mark.rule("CT-CAT-14")
def test_the_figures_of_the_booklet_are_met() -> None:
    fletcher, exeter = catalogue()["uss-fletcher"], catalogue()["hms-exeter"]
    scharnhorst = catalogue()["kms-scharnhorst"]
    assert (fletcher.forward, fletcher.broadside, fletcher.aaw) == ((2, 2), (4, 4), (6, 5))
    assert (scharnhorst.size, scharnhorst.hull_points) == ("large", 5)
    assert scharnhorst.armor >= 5
    assert all(formulas.fits_the_booklet(card) for card in VESSELS)
    assert (exeter.size, exeter.hull_points) == ("medium", 3)
    assert exeter.armor < 3 <= exeter.critical


@each([*VESSELS, *PLANES])
@pytest.mark.rule("CT-CARD-01", "CT-CARD-03")
def test_the_catalogue_shows_the_card(card: Card) -> None:
    shown = entry(card)
    assert shown.name == f"{card.name} {card.hull_number}".strip()
    assert shown.data["points"] == card.points
    assert shown.data["nation"] == card.nation
    line = shown.data["type"], shown.data["unitClass"], shown.data.get("size")
    assert line == (card.type, card.unit_class, card.size)
    assert shown.data["info"] == card.info
    assert shown.playable


@pytest.mark.rule("CT-AC-04")
def test_there_are_five_types_of_aircraft_and_fighters_are_the_best_in_air_combat() -> None:
    """Fighters alone have nothing to drop; no other type throws as many dice at aircraft."""
    best = {kind: max(dice_at(c.aaw, 1) for c in PLANES if c.type == kind) for kind in FIVE}
    least = min(dice_at(card.aaw, 1) for card in PLANES if card.type == "Fighter")
    assert {card.type for card in PLANES} == set(FIVE)
    assert max(most for kind, most in best.items() if kind != "Fighter") < least
    drops = {card.type for card in PLANES if "ordnance" in air_missions.missions(card)}
    assert drops == {"Torpedo Bomber", "Dive Bomber", "Patrol Bomber"}
    assert all(card.torpedo for card in PLANES if card.type == "Torpedo Bomber")
    assert all(card.bombs for card in PLANES if card.type in ("Dive Bomber", "Patrol Bomber"))


@each(VESSELS)
@pytest.mark.rule("CT-WPN-02")
def test_no_secondary_or_tertiary_gun_reaches_beyond_range_4(card: Card) -> None:
    assert all(len(row(card, battery)) <= 4 for battery in BATTERIES)


def test_what_a_scenario_brings_is_in_no_fleet() -> None:
    brought = {each.id for each in units() if not each.playable}
    ashore = {card.id for card in cards().values() if card.kind == "land"}
    assert brought == set(cards()) - set(catalogue()) == {"convoy-ship", *ashore}
    assert len(ashore) == 3


def test_every_ability_on_a_card_is_described_and_every_description_is_used() -> None:
    on_cards = {each.family for card in cards().values() for each in card.abilities}
    assert on_cards == set(abilities())


@pytest.mark.rule("CT-SCN-09")
def test_a_navy_that_has_landing_ships_has_two_at_least_and_both_sides_of_the_war_have_some() -> (
    None
):
    landing = Counter(card.nation for card in VESSELS if has(card, LandsTroops))
    assert min(landing.values()) >= 2
    assert landing.keys() & {"US", "UK", "France"}
    assert landing.keys() & {"Japan", "Germany", "Italy"}
    agreed = Options(nations="one")
    fleets = ready_fleets(
        State("", agreed, terms(scenario("amphibious"), agreed, SEATS), SEATS, StepKey("")), "p1"
    )
    several = [
        fleet for fleet in fleets if sum(has(cards()[p.card], LandsTroops) for p in fleet) > 1
    ]
    assert len(several) >= 2
    assert all(any(has(cards()[p.card], LandsTroops) for p in fleet) for fleet in fleets)


def test_no_card_of_a_fleet_is_without_ability_or_flagship() -> None:
    assert [card.id for card in catalogue().values() if not (card.abilities or card.flagship)] == []


def test_every_ability_says_whether_it_is_the_booklets_or_ours() -> None:
    shown = {entry.id: entry.provenance["source"] for entry in ability_entries()}
    assert shown == {each.id: each.source for each in abilities().values()}
    assert all(source.startswith(("§", "ours (")) for source in shown.values())
    assert [name for name, source in shown.items() if source.startswith("§")] == ["escort"]
