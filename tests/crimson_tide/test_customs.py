"""Scenarios and charts of the players' own: every fault is named, what is right is played."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.customs import CUSTOMS
from domain.games.crimson_tide.rules.scenarios import scenarios
from domain.games.crimson_tide.rules.state import State
from domain.kernel import conformance
from domain.kernel.custom import CUSTOM, Unfit
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup

from .random_battles import check_table
from .seas import SEATS

SCENARIO, MAP = CUSTOMS
EXAMPLES: dict[str, dict[str, Any]] = {each["id"]: each for each in SCENARIO.examples()}
MAPS: dict[str, dict[str, Any]] = {each["id"]: each for each in MAP.examples()}
PLAIN = {"id": "plain", "name": "Plain", "text": "Nothing special."}
BARE = {"id": "bare", "name": "Bare"}
SQUARE = [[10_000, 20_000], [20_000, 20_000], [20_000, 30_000], [10_000, 30_000]]
MINE = {"side": "first", "card": "uss-fletcher", "at": [5_000, 5_000]}
THEIRS = {"side": "second", "card": "kms-z23", "at": [5_000, 50_000]}
AIRCRAFT = {"side": "first", "card": "os2u-3-kingfisher", "base": "land-base"}
MERCHANT = {"side": "first", "card": "convoy-ship", "at": [20_000, 20_000]}
ISLAND = {"id": "island", "corners": SQUARE, "hardness": "hard"}


def setup(
    scenario: dict[str, Any] | None, map_: dict[str, Any] | None = None, **options: Any
) -> Setup:
    customs: dict[Any, Any] = {"scenario": scenario} if scenario else {}
    if map_:
        customs["map"] = map_
    return Setup("crimson-tide", "1", CUSTOM if scenario else "standard", SEATS, options, customs)


def opened(set_up: Setup) -> State:
    return GAME.fold(GAME.opening(set_up))


def refused(set_up: Setup) -> tuple[str, str]:
    with pytest.raises(Refused) as found:
        GAME.opening(set_up)
    return found.value.code, found.value.rule


def test_the_examples_and_the_check_keep_the_kernels_promises() -> None:
    conformance.check_customs(GAME)
    assert len(EXAMPLES) >= 2
    assert len(MAPS) >= 2


@pytest.mark.parametrize("entry", GAME.catalogue.maps(), ids=lambda entry: entry.id)
def test_a_chart_that_ships_is_a_document_to_start_from(entry: Any) -> None:
    assert [fault.code for fault in MAP.check(entry.data)] == ["map.name-taken"]
    shipped = opened(setup(None, None, chart=entry.id))
    brought = opened(setup(None, entry.data | {"id": "mine"}))
    for field in ("land", "storms", "objectives", "terms"):
        assert getattr(shipped, field) == getattr(brought, field)


@pytest.mark.parametrize("entry", GAME.catalogue.scenarios(), ids=lambda entry: entry.id)
def test_a_scenario_that_ships_is_a_document_to_start_from(entry: Any) -> None:
    assert [fault.code for fault in SCENARIO.check(entry.data)] == ["scenario.name-taken"]
    shipped = opened(Setup("crimson-tide", "1", entry.id, SEATS))
    brought = opened(setup(entry.data | {"id": "mine"}))
    assert (shipped.terms, shipped.land) == (brought.terms, brought.land)
    assert brought.title == scenarios()[entry.id].name


MAP_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"land": [ISLAND, ISLAND]}, "map.name-twice", ""),
    ({"objective": [{"id": "far", "at": [41_000, 1], "points": 1}]}, "map.off-table",
     "/objective/0/at"),
    ({"land": [ISLAND | {"corners": [*SQUARE[:3], [10_000, 61_000]]}]}, "map.off-table",
     "/land/0/corners/3"),
    ({"land": [ISLAND | {"corners": [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]]}]},
     "map.not-convex", "/land/0/corners"),
    ({"target": [{"card": "uss-iowa", "at": [1, 1], "side": "first"}]}, "map.unknown-target",
     "/target/0/card"),
    ({"target": [{"card": "airfield", "at": [1, 1], "side": "first"}]}, "map.target-afloat",
     "/target/0/at"),
    ({"land": [ISLAND | {"shallow": True}],
      "target": [{"card": "airfield", "at": [15_000, 25_000], "side": "first"}]},
     "map.target-afloat", "/target/0/at"),
    ({"land": [ISLAND | {"corners": [[0, 0], [40_000, 0], [40_000, 12_000], [0, 12_000]]}]},
     "map.no-set-up-zone", "/land"),
    ({"land": [ISLAND | {"corners": [[0, 48_000], [40_000, 48_000], [40_000, 60_000],
                                     [0, 60_000]]}]}, "map.no-set-up-zone", "/land"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "pointer"), MAP_FAULTS)
def test_a_fault_of_a_chart_is_named(change: dict[str, Any], code: str, pointer: str) -> None:
    found = MAP.check(BARE | change)
    assert (code, pointer) in [(fault.code, fault.pointer) for fault in found]
    assert all(fault.hint for fault in found)


SCENARIO_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"chart": "no-such"}, "scenario.unknown-chart", "/chart"),
    ({"lands": True}, "scenario.no-landing-place", "/lands"),
    ({"exits": [{"side": "first", "edge": "far", "cards": ["uss-iowa", "x"]}]},
     "scenario.unknown-card", "/exits/0/cards/1"),
    ({"convoyPoints": 5}, "scenario.no-convoy", "/convoyPoints"),
    ({"convoySide": "both"}, "scenario.no-convoy", "/convoySide"),
    ({"start": [MINE, THEIRS, MERCHANT], "convoy": 1, "convoySide": "both"},
     "scenario.start-incomplete", "/start"),
    ({"start": [MINE | {"card": "uss-maine"}, THEIRS]}, "scenario.unknown-card", "/start/0/card"),
    ({"start": [MINE, THEIRS | {"card": "airfield"}]}, "scenario.unknown-card", "/start/1/card"),
    ({"start": [MINE]}, "scenario.start-incomplete", "/start"),
    ({"start": [MINE, THEIRS], "convoy": 1}, "scenario.start-incomplete", "/start"),
    ({"start": [MINE, THEIRS, MERCHANT | {"side": "second"}]}, "scenario.start-incomplete",
     "/start"),
    ({"start": [MINE, THEIRS, MINE | {"at": [9_000, 9_000]}]}, "scenario.start-fleet", "/start"),
    ({"start": [THEIRS, MINE, AIRCRAFT | {"base": "uss-maine"}]}, "scenario.start-fleet",
     "/start/2/base"),
    ({"start": [MINE, THEIRS], "lands": True, "chart": "beach"}, "scenario.start-fleet", "/start"),
    ({"start": [MINE, THEIRS, AIRCRAFT | {"at": [9_000, 9_000]}]}, "scenario.start-place",
     "/start/2/at"),
    ({"start": [MINE, {"side": "second", "card": "kms-z23"}]}, "scenario.start-place",
     "/start/1/at"),
    ({"start": [MINE, THEIRS | {"at": [5_000, 6_000]}]}, "scenario.start-place", "/start/1/at"),
    ({"start": [MINE, THEIRS | {"at": [300, 50_000]}]}, "scenario.start-place", "/start/1/at"),
    ({"start": [MINE, THEIRS | {"at": [20_500, 30_000]}], "chart": "strait"},
     "scenario.start-place", "/start/1/at"),
    ({"units": 1, "points": 10, "lands": True, "chart": "beach", "interceptor": 1},
     "scenario.no-fleet", "/points"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "pointer"), SCENARIO_FAULTS)
def test_a_fault_of_a_scenario_is_named(change: dict[str, Any], code: str, pointer: str) -> None:
    found = SCENARIO.check(PLAIN | change)
    assert [(fault.code, fault.pointer) for fault in found] == [(code, pointer)]
    assert found[0].hint


@pytest.mark.rule("CT-AMB-92")
def test_what_does_not_go_together_is_refused() -> None:
    assert refused(Setup("crimson-tide", "1", CUSTOM, SEATS)) == ("setup.no-scenario", "CT-AMB-92")
    both = Setup("crimson-tide", "1", "night", SEATS, {}, {"scenario": PLAIN})
    assert refused(both) == ("setup.two-scenarios", "CT-AMB-92")
    assert refused(setup(PLAIN | {"chart": "custom"})) == ("setup.no-map", "CT-AMB-92")
    assert refused(setup(PLAIN, MAPS["atoll"], chart="strait"))[0] == "setup.unknown-chart"
    wide = setup(PLAIN, MAPS["narrow-sea"], width=30)
    assert refused(wide) == ("setup.wrong-table", "CT-SETUP-07")
    landing = Setup("crimson-tide", "1", "amphibious", SEATS, {"chart": "strait"})
    assert refused(landing) == ("setup.wrong-chart", "CT-SCN-09")


def test_a_scenario_is_judged_on_the_chart_that_comes_with_it() -> None:
    landing = PLAIN | {"chart": "custom", "lands": True}
    with pytest.raises(Unfit) as found:
        GAME.opening(setup(landing, MAPS["atoll"]))
    (fault,) = found.value.faults
    assert (fault.code, fault.pointer) == ("scenario.no-landing-place", "/customs/scenario/lands")


def test_the_table_is_as_large_as_the_chart() -> None:
    options = opened(setup(None, MAPS["narrow-sea"])).options
    assert (options.width, options.length) == (24, 36)


def test_what_was_brought_lies_on_the_table_under_its_own_name() -> None:
    first, *more = GAME.opening(setup(EXAMPLES["raid-on-the-atoll"], MAPS["atoll"]))
    state = GAME.fold([first, *more])
    assert [(unit.id, unit.card) for unit in state.units.values()] == [
        ("p2-1", "airfield"), ("p2-2", "coastal-battery"),
    ]  # fmt: skip
    assert {each.id for each in state.land} == {"north-islet", "south-islet", "reef"}
    assert "Raid on the atoll" in GAME.board(state)
    assert "Raid on the atoll" in GAME.says(None, first)
    assert state.terms.points == {"p1": 120, "p2": 80}


@pytest.mark.parametrize("home", ["south", "east"])
@pytest.mark.parametrize(
    ("scenario", "map_"),
    [("raid-on-the-atoll", "atoll"), ("break-out", "narrow-sea"), ("river-plate", "")],
)
def test_random_battles_on_the_examples_keep_all_promises(
    scenario: str, map_: str, home: str
) -> None:
    set_up = setup(EXAMPLES[scenario], MAPS.get(map_), turns=2, home=home)
    for played in conformance.play(GAME, set_up, random.Random(f"{map_} {home}").randrange):
        check_table(played.state)
    assert played.state.result is not None
    conformance.check_roundtrip(GAME, played.events)
    conformance.check_replay(GAME, played)
    conformance.check_views(GAME, played)
