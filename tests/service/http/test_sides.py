"""Who plays with whom: told to everybody in lobby and game, with each side's score once."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.crimson_tide.rules.customs import examples
from tests.service.http.table import Match, Table

FOUR = [
    {"seat": "p1"},
    {"seat": "p2", "hold": "open"},
    {"seat": "p3", "hold": "open"},
    {"seat": "p4", "hold": "invite"},
]


def opened(house: Table, ruleset: str, **more: Any) -> Match:
    return house.create(ruleset=ruleset, seats=FOUR, options={}, **more)


def sides(game: dict[str, Any]) -> list[tuple[str, ...]]:
    return [tuple(side["seats"]) for side in game["sides"]]


@pytest.mark.parametrize(
    ("ruleset", "scenario", "expected"),
    [
        ("crimson-tide", "standard", [("p1", "p3"), ("p2", "p4")]),
        ("naval-battles", "pairs", [("p1", "p3"), ("p2", "p4")]),
        ("naval-battles", "standard", [("p1",), ("p2",), ("p3",), ("p4",)]),
    ],
)
def test_partners_are_told_before_a_seat_is_taken(
    house: Table, ruleset: str, scenario: str, expected: list[tuple[str, ...]]
) -> None:
    match = opened(house, ruleset, scenario=scenario)
    listed = house.get("/v1/games?limit=200").json()["items"]
    (entry,) = [game for game in listed if game["id"] == match.id]
    for game in (match.created.json()["game"], entry, house.get(match.path).json()):
        assert sides(game) == expected
    taken = house.post(f"{match.path}/seats", {"seat": "p3"}).json()
    assert sides(taken["game"]) == expected


def test_the_score_of_a_side_follows_the_game(table: Table) -> None:
    game = table.play_out(table.create(seed="anchors", options={"turns": 8}))
    assert any(game["scores"].values())
    assert game["sides"] == [
        {"seats": [seat], "score": score} for seat, score in game["scores"].items()
    ]


def test_a_moment_tells_the_score_of_each_side_then(house: Table, table: Table) -> None:
    """Of partners once, as the summary does; of an earlier version what it was then."""
    match = opened(house, "crimson-tide")
    found = house.get(f"{match.path}/moment").json()
    assert sides(found) == [("p1", "p3"), ("p2", "p4")]
    assert found["sides"] == match.created.json()["game"]["sides"]
    game = table.play_out(table.create(seed="anchors", options={"turns": 8}))
    path, versions = f"/v1/games/{game['id']}/moment", range(1, game["version"] + 1)
    told = [table.get(f"{path}?at={version}").json() for version in versions]
    for then in told:
        assert sides(then) == [("p1",), ("p2",)]
        by_seat = {side["seats"][0]: side["score"] for side in then["sides"]}
        assert then["scores"] in ({}, by_seat)
    assert [side["score"] for side in told[0]["sides"]] == [0, 0]
    assert told[-1]["sides"] == game["sides"] != told[0]["sides"]


def test_who_plays_with_whom_tells_nothing_of_what_is_sealed(house: Table) -> None:
    """The summary is the same for everybody, also once a fleet is locked."""
    match = opened(house, "crimson-tide")
    for seat in ("p2", "p3"):
        taken = house.post(f"{match.path}/seats", {"seat": seat}).json()
        match.tokens[seat] = taken["token"]
    before = house.get(match.path).json()["sides"]
    offer = house.options(match, "p1")["items"][0]["command"]
    assert house.command(match, "p1", offer).status_code == 200
    told = [house.get(match.path, token).json()["sides"] for token in ("", *match.tokens.values())]
    assert told == [before] * len(told)


def test_a_scenario_that_places_the_units_begins_with_turn_1(house: Table) -> None:
    """Its first dice fall before anybody is asked, as the game is created (CT-AMB-113)."""
    (scenario,) = [each for each in examples("scenarios") if each.get("start")]
    customs = {"scenario": {"document": scenario}}
    match = house.create(ruleset="crimson-tide", customs=customs)
    state = house.get(f"{match.path}/view").json()["state"]
    assert (state["turn"], state["step"]) == (1, {"phase": "movement", "part": "first"})
    assert {unit["card"] for unit in state["units"].values()} == {
        each["card"] for each in scenario["start"]
    }
    assert house.get(match.path).json()["toMove"]
