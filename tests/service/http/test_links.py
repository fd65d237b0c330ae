"""Rule 8, asked of the service: every link of every answer is followed, and leads where it says."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.service.openapi.test_links import known
from tests.support.contract import Contract
from tests.support.pennant import GAME


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A service that sends webhooks nowhere."""
    settings = Settings(
        database=tmp_path / "links.sqlite", rate_limit=0, chain_length=64, log_level="ERROR",
        webhook_seconds=0, webhook_private=True,
    )  # fmt: skip
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


Made = tuple[httpx.Response, str]
"""An answer, and the token of whoever follows its links."""


def game(table: Table, _: Match) -> Made:
    match = table.create()
    return match.created, match.tokens["p1"]


def seat(table: Table, _: Match) -> Made:
    match = table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "open"}])
    taken = table.post(f"{match.path}/seats", {"seat": "p2"})
    return taken, taken.json()["token"]


def fork(table: Table, match: Match) -> Made:
    made = table.post(f"{match.path}/forks", {}, match.tokens["p1"])
    return made, made.json()["tokens"][0]["token"]


def custom(table: Table, _: Match) -> Made:
    body = {"name": "Regatta", "turns": 2}
    return table.post("/v1/rulesets/pennant/customs/scenario?listed=true", body), ""


def webhook(table: Table, match: Match) -> Made:
    token = match.tokens["p1"]
    body = {"url": "http://127.0.0.1:9/"}
    return table.post(f"{match.path}/webhooks", body, token), token


def message(table: Table, match: Match) -> Made:
    made, token = webhook(table, match)
    return table.post(f"{made.headers['location']}/test", None, token), token


def message_again(table: Table, match: Match) -> Made:
    sent, token = message(table, match)
    one = sent.request.url.path.removesuffix("/test")
    return table.post(f"{one}/deliveries/{sent.json()['id']}/repeat", None, token), token


MAKING: dict[str, Callable[[Table, Match], Made]] = {
    "createGame": game, "takeSeat": seat, "createFork": fork, "createCustom": custom,
    "createWebhook": webhook, "testWebhook": message, "repeatDelivery": message_again,
}  # fmt: skip


def value_at(document: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        document = document[step]
    return document


def resolved(table: Table, made: httpx.Response, source: str, link: dict[str, Any]) -> str:
    """The address that the link stands for, worked out from the document and the answer alone."""
    ids = known(table.contract.document)
    pattern = ids[source][1].split("/")
    path, query = ids[link["operationId"]][1], []
    for name, expression in link["parameters"].items():
        origin, _, pointer = expression.partition("#")
        if origin == "$response.body":
            value = value_at(made.json(), pointer)
        else:
            place = pattern.index("{" + origin.rpartition(".")[2] + "}")
            value = made.request.url.path.split("/")[place]
        if "{" + name + "}" in path:
            path = path.replace("{" + name + "}", value)
        else:
            query.append(f"{name}={value}")
    return "?".join(filter(None, (path, "&".join(query))))


@pytest.mark.parametrize("name", list(MAKING))
def test_every_link_of_an_answer_leads_where_it_says(table: Table, name: str) -> None:
    made, token = MAKING[name](table, table.create())
    assert made.status_code in (201, 202), made.text
    ids = known(table.contract.document)
    links = ids[name][2]["responses"][str(made.status_code)]["links"]
    shown = []
    # What deletes comes last.
    for link in sorted(links.values(), key=lambda each: ids[each["operationId"]][0] == "delete"):
        method, address = ids[link["operationId"]][0], resolved(table, made, name, link)
        answer = follow(table, method, address, token)
        assert answer.status_code < 300, (link["operationId"], answer.text)
        if method == "get":
            shown.append(address)
    assert made.headers.get("location", shown[0]) in shown


def follow(table: Table, method: str, address: str, token: str) -> httpx.Response:
    """A link followed; a command is one that is offered."""
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    if method == "post" and address.endswith("/commands"):
        offer = table.get(address, token)
        headers["If-Match"] = offer.headers["etag"]
        body = offer.json()["items"][0]["command"]
        return table.ask("POST", address, token, headers, json=body)
    return table.ask(method.upper(), address, token, headers if method == "post" else None)


def test_no_operation_with_links_is_left_out(table: Table) -> None:
    linked = {
        name
        for name, (_, _, operation) in known(table.contract.document).items()
        if any("links" in answer for answer in operation["responses"].values())
    }
    assert linked == set(MAKING)
