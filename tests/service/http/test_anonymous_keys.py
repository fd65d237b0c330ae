"""Without a token the Idempotency-Key is itself the secret that opens the answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.http.table import Table, code

DRAWN = "9f86d081884c7d659a2feaa0c55ad015"
SEATS = [{"seat": "p1", "hold": "keep"}, {"seat": "p2", "hold": "open"}]


def create(table: Table, key: str, **more: Any) -> Any:
    headers = {"Idempotency-Key": key, **more}
    return table.client.post(
        "/v1/games", json={"ruleset": "pennant", "seats": SEATS}, headers=headers
    )


@pytest.mark.parametrize("key", ["my-first-key-0001", "quick-start-12345-12345-12345", DRAWN[:31]])
def test_a_key_that_could_be_another_strangers_opens_nothing(table: Table, key: str) -> None:
    refused = create(table, key)
    assert (refused.status_code, code(refused)) == (400, "idempotency.key-malformed")
    assert "openssl rand -hex 16" in refused.json()["hint"]


def test_a_key_that_was_drawn_gives_the_same_bytes_again(table: Table) -> None:
    first, again = create(table, DRAWN), create(table, DRAWN)
    assert first.status_code == 201
    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"


def test_an_open_seat_is_taken_under_such_a_key_too(table: Table) -> None:
    game = create(table, DRAWN).json()["game"]["id"]
    sent = {"Idempotency-Key": "taking-a-seat-0001-of-a-stranger"[:31]}
    taking: dict[str, Any] = {"json": {"seat": "p2"}, "headers": sent}
    assert (
        code(table.client.post(f"/v1/games/{game}/seats", **taking)) == "idempotency.key-malformed"
    )
    sent["Idempotency-Key"] = DRAWN
    taken = table.client.post(f"/v1/games/{game}/seats", **taking)
    assert taken.status_code == 201
    assert table.client.post(f"/v1/games/{game}/seats", **taking).content == taken.content


def test_beside_a_token_a_key_is_as_long(table: Table) -> None:
    """The document has one length for all: a stranger's fuzzer caught us taking less."""
    made = create(table, DRAWN).json()
    token = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
    where = f"/v1/games/{made['game']['id']}/forks"
    asked = [
        table.client.post(where, json={}, headers={**token, "Idempotency-Key": key})
        for key in (DRAWN[:31], DRAWN)
    ]
    assert [answer.status_code for answer in asked] == [400, 201]
