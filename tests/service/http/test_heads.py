"""Everybody who plays is a witness: answers name the head, number and hash of an event."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import httpx
import pytest

from domain.kernel.values import TRUTH
from service.container import unpack
from service.evidence.bundle import EVENTS
from service.evidence.chain import GENESIS, Seals, hash_of
from tests.service.evidence.playing import Table as Played
from tests.service.evidence.playing import decode
from tests.service.http.table import Match, Table
from tests.support.pennant import Choose

FIELD = re.compile(r'([1-9][0-9]*);hash="([0-9a-f]{64})"')
HASH = re.compile(r"[0-9a-f]{64}")
CHOOSE = {"type": "pennant.choose", "colour": "bold"}


def head_of(answer: httpx.Response) -> tuple[int, str]:
    """The head that the header field of an answer names."""
    found = FIELD.fullmatch(answer.headers["decklog-head"])
    assert found is not None
    return int(found[1]), found[2]


@pytest.fixture
def match(table: Table) -> Match:
    return table.create()


def hashes(table: Table, match: Match) -> list[str]:
    """The hash of each event, recomputed from the evidence."""
    data = unpack(table.get(f"{match.path}/evidence").content)
    return [hash_of(line) for line in data[EVENTS].splitlines()]


def test_every_event_names_its_hash_and_each_viewer_the_same(table: Table, match: Match) -> None:
    table.command(match, "p1", CHOOSE)
    path, told = f"{match.path}/events", hashes(table, match)
    for token in ("", *match.tokens.values(), match.organiser):
        page = table.get(path, token).json()["items"]
        lines = table.get(f"{path}?follow=false", token, Accept="application/x-ndjson").text
        stream = table.get(f"{path}?follow=false", token, Accept="text/event-stream").text
        frames = [line[6:] for line in stream.splitlines() if line.startswith("data: ")]
        streamed = [[*map(json.loads, each)] for each in (lines.splitlines(), frames)]
        for events in (page, *streamed):
            assert [event["hash"] for event in events] == told
            assert GENESIS not in told


def test_game_and_view_name_the_head_of_their_version(table: Table, match: Match) -> None:
    table.command(match, "p1", CHOOSE)
    told = hashes(table, match)
    for path in (match.path, f"{match.path}/view"):
        answer = table.get(path)
        body = answer.json()
        assert (body["version"], body["head"]) == (len(told), told[-1]) == head_of(answer)
    for at in range(2, len(told) + 1):
        for _ in range(2):  # looked up, and remembered
            assert table.get(f"{match.path}/view?at={at}").json()["head"] == told[at - 1]
    (listed,) = [g for g in table.get("/v1/games").json()["items"] if g["id"] == match.id]
    assert listed["head"] == told[-1]


def test_a_command_names_the_head_that_it_came_to_and_so_does_its_repeat(
    table: Table, match: Match
) -> None:
    version = table.version(match)
    given: dict[str, Any] = {"version": version, "key": "a-key-for-one-head-0001-and-again"}
    first = table.command(match, "p1", CHOOSE, **given)
    table.command(match, "p2", {"type": "pennant.choose", "colour": "steady"})
    again = table.command(match, "p1", CHOOSE, **given)
    told = hashes(table, match)
    assert again.headers["idempotency-replayed"] == "true"
    body = first.json()
    assert (body["version"], body["head"]) == head_of(first) == head_of(again)
    assert body["head"] == told[body["version"] - 1] == again.json()["head"]
    assert head_of(table.get(match.path)) == (len(told), told[-1]) != head_of(again)


def test_who_creates_or_takes_a_seat_learns_the_head_and_by_a_repeat_the_first(
    table: Table,
) -> None:
    wish = {"seats": [{"seat": "p1"}, {"seat": "p2", "hold": "open"}]}
    key = "a-key-of-thirty-two-characters-x"
    made = table.create(key=key, **wish)
    taken = table.post(f"{made.path}/seats", {"seat": "p2"}, key=key)
    told = hashes(table, made)
    assert head_of(taken) == (len(told), told[-1])
    assert taken.json()["game"]["head"] == told[-1]
    first = made.created
    assert head_of(first) == (len(told) - 1, told[-2]) == head_of(table.create(key, **wish).created)
    table.command(made, "p1", CHOOSE)
    assert head_of(table.post(f"{made.path}/seats", {"seat": "p2"}, key=key)) == head_of(taken)


def test_refusals_of_a_game_name_its_head(table: Table, match: Match) -> None:
    here = head_of(table.get(match.path))
    token = match.tokens["p1"]
    path = f"{match.path}/commands"
    for answer in (
        table.post(path, {"type": "pennant.fire"}, token, version=here[0]),
        table.post(path, CHOOSE, token, version=1),
        table.get(f"{match.path}/view?at=99"),
        table.get(f"{match.path}/rolls/none"),
    ):
        assert answer.is_error
        assert head_of(answer) == here


def test_every_part_of_a_game_names_its_head(table: Table, match: Match) -> None:
    here = head_of(table.get(match.path))
    paths = [
        path.replace("{game}", match.id)
        for path, methods in table.contract.document["paths"].items()
        if "get" in methods and re.findall(r"\{\w+\}", path) == ["{game}"]
    ]
    assert len(paths) > 8
    for path in paths:
        answer = table.get(path, match.tokens["p1"])
        if answer.is_success:
            assert head_of(answer) == here, path


def test_what_is_kept_for_ever_names_no_newest_head(table: Table, match: Match) -> None:
    kept = table.get(f"{match.path}/view?at=2")
    assert "immutable" in kept.headers["cache-control"]
    assert "decklog-head" not in kept.headers
    assert HASH.fullmatch(kept.json()["head"])


def test_who_is_no_player_of_another_s_fork_learns_no_head(table: Table, match: Match) -> None:
    table.command(match, "p1", CHOOSE)
    made = table.post(f"{match.path}/forks", {"seed": "x"}, match.tokens["p1"])
    fork = made.json()["game"]
    assert head_of(made) == (fork["version"], fork["head"])
    assert "decklog-head" not in table.get(f"/v1/games/{fork['id']}").headers
    token = made.json()["tokens"][0]["token"]
    compared = table.get(f"/v1/games/{fork['id']}/diff?with={match.id}", token)
    assert head_of(compared) == (fork["version"], fork["head"])


def test_pages_of_other_origins_may_read_the_field(table: Table) -> None:
    exposed = table.get("/v1").headers["access-control-expose-headers"]
    assert "Decklog-Head" in exposed.split(", ")


MASTERS = (b"\1" * 32, b"\2" * 32)
COLOURS: tuple[Literal["bold"], Literal["steady"]] = ("bold", "steady")


def chosen(master: bytes, colour: Literal["bold", "steady"]) -> tuple[Played, dict[str, Any]]:
    """A game in which p1 has chosen in secret, and what is hashed of the event that hides it."""
    played = Played(master=master)
    played.order("p1", Choose(colour))
    return played, decode(played.rows[-1].body)


def test_the_seals_that_a_head_is_over_are_salted_by_the_master() -> None:
    """So two worlds are compared without their heads: who has not the master cannot try what he
    guesses is hidden against a head, and all else that is hashed is the same in both."""
    bodies = {(m, c): chosen(m, c)[1] for m in MASTERS for c in COLOURS}
    for (master, colour), body in bodies.items():
        played, _ = chosen(master, colour)
        truths = [chosen(master, each)[0].sealed[body["seq"]][TRUTH] for each in COLOURS]
        assert truths[0] != truths[1]
        for other in MASTERS:
            seals = Seals(other, played.book.g)
            opened = [seals.seal(TRUTH, body["seq"], each) for each in truths]
            assert (body["sealed"][TRUTH] in opened) == (other == master)
    for master in MASTERS:
        first, second = (bodies[master, colour] for colour in COLOURS)
        assert first["sealed"].keys() == second["sealed"].keys()
        assert first["sealed"] != second["sealed"]
        assert first | SALTED == second | SALTED


SALTED: dict[str, Any] = {"sealed": {}, "cause": {}, "prev": ""}
"""What of a hashed event is made with the master."""
