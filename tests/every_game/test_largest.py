"""Rules that speak of any number are proved by the largest that the game can have."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules import asking, fleets, geography
from domain.games.crimson_tide.rules import cards as tide
from domain.games.crimson_tide.rules import evolve as tide_evolve
from domain.games.crimson_tide.rules import seating as sides
from domain.games.crimson_tide.rules.air_missions import deploy, why_not_deploy
from domain.games.crimson_tide.rules.commands import Deploy
from domain.games.crimson_tide.rules.scenarios import scenarios as tide_scenarios
from domain.games.crimson_tide.rules.state import LAND_BASE, Pick
from domain.games.crimson_tide.rules.state import Purpose as Throw
from domain.games.crimson_tide.rules.state import Unit as Token
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules import evening, rows
from domain.games.naval_battles.rules.deck import STANDARD
from domain.games.naval_battles.rules.ships import NATIONS, SHIPS, ships_of
from domain.games.war_at_sea.rules import damage, deployment
from domain.games.war_at_sea.rules import evolve as was_evolve
from domain.games.war_at_sea.rules.cards import CARDS
from domain.games.war_at_sea.rules.editions import Edition
from domain.games.war_at_sea.rules.history import check_classes, limits
from domain.games.war_at_sea.rules.scenarios import scenarios
from domain.kernel.flow import Flow
from domain.kernel.values import StepKey
from tests.crimson_tide.table import MEDIUM
from tests.crimson_tide.table import table as sea
from tests.crimson_tide.table import unit as vessel
from tests.naval_battles.tables import given, ship, table
from tests.support import battle as was
from tests.support.rules import GAMES

SPEAKS = re.compile(r"any number|as many|however many|without limit|no( upper)? limit|any times|"
                    r"unlimited|as often as", re.IGNORECASE)  # fmt: skip
"""Words of a rule that sets no bound, or one that a card gives."""
BESIDE = {
    "CT-GEN-12": "dice of people at a table; it is for information",
    "CT-MOVE-01": "at most as many klicks as the card says: the figures of cards are tables",
    "CT-FSM-14": "the clock answers whatever is asked: test_usual asks every kind of question",
    "WAS-AIR-10": "capacities of lost Carriers: WAS-C-140 and -141 have more and fewer Aircraft",
}
"""Rules with such words that no largest number belongs to, each with why."""

LARGEST_HAND = 7


# --- Naval Battles -------------------------------------------------------------------------------


@pytest.mark.parametrize("nation", NATIONS)
@pytest.mark.rule("NB-ROW-03")
def test_a_row_holds_every_ship_that_a_nation_has(nation: str) -> None:
    every = tuple(card.id for card in ships_of(nation))
    surface = tuple(name for name in every if not SHIPS[name].submarine)
    assert len(surface) > 9
    assert rows.why_not_arranged(every, (surface,), ()) is None


@pytest.mark.rule("NB-REORG-05")
def test_a_whole_navy_moves_and_flips_a_hundred_times_in_one_step() -> None:
    fleet = [ship("p1", card.id) for card in ships_of("japan")]
    surface = tuple(each.id for each in fleet if each.row)
    below = tuple(each.id for each in fleet if not each.row)
    battle = given(*fleet, ship("p2", "de-bismarck"), step=StepKey("reorganize"))
    for number in range(100):
        at = 1 + number % (len(surface) - 1)
        active = below if number % 2 else ()
        battle.does("p1", c.Arrange((surface[:at], surface[at:]), active))
    assert battle.state.step == StepKey("reorganize")
    assert battle.asked() == ("p1",)


@pytest.mark.rule("NB-DEF-09")
def test_all_escorts_of_the_deck_may_lead_one_attack_along_and_then_it_is_stopped() -> None:
    """No other card but these five leaves an attack under way; the hand is a full one."""
    (number,) = (card.count for card in STANDARD.cards if card.family == "escort-ship")
    names = ("de-bismarck", "de-tirpitz")
    hand = ["escort-ship"] * number + ["evasive-action"] * (LARGEST_HAND - number)
    battle = given(
        ship("p1", "jp-yamato"), *(ship("p2", name) for name in names),
        hands={"p1": ["main-14-18-4"], "p2": hand},
    )  # fmt: skip
    fire = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), names[0])
    battle.does("p1", fire).ends("p1")
    for count in range(number):
        battle.does("p2", c.Defend("escort-ship", 1, to=names[(count + 1) % 2]))
    assert battle.state.attacks[0].target == names[number % 2]
    battle.does("p2", c.Defend("evasive-action", 1))
    assert battle.saw("attack-stopped").attack == 1


@pytest.mark.parametrize("count", [1, LARGEST_HAND])
@pytest.mark.rule("NB-DISC-01", "NB-RUL-03")
def test_a_whole_hand_may_be_discarded_in_one_go_and_no_card_more(count: int) -> None:
    """Seven copies of one card; of no other are there more but one."""
    fleet = ship("p1", "jp-yamato"), ship("p2", "de-bismarck")
    battle = given(*fleet, step=StepKey("discard"), hands={"p1": ["near-miss"] * LARGEST_HAND})
    more = c.DiscardCards(("near-miss",) * (LARGEST_HAND + 1))
    battle.refused("p1", more, "card.not-in-hand", "NB-RUL-03")
    battle.does("p1", c.DiscardCards(("near-miss",) * count))
    assert battle.saw("cards-discarded").cards == ("near-miss",) * count


def most_carriers(nation: str) -> tuple[str, ...]:
    """The carriers of a nation, as many as 25 points pay for."""
    names = [card.id for card in ships_of(nation) if card.air_raid]
    found = (
        chosen
        for size in range(len(names), 0, -1)
        for chosen in combinations(names, size)
        if sum(SHIPS[name].points for name in chosen) <= 25
    )
    return next(found)


@pytest.mark.rule("NB-RUL-11")
def test_a_fleet_of_as_many_carriers_as_25_points_pay_for() -> None:
    largest = max(map(most_carriers, NATIONS), key=len)
    assert len(largest) > 2
    free, one = table(), table(options={"carriers": "one"})
    assert evening.why_not_carriers(free, largest) is None
    no = evening.why_not_carriers(one, largest)
    assert no is not None
    assert no.rule == "NB-RUL-11"
    assert evening.why_not_carriers(one, largest[:1]) is None


# --- Crimson Tide --------------------------------------------------------------------------------


def squadrons() -> int:
    """The most units that a fleet of any scenario may hold."""
    return max(each.units for each in tide_scenarios().values())


@pytest.mark.rule("CT-FLEET-07")
def test_one_aircraft_card_may_be_taken_for_every_place_of_the_largest_fleet() -> None:
    for card in tide.catalogue().values():
        picks = (Pick(card.id, LAND_BASE),) * squadrons()
        if card.kind == "aircraft":
            fleets._check_cards(sea(), picks)


@pytest.mark.rule("CT-DICE-03")
def test_sixes_are_thrown_again_a_hundred_times() -> None:
    """As many dice as the strongest weapon has, all of them sixes each time."""
    strongest = max(max(card.broadside, default=0) for card in tide.cards().values())
    sixes = (6,) * strongest
    flow = Flow(sea(), tide_evolve.evolve)
    purpose = Throw("attack")
    for count in range(100):
        assert asking.again(flow, purpose, "p1", sixes) == ()
        awaited = flow.state.awaiting
        assert awaited is not None
        assert awaited.pools[0].count == strongest
        assert flow.state.purpose is not None
        purpose = flow.state.purpose
        assert len(purpose.rounds) == count + 1
    assert len(asking.again(flow, purpose, "p1", (1,) * strongest)) == 101


@pytest.mark.rule("CT-GEOM-15")
def test_all_squadrons_of_the_largest_fleet_share_a_side() -> None:
    card = next(each.id for each in tide.catalogue().values() if each.bombs)
    names = [f"p1-{number}" for number in range(1, squadrons() + 1)]
    planes = [Token(name, card, "p1", base=LAND_BASE) for name in names]
    state = sea(*planes, vessel("p2-1", MEDIUM, 500_000, 500_000), step=StepKey("air-deployment"))
    flow = Flow(state, tide_evolve.evolve)
    for name in names:
        command = Deploy(name, "ordnance", "p2-1", "port")
        assert why_not_deploy(flow.state, "p1", command) is None
        deploy(flow, "p1", command)
    found = {(flow.state.units[name].at, flow.state.units[name].side) for name in names}
    assert found == {((490_000, 500_000), "port")}


EIGHT = tuple(f"p{number}" for number in range(1, 9))


@pytest.mark.rule("CT-AMB-105", "CT-AMB-106")
def test_four_a_side_sit_alternately_and_share_the_edge() -> None:
    """The most that there may be: eight seats, four quarters of 10 klicks for each side."""
    assert [sides.number(EIGHT, seat) for seat in EIGHT] == [0, 1] * 4
    state = replace(sea(), seats=EIGHT)
    assert state.options.width * state.options.klick == 1_000_000
    quarters = [(n * 250_000, (n + 1) * 250_000) for n in range(4)]
    assert [geography.quadrant(state, seat) for seat in EIGHT[::2]] == quarters
    assert [geography.quadrant(state, seat) for seat in EIGHT[1::2]] == quarters


# --- War at Sea ----------------------------------------------------------------------------------


@pytest.mark.rule("WAS-AIR-02")
def test_every_carrier_has_room_for_as_many_as_its_capacity() -> None:
    capacity = {card.id: card.basing for card in CARDS.values() if card.basing}
    assert max(capacity.values()) >= 3
    for card, most in capacity.items():
        planes = [was.unit(f"p1-{n}", "a6m2-zeke", base="p1-1") for n in range(2, most + 2)]
        for there in range(most + 1):
            state = was.table("2009", was.unit("p1-1", card, "5.4"), *planes[:there])
            assert deployment.room_at(state, "p1", "p1-1") == most - there


@pytest.mark.parametrize("edition", was.EDITIONS)
@pytest.mark.rule("WAS-HIST-07")
def test_a_unit_that_is_not_listed_fills_the_largest_fleet(edition: Edition) -> None:
    most = max(each.units for each in scenarios().values())
    assert most == 40
    listed = {name for limit in limits()[edition] for name in limit.ships}
    for card in CARDS.values():
        if card.id not in listed:
            check_classes(edition, [card] * most)


@pytest.mark.rule("WAS-VP-12")
def test_what_a_whole_fleet_has_destroyed_is_scored_once() -> None:
    """Every unit of the largest fleet has doomed it; it is the dearest unit that there is."""
    dearest = max(CARDS.values(), key=lambda card: card.cost)
    lost = was.unit("p2-1", dearest.id, "5.4", doomed=True, pending=99)
    enemies = [was.unit(f"p1-{n}", "tone", "5.5") for n in range(1, 40)]
    flow = Flow(was.table("2009", lost, *enemies), was_evolve.evolve)
    for _ in enemies:
        if "p2-1" in flow.state.units:
            damage.remove(flow, flow.state.units["p2-1"], "destroyed")
    assert flow.state.scores == {"p1": dearest.cost, "p2": 0}


# --- the list ------------------------------------------------------------------------------------


def speaking() -> set[str]:
    """Rules that are done and whose words set no bound."""
    books = (tomllib.loads(path.read_text("utf-8")) for path in GAMES.glob("*/rulebook.toml"))
    entries = [entry for book in books for entry in book["rule"]]
    return {each["id"] for each in entries if SPEAKS.search(f"{each['title']} {each['text']}")}


def shown() -> set[str]:
    """Rules that a test of this file is marked with."""
    tests = (each for name, each in globals().items() if name.startswith("test_"))
    marks = (mark for test in tests for mark in getattr(test, "pytestmark", ()))
    return {rule for mark in marks if mark.name == "rule" for rule in mark.args}


def test_every_rule_that_speaks_of_any_number_is_shown_with_the_largest() -> None:
    assert speaking() == shown() | BESIDE.keys()
    assert not shown() & BESIDE.keys()
