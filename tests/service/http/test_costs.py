"""What a request has cost is charged to who asked: to his token, and to his address."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.http.limits import COST, STEP, VISITORS
from service.settings import Settings
from tests.support.pennant import GAME

QUOTA = 60


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    settings = Settings(database=tmp_path / "costs.sqlite", rate_limit=QUOTA, chain_length=64)
    app = create_app(settings, {"pennant": GAME})
    for buckets in (app.state.http.limits.requests, app.state.http.limits.behind):
        buckets._clock = lambda: 0.0
    with TestClient(app) as client:
        yield client


def left(answer: Any) -> int:
    return int(answer.headers["RateLimit"].partition("r=")[2].partition(";")[0])


ODDS = {"roll": {"pools": [{"count": 1, "worth": [0, 1]}]}}


def slow(client: Any, seconds: float) -> None:
    """From now on, every task has taken so long."""
    works = client.app.state.http.desk.office._works
    real = works.do

    async def do(task: bytes, budget: float, caller: str, spent: Any) -> bytes:
        made: bytes = await real(task, budget, caller, lambda _: spent(seconds))
        return made

    works.do = do


def test_who_asks_for_what_is_dear_may_ask_less(client: Any) -> None:
    slow(client, 10 * COST)
    assert left(client.post("/v1/odds", json=ODDS)) == QUOTA - 1
    assert left(client.get("/v1/games")) == QUOTA - 12
    slow(client, 100 * COST)
    assert client.post("/v1/odds", json=ODDS).status_code == 200
    refused = client.get("/v1/games")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) == 54, "what is owed is paid back first"


@pytest.mark.parametrize("asked", ["", "moments=true", "offers=true", "table=true", "t%61ble=true"])
def test_a_stream_costs_as_much_as_reading_what_it_tells(client: Any, asked: str) -> None:
    """One that tells events alone is free; with the table it took 36 ms of the processor each."""
    body = {"ruleset": "pennant"}
    made = client.post("/v1/games", json=body, headers={"Idempotency-Key": "0" * 32}).json()
    path = f"/v1/games/{made['game']['id']}/events?follow=false&after=1&{asked}"
    before = left(client.get("/v1/games"))
    for _ in range(3):
        assert client.get(path, headers={"Accept": "text/event-stream"}).status_code == 200
    dear = asked not in ("", "moments=true")
    assert left(client.get("/v1/games")) == before - 1 - 3 * dear


def test_what_is_left_tells_nobody_how_long_the_service_has_thought(client: Any) -> None:
    slow(client, 0.9 * STEP)
    assert left(client.post("/v1/odds", json=ODDS)) == QUOTA - 1
    assert left(client.get("/v1/games")) == QUOTA - 2


def test_tokens_of_one_address_share_what_it_may_have(client: Any) -> None:
    """Each new game brings tokens, each with a quota of its own: their address has one, too."""
    made = client.post(
        "/v1/games", json={"ruleset": "pennant"}, headers={"Idempotency-Key": "0" * 32}
    ).json()
    one, two = ({"Authorization": f"Bearer {each['token']}"} for each in made["tokens"])
    slow(client, 2 * QUOTA * VISITORS * COST)
    assert client.post("/v1/odds", json=ODDS, headers=one).status_code == 200
    assert client.get("/v1/games", headers=one).status_code == 429
    assert client.get("/v1/games", headers=two).status_code == 429, "it never asked for anything"
