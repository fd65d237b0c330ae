"""Webhooks as a resource: who may have them, whose they are, how many, and that they are secret."""

from __future__ import annotations

from typing import Any

import pytest

from service.webhooks.keeper import MOST
from tests.service.http.table import Match, code
from tests.service.webhooks.conftest import House


def ways(house: House, match: Match, made: Any) -> list[tuple[str, str]]:
    """Every way to get at a webhook."""
    one = house.path(made)
    return [
        ("GET", one),
        ("DELETE", one),
        ("POST", f"{one}/secret"),
        ("POST", f"{one}/test"),
        ("GET", f"{one}/deliveries"),
        ("POST", f"{one}/deliveries/{'0' * 32}/repeat"),
    ]


def test_it_is_made_shown_listed_and_deleted(house: House) -> None:
    match = house.table.create()
    made = house.hook(match, types=[])
    assert made.status_code == 201
    shown = made.json()["webhook"]
    assert (shown["game"], shown["seat"], shown["state"]) == (match.id, "p1", "active")
    assert shown["types"] == ["your-turn", "game-over"]
    assert made.json()["secret"].startswith("whsec_")
    token = match.tokens["p1"]
    assert house.table.get(house.path(made), token).json() == shown
    second = house.hook(match, types=["game-over"]).json()["webhook"]
    listed = house.table.get(f"{match.path}/webhooks", token)
    assert listed.json() == {"items": [shown, second]}
    assert made.json()["secret"] not in listed.text
    house.test(match, made)
    assert house.table.ask("DELETE", house.path(made), token).status_code == 204
    assert code(house.table.get(house.path(made), token)) == "resource.not-found"
    recorder = house.desk.store.recorder
    left = "SELECT count(*) FROM deliveries WHERE webhook = ?"
    assert recorder.query(left, (shown["id"],)) == [(0,)]


def test_it_is_its_owners_alone(house: House) -> None:
    match, other = house.table.create(), house.table.create()
    for owner, strangers in (("p1", ("p2", "")), ("", ("p1", "p2"))):
        made = house.hook(match, owner)
        for method, path in ways(house, match, made):
            headers = {"Idempotency-Key": "somebody-elses-key-9f86d081884c7d65"}
            for who in strangers:
                answer = house.table.ask(method, path, house.token(match, who), headers)
                assert code(answer) == "resource.not-found", (owner, who, path)
            foreign = house.table.ask(method, path, other.tokens["p1"], headers)
            assert code(foreign) == "token.wrong-game"
            assert code(house.table.ask(method, path, "", headers)) == "token.missing"
    assert len(house.table.get(f"{match.path}/webhooks", match.tokens["p1"]).json()["items"]) == 1


def test_a_repeated_request_makes_one(house: House) -> None:
    match = house.table.create()
    body = {"url": house.receiver.url()}
    path, token, key = (
        f"{match.path}/webhooks",
        match.tokens["p1"],
        "webhook-9f86d081884c7d659a2feaa0",
    )
    first = house.table.post(path, body, token, key=key)
    again = house.table.post(path, body, token, key=key)
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    other = house.table.post(path, {**body, "types": ["game-over"]}, token, key=key)
    assert code(other) == "idempotency.key-reused"
    assert len(house.table.get(path, token).json()["items"]) == 1
    made = house.path(first)
    one, two = (
        house.act(match, f"{made}/secret", key="once-9f86d081884c7d659a2feaa0c55a")
        for _ in range(2)
    )
    assert one.json() == two.json()


def test_there_are_only_so_many(house: House) -> None:
    match = house.table.create()
    made = [house.hook(match) for _ in range(MOST)]
    assert {answer.status_code for answer in made} == {201}
    assert code(house.hook(match)) == "webhook.too-many"
    assert house.hook(match, "p2").status_code == 201
    house.table.ask("DELETE", house.path(made[0]), match.tokens["p1"])
    assert house.hook(match).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        {"url": "http://127.0.0.1:1/", "types": ["test"]},
        {"url": "http://127.0.0.1:1/", "secret": "whsec_mine"},
        {"url": ""},
        {},
        {"url": 7},
    ],
)
def test_a_body_that_does_not_fit_is_refused(house: House, body: dict[str, Any]) -> None:
    match = house.table.create()
    answer = house.table.post(f"{match.path}/webhooks", body, match.tokens["p1"])
    assert code(answer) == "body.invalid"


def test_it_ends_with_its_token(house: House) -> None:
    match = house.table.create()
    gone, stays = house.hook(match), house.hook(match, "p2")
    assert house.table.ask("DELETE", "/v1/token", match.tokens["p1"]).status_code == 204
    house.test(match, stays, "p2")
    house.settled(match, stays, "p2")
    recorder = house.desk.store.recorder
    id_ = gone.json()["webhook"]["id"]
    sql = (
        "INSERT INTO deliveries (delivery, webhook, message, type, seq, body, made, state, tries, "
        "due, taken) SELECT 'left', ?, 'msg', type, seq, body, made, 'waiting', 0, made, '' "
        "FROM deliveries LIMIT 1"
    )
    recorder.put((), [(sql, (id_,))])
    house.test(match, stays, "p2")
    house.until(lambda: len(house.receiver.letters) == 2)
    assert {letter.path for letter in house.receiver.letters} == {"/p2"}


def test_an_address_that_is_not_public_is_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.desk.webhooks, "_private", False)
    match = house.table.create()
    for url in (house.receiver.url(), "https://127.0.0.1/", "https://[::1]/", "file:///etc/passwd"):
        answer = house.hook(match, url=url)
        assert code(answer) == "webhook.target-forbidden"
        assert answer.json()["errors"][0]["pointer"] == "/url"
        assert "127.0.0.1" not in answer.text
    assert house.table.get(f"{match.path}/webhooks", match.tokens["p1"]).json()["items"] == []


def test_the_log_comes_in_pages(house: House) -> None:
    match = house.table.create()
    made = house.hook(match)
    sent = [house.test(match, made)["id"] for _ in range(5)]
    found: list[str] = []
    path = f"{house.path(made)}/deliveries?limit=2"
    while path:
        page = house.table.get(path, match.tokens["p1"])
        found += [delivery["id"] for delivery in page.json()["items"]]
        path = page.headers.get("link", "").partition(">")[0].lstrip("<")
    assert found == sent[::-1]


def test_the_operator_sees_what_waits_and_what_lags(house: House) -> None:
    house.receiver.behave(500)
    match = house.table.create()
    made = house.hook(match)
    house.test(match, made)
    house.tried(match, made, 1)

    def scraped() -> str:
        return house.table.get("/metrics").text

    house.until(lambda: "decklog_webhook_deliveries_waiting 1.0" in scraped())
    house.until(lambda: 'decklog_projection_lag_events{projection="results"} 0.0' in scraped())
    house.receiver.behave(204)
    house.clock.move(seconds=6)
    house.settled(match, made)
    house.until(lambda: "decklog_webhook_deliveries_waiting 0.0" in scraped())
