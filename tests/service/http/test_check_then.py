"""``commands/check`` with ``at``: why a command was not possible then, as its seat saw it."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from tests.service.http.table import Match, Table, code

FIRE = {"type": "pennant.fire", "aim": "hull"}


def asked(table: Table, match: Match, seat: str, command: Any, at: object) -> Any:
    path = f"{match.path}/commands/check?at={at}"
    return table.ask("POST", path, match.tokens[seat], json=command)


def test_a_command_that_was_given_would_have_been_accepted_then(table: Table) -> None:
    """Each that was done, at the version at which it was; and what was offered then, and only it"""
    match, given = table.create(), list[tuple[int, str, Any]]()
    rng = Random(28)
    for _ in range(8):
        waiting = table.get(match.path).json()["toMove"]
        if not waiting:
            break
        seat = waiting[0]["seat"]
        offer = table.options(match, seat)
        command = rng.choice(offer["items"])["command"]
        given.append((offer["version"], seat, command))
        assert table.command(match, seat, command, offer["version"]).status_code == 200
    for version, seat, command in given:
        told = asked(table, match, seat, command, version)
        assert told.status_code == 200, told.text
        body = told.json()
        assert (body["version"], body["legal"]) == (version, True)
        offered = table.get(f"{match.path}/commands?at={version}", match.tokens[seat]).json()
        assert body["item"] in offered["items"]
        assert told.headers["etag"] == f'"{version}"'
    assert table.version(match) > given[-1][0], "nothing was written"


def test_why_it_was_not_possible_is_told_by_its_rule_and_what_would_have_been(table: Table) -> None:
    match = table.create()
    offer = table.options(match, "p1")
    refused = asked(table, match, "p1", FIRE, offer["version"])
    assert refused.status_code in (409, 422), refused.text
    now = table.post(f"{match.path}/commands/check", FIRE, match.tokens["p1"])
    assert now.json() == {**refused.json(), "instance": now.json()["instance"]}
    table.play_out(match)
    then = asked(table, match, "p1", FIRE, offer["version"])
    assert then.json() == refused.json(), "it is asked of the position of then"
    assert then.json()["nearest"] in [item["command"] for item in offer["items"]]
    over = table.post(f"{match.path}/commands/check", FIRE, match.tokens["p1"])
    assert code(over) == "game.over"
    latest = table.version(match)
    assert code(asked(table, match, "p1", FIRE, latest)) == "game.over"


def test_a_version_that_there_is_not_is_unknown(table: Table) -> None:
    match = table.create()
    latest = table.version(match)
    assert code(asked(table, match, "p1", FIRE, latest + 1)) == "version.unknown"
    assert code(asked(table, match, "p1", FIRE, 1)) == "version.unknown", "before the opening"
    assert code(asked(table, match, "p1", FIRE, 0)) == "query.invalid"
    assert code(asked(table, match, "p1", FIRE, "now")) == "query.invalid"
    wrong = {"type": "pennant.fly"}
    assert code(asked(table, match, "p1", wrong, latest + 1)) == "version.unknown"
    assert code(asked(table, match, "p1", wrong, latest)) == "command.unknown-type"


def test_a_seat_asks_of_what_it_saw_itself(table: Table) -> None:
    """Not of what another seat saw, and nobody else asks at all."""
    match = table.create()
    offer = table.options(match, "p1")
    command = offer["items"][0]["command"]
    assert table.command(match, "p1", command, offer["version"]).status_code == 200
    hidden = table.version(match)
    told = asked(table, match, "p2", command, hidden)
    view = table.get(f"{match.path}/view?at={hidden}", match.tokens["p2"]).json()
    assert view["viewer"] == "p2"
    assert told.status_code in (200, 409, 422)
    path = f"{match.path}/commands/check?at={hidden}"
    assert code(table.ask("POST", path, json=command)) == "token.missing"
    stranger = table.create()
    other = table.ask("POST", path, stranger.tokens["p1"], json=command)
    assert code(other) == "token.wrong-game"
    seen = table.ask("POST", f"{path}&as=p2", match.tokens["p1"], json=command)
    assert code(seen) == "query.invalid", "through nobody else's eyes"


def test_within_what_a_command_has_led_to_nobody_has_one(house: Table) -> None:
    """At each version there is an answer, and it is the rules' where somebody is asked alone."""
    match, rng, given = house.create(ruleset="war-at-sea"), Random(27), list[Any]()
    for _ in range(6):
        seat = house.get(match.path).json()["toMove"][0]["seat"]
        offer = house.options(match, seat)
        given.append(rng.choice(offer["items"])["command"])
        assert house.command(match, seat, given[-1], offer["version"]).status_code == 200
    events = house.get(f"{match.path}/events?limit=200").json()["items"]
    for event, after in pairwise(events):
        whole = not event["causedBy"] or event["causedBy"] != after["causedBy"]
        for seat in ("p1", "p2"):
            for command in given[::2]:
                told = asked(house, match, seat, command, event["seq"])
                assert told.status_code < 500, (event["seq"], told.text)
                if not whole:
                    assert code(told) == "version.unknown"
                elif event["causedBy"] and told.status_code != 200:
                    assert code(told) != "version.unknown"
