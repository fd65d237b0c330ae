"""Rules about tables, over every row; expectations are the rulebook's, row by row.

Seeds are cited as number and line: 000 is the rulebook of 2007, 002 its update of 2009. Where they
have no table it is ours, and what RULINGS.md or the rule's text says stands here once more.
"""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain.games.war_at_sea.rules import (
    board,
    cards,
    charts,
    darkness,
    deployment,
    dice,
    duties,
    fleets,
    sequence,
    terms,
    victory,
)
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.cards import CARDS, AbilityRef, Card, Kind
from domain.games.war_at_sea.rules.convoy import points
from domain.games.war_at_sea.rules.effects import Downed, Drawing
from domain.games.war_at_sea.rules.evolve import evolve
from domain.games.war_at_sea.rules.facts import limits_of
from domain.games.war_at_sea.rules.families.effects import Shot
from domain.games.war_at_sea.rules.history import check_classes
from domain.games.war_at_sea.rules.mechanisms import fighters
from domain.games.war_at_sea.rules.sequence import BattleStep
from domain.games.war_at_sea.rules.stacking import limit
from domain.games.war_at_sea.rules.state import State
from domain.games.war_at_sea.rules.targets import why_not_small, why_not_target_type
from domain.kernel.flow import Flow
from domain.kernel.rules import Refused
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, bare, catalogues, table, unit

KINDS: tuple[Kind, ...] = get_args(Kind)
GUNS = {"main", "secondary", "tertiary"}
"""The three batteries of gunnery by Ships."""

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


SIZES: dict[str, tuple[int, int, int, tuple[int, int], tuple[int, int]]] = {
    # points, units, room of the airbase, (target, objective) in 2007, in 2009
    "standard": (100, 15, 5, (150, 50), (150, 50)),  # 000: 783, 791
    "major-200": (200, 20, 7, (250, 75), (300, 100)),  # 000: 825, 827, 835; 002: 177
    "major-300": (300, 25, 9, (400, 100), (450, 150)),
    "major-500": (500, 40, 13, (600, 200), (750, 250)),
}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SCEN-01")
def test_a_standard_fleet_has_100_points_and_15_units(edition: str) -> None:
    state = begun(edition, "standard")
    most, units, *_ = SIZES["standard"]
    dear = replace(CARDS["tone"], cost=most)
    fleets.check_cost(points(state, "p1"), [dear])
    with pytest.raises(Refused):
        fleets.check_cost(points(state, "p1"), [replace(dear, cost=most + 1)])
    assert terms.units(state, "p1") == units


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("scenario", MAJOR)
@pytest.mark.rule("WAS-SCEN-41")
def test_a_large_fleet_has_20_25_or_40_units(edition: str, scenario: str) -> None:
    most, allowed = SIZES[scenario][1], terms.units(begun(edition, scenario), "p2")
    fleets.check_size(allowed, [CARDS["tone"]] * most)
    with pytest.raises(Refused):
        fleets.check_size(allowed, [CARDS["tone"]] * (most + 1))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("scenario", SIZES)
@pytest.mark.rule("WAS-SCEN-02", "WAS-SCEN-42", "WAS-AIR-22")
def test_a_land_airbase_holds_5_7_9_or_13_aircraft(edition: str, scenario: str) -> None:
    room = limits_of(begun(edition, scenario)).airbase
    bomber = CARDS[bare("sbd-dauntless")]
    fleets.check_basing(room, [bomber] * SIZES[scenario][2])
    with pytest.raises(Refused):
        fleets.check_basing(room, [bomber] * (SIZES[scenario][2] + 1))


