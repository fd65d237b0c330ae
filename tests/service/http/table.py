"""A table at which tests play: thin helpers over the HTTP API, no knowledge of the rules."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Any

import httpx
from litestar.testing import TestClient

from service.openapi.document import document_for
from tests.support.contract import Contract
from tests.support.pennant import GAME

PATIENCE = 800
"""Orders after which players who play by chance are tired of it."""


@dataclass
class Match:
    """A game with the tokens of its seats."""

    id: str
    tokens: dict[str, str]
    organiser: str
    created: httpx.Response

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"


class Table:
    """A client whose every answer is held against the document."""

    def __init__(self, client: TestClient[Any], contract: Contract) -> None:
        self.client = client
        self.contract = contract

    @classmethod
    def at(cls, client: httpx.Client) -> Table:
        """At a real server of Pennant, whose document is made here once: it is the same."""
        contract = Contract.of(document_for({"pennant": GAME}))
        return cls(client, contract)  # type: ignore[arg-type]

    def ask(
        self, method: str, path: str, token: str = "", headers: dict[str, str] | None = None,
        **more: Any,
    ) -> httpx.Response:  # fmt: skip
        """One request; ``headers`` go as they are."""
        fields = dict(headers or {})
        if token:
            fields["Authorization"] = f"Bearer {token}"
        response = self.client.request(method, path, headers=fields, **more)
        self.contract.check(response)
        return response

    def get(self, path: str, token: str = "", **headers: str) -> httpx.Response:
        return self.ask("GET", path, token, _fields(headers))

    def plainly(self, path: str, token: str = "") -> httpx.Response:
        """The answer as it is, to be compared: in gzip its size hangs on random ids."""
        return self.get(path, token, Accept_Encoding="identity")

    def create(self, key: str = "", **body: Any) -> Match:
        """A game of Pennant, both seats kept unless the body says otherwise."""
        response = self.post("/v1/games", {"ruleset": "pennant", **body}, key=key)
        assert response.status_code == 201, response.text
        made = response.json()
        tokens = {t["seat"]: t["token"] for t in made["tokens"]}
        return Match(made["game"]["id"], tokens, made["organiser"], response)

    def post(
        self, path: str, body: Any, token: str = "", *, key: str = "", version: int | None = None,
        **headers: str,
    ) -> httpx.Response:  # fmt: skip
        """A POST with a fresh idempotency key, and If-Match where a version is given."""
        fields = {"Idempotency-Key": key or str(uuid.uuid4()), **_fields(headers)}
        if version is not None:
            fields["If-Match"] = f'"{version}"'
        return self.ask("POST", path, token, fields, json=body)

    def command(
        self, match: Match, seat: str, body: Any, version: int | None = None, **more: Any
    ) -> httpx.Response:
        """A command at the version given, or at the present one."""
        if version is None:
            version = self.version(match)
        path = f"{match.path}/commands"
        return self.post(path, body, match.tokens[seat], version=version, **more)

    def version(self, match: Match) -> int:
        return int(self.get(match.path).json()["version"])

    def options(self, match: Match, seat: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"{match.path}/commands", match.tokens[seat]).json()
        return found

    def by_chance(
        self, match: Match, asked: list[dict[str, Any]], random: Random, given: int
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a seat that is asked is offered, and one item of it, in a battle of so many orders.

        By chance alone some battles never end: after a long one a draw is offered, and taken.
        """
        offer = self.options(match, random.choice(asked)["seat"])
        tired = offer["concessions"][:-1] if given >= PATIENCE else []
        return offer, random.choice(tired or offer["items"])

    def choose_colours(self, match: Match) -> None:
        """Through the secret part, so that p1 is to move."""
        for seat, colour in (("p1", "bold"), ("p2", "steady")):
            done = self.command(match, seat, {"type": "pennant.choose", "colour": colour})
            assert done.status_code == 200, done.text

    def play_out(self, match: Match) -> dict[str, Any]:
        """Take the first offer of whoever is asked, to the end; the finished game."""
        for _ in range(100):
            game: dict[str, Any] = self.get(match.path).json()
            if game["status"] == "finished":
                return game
            seat = game["toMove"][0]["seat"]
            offer = self.options(match, seat)
            done = self.command(match, seat, offer["items"][0]["command"], offer["version"])
            assert done.status_code == 200, done.text
        raise AssertionError("the game does not end")


def sunk(table: Table) -> tuple[Match, dict[str, Any]]:
    """A game in which a tender was lost, and that event."""
    match = table.create(seed="tenders", options={"turns": 400})
    for seat in ("p1", "p2"):
        table.command(match, seat, {"type": "pennant.choose", "colour": "steady"})
    return match, sink(table, match)


def sink(table: Table, match: Match) -> dict[str, Any]:
    """Fire at magazines until a tender is lost; that event."""
    for seat in cycle(("p1", "p2")):
        done = table.command(match, seat, {"type": "pennant.fire", "aim": "magazine"})
        assert done.status_code == 200, done.text
        for event in done.json()["events"]:
            if event["roles"] and event["roles"][0]["role"] == "lost":
                lost: dict[str, Any] = event
                return lost
    raise AssertionError("a cycle has no end")


def _fields(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def code(response: httpx.Response) -> str:
    """The code of a problem."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    body = response.json()
    assert body["status"] == response.status_code
    assert body["type"] == f"/problems/{body['code']}"
    return str(body["code"])
