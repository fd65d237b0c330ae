"""Crimson Tide: offers have odds where the players have agreed to measure, and else none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.http.table import Match, Table

NEAR: dict[str, Any] = {
    "id": "near", "name": "Near", "text": "Two ships within reach of each other.", "turns": 4,
    "start": [
        {"side": "first", "card": "kms-admiral-graf-spee", "at": [24000, 22000], "heading": 180},
        {"side": "second", "card": "hms-exeter", "at": [24000, 30000], "heading": 180},
    ],
}  # fmt: skip


def attacks(house: Table, match: Match) -> tuple[str, list[Any]]:
    """Whoever may attack first, and the offers; both have passed until then."""
    for _ in range(80):
        seat = house.get(match.path).json()["toMove"][0]["seat"]
        offer = house.options(match, seat)
        items = offer["items"]
        if any(each["command"]["type"] == "crimson-tide.attack" for each in items):
            return seat, items
        passing = (each["command"] for each in items if each["command"]["type"].endswith(".pass"))
        done = house.command(match, seat, next(passing, items[0]["command"]), offer["version"])
        assert done.status_code == 200, done.text
    raise AssertionError("nobody attacks")


def foreseen(house: Table, match: Match, seat: str, item: Any) -> str:
    """By what measure the dry run finds the shot impossible."""
    asked = house.post(f"{match.path}/commands/check", item["command"], match.tokens[seat])
    assert asked.status_code == 200, asked.text
    return str(asked.json()["preview"]["impossible"])


def fits(words: str, reason: str) -> bool:
    """Whether the words are of that reason, and name a rule."""
    told = {"outside-arc": "outside the arc", "outside-channel": "outside the channel"}
    return told.get(reason, reason.replace("-", " ")) in words and "(CT-" in words


@pytest.mark.parametrize("measuring", ["after-declaring", "free"])
def test_offers_have_odds_where_players_have_agreed_to_measure(
    house: Table, measuring: str
) -> None:
    made = house.post("/v1/rulesets/crimson-tide/customs/scenario", NEAR)
    assert made.status_code == 201, made.text
    customs = {"scenario": {"id": made.json()["id"]}}
    match = house.create(
        ruleset="crimson-tide", seed="near", options={"measuring": measuring}, customs=customs
    )
    seat, items = attacks(house, match)
    told = [each for each in items if "odds" in each]
    short = [each for each in items if "oddsSummary" in each]
    fails = [each for each in short if each not in told]
    assert [each for each in short if each not in fails] == told
    if measuring == "after-declaring":
        assert not short, "not even whether dice would roll"
        return
    shots = [each for each in items if each["command"]["type"] == "crimson-tide.attack"]
    assert told
    assert fails
    assert len(shots) == len(told) + len(fails), "each says what it is worth"
    for item in fails:
        assert (item["oddsSummary"]["hit"], item["oddsSummary"]["destroyed"]) == (0, 0)
        assert fits(item["oddsSummary"]["hopeless"], foreseen(house, match, seat, item))
    for item in told:
        asked = {"game": match.id, "command": item["command"], "viewer": seat}
        odds = house.post("/v1/odds", asked, match.tokens[seat]).json()
        assert odds["odds"] == item["odds"]
        assert odds["oddsSummary"] == item["oddsSummary"]
        hull = item["odds"]["expectedHullPoints"]["perMille"]
        short = item["oddsSummary"]
        assert 0 < short["hit"] <= 1000
        lost = item["odds"]["destroyed"]["perMille"]
        assert (short["destroyed"], short["expected"], short["hopeless"]) == (lost, hull, "")