def worth(edition: str, scenario: str) -> None:
    """What an objective is worth, and at which score a battle is won, and not one below."""
    *_, old, new = SIZES[scenario]
    target, objective = old if edition == "2007" else new
    state = begun(edition, scenario)
    assert victory.objective_points(state) == objective
    both = {"1": unit("p1-1", "tone", "1.1"), "2": unit("p2-1", "hms-hood", "11.1")}
    state = replace(
        state, units={each.id: each for each in both.values()}, step=StepKey("end-of-turn")
    )
    found = victory.verdict(replace(state, scores={"p1": target, "p2": 0}))
    assert found is not None
    assert found.winners == ("p1",)
    assert victory.verdict(replace(state, scores={"p1": target - 1, "p2": 0})) is None


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SCEN-07")
def test_150_points_win_and_an_objective_is_50(edition: str) -> None:
    worth(edition, "standard")


@pytest.mark.parametrize("scenario", MAJOR)
@pytest.mark.rule("WAS-SCEN-46")
def test_points_of_a_major_engagement_of_2007(scenario: str) -> None:
    worth("2007", scenario)


@pytest.mark.parametrize("scenario", MAJOR)
@pytest.mark.rule("WAS-SCEN-47")
def test_points_of_a_major_engagement_of_2009(scenario: str) -> None:
    """With what else the update says of its figures: the room for Aircraft (002: 175)."""
    worth("2009", scenario)
    assert limit(begun("2009", scenario), "Aircraft") == (5 if scenario == "major-500" else 4)


def keys(edition: Any) -> tuple[StepKey, ...]:
    """The steps of a battle in order."""
    return sequence.battle(edition).keys


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SETUP-02")
def test_a_battle_is_set_up_in_this_order(edition: Any) -> None:
    """000, Setting Up 1 to 6; who sets up in which order: 787."""
    phases = ("sides", "fleets", "battle-zone", "first-deployer", "edges")
    deployed = (StepKey("deployment", part) for part in ("first", "second", "after"))
    assert keys(edition)[:9] == (*map(StepKey, phases), *deployed, StepKey("initiative"))


@pytest.mark.rule("WAS-SCEN-29")
def test_a_convoy_ship_has_the_figures_of_the_rulebook() -> None:
    """000: 811 to 813."""
    for edition in EDITIONS:
        found = cards.card("convoy-ship", edition)
        assert (found.armor, found.vital_armor, found.hull_points, found.speed) == (1, 4, 3, 1)
        assert {kind: row for kind, row in found.attacks.items() if max(row) > 0} == {
            "antiair": (3, -1, -1, -1)
        }
        assert found.attacks.keys() == {"antiair"}


ZONES = {
    1: "4.2M 6.5S 8.2M / / 6.1 6.3 6.6",
    2: "6.1L 6.3N 6.6L / / 4.5 6.4 8.5",
    3: "5.3S 5.5S 7.3S 7.5S / 6.1 6.6 / 4.1 6.4 8.1",
    4: "4.4M 6.2C 6.5C 8.4M / / 5.2 6.6 7.2",
    5: "4.1W 4.6W 8.1W 8.6W / 6.2 6.5 / 5.4 6.1 7.4",
    6: "3.2M 3.6S 5.3W 6.5L 7.3W 9.2M 9.6S / / 4.5 6.2 8.5",
}
"""Islands with their artwork, shoals, objectives. Ours: the diagrams (000: 785) are not at hand."""


@pytest.mark.parametrize("face", ZONES)
@pytest.mark.rule("WAS-SETUP-08")
def test_what_lies_in_each_battle_zone(face: int) -> None:
    zone, objectives = deployment.zone_of(begun("2009", "standard"), face)
    islands, shoals, marked = (part.split() for part in ZONES[face].split("/"))
    chart = board.zone(zone)
    assert sorted(f"{at}{art}" for at, art in chart.islands.items()) == islands
    assert sorted(chart.shoals) == shoals
    assert sorted(objectives) == sorted(chart.objectives) == marked


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.rule("WAS-SCEN-32")
def test_a_die_puts_the_island_of_a_convoy_battle_into_the_middle_row(face: int) -> None:
    """000: 799. The sectors are ours: the middle row, from west to east."""
    zone, _ = deployment.zone_of(begun("2009", "convoy"), face)
    assert [*board.chart(f"convoy-{zone}").islands] == [f"6.{face}"]
    assert len(charts.shipped_charts("convoy")) == 6


