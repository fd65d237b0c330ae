"""Plays any ruleset over HTTP by taking what is offered, for tests of what that leaves behind."""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass
class Played:
    """A game, and what its players were told that nobody else may know.

    done  acknowledged commands: id and the version after each
    """

    id: str
    tokens: dict[str, str]
    organiser: str
    done: dict[str, int] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def create(client: httpx.Client, ruleset: str, **more: Any) -> Played:
    """A game with both seats kept."""
    made = client.post("/v1/games", json={"ruleset": ruleset, **more}, headers=key())
    assert made.status_code == 201, made.text
    told = made.json()
    tokens = {one["seat"]: one["token"] for one in told["tokens"]}
    return Played(told["game"]["id"], tokens, told["organiser"])


def play(client: httpx.Client, game: Played, commands: int, seed: str = "") -> bool:
    """So many commands, each one of those that are offered; whether the game ended before."""
    dice = random.Random(seed or game.id)
    for _ in range(commands):
        now = client.get(game.path).json()
        if now["status"] == "finished":
            return True
        seat = now["toMove"][0]["seat"]
        mine = bearer(game.tokens[seat])
        offer = client.get(f"{game.path}/commands", headers=mine).json()
        body = dice.choice(offer["items"])["command"]
        fields = {**mine, **key(), "If-Match": f'"{offer["version"]}"'}
        answer = client.post(f"{game.path}/commands", json=body, headers=fields)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        game.done[told["command"]] = told["version"]
    return False
