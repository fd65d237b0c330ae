"""A seat that follows its game is brought what it may do: it plays to the end and reads no list."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service.http.table import Match, Table
from tests.support.server import Running, running

SSE = {"Accept": "text/event-stream"}
SHORT: dict[str, Any] = {
    "ruleset": "crimson-tide",
    "options": {"turns": 1, "points": 60},
    "seed": "brought",
}
MOST_READS = 9
"""Of a whole game of two seats, creation and both streams included (issue 30: under ten)."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("offers")
    with running(folder, chain_length=512, log_level="WARNING") as server:
        yield server


@pytest.fixture
def table(server: Running) -> Iterator[Table]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield Table.at(client)


def brought(table: Table, match: Match, seat: str, heard: queue.Queue[Any]) -> threading.Thread:
    """A thread that hears what a seat may do, until the game is over."""
    headers = {**SSE, "Authorization": f"Bearer {match.tokens[seat]}"}
    path = f"{match.path}/events?offers=true&after={table.version(match)}"

    def listen() -> None:
        with table.client.stream("GET", path, headers=headers, timeout=60) as stream:
            kind = ""
            for line in stream.iter_lines():
                name, _, value = line.partition(": ")
                kind = value if name == "event" else kind
                if name == "data" and kind == "offers":
                    heard.put((seat, json.loads(value)))
        heard.put((seat, None))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    return listener


def test_a_game_is_played_to_its_end_and_no_list_is_read(table: Table) -> None:
    match = table.create(**SHORT)
    asked: list[httpx.Request] = []
    table.client.event_hooks["response"].append(lambda answer: asked.append(answer.request))
    heard: queue.Queue[Any] = queue.Queue()
    listeners = [brought(table, match, seat, heard) for seat in ("p1", "p2")]
    commands, over = 0, 0
    last: dict[str, Any] = {}
    while over < len(listeners):
        seat, offer = heard.get(timeout=60)
        if offer is None:
            over += 1
            continue
        assert offer["seat"] == seat
        assert offer["items"]
        done = table.command(match, seat, offer["items"][0]["command"], offer["version"])
        # Seats that act at the same time overtake each other: the next offers come by themselves.
        commands += done.status_code == 200
        assert done.status_code in (200, 412), done.text
        last = done.json().get("standing", last)
    reads = [each for each in asked if each.method == "GET"]
    assert not [each for each in reads if each.url.path.endswith("/commands")]
    assert len(reads) <= MOST_READS
    assert commands > 20
    assert last["status"] == "finished"


def test_what_is_brought_is_the_list_and_comes_to_its_seat_alone(table: Table) -> None:
    match = table.create(**SHORT)
    listed = table.options(match, "p1")
    query = f"{match.path}/events?offers=true&follow=false"
    own = table.ask("GET", query, match.tokens["p1"], SSE).text
    (told,) = [each for each in own.split("\n\n") if each.startswith("event: offers")]
    assert json.loads(told.partition("data: ")[2])["items"] == listed["items"]
    assert "event: offers" not in table.ask("GET", query, "", SSE).text
    without = table.ask("GET", f"{match.path}/events?follow=false", match.tokens["p1"], SSE).text
    assert "event: offers" not in without
