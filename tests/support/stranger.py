"""A stranger at the service: plays by chance what the legal list offers, and knows no rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import httpx

from domain.kernel.commands import deed

Json = dict[str, Any]

SHORT: dict[str, Json] = {
    "crimson-tide": {"options": {"turns": 2, "points": 60}},
    "naval-battles": {"scenario": "standard"},
    "war-at-sea": {"scenario": "convoy"},
}
"""Wishes for games that do not take long, by ruleset."""

NOT_CHOSEN = ("resign",)
"""What ends a game too soon; given when nothing else is offered."""


class Stranger:
    """One game, both or all seats of it played through one client.

    ``told`` hears of every answer to a request that lists or gives a command. Raises AssertionError
    for an answer that a bot which posts only what is offered must never get (bar B4).
    """

    def __init__(
        self,
        client: httpx.Client,
        ruleset: str,
        seed: int,
        told: Callable[[httpx.Response], object] = lambda answer: None,
    ) -> None:
        self.client, self.told = client, told
        self.chance = random.Random(seed)
        self.commands = 0
        self._key = f"{ruleset}-{seed}-{id(self)}-{self.chance.random()}"
        wish = {"ruleset": ruleset, "seed": f"stranger-{seed}", **SHORT.get(ruleset, {})}
        made = self._post("/v1/games", wish, {})
        self.tokens = {each["seat"]: each["token"] for each in made["tokens"]}
        self.path = f"/v1/games/{made['game']['id']}"

    def play(self, most: int = 10_000) -> Json:
        """Play to the end, or ``most`` commands; the game as it stands then."""
        for _ in range(most):
            game = self._ok(self.client.get(self.path))
            if game["status"] == "finished":
                return game
            self.step(self.chance.choice(game["toMove"])["seat"])
        return self._ok(self.client.get(self.path))

    def step(self, seat: str) -> Json:
        """List what the seat may do, and do something of it."""
        me = {"Authorization": f"Bearer {self.tokens[seat]}"}
        listed = self.client.get(f"{self.path}/commands", headers=me)
        self.told(listed)
        offer = self._ok(listed)
        offers = [item["command"] for item in offer["items"]]
        items = [each for each in offers if deed(each["type"]) not in NOT_CHOSEN]
        command = self.chance.choice(items or offers)
        self.commands += 1
        return self._post(
            f"{self.path}/commands", command, {**me, "If-Match": listed.headers["etag"]}
        )

    def _post(self, path: str, body: Json, headers: dict[str, str]) -> Json:
        key = {"Idempotency-Key": f"{self._key}-{self.commands}"}
        answer = self.client.post(path, json=body, headers={**headers, **key})
        self.told(answer)
        return self._ok(answer)

    def _ok(self, answer: httpx.Response) -> Json:
        assert answer.status_code < 300, f"{answer.request.url}: {answer.text[:600]}"
        found: Json = answer.json()
        return found
