"""Rules about tables, over every row; expectations are the rulebook's, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.war_at_sea.cards import CARDS
from domain.games.war_at_sea.rules.convoy import points
from domain.games.war_at_sea.rules.history import check_classes
from domain.games.war_at_sea.rules.stacking import limit
from domain.games.war_at_sea.state import State
from domain.kernel.rules import Refused
from tests.support.battle import EDITIONS, table

CLASSES = {
    ("2007", "WAS-HIST-10"): "akagi 1, hms-ark-royal 1, bismarck rheinubung-bismarck 2, bolzano 1, "
    "duca-d-aosta 2, uss-enterprise-cv-6 3, hms-exeter 2, admiral-graf-spee 3, hms-hood 1, "
    "uss-iowa-bb-61 4, jintsu 3, koln 3, kongo 4, myoko 4, richelieu 2, hms-rodney 2, "
    "uss-salt-lake-city-ca-25 2, scharnhorst 2, shoho 2, shokaku 2, hmas-sydney 3, "
    "uss-tennessee-bb-43 2, tone 2, vittorio-veneto 3, uss-washington-bb-56 4, "
    "yamato sho-go-yamato 2",
    (
        "2009",
        "WAS-HIST-11",
    ): "admiral-hipper prinz-eugen 3, bismarck rheinubung-bismarck tirpitz 2, "
    "schleswig-holstein 2, admiral-graf-spee admiral-scheer 3, graf-zeppelin 1, karlsruhe koln 3, "
    "scharnhorst 2",
    ("2009", "WAS-HIST-12"): "akagi 1, aoba 2, jintsu 3, kongo haruna 4, nachi myoko 4, nagato 2, "
    "oi 2, shoho 2, shokaku zuikaku 2, soryu 1, tone 2, yahagi 4, yamashiro 2, "
    "yamato sho-go-yamato musashi 2",
    ("2009", "WAS-HIST-13"): "aquila 1, bolzano 1, duca-d-aosta eugenio-di-savoia 2, "
    "giulio-cesare 2, guiseppe-garibaldi 2, littorio vittorio-veneto 3, pegaso 4, zara gorizia 4",
    ("2009", "WAS-HIST-14"): "hmas-arunta 3, hmas-canberra 2, hmas-sydney 3",
    ("2009", "WAS-HIST-15"): "dunkerque 2, richelieu jean-bart 2, suffren 4",
    ("2009", "WAS-HIST-16"): "hr-ms-de-ruyter 1",
    ("2009", "WAS-HIST-17"): "hms-ark-royal 1, hms-belfast 2, hms-exeter 2, hms-hood 1, "
    "hms-illustrious 4, hms-repulse 2, hms-rodney 2",
    ("2009", "WAS-HIST-18"): "uss-alaska 2, uss-arizona-bb-39 2, uss-iowa-bb-61 uss-missouri-bb-63 "
    "4, uss-massachusetts-bb-59 4, uss-north-carolina-bb-55 uss-washington-bb-56 2, "
    "uss-salt-lake-city-ca-25 2, uss-saratoga-cv-3 2, uss-tennessee-bb-43 uss-california-bb-44 2, "
    "uss-yorktown-cv-5 uss-enterprise-cv-6 3",
    ("2009", "WAS-HIST-19"): "oktyabrskaya-revolutsia 3, kirov 2",
}
"""Ships of a class, and how many of them together. Two cards of one Ship count together."""


@pytest.mark.parametrize(
    ("edition", "rule"),
    [pytest.param(*key, id=key[1], marks=pytest.mark.rule(key[1])) for key in CLASSES],
)
def test_no_more_ships_of_a_class_than_the_list_says(edition: Any, rule: str) -> None:
    for row in CLASSES[edition, rule].split(", "):
        *ships, most = row.split()
        for ship in ships:
            check_classes(edition, [CARDS[ship]] * int(most))
            over = [CARDS[ship]] * int(most) + [CARDS[ships[0]]]
            with pytest.raises(Refused) as refused:
                check_classes(edition, over)
            assert refused.value.rule == rule, ship
    listed = {name for row in CLASSES[edition, rule].split(", ") for name in row.split()[:-1]}
    free = next(card for card in CARDS.values() if card.subtype == "Torpedo Boat")
    assert free.id not in listed
    check_classes(edition, [free] * 9)


MAJOR = {"major-200": 200, "major-300": 300, "major-500": 500}


def begun(edition: str, scenario: str) -> State:
    return table(edition, scenario=scenario)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SCEN-40")
def test_points_of_the_three_sizes_of_a_major_engagement(edition: str) -> None:
    for scenario, most in MAJOR.items():
        assert [points(begun(edition, scenario), seat) for seat in ("p1", "p2")] == [most, most]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SCEN-43", "WAS-SCEN-44")
def test_stacks_of_every_scenario(edition: str) -> None:
    """Two Ships, one Submarine, four Aircraft; more Ships, and in 2009 Aircraft, at 500 points."""
    kinds = ("Ship", "Submarine", "Aircraft")
    for scenario in ("standard", "convoy", *MAJOR):
        large = scenario == "major-500"
        found = tuple(limit(begun(edition, scenario), kind) for kind in kinds)
        more = 5 if edition == "2009" else 4
        assert found == ((3, 1, more) if large else (2, 1, 4)), scenario
