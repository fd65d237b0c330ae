"""Odds on demand and the luck of a game, over HTTP."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.service.http.table import Table, code

WORTH = [0, 0, 0, 1, 1, 2]
SIX = {"count": 2, "worth": WORTH}


def fraction(told: dict[str, str]) -> Fraction:
    return Fraction(int(told["numerator"]), int(told["denominator"]))


def odds(table: Table, **body: Any) -> Any:
    answer = table.post("/v1/odds", body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_roll_of_ones_own_is_counted_exactly(table: Table) -> None:
    roll = {"pools": [SIX], "outcomes": [{"outcome": "hit", "least": 2}]}
    found = odds(table, roll=roll)["roll"]
    ways = [sum(WORTH[f] for f in faces) for faces in product(range(6), repeat=2)]
    for each in found["scores"]:
        assert Fraction(each["exact"]) == Fraction(ways.count(each["score"]), 36)
    assert [each["outcome"] for each in found["outcomes"]] == ["hit"]
    assert Fraction(found["outcomes"][0]["exact"]) == Fraction(sum(w >= 2 for w in ways), 36)
    assert Fraction(found["expected"]["exact"]) == Fraction(sum(ways), 36)


def test_faces_that_are_thrown_again_add_up(table: Table) -> None:
    found = odds(table, roll={"pools": [{**SIX, "count": 1, "again": [6]}], "most": 4})["roll"]
    exact = {each["score"]: Fraction(each["exact"]) for each in found["scores"]}
    assert exact == {
        0: Fraction(3, 6), 1: Fraction(2, 6), 2: Fraction(3, 36), 3: Fraction(2, 36),
        4: Fraction(1, 36),
    }  # fmt: skip
    assert Fraction(found["expected"]["exact"]) == Fraction(4, 5)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"command": {"type": "pennant.pass"}},
        {"game": "0" * 32},
        {"roll": {"pools": [{"count": 1, "worth": [0, 1], "again": [1]}]}},
        {"roll": {"pools": [{"count": 1, "worth": [1, 1], "again": [1, 2]}]}},
        {"roll": {"pools": [{"count": 1, "worth": [1, 1], "again": [3]}]}},
    ],
)
def test_what_cannot_be_reckoned_says_so(table: Table, body: dict[str, Any]) -> None:
    assert code(table.post("/v1/odds", body)) == "odds.unclear"


def test_the_odds_of_a_command_at_any_version(table: Table) -> None:
    match = table.create(seed="odds")
    table.choose_colours(match)
    fire = {"type": "pennant.fire", "aim": "hull"}
    found = odds(table, game=match.id, command=fire)
    assert found["odds"] == {"ruleset": "pennant", "hit": {"of": 216, "in": 91}}
    assert found["text"] == "Fire at the hull."
    listed = table.options(match, "p1")["items"][0]
    assert listed["odds"] == found["odds"]
    refused = {"game": match.id, "command": {"type": "pennant.pass"}}
    assert code(table.post("/v1/odds", refused)) == "odds.none"
    early = {"game": match.id, "command": {"type": "pennant.choose", "colour": "bold"}, "at": 2}
    assert code(table.post("/v1/odds", early)) in ("odds.none", "turn.not-a-player")
    unknown = {"game": match.id, "command": {"type": "surrender"}}
    answer = table.post("/v1/odds", unknown)
    assert code(answer) == "command.unknown-type"
    assert [each["pointer"] for each in answer.json()["errors"]] == ["/command/type"]
    late = {"game": match.id, "command": fire, "at": 99}
    assert code(table.post("/v1/odds", late)) == "version.unknown"
    other = {"game": match.id, "command": fire, "viewer": "truth"}
    assert code(table.post("/v1/odds", other)) == "viewer.not-entitled"
    assert code(table.post("/v1/odds", {**unknown, "game": "0" * 32})) == "game.not-found"


def test_luck_is_actual_against_expected(table: Table) -> None:
    match = table.create(options={"turns": 12}, seed="luck")
    table.play_out(match)
    report = table.get(f"{match.path}/luck").json()
    rolls = [r for r in table.get(f"{match.path}/rolls").json()["items"] if r["odds"]]
    assert rolls
    for seat in report["seats"]:
        own = [roll for roll in rolls if roll["odds"]["seat"] == seat["seat"]]
        means = [fraction(roll["odds"]["expected"]) for roll in own]
        assert seat["rolls"] == len(own)
        assert seat["actual"] == sum(roll["score"] for roll in own)
        assert fraction(seat["expected"]) == sum(means)
        assert 0 <= seat["perMille"] <= 1000
    assert [point["seq"] for point in report["series"]] == [roll["seq"] for roll in rolls]
    assert sum(each["rolls"] for each in report["weapons"]) == len(rolls)
    picture = table.get(f"{match.path}/luck", Accept="image/svg+xml")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.count('class="actual"') == len(report["seats"])
