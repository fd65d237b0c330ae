"""Scenarios and maps of the players' own: what is wrong with them is said, what is right is played.

Random play of the examples runs through the kernel's conformance suite, fleets of their own stay
secret, and every fault that the rules find has a test here.
"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.charts import charts
from domain.games.war_at_sea.rules.customs import CUSTOMS
from domain.games.war_at_sea.rules.map_check import pools
from domain.games.war_at_sea.rules.scenarios import scenarios
from domain.kernel import conformance
from domain.kernel.chance import Faces
from domain.kernel.codec import full
from domain.kernel.conformance import Played
from domain.kernel.custom import CUSTOM, Unfit
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, PUBLIC
from service.bots.bot import RandomLegal
from service.bots.local import LocalGame
from service.bots.war_at_sea import Greedy
from tests.support.battle import EDITIONS, SEATS
from tests.war_at_sea import invariants

SCENARIO, MAP = CUSTOMS
EXAMPLES: dict[str, dict[str, Any]] = {each["id"]: each for each in SCENARIO.examples()}
MAPS: dict[str, dict[str, Any]] = {each["id"]: each for each in MAP.examples()}
ON = {"strait-duel": "the-strait", "hold-the-islands": "island-chain"}
PLAIN = {"id": "plain", "name": "Plain", "text": "Nothing special."}
BARE = {"id": "bare", "name": "Bare"}
BOATS = [f"{row}.{column}" for row in (1, 2) for column in (1, 2)]


def setup(
    scenario: dict[str, Any] | None, map_: dict[str, Any] | None = None, edition: str = "2009",
    **options: Any,
) -> Setup:  # fmt: skip
    customs: dict[Any, Any] = {"scenario": scenario} if scenario else {}
    if map_:
        customs["map"] = map_
    return Setup("war-at-sea", edition, CUSTOM if scenario else "standard", SEATS, options, customs)


def example(name: str, **options: Any) -> Setup:
    return setup(EXAMPLES[name], MAPS.get(ON.get(name, "")), **options)


def codes(faults: Any) -> list[tuple[str, str]]:
    return [(fault.code, fault.pointer) for fault in faults]


def faults_of(set_up: Setup) -> list[tuple[str, str]]:
    with pytest.raises(Unfit) as refused:
        GAME.opening(set_up)
    return codes(refused.value.faults)


# --- what is taken --------------------------------------------------------------------------------


def test_the_examples_and_the_check_keep_the_kernels_promises() -> None:
    conformance.check_customs(GAME)
    assert len(EXAMPLES) >= 3
    assert len(MAPS) >= 2


@pytest.mark.parametrize("entry", GAME.catalogue.maps(), ids=lambda entry: entry.id)
def test_a_map_that_ships_is_a_document_to_start_from(entry: Any) -> None:
    taken = codes(MAP.check(entry.data))
    assert taken == ([("map.name-taken", "/id")] if entry.id.startswith("zone") else [])
    assert MAP.read(entry.data | {"id": "mine"}).islands == charts()[entry.id].islands


@pytest.mark.parametrize("entry", GAME.catalogue.scenarios(), ids=lambda entry: entry.id)
def test_a_scenario_that_ships_is_a_document_to_start_from(entry: Any) -> None:
    assert codes(SCENARIO.check(entry.data)) == [("scenario.name-taken", "/id")]
    assert full(SCENARIO.read(entry.data | {"id": "mine"})) == entry.data | {"id": "mine"}
    played = GAME.opening(setup(entry.data | {"id": "mine"}))
    shipped = GAME.opening(Setup("war-at-sea", "2009", entry.id, SEATS))
    assert played[2:] == shipped[1:]


def test_the_sea_of_every_map_that_ships_is_one() -> None:
    assert {len(pools(chart)) for chart in charts().values()} == {1}
    assert {found.id for found in scenarios().values()} == set(scenarios())


MAP_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"islands": {"6.7": "M"}}, "document.bad-text", "/islands/6.7"),
    ({"islands": {"6.1": "X"}}, "document.not-a-choice", "/islands/6.1"),
    ({"id": "zone-1x", "islands": {"6.1": "M"}, "shoals": ["6.1"]}, "map.sector-twice", ""),
    ({"absent": ["6.1", "6.1"]}, "map.sector-twice", ""),
    ({"absent": ["6.1"], "fog": ["6.2", "6.1"]}, "map.fog-nowhere", "/fog/1"),
    ({"fog": ["6.2", "6.2"]}, "map.sector-twice", "/fog/1"),
    ({"islandByDie": ["6.1"]}, "map.not-six-sectors", "/islandByDie"),
    ({"shoals": ["6.1"], "objectives": ["6.2", "6.1"]}, "map.objective-ashore", "/objectives/1"),
    ({"objectives": ["6.2", "6.2"]}, "map.objective-twice", "/objectives/1"),
    (
        {"shoals": ["5.1"], "areas": {"north": {"submarines": ["9.1", "5.1"]}}},
        "map.area-ashore",
        "/areas/north/submarines/1",
    ),
    ({"shoals": list(board.edge_row("south"))}, "map.no-set-up-area", "/areas/south"),
    ({"areas": {"south": {"ships": ["11.4"]}}}, "map.areas-overlap", "/areas"),
    ({"shoals": ["2.1", "1.2", "2.2"]}, "map.cut-off", ""),
    ({"absent": list(board.SECTORS)}, "map.no-sea", ""),
]


@pytest.mark.parametrize(("change", "code", "pointer"), MAP_FAULTS)
def test_a_fault_of_a_map_is_named(change: dict[str, Any], code: str, pointer: str) -> None:
    assert (code, pointer) in codes(MAP.check(BARE | change))


AXIS, ALLIES = {"alliance": "Axis"}, {"alliance": "Allies"}
SCENARIO_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"sides": [AXIS]}, "scenario.one-side", "/sides"),
    ({"sides": [AXIS | {"edge": "south"}, ALLIES]}, "scenario.edges", "/sides"),
    (
        {"sides": [AXIS | {"edge": "south"}, ALLIES | {"edge": "south"}]},
        "scenario.edges",
        "/sides",
    ),
    ({"deploys": "first"}, "scenario.no-sides", "/deploys"),
    ({"decision": "second", "turns": 4}, "scenario.no-sides", "/decision"),
    (
        {"sides": [AXIS | {"fleet": ["kraken"]}, ALLIES]},
        "scenario.unknown-unit",
        "/sides/0/fleet/0",
    ),
    (
        {"sides": [AXIS | {"fleet": ["bismarck", "hms-hood"]}, ALLIES]},
        "scenario.wrong-alliance",
        "/sides/0/fleet/1",
    ),
    (
        {"year": 1939, "sides": [AXIS | {"fleet": ["bismarck"]}, ALLIES]},
        "scenario.later-unit",
        "/sides/0/fleet/0",
    ),
    (
        {"airbase": 1, "sides": [AXIS | {"fleet": ["a6m2-zeke", "a6m2-zeke"]}, ALLIES]},
        "scenario.no-base",
        "/sides/0/fleet",
    ),
    ({"escort": "first", "sides": [AXIS, ALLIES]}, "scenario.no-convoy", "/escort"),
    ({"interceptor": 80}, "scenario.no-convoy", "/interceptor"),
    ({"convoy": 2, "turns": 9, "target": 0}, "scenario.convoy-too-small", "/through"),
    ({"convoy": 3}, "scenario.no-last-turn", "/turns"),
    ({"convoy": 3, "turns": 9}, "scenario.points-in-convoy", "/target"),
    ({"target": 0}, "scenario.no-end", "/turns"),
    ({"elimination": False}, "scenario.no-end", "/elimination"),
    ({"decision": "draw"}, "scenario.no-last-turn", "/decision"),
    ({"weather": True, "squalls": ["6.3"]}, "scenario.squalls-and-weather", "/squalls"),
    ({"squalls": ["6.3", "6.3"]}, "scenario.sector-twice", "/squalls/1"),
    ({"fog": ["6.3", "6.3"]}, "scenario.sector-twice", "/fog/1"),
    ({"objectives": [{"sector": "4.2"}]}, "scenario.objective-ashore", "/objectives/0/sector"),
    ({"map": "custom", "zone": 3}, "scenario.zone-without-map", "/zone"),
    (
        {"zone": 1, "sides": [AXIS | {"area": {"ships": ["2.2", "4.2"]}}, ALLIES]},
        "scenario.area-ashore",
        "/sides/0/area/ships/1",
    ),
    (
        {"zone": 1, "sides": [AXIS | {"area": {"ships": ["4.2"]}}, ALLIES]},
        "scenario.no-room",
        "/sides/0/area",
    ),
    (
        {"sides": [AXIS | {"fleet": ["ambra"] * 5, "area": {"submarines": BOATS}}, ALLIES]},
        "scenario.no-room",
        "/sides/0/area",
    ),
]


@pytest.mark.parametrize(("change", "code", "pointer"), SCENARIO_FAULTS)
def test_a_fault_of_a_scenario_is_named(change: dict[str, Any], code: str, pointer: str) -> None:
    assert (code, pointer) in codes(SCENARIO.check(PLAIN | change))
    assert codes(SCENARIO.check(PLAIN)) == []


def test_a_scenario_must_fit_the_map_that_comes_with_it() -> None:
    lacking = BARE | {"absent": ["11.1"], "shoals": ["6.3"]}
    strange = PLAIN | {
        "map": "custom",
        "squalls": ["11.1"],
        "fog": ["6.2", "11.1"],
        "smoke": [{"sector": "11.1", "turns": 1}],
        "objectives": [{"sector": "6.3"}],
    }
    assert faults_of(setup(strange, lacking)) == [
        ("scenario.objective-ashore", "/customs/scenario/objectives/0/sector"),
        ("scenario.absent-sector", "/customs/scenario/squalls/0"),
        ("scenario.absent-sector", "/customs/scenario/fog/1"),
        ("scenario.absent-sector", "/customs/scenario/smoke/0/sector"),
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_fog_is_on_the_picture_and_in_the_letters(edition: str) -> None:
    """The map's and the scenario's."""
    made = setup(PLAIN | {"map": "custom", "fog": ["6.3"]}, BARE | {"fog": ["3.2"]}, edition)
    state = replace(GAME.fold(GAME.opening(made)), zone=1)
    assert GAME.board(state).count("fog") == 2
    titles = str(full(GAME.picture(state, None, ())))
    assert {sector for sector in board.SECTORS if f"sector {sector}: fog" in titles} == {
        "3.2",
        "6.3",
    }


@pytest.mark.rule("WAS-SETUP-28")
@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (Setup("war-at-sea", "2009", CUSTOM, SEATS), "setup.no-scenario"),
        (Setup("war-at-sea", "2009", "convoy", SEATS, {}, {"scenario": PLAIN}),
         "setup.two-scenarios"),
        (setup(PLAIN | {"map": "custom"}), "setup.no-map"),
        (setup(PLAIN | {"year": 1941}, year=1944), "setup.settled-by-scenario"),
        (setup(PLAIN | {"light": "day"}, light="night"), "setup.settled-by-scenario"),
        (setup(PLAIN | {"sides": [AXIS, ALLIES]}, fleetExercise="Axis"),
         "setup.settled-by-scenario"),
    ],
)  # fmt: skip
def test_a_set_up_that_contradicts_its_scenario_is_refused(asked: Setup, code: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.opening(asked)
    assert (refused.value.code, refused.value.rule) == (code, "WAS-SETUP-28")


def test_a_fleet_has_no_more_submarines_than_can_be_set_up() -> None:
    """In Major Engagement of 500 points the thirty-first boat once found every sector taken."""
    state = GAME.fold(GAME.opening(Setup("war-at-sea", "2009", "major-500", SEATS)))
    with pytest.raises(Refused) as refused:
        GAME.decide(state, "p1", c.SubmitFleet(("ambra",) * 31))
    assert (refused.value.code, refused.value.rule) == ("fleet.too-many-submarines", "RUL-07")
    GAME.decide(state, "p1", c.SubmitFleet(("ambra",) * 30))


# --- what is played -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_played_to_the_end_and_conform(name: str, seed: int) -> None:
    dice = random.Random(f"{name} {seed}")
    last = None
    for number, played in enumerate(conformance.play(GAME, example(name), dice.randrange)):
        if number % 50 == seed:
            conformance.check_legality(GAME, played.state, SEATS, (c.Pass(), c.Claim("6.3")))
        last = played
    assert last is not None
    assert last.state.result is not None
    assert last.state.turn <= EXAMPLES[name]["turns"]
    conformance.check_roundtrip(GAME, last.events)
    conformance.check_replay(GAME, last)
    conformance.check_views(GAME, last)
    assert GAME.board(last.state)
    state = None
    for event in last.events:
        before, state = state, GAME.evolve(state, event)
        invariants.check(before, event, state)
    gone = set(MAPS.get(ON.get(name, ""), {}).get("absent", ()))
    seen = {getattr(event, "sector", "") for event in last.events}
    paths = {s for event in last.events for s in getattr(event, "path", ())}
    assert not gone & (seen | paths)


def open_fleets(name: str, axis: tuple[str, ...], edition: str) -> Played:
    """A posted scenario until p1, the Axis with this fleet, has locked it and the map lies."""
    played = Played(example(name))
    played.events.extend(GAME.opening(played.setup))
    played.state = GAME.fold(played.events)
    for seat, cards in (("p1", axis), ("p2", ("hmas-canberra", "f4f-wildcat"))):
        take(played, seat, c.SubmitFleet(cards))
    while (awaited := GAME.awaiting(played.state)) is not None:
        take(played, CHANCE, Faces(awaited.label, tuple((1,) * p.count for p in awaited.pools)))
    return played


def take(played: Played, seat: str, command: Any) -> None:
    events = GAME.decide(played.state, seat, command)
    played.events.extend(events)
    played.state = GAME.fold(events, played.state)


def test_a_fleet_that_its_player_builds_is_secret_in_a_posted_scenario() -> None:
    fleets = ("duca-d-aosta",), ("u-552", "myoko", "a6m2-zeke")
    one, other = (open_fleets("hold-the-islands", fleet, "2009") for fleet in fleets)
    for viewer in ("p2", PUBLIC):
        conformance.check_two_worlds(GAME, one, other, viewer)
    with pytest.raises(conformance.Nonconformance):
        conformance.check_two_worlds(GAME, one, other, "p1")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_map_alone_takes_the_place_of_the_battle_zone(edition: str) -> None:
    played = Played(setup(None, MAPS["island-chain"], edition))
    played.events.extend(GAME.opening(played.setup))
    played.state = GAME.fold(played.events)
    take(played, "p1", c.SubmitFleet(("duca-d-aosta",)))
    take(played, "p2", c.SubmitFleet(("hmas-canberra",)))
    take(played, CHANCE, Faces(GAME.awaiting(played.state).label, ((4,),)))  # type: ignore[union-attr]
    assert played.state.objectives == tuple(MAPS["island-chain"]["objectives"])
    assert "4.4 island" in GAME.board(played.state)


def test_the_document_is_not_changed_by_playing() -> None:
    before = deepcopy(EXAMPLES)
    played = Played(example("strait-duel"))
    played.events.extend(GAME.opening(played.setup))
    assert played.events[1].scenario == EXAMPLES["strait-duel"] == before["strait-duel"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_greedy_bot_plays_what_players_bring(name: str) -> None:
    """It reads the view as a client does: a map that it has never seen is no matter."""
    game = LocalGame(GAME, example(name), seed=1)
    outcome = game.play({"p1": Greedy(), "p2": RandomLegal(2)})
    assert outcome.result is not None
