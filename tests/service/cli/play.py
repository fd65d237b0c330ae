"""A game of Pennant over HTTP, so that there is something to look at."""

from __future__ import annotations

import uuid
import weakref
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx


@dataclass
class Table:
    """A game on a server, with the tokens of its seats."""

    http: httpx.Client
    id: str
    tokens: dict[str, str]

    def summary(self) -> dict[str, Any]:
        return answer(self.http.get(f"/v1/games/{self.id}"))

    def play(self, commands: int, rng: Random) -> None:
        """So many commands, chosen at random; fewer if the game ends."""
        for _ in range(commands):
            asked = self.summary()["toMove"]
            if not asked:
                return
            self._step(asked[0]["seat"], rng)

    def _step(self, seat: str, rng: Random) -> None:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        offered = answer(self.http.get(f"/v1/games/{self.id}/commands", headers=headers))
        headers |= {"If-Match": f'"{offered["version"]}"', "Idempotency-Key": uuid.uuid4().hex}
        chosen = rng.choice(offered["items"])["command"]
        answer(self.http.post(f"/v1/games/{self.id}/commands", json=chosen, headers=headers))


def create(url: str, name: str = "", **new: Any) -> Table:
    """A new game in which every seat is kept."""
    http = httpx.Client(base_url=url)
    body = {"ruleset": "pennant", "name": name, **new}
    made = answer(http.post("/v1/games", json=body, headers={"Idempotency-Key": uuid.uuid4().hex}))
    tokens = {given["seat"]: given["token"] for given in made["tokens"]}
    table = Table(http, made["game"]["id"], tokens)
    weakref.finalize(table, http.close)
    return table


def answer(response: httpx.Response) -> dict[str, Any]:
    """The JSON of a good answer."""
    assert response.is_success, response.text
    body: dict[str, Any] = response.json()
    return body
