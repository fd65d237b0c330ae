"""Who follows a game is told whose turn it is: by the answer to a command and by the stream."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest

from tests.service.http.table import Match, Table
from tests.support.server import Running, running

SSE = {"Accept": "text/event-stream"}
FIELDS = ("version", "head", "status", "toMove", "due", "scores", "result")
CHOOSE = {"type": "pennant.choose", "colour": "bold"}


def both_choose(table: Table, match: Match) -> list[dict[str, Any]]:
    """Both seats choose, which opens the battle; how the game stood after each."""
    done = (table.command(match, seat, CHOOSE) for seat in ("p1", "p2"))
    return [each.json()["standing"] for each in done]


def played(table: Table, match: Match) -> dict[str, Any]:
    """How the game stands at its end, played by asking for nothing but what may be done."""
    now = standing(table, match)
    while now["toMove"]:
        seat = now["toMove"][0]["seat"]
        offer = table.options(match, seat)
        assert offer["version"] == now["version"]
        done = table.command(match, seat, offer["items"][0]["command"], now["version"])
        now = done.json()["standing"]
    return now


def standing(table: Table, match: Match) -> dict[str, Any]:
    """How the game stands, as the game itself says."""
    game = table.get(match.path).json()
    return {name: game[name] for name in FIELDS}


def test_the_answer_to_a_command_says_how_the_game_stands(table: Table) -> None:
    match = table.create()
    done = table.command(match, "p1", CHOOSE).json()
    assert done["standing"] == standing(table, match)
    assert [each["seat"] for each in done["standing"]["toMove"]] == ["p2"]


def test_the_last_command_says_how_it_ended(table: Table) -> None:
    match = table.create()
    last = played(table, match)
    assert last == standing(table, match)
    assert last["status"] == "finished"
    assert last["result"]


class Given(NamedTuple):
    """An order as it was given, and its answer."""

    seat: str
    command: dict[str, Any]
    version: int
    key: str
    answer: httpx.Response


def last_order(table: Table, match: Match) -> Given:
    """The order that ends the game, which is played by the first offer of whoever is asked."""
    while True:
        now = standing(table, match)
        seat = now["toMove"][0]["seat"]
        command, key = table.options(match, seat)["items"][0]["command"], uuid4().hex
        answer = table.command(match, seat, command, now["version"], key=key)
        if not answer.json()["standing"]["toMove"]:
            return Given(seat, command, now["version"], key, answer)


def test_the_answer_to_the_last_command_is_of_one_moment(table: Table) -> None:
    """Version, head, ETag and events ended with the result, `standing` with the opened master."""
    match = table.create()
    last = last_order(table, match)
    before, done = last.version, last.answer
    told, game = done.json(), table.get(match.path).json()
    assert game["status"] == "finished"
    assert told["standing"] == standing(table, match)
    assert (told["version"], told["head"]) == (game["version"], game["head"])
    assert done.headers["ETag"] == f'"{game["version"]}"'
    assert [each["seq"] for each in told["events"]] == [*range(before + 1, game["version"] + 1)]
    assert told["events"][-1]["hash"] == game["head"]
    assert told["events"][-1]["causedBy"] == "", "the record is closed by the service"
    again = table.command(match, last.seat, last.command, before, key=last.key)
    assert again.content == done.content


def test_who_follows_so_asks_for_nothing_but_what_may_be_done(table: Table) -> None:
    """One that asked after each command whose turn it is read the game, and the events, anew."""
    match = table.create()
    told: list[httpx.Request] = []
    table.client.event_hooks["response"].append(lambda answer: told.append(answer.request))
    played(table, match)
    commands = [each for each in told if each.method == "POST"]
    lists = [each for each in told if each not in commands and "/commands" in each.url.path]
    assert len(commands) > 4
    assert len(lists) == len(commands)
    assert len(told) - len(commands) - len(lists) == 1, "the game, once"


def test_a_repeated_command_says_how_it_stood_then(table: Table) -> None:
    match = table.create()
    first = table.command(match, "p1", CHOOSE, key="x" * 32)
    table.command(match, "p2", CHOOSE)
    again = table.command(match, "p1", CHOOSE, key="x" * 32, version=table.version(match))
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json() == first.json()
    assert again.json()["standing"] != standing(table, match)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("server")
    with running(folder, "pennant", chain_length=256) as server:
        yield server


@pytest.fixture
def live(server: Running) -> Iterator[Table]:
    with httpx.Client(base_url=server.url, timeout=20) as client:
        yield Table.at(client)


def test_a_stream_has_a_moment_wherever_it_has_caught_up(live: Table) -> None:
    match = live.create()
    path = f"{match.path}/events?moments=true&after={live.version(match)}"
    seen: list[tuple[str, dict[str, Any], bool]] = []
    ready = threading.Event()

    def listen() -> None:
        with live.client.stream("GET", path, headers=SSE, timeout=20) as stream:
            kind, numbered = "", False
            for line in stream.iter_lines():
                name, _, value = line.partition(": ")
                if name == "id":
                    numbered = True
                elif name == "event":
                    kind = value
                elif name == "data":
                    seen.append((kind, json.loads(value), numbered))
                    kind, numbered = "", False
                    ready.set()

    listener = threading.Thread(target=listen)
    listener.start()
    assert ready.wait(10), "the first moment comes at once: nothing has happened since"
    wanted = [standing(live, match)]
    wanted += both_choose(live, match)
    wanted.append(played(live, match))
    listener.join(10)
    assert not listener.is_alive()

    moments = [data for kind, data, _ in seen if kind == "moment"]
    # Two commands that were read together share the moment after the later one.
    assert moments[0] == wanted[0]
    assert moments[-1] == wanted[-1]
    assert len(moments) > len(wanted)
    assert sorted(each["version"] for each in moments) == [each["version"] for each in moments]
    before = 0
    for kind, data, numbered in seen:
        if kind == "moment":
            assert not numbered, "a stream is resumed after an event, never after a moment"
            assert data["version"] in (before, wanted[0]["version"])
        else:
            before = data["seq"]


def test_moments_come_only_where_they_are_asked_for(live: Table) -> None:
    match = live.create()
    live.play_out(match)
    plain = live.ask("GET", f"{match.path}/events", "", SSE).text
    asked = live.ask("GET", f"{match.path}/events?moments=true", "", SSE).text
    assert "event: moment" not in plain
    assert asked.startswith(plain)
    assert asked.removeprefix(plain).startswith("event: moment\ndata: {")
    for media in ("application/x-ndjson", "application/json"):
        said = live.ask("GET", f"{match.path}/events?moments=true", "", {"Accept": media})
        assert '"toMove"' not in said.text
