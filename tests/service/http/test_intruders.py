"""Malformed tokens, properties that belong elsewhere, hostile requests: refused, and nothing told.

``python -m tests.campaigns.intruders`` does the same ten thousand times.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from service.errors import StoreUnavailable
from service.http.registry import operations
from service.settings import Settings
from tests.campaigns.intruders import main as campaign
from tests.service.http.table import Table, code
from tests.support.intruder import INTERNALS, attack, check_silent, check_token, malformed

pytestmark = pytest.mark.slow("strangers")

TOKENS = 300
REQUESTS = 300
CLOSED = {
    "PennantNewGame": ("/v1/games", {"ruleset": "pennant"}),
    "TakeSeat": ("/v1/games/{game}/seats", {"seat": "p9"}),
    "NewWebhook": ("/v1/games/{game}/webhooks", {"url": "https://127.0.0.1/"}),
    "NewAgreement": ("/v1/games/{game}/rules", {"digest": "0" * 64}),
    "NewTakeback": ("/v1/games/{game}/takebacks", {"command": "c_" + "0" * 16}),
    "NewKey": ("/v1/games/{game}/keys", {"public": "00" * 32, "signature": "00" * 64}),
    "NewLinks": ("/v1/games/{game}/links", {"upto": 1, "link": "00" * 32}),
    "ForkWish": ("/v1/games/{game}/forks", {"at": 1}),
    "OddsAsked": ("/v1/odds", {}),
    "SeatWish": ("/v1/games", {"ruleset": "pennant", "seats": [{"seat": "p1"}]}),
    "PennantFire": ("/v1/games/{game}/commands/check", {"type": "pennant.fire", "aim": "hull"}),
}
"""Every schema of a request, by what carries it."""


def test_tokens_that_are_none_are_refused_alike(table: Table) -> None:
    match = table.create()
    problems = [check_token(table, match, seed) for seed in range(TOKENS)]
    assert len({json.dumps(problem, sort_keys=True) for problem in problems}) == 1
    tried = {malformed(seed, match.tokens["p1"]) for seed in range(TOKENS)}
    assert len(tried) > TOKENS * 2 // 3
    assert match.tokens["p1"] not in tried
    assert table.get(match.path, match.tokens["p1"]).status_code == 200


def test_hostile_requests_learn_nothing(table: Table) -> None:
    match = table.create()
    kept = tuple(each for each in operations() if each.id != "revokeToken")
    statuses = [attack(table, match, kept, seed) for seed in range(REQUESTS)]
    assert sum(status >= 400 for status in statuses) > REQUESTS // 2
    assert 500 not in statuses
    assert len(set(statuses)) > 6


def properties(document: dict[str, Any]) -> Iterator[str]:
    """Every name of a property of any schema."""
    names: set[str] = set()
    for schema in document["components"]["schemas"].values():
        names |= set(schema.get("properties", ()))
    yield from sorted(names)


def requests(document: dict[str, Any]) -> set[str]:
    """Every closed schema: those that requests are made of."""
    schemas = document["components"]["schemas"]
    return {name for name, each in schemas.items() if each.get("additionalProperties") is False}


def branches(schemas: dict[str, Any], name: str) -> Iterator[str]:
    """A schema, or those that a union is of."""
    for each in schemas[name].get("oneOf", [{"$ref": name}]):
        yield each["$ref"].rpartition("/")[2]


@pytest.mark.parametrize("name", CLOSED)
def test_no_property_of_another_schema_is_taken(table: Table, name: str) -> None:
    document = table.contract.document
    match = table.create()
    path, body = CLOSED[name]
    path = path.format(game=match.id)
    own = set(document["components"]["schemas"][name]["properties"])
    plain = table.post(path, body, match.tokens["p1"], version=1)
    assert plain.status_code == 201 or code(plain) != "body.invalid"
    tried = 0
    for extra in properties(dict(document)):
        if extra in own:
            continue
        tried += 1
        spoilt: dict[str, Any] = json.loads(json.dumps(body))
        inner = spoilt["seats"][0] if name == "SeatWish" else spoilt
        inner[extra] = True
        answer = table.post(path, spoilt, match.tokens["p1"], version=1)
        assert code(answer) == "body.invalid", (extra, answer.text)
        assert extra in answer.text
    assert tried > 100


def test_every_closed_schema_is_tried_or_is_inside_one_that_is(table: Table) -> None:
    """A new request body needs a row in ``CLOSED``."""
    schemas = table.contract.document["components"]["schemas"]
    bodies = {
        form["schema"]["$ref"].rpartition("/")[2]
        for item in table.contract.document["paths"].values()
        for operation in item.values()
        for form in operation.get("requestBody", {}).get("content", {}).values()
    }
    parts = {part for name in bodies - {"Command"} for part in branches(schemas, name)}
    assert parts - {"CustomContent"} <= set(CLOSED)
    assert set(CLOSED) <= requests(dict(table.contract.document))
    assert schemas["CustomContent"]["additionalProperties"] is True, "judged by its kind's schema"


def test_a_store_that_fails_is_told_without_its_inside(table: Table, settings: Settings) -> None:
    match = table.create()
    connection = sqlite3.connect(settings.database)
    connection.execute("ALTER TABLE games RENAME TO elsewhere")
    connection.commit()
    connection.close()
    for path in ("/v1/games", match.path, f"{match.path}/view", f"{match.path}/evidence"):
        answer = table.get(path)
        check_silent(answer)
    assert code(table.get("/v1/games")) == StoreUnavailable.CODE


def test_a_fault_of_ours_is_told_without_its_inside(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("SELECT secret FROM tokens in /usr/lib/decklog.py")

    desk = table.client.app.state.http.desk
    monkeypatch.setattr(desk.reader, "lobby", fails)
    answer = table.get("/v1/games")
    assert (answer.status_code, code(answer)) == (500, "internal.error")
    check_silent(answer)


@pytest.mark.parametrize(
    "said",
    [
        'Traceback (most recent call last):\n File "x", line 3', "no such table: games",
        "relation stored_events does not exist", "/usr/lib/python3.11/site.py",
        "SELECT summary FROM games", "<Desk object at 0x7f00>", "sqlite3.OperationalError",
        "connection to PostgreSQL failed", "ValueError: bad",
    ],
)  # fmt: skip
def test_the_scan_finds_what_it_looks_for(said: str) -> None:
    assert INTERNALS.search(said)


def test_the_campaign_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign(["--tokens", "5", "--requests", "20"]) == 0
    assert "20 of 20 requests" in capsys.readouterr().err
