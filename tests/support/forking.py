"""Worlds that differ only in what a fork's maker must not learn (NWD-1 2.6, T-FORK-1)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest import mock

from litestar.testing import TestClient

from service.app import create_app
from service.clock import FixedClock
from service.http import refusals
from service.openapi.record import NOON
from service.settings import Settings
from tests.support.drawing import drawing
from tests.support.pennant import GAME

COLOURS = ("bold", "steady")
AIMS = ("hull", "magazine")
READS = ("events?limit=200", "view", "rolls", "luck", "evidence", "commands")
_TOKEN = re.compile(r"dl_[a-z]+_[0-9a-f]{16}_[A-Za-z0-9_-]{43}_[0-9a-f]{8}")


class Secret(NamedTuple):
    """What is hidden of a parent: the name of its dice's seed, and what p2 has chosen."""

    seed: str
    colour: str


class Plan(NamedTuple):
    """What is done with a fork: the same in both worlds.

    late  whether the parent's p2 chooses only after the fork was made
    """

    seed: str
    colours: tuple[str, str]
    aims: tuple[str, str]
    late: bool


class Pair(NamedTuple):
    """Two parents that look the same to p1: other dice, another secret, or both."""

    secrets: tuple[Secret, Secret]
    plan: Plan


def pair(number: int) -> Pair:
    """The pair of that number; every third differs by its dice only, every third by the secret."""
    chooser = Random(f"fork pair {number}")
    seeds = (f"one {number}", f"two {number}" if number % 3 else f"one {number}")
    first = chooser.choice(COLOURS)
    second = first if number % 3 == 1 else COLOURS[1 - COLOURS.index(first)]
    plan = Plan(
        seed=f"the fork's {chooser.randrange(10**6)}",
        colours=(chooser.choice(COLOURS), chooser.choice(COLOURS)),
        aims=(chooser.choice(AIMS), chooser.choice(AIMS)),
        late=chooser.random() < 0.2,
    )
    return Pair((Secret(seeds[0], first), Secret(seeds[1], second)), plan)


class World:
    """A service whose ids are counted, so that worlds differ by their secrets alone."""

    def __init__(self, client: TestClient[Any]) -> None:
        self._client = client
        self._keys = (f"key-of-the-worlds-{n:032}" for n in count())

    def _post(self, path: str, body: object, token: str = "", version: int = 0) -> Any:
        headers = {"Idempotency-Key": next(self._keys), "If-Match": f'"{version}"'}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = self._client.post(path, json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer

    def told(self, hidden: Secret, plan: Plan) -> list[bytes]:
        """All that p1's fork of a parent answers, with p2's choice hidden from p1."""
        answers: list[bytes] = []

        def post(path: str, body: object, token: str = "", version: int = 0) -> Any:
            answer = self._post(path, body, token, version)
            answers.append(_TOKEN.sub("token", answer.text).encode())
            return answer.json()

        def choose() -> None:
            body = {"type": "pennant.choose", "colour": hidden.colour}
            post(f"/v1/games/{game}/commands", body, tokens[1], 2)
            answers.pop()

        made = post("/v1/games", {"ruleset": "pennant", "seed": hidden.seed})
        game, tokens = made["game"]["id"], [each["token"] for each in made["tokens"]]
        if not plan.late:
            choose()
        answers.clear()
        fork = post(f"/v1/games/{game}/forks", {"seed": plan.seed}, tokens[0])
        if plan.late:
            choose()
        own = [each["token"] for each in fork["tokens"]]
        path, version = f"/v1/games/{fork['game']['id']}", fork["game"]["version"]
        for seat in (0, 1) if plan.late else (0,):  # what p2 has chosen is made up
            body = {"type": "pennant.choose", "colour": plan.colours[seat]}
            version = post(f"{path}/commands", body, own[seat], version)["version"]
        for seat in (0, 1):
            body = {"type": "pennant.fire", "aim": plan.aims[seat]}
            version = post(f"{path}/commands", body, own[seat], version)["version"]
        for part in (*READS, f"diff?with={game}"):
            answer = self._client.get(
                f"{path}/{part}", headers={"Authorization": f"Bearer {own[0]}"}
            )
            assert answer.status_code == 200, answer.text
            answers.append(answer.content)
        return answers


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """A world of its own, in a folder of its own. One at a time: ids are counted in the process."""
    numbers = count(1)

    def counted(size: int) -> bytes:
        """A number every four bytes: of what is drawn ahead no two parts are alike."""
        words = (next(numbers).to_bytes(4, "big") for _ in range(-(-size // 4)))
        return b"".join(words)[:size]

    settings = Settings(
        database=folder / "world.sqlite", rate_limit=0, chain_length=64, log_level="ERROR"
    )
    # A busy machine is no difference.
    patient = mock.patch.multiple(refusals, DEADLINE=600, PATIENCE=600)
    with mock.patch.object(secrets, "token_bytes", drawing(counted)), patient:
        app = create_app(settings, {"pennant": GAME}, FixedClock(NOON))
        with TestClient(app) as client:
            yield World(client)
