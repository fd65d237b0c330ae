"""What is kept is bounded by the hour: games, forks, documents, webhooks; no quota is minted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.http.limits import HOUR, MAKING, VISITORS
from service.http.registry import operations
from service.settings import Settings
from tests.support.pennant import GAME

MOST = 3


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def client(tmp_path: Path, now: list[float]) -> Iterator[Any]:
    settings = Settings(
        database=tmp_path / "making.sqlite", creation_limit=MOST, chain_length=64,
        log_level="WARNING",
    )  # fmt: skip
    app = create_app(settings, {"pennant": GAME})
    for buckets in (app.state.http.limits.made, app.state.http.limits.made_behind):
        buckets._clock = lambda: now[0]
    with TestClient(app) as client:
        yield client


def create(client: Any, number: int, **headers: str) -> Any:
    sent = {"Idempotency-Key": f"{number:032x}", **headers}
    return client.post("/v1/games", json={"ruleset": "pennant"}, headers=sent)


def fork(client: Any, game: Any, number: int, token: str) -> Any:
    sent = {"Idempotency-Key": f"{number:032x}", "Authorization": f"Bearer {token}"}
    return client.post(f"/v1/games/{game['game']['id']}/forks", json={}, headers=sent)


def test_so_many_games_an_hour_and_then_one_as_soon_as_there_is_room(
    client: Any, now: list[float]
) -> None:
    assert [create(client, n).status_code for n in range(MOST)] == [201] * MOST
    refused = create(client, MOST)
    assert refused.json()["code"] == "rate.exceeded"
    assert "3 games" in refused.json()["detail"]
    wait = int(refused.headers["Retry-After"])
    assert wait == pytest.approx(HOUR / MOST, abs=2)
    assert client.get("/v1/games").status_code == 200, "nothing else is refused"
    now[0] = wait
    assert create(client, MOST).status_code == 201


def test_a_new_game_brings_tokens_but_no_room_of_its_own(client: Any) -> None:
    """What a token makes is counted for the address that it comes from, too."""
    game = create(client, 0).json()
    limits = client.app.state.http.limits
    (address,) = limits.made_behind._levels
    for _ in range(MOST * VISITORS - 1 - len(game["tokens"])):
        limits.made_behind.take(address)  # as others behind the same address would
    tokens = [each["token"] for each in game["tokens"]]
    assert [fork(client, game, 1, token).status_code for token in tokens] == [201, 201]
    refused = fork(client, game, 2, tokens[0])
    assert (refused.status_code, refused.json()["code"]) == (429, "rate.exceeded")


def test_a_token_has_its_own_share_of_what_its_address_may_make(client: Any) -> None:
    game = create(client, 0).json()
    token = game["tokens"][0]["token"]
    made = [fork(client, game, number, token).status_code for number in range(MOST + 1)]
    assert made == [*[201] * MOST, 429]


def test_every_operation_that_makes_something_is_counted() -> None:
    making = {each.id for each in operations() if each.id.startswith("create")}
    assert making == MAKING
