"""The dry run of a command over HTTP: what it comes to, and measures only by agreement."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.http.table import Match, Table, code

MOST = 80
"""Commands until the guns of the first turn, and some more."""


def until(house: Table, match: Match, type_: str) -> tuple[str, Any]:
    """Play on until a command of this type is offered: whose it is, and the command."""
    for _ in range(MOST):
        seat = house.get(match.path).json()["toMove"][0]["seat"]
        offer = house.options(match, seat)
        commands = [item["command"] for item in offer["items"]]
        found = next((each for each in commands if each["type"] == type_), None)
        if found is not None:
            return seat, found
        passing = next(
            (each for each in commands if each["type"] == "crimson-tide.pass"), commands[0]
        )
        done = house.command(match, seat, passing, offer["version"])
        assert done.status_code == 200, done.text
    raise AssertionError(f"nobody was offered {type_}")


def checked(house: Table, match: Match, seat: str, command: Any) -> Any:
    """What the dry run tells; it changes nothing."""
    before = house.version(match)
    answer = house.post(f"{match.path}/commands/check", command, match.tokens[seat])
    assert answer.status_code == 200, answer.text
    assert answer.json()["version"] == before == house.version(match)
    return answer.json()["preview"]


@pytest.mark.parametrize("measuring", ["", "free"])
def test_a_dry_run_tells_a_course_and_measures_by_agreement_only(
    house: Table, measuring: str
) -> None:
    options = {"measuring": measuring} if measuring else {}
    match = house.create(ruleset="crimson-tide", seed="dry run", options=options)
    seat, move = until(house, match, "crimson-tide.move")
    told = checked(house, match, seat, move)
    alone = {"ruleset", "track", "offTable"}
    assert set(told) == (alone | {"meets", "stops", "tested"} if measuring else alone)
    assert len(told["track"]) >= len(move["path"])
    assert set(told["track"][0]) == {"x", "y", "heading"}
    seat, attack = until(house, match, "crimson-tide.attack")
    told = checked(house, match, seat, attack)
    asked = {"game": match.id, "command": attack, "viewer": seat}
    odds = house.post("/v1/odds", asked, match.tokens[seat])
    fork = house.post(f"{match.path}/forks", {}, match.tokens[seat])
    if measuring:
        assert told["band"] >= 1
        assert ("impossible" in told) != ("dice" in told)
        assert odds.status_code == 200 or code(odds) == "odds.none"
        assert fork.status_code == 201
    else:
        assert told is None
        assert (code(odds), code(fork)) == ("odds.unmeasured", "fork.unmeasured")


def test_what_no_ruleset_previews_is_null(house: Table) -> None:
    match = house.create(ruleset="crimson-tide", seed="dry run", options={"measuring": "free"})
    seat, fleet = until(house, match, "crimson-tide.submit-fleet")
    assert checked(house, match, seat, fleet) is None


def test_where_measuring_is_free_a_sealed_fleet_stays_sealed_in_a_fork(house: Table) -> None:
    """Who forks before both fleets are in gets one made up for the other, not the one locked."""
    match = house.create(ruleset="crimson-tide", seed="sealed", options={"measuring": "free"})
    offer = house.options(match, "p1")
    last = offer["items"][-1]["command"]
    done = house.command(match, "p1", last, offer["version"])
    assert done.status_code == 200, done.text
    answers = [house.post(f"{match.path}/forks", {}, match.tokens["p2"]) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201] * 3
    view = house.get(f"{match.path}/view", match.tokens["p2"]).json()["state"]
    assert "items" not in view["fleets"]["p1"], "p2 does not see it in the game itself"
