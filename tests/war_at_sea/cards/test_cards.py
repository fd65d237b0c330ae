"""The catalogue against what the rulebook and its examples say about single cards."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from domain.games.war_at_sea.rules import cards
from domain.games.war_at_sea.rules.cards import AbilityRef, Card, card, catalogue
from tests.support.figures import WORDS

ALLIED = {
    "United States", "United Kingdom", "Australia", "Canada", "New Zealand", "Soviet Union",
    "Netherlands", "Greece", "Poland", "France",
}  # fmt: skip
AXIS = {"Germany", "Italy", "Japan", "Finland"}


def now(id: str) -> Card:
    return card(id, "2009")


UNKNOWN = {("Surface Action", 4), ("Surface Action", 40)}
"""The cards that units/README.md says are missing, since no figures of theirs were found."""


def test_the_catalogue_is_whole() -> None:
    """Every set from its first number to its last; what a set gains later counts by itself."""
    printed = [(c.provenance.set, c.provenance.number) for c in cards.CARDS.values()]
    assert len(printed) == len(set(printed))
    for name in {name for name, _ in printed}:
        numbers = sorted(number for set_, number in {*printed, *UNKNOWN} if set_ == name)
        assert numbers == list(range(1, len(numbers) + 1)), name
    assert not UNKNOWN & set(printed), "units/README.md says that it is missing"
    assert {c.type for c in cards.CARDS.values()} == {"Ship", "Aircraft", "Submarine"}
    assert catalogue("2009") == cards.CARDS


MISSING = re.compile(r"^(\w+) units? of the last set (?:is|are) missing.*?\n\n", re.M | re.S)


def told_missing(readme: str) -> set[tuple[str, int]]:
    """The cards that a text says are missing, and as many as it says there are."""
    said = MISSING.search(readme)
    if said is None:
        return set()
    numbers = [int(each) for each in re.findall(r"\(number (\d+)\)", said[0])]
    assert WORDS.index(said[1].lower()) == len(numbers), said[0]
    return {("Surface Action", number) for number in numbers}


def test_the_readme_names_the_cards_that_are_missing() -> None:
    readme = (Path(cards.__file__).parent / "units" / "README.md").read_text("utf-8")
    assert told_missing(readme) == UNKNOWN
    assert told_missing(readme.replace("(number 4)", "(number 5)")) != UNKNOWN
    with pytest.raises(AssertionError):
        told_missing(readme.replace("Two units", "Three units"))


def test_the_whole_catalogue_is_read_quickly() -> None:
    cards._units.cache_clear()
    cards.catalogue_of.cache_clear()
    start = time.process_time_ns()
    catalogue("2009")
    assert time.process_time_ns() - start < 300_000_000


YEARS = range(1939, 1946)
"""Of the war that the cards are from; a battle of a year asks for them."""


def test_every_card_is_sound() -> None:
    for c in catalogue("2009").values():
        assert (c.speed > 0) == (c.type != "Aircraft"), c.id
        assert (c.subtype == "") == (c.type == "Submarine"), c.id
        assert (c.basing > 0) == (c.subtype == "Carrier"), c.id
        assert 0 < c.armor <= c.vital_armor, c.id
        assert c.type != "Aircraft" or c.hull_points == 1, c.id
        assert c.hull_points > 0, c.id
        assert c.cost > 0, c.id
        assert c.year in YEARS, c.id
        for row in c.attacks.values():
            assert all(n == -1 or n >= 0 for n in row), c.id
            assert list(row) == sorted(row, reverse=True), c.id
            assert row[0] >= 0, c.id


def test_nations_decide_the_side() -> None:
    """WAS-SETUP-04, -05: all printed French units are Free French; Sweden stays out."""
    for c in catalogue("2009").values():
        side = "Allies" if c.nation in ALLIED else "Axis" if c.nation in AXIS else "Neutral"
        assert c.alliance == side, c.id
    assert {c.nation for c in catalogue("2009").values()} - ALLIED - AXIS == {"Sweden"}


def test_fighters_are_not_bombers() -> None:
    bombers = {c.subtype for c in catalogue("2009").values() if c.is_bomber}
    assert bombers == {"Patrol Bomber", "Dive Bomber", "Torpedo Bomber"}
    assert not now("f4f-wildcat").is_bomber


def test_the_sample_card_of_the_rulebook() -> None:
    """WAS-FLEET-41."""
    enterprise = now("uss-enterprise-cv-6")
    assert (enterprise.type, enterprise.subtype) == ("Ship", "Carrier")
    assert (enterprise.speed, enterprise.armor, enterprise.vital_armor) == (2, 4, 10)
    assert (enterprise.hull_points, enterprise.provenance.number) == (4, 25)
    assert enterprise.flagship > 0
    assert enterprise.abilities == (
        AbilityRef("expert-bomber", 2),
        AbilityRef("expert-dogfighter", 1),
        AbilityRef("survivor"),
    )


def test_the_sample_fleet_costs_exactly_100() -> None:
    """WAS-FLEET-40."""
    fleet = {
        "uss-princeton-cvl-23": 16,
        "sbd-dauntless": 13,
        "f4f-wildcat": 7,
        "hms-hood": 48,
        "uss-fletcher-dd-445": 7,
        "le-terrible": 9,
    }
    assert {id: now(id).cost for id in fleet} == fleet
    assert sum(fleet.values()) == 100


FIGURES = """
# what the rulebook's examples say (inventory, section 3): card, attack, range, dice, armor, vital
uss-atlanta-cl-51  main     1  6   4  -
shokaku            main     1  6   4  10
shokaku            antiair  1  -1  4  10
myoko              antiair  0  6   4  -
sbd-dauntless      bomb     0  10  5  8
f4f-wildcat        antiair  0  7   6  9
a6m2-zeke          antiair  0  7   6  -
i-19               torpedo  0  3   -  -
uss-barb-ss-220    torpedo  0  3   -  -
tone               torpedo  1  2   -  -
uss-boise-cl-47    torpedo  0  -1  -  -
b5n2-kate          torpedo  0  3   -  -
swordfish-mk-ii    torpedo  1  -1  3  6
"""


@pytest.mark.parametrize(
    "line", [w for row in FIGURES.splitlines() if (w := row.split("#")[0].split())]
)
def test_the_figures_of_the_examples(line: list[str]) -> None:
    id, kind, at, number, armor, vital = line
    example = now(id)
    assert example.dice(kind, int(at)) == int(number)  # type: ignore[arg-type]
    assert armor in ("-", str(example.armor))
    assert vital in ("-", str(example.vital_armor))


def test_other_facts_of_the_examples() -> None:
    assert now("uss-barb-ss-220").hull_points == 2
    assert now("uss-boise-cl-47").hull_points == 3
    assert min(now("shokaku").hull_points, now("myoko").hull_points) >= 3
    assert {"main", "secondary", "tertiary"} <= now("yamato").attacks.keys()
    assert now("swordfish-mk-ii").year == 1939
    assert now("bismarck").subtype == "Battleship"
    assert now("hms-exeter").attacks["torpedo"][0] > 0


def test_a_printed_0_is_a_row_and_a_dash_is_none() -> None:
    princeton = now("uss-princeton-cvl-23")
    assert [princeton.dice("main", r) for r in range(5)] == [0, -1, -1, -1, -1]
    assert princeton.dice("asw", 0) == -1


@pytest.mark.rule("WAS-FLEET-44")
def test_2007_plays_the_printed_figures_and_2009_the_corrected_ones() -> None:
    cards.catalogue_of.cache_clear()
    assert [card("u-66", e).speed for e in ("2007", "2009")] == [2, 1]
    assert [card("f6f-3-hellcat", e).vital_armor for e in ("2007", "2009")] == [10, 9]
    assert [card("a6m5-zeke", e).name for e in ("2007", "2009")] == ['A65M "Zeke"', 'A6M5 "Zeke"']
    corrected = {id for id in catalogue("2009") if card(id, "2007") != card(id, "2009")}
    assert corrected == {"u-66", "f6f-3-hellcat", "a6m5-zeke"}


def test_the_units_with_the_wrong_roundel_are_italian() -> None:
    """WAS-FLEET-51."""
    italian = [c.id for c in catalogue("2009").values() if "WAS-FLEET-51" in c.errata]
    assert sorted(italian) == ["ambra", "bolzano", "luca-tarigo", "motor-torpedo-boat"]
    assert {(now(id).nation, now(id).alliance) for id in italian} == {("Italy", "Axis")}


def test_the_five_ships_with_the_new_smoke_text_carry_it() -> None:
    """WAS-FLEET-52."""
    smoke = [c for c in catalogue("2009").values() if "WAS-FLEET-52" in c.errata]
    assert len(smoke) == 5
    assert all(AbilityRef("lay-smoke-screen") in c.abilities for c in smoke)


def test_an_unknown_card_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        card("flying-dutchman", "2009")


def test_playable_means_that_nothing_is_missing() -> None:
    for c in catalogue("2009").values():
        assert cards.playable(c) == (cards.missing(c) == ())
        assert set(cards.missing(c)) <= {a.family for a in c.abilities}
    assert cards.playable(now("hmas-canberra"))