@pytest.mark.rule("WAS-MAP-08", "WAS-MAP-09")
def test_the_five_rows_nearest_an_edge_are_its_half() -> None:
    """Seven sectors in odd rows, six in even ones (maps/README.md)."""
    for edge, rows in (("south", range(1, 6)), ("north", range(7, 12))):
        wanted = [f"{r}.{c}" for r in rows for c in range(1, 8 if r % 2 else 7)]
        assert list(board.half("south" if edge == "south" else "north")) == wanted


# --- attacks -------------------------------------------------------------------------------------

AFFECTS = {
    "antiair": "Aircraft",
    "asw": "Submarine",
    **dict.fromkeys(("bomb", "main", "secondary", "tertiary", "strafe", "torpedo"), "Ship"),
}
"""The table of attack types (000: 432 to 437)."""
TYPES = {"Ship": "tone", "Submarine": "i-19", "Aircraft": "a6m2-zeke"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.rule("WAS-ATK-08", "WAS-AIRA-05")
def test_an_attack_affects_one_type_of_unit(kind: Kind) -> None:
    by = CARDS[bare("hms-hood")]
    mine = unit("p2-1", "hms-hood", "5.4")
    allowed = [
        type_
        for type_, card in TYPES.items()
        if why_not_target_type(mine, by, kind, unit("p1-1", card, "5.4"), CARDS[card]) is None
    ]
    assert allowed == [AFFECTS[kind]]


SMALL = {"Destroyer", "Torpedo Boat"}
SUBTYPES = sorted({card.subtype for card in CARDS.values() if card.type == "Ship"})


@pytest.mark.parametrize("subtype", SUBTYPES)
@pytest.mark.rule("WAS-SURF-12")
def test_gunnery_from_four_sectors_does_not_touch_small_ships(subtype: str) -> None:
    """002: 97. Every attack kind, at ranges 3 and 4."""
    on = next(card for card in CARDS.values() if card.subtype == subtype)
    barred = {
        (kind, reach)
        for kind in KINDS
        for reach in (3, 4)
        if (no := why_not_small(begun("2009", "standard"), kind, reach, on))
        and no.rule == "WAS-SURF-12"
    }
    assert barred == ({(gun, 4) for gun in GUNS} if subtype in SMALL else set())


@pytest.mark.parametrize("subtype", SUBTYPES)
@pytest.mark.rule("WAS-SURF-13")
def test_the_main_battery_of_a_battleship_takes_2_off_at_small_ships(subtype: str) -> None:
    """002: 98."""
    on = next(card for card in CARDS.values() if card.subtype == subtype)
    by = next(card for card in CARDS.values() if card.subtype == "Battleship")
    shots = {
        kind: Shot(attacker=by, target=on, kind=kind, range=1, edition="2009", turn=1)
        for kind in KINDS
    }
    found = {kind: [each.value for each in dice._small_ship(shot)] for kind, shot in shots.items()}
    wanted = {kind: [-2] if kind == "main" and subtype in SMALL else [] for kind in KINDS}
    assert found == wanted


# --- the night -----------------------------------------------------------------------------------


def able(card: str, *families: str) -> Card:
    """A card of the same figures with just these abilities, while the test runs."""
    name = bare(card)
    for catalogue in catalogues():
        held = tuple(AbilityRef(family) for family in families)
        catalogue[name] = replace(catalogue[name], abilities=held)
    return cards.catalogue("2009")[name]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.rule("WAS-DARK-08")
def test_no_gunnery_from_4_in_the_dark(kind: Kind) -> None:
    """002: 198; torpedoes: 200."""
    ship = unit("p1-1", able("tone").id, "5.4")
    state = table("2009", ship, light="night")
    far = [reach for reach in range(6) if darkness.why_not_so_far(state, ship, kind, reach)]
    assert far == ([4, 5] if kind in GUNS else [])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.rule("WAS-DARK-09")
def test_gunnery_from_1_to_3_is_harder_in_the_dark(kind: Kind) -> None:
    """002: 199; torpedoes: 200. Antiair of every Ship: 192."""
    by, on = able("tone"), CARDS["hms-hood"]
    found = {
        reach: [
            (each.value, each.rule)
            for each in darkness.die_penalties(
                table("2009", light="night"),
                Shot(attacker=by, target=on, kind=kind, range=reach, edition="2009", turn=1),
            )
        ]
        for reach in range(4)
    }
    dim = [(-1, "WAS-DARK-09")]
    if kind in GUNS:
        assert found == {0: [], 1: dim, 2: dim, 3: dim}
    else:
        assert found == {n: [(-1, "WAS-DARK-05")] if kind == "antiair" else [] for n in range(4)}


SEARCHES = {(): 5, ("night-specialist",): 4, ("skilled-search",): 4}
"""Abilities, and the least face with which an Aircraft finds its sector (002: 184 to 188)."""


@pytest.mark.parametrize("families", SEARCHES, ids=lambda held: "+".join(held) or "none")
@pytest.mark.parametrize(("card", "less"), [("a6m2-zeke", 0), ("pby-catalina", 2)])
@pytest.mark.rule("WAS-DARK-03")
def test_a_search_check_needs_5_or_3_and_one_less_for_each_ability(
    card: str, less: int, families: tuple[str, ...]
) -> None:
    plane = unit("p1-1", able(card, *families).id, "5.4")
    needed = SEARCHES[families] - less
    for face in range(1, 7):
        flow = Flow(table("2009", plane, light="night"), evolve)
        darkness.search_rolled(flow, "p1-1", face)
        (found,) = flow.events
        assert isinstance(found, ev.SearchRolled)
        assert (found.needed, found.found) == (needed, face >= needed)


# --- fighters ------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", sequence.battle("2009").steps, ids=lambda step: str(step.key))
@pytest.mark.rule("RUL-108")
def test_a_drawn_fighter_has_to_attack_in_either_step_of_air_defense(step: BattleStep) -> None:
    """002: 125; RUL-108."""
    drawing = unit("p1-1", able("d3a-val").id, "5.4")
    fighter = unit("p2-1", able("f4f-wildcat").id, "5.4")
    effect = Drawing(unit="p1-1", source="p1-1", rule="WAS-ABIL-23", until=1)
    first = "p1" if step.part == "second" else "p2"
    state = table("2009", drawing, fighter, step=step.key, first=first, effects=(effect,))
    due = [(each.unit, each.target) for each in duties.duties(state, "p2")]
    assert due == ([("p2-1", "p1-1")] if step.phase == "air-defense" else [])
    no = None if step.asks is None else step.asks.must_act(state, "p2")
    fights = step.phase == "air-defense" and step.part in ("first", "second")
    assert (no is not None and no.rule == "RUL-108") == fights


@pytest.mark.parametrize("family", ["fighter-director", "fighter-umbrella"])
@pytest.mark.rule("WAS-ABIL-24")
def test_a_director_reaches_three_sectors_and_an_umbrella_all_of_the_map(family: str) -> None:
    """The rule's text; 002: 127 gives no range."""
    fighter = unit("p2-2", able("f4f-wildcat").id, "5.4")
    prey = unit("p1-1", able("d3a-val").id, "6.4")
    downed = Downed(unit="p2-2", source="p1-9", rule="WAS-ABIL-24", until=1)
    sends = set()
    for sector in board.SECTORS:
        director = unit("p2-1", able("uss-alaska", family).id, sector)
        state = table(
            "2009", director, fighter, prey, step=StepKey("air-defense", "after"), effects=(downed,)
        )
        if (family, "p2-2@p1-1") in fighters.uses(state, director):
            sends.add(sector)
    near = {sector for sector in board.SECTORS if board.distance(sector, "5.4") <= 3}
    assert sends == (near if family == "fighter-director" else set(board.SECTORS))
