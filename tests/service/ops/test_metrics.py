"""Counters: what they count, and that they tell nothing of one game."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.desk import Desk
from service.ops.metrics import Metrics
from tests.service.http.table import Table
from tests.service.ops.play import Played, bearer, create, key, play
from tests.support.server import Running, running

Found = dict[str, list[tuple[dict[str, str], float]]]


def scraped(text: str) -> Found:
    """Samples by name, with their labels, as Prometheus' own parser reads them."""
    found: Found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((dict(sample.labels), sample.value))
    return found


def total(found: Found, name: str, **labels: str) -> float:
    samples = found.get(name, [])
    return sum(value for have, value in samples if labels.items() <= have.items())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("metrics"), "both", chain_length=256) as server:
        yield server


def test_what_happens_is_counted_and_nothing_names_a_game(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        before = scraped(client.get("/metrics").text)
        game = create(client, "pennant", options={"turns": 12})
        play(client, game, 10)
        batches = client.get(game.path).json()["nextBatch"] - 1
        text = client.get("/metrics").text
    after = scraped(text)

    def more(name: str, **labels: str) -> float:
        return total(after, name, **labels) - total(before, name, **labels)

    route = "/v1/games/{game}/commands"
    assert more("decklog_commands_total") == len(game.done)
    assert more("decklog_requests_total", method="POST", route=route) == len(game.done)
    assert more("decklog_request_seconds_count", method="POST", route=route) == len(game.done)
    assert more("decklog_request_seconds_bucket", method="POST", route=route, le="+Inf") == len(
        game.done
    )
    assert more("decklog_engine_group_size_sum") == len(game.done) + 1, "one more: its creation"
    assert 1 <= more("decklog_store_commit_seconds_count") <= len(game.done) + 1
    assert more("decklog_dice_batches_total") == batches > 0
    assert total(after, "decklog_works") == len(after["decklog_works"]) == 4
    assert total(after, "decklog_engine_queue") == 0
    projections = {labels["projection"] for labels, _ in after["decklog_projection_lag_events"]}
    assert {"lobby", "results"} <= projections
    assert total(after, "process_resident_memory_bytes") > 1e6
    values = {v for samples in after.values() for labels, _ in samples for v in labels.values()}
    names = {game.id, *game.tokens, *game.tokens.values(), game.organiser, "pennant"}
    assert not names & values
    assert not [name for name in names if len(name) > 10 and name in text]


def test_labels_are_few_whatever_clients_send(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        for number in range(40):
            client.get(f"/nowhere/{number}")
            client.get(f"/v1/games/{number:032x}")
            client.request("PURGE", f"/v1/{number}")
        found = scraped(client.get("/metrics").text)
    labels = [labels for labels, _ in found["decklog_requests_total"]]
    assert {each["method"] for each in labels} <= {"GET", "POST", "OTHER"}
    assert len([each for each in labels if each["route"] == "unmatched"]) <= 4
    assert total(found, "decklog_requests_total", route="/v1/games/{game}", status="404") == 40


def test_streams_are_counted_while_they_are_open_and_their_lag_is_measured(
    server: Running,
) -> None:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        game = create(client, "pennant")
        count = scraped(client.get("/metrics").text)
        opened, done = threading.Event(), threading.Event()

        def follow() -> None:
            accept = {"Accept": "application/x-ndjson"}
            with httpx.stream(
                "GET", f"{server.url}{game.path}/events", headers=accept, timeout=30
            ) as stream:
                for line in stream.iter_lines():
                    opened.set()
                    if line and json.loads(line)["seq"] > 1 and done.is_set():
                        return

        follower = threading.Thread(target=follow)
        follower.start()
        assert opened.wait(20)
        now = scraped(client.get("/metrics").text)
        assert total(now, "decklog_streams") == total(count, "decklog_streams") + 1
        done.set()
        play(client, game, 3)
        follower.join(20)
        assert not follower.is_alive()
        _until(client, "decklog_streams", total(count, "decklog_streams"))
        now = scraped(client.get("/metrics").text)
    name = "decklog_stream_lag_seconds_count"
    assert total(now, name) > total(count, name)


def _until(client: httpx.Client, name: str, value: float) -> None:
    until = time.monotonic() + 10
    while total(scraped(client.get("/metrics").text), name) != value:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_part_that_fails_is_zero(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_: Desk) -> dict[str, bool]:
        return {"engine": True, "store": True, "writable": False}

    monkeypatch.setattr(Desk, "ready", full)
    found = scraped(table.get("/metrics").text)
    assert total(found, "decklog_works", part="writable") == 0
    assert total(found, "decklog_works", part="engine") == 1


def test_others_can_be_read_along() -> None:
    metrics = Metrics()
    waiting = {"x": 3.0}
    metrics.reading("decklog_redis_up", "Whether Redis answers.", lambda: 1.0)
    metrics.readings("decklog_waiting", "What waits.", "what", lambda: waiting)
    waiting["deliveries"] = 5.0
    found: Any = scraped(metrics.text().decode())
    assert found["decklog_redis_up"] == [({}, 1.0)]
    assert found["decklog_waiting"] == [({"what": "deliveries"}, 5.0), ({"what": "x"}, 3.0)]


def test_two_services_in_one_process_count_apart(tmp_path: Path) -> None:
    one, two = Metrics(), Metrics()
    one.commands.inc()
    assert total(scraped(one.text().decode()), "decklog_commands_total") == 1
    assert total(scraped(two.text().decode()), "decklog_commands_total") == 0


def give(client: httpx.Client, game: Played, colour: str) -> str:
    """p1 chooses; the code with which that is refused."""
    version = client.get(game.path).json()["version"]
    fields = {**bearer(game.tokens["p1"]), **key(), "If-Match": f'"{version}"'}
    body = {"type": "pennant.choose", "colour": colour}
    answer = client.post(f"{game.path}/commands", json=body, headers=fields)
    return str(answer.json().get("code", ""))


def spoil(database: Path, game: str) -> None:
    """Somebody writes into the first event of a game."""
    with closing(sqlite3.connect(database)) as connection, connection:
        done = connection.execute(
            "UPDATE stored_events SET state = "
            "CAST(replace(CAST(state AS TEXT), 'pennant', 'pendant') AS BLOB) "
            "WHERE originator_id = ? AND originator_version = 1",
            (game,),
        )
        assert done.rowcount == 1


def test_a_game_that_is_frozen_is_counted(tmp_path: Path) -> None:
    """By rules that come to no end, or by a record that is not as it was written."""
    with (
        running(tmp_path, "stuck", chain_length=64, work_processes=0, cached_games=1) as server,
        httpx.Client(base_url=server.url, timeout=30) as client,
    ):
        frozen = "decklog_games_frozen"
        assert scraped(client.get("/metrics").text)[frozen] == [
            ({"why": "record"}, 0.0),
            ({"why": "rules"}, 0.0),
        ]
        game = create(client, "pennant", options={"turns": 12})
        assert give(client, game, "steady") == "game.damaged"
        found = scraped(client.get("/metrics").text)
        assert total(found, frozen, why="rules") == 1
        other, _ = (create(client, "pennant", options={"turns": 12}) for _ in range(2))
        spoil(server.database, other.id)
        assert give(client, other, "bold") == "game.damaged"
        found = scraped(client.get("/metrics").text)
        assert (total(found, frozen, why="record"), total(found, frozen, why="rules")) == (1, 1)
        assert game.id not in client.get("/metrics").text
