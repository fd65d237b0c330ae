"""Bots at work in processes: bounded, and nobody waits for them who gives an order."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.kernel.shown.bot import Item, Position
from service.app import create_app
from service.settings import Settings
from service.work.nursery import Nursery
from service.work.tasks import ChooseOrder
from tests.support.pennant import GAME

NEW = {"ruleset": "pennant", "seats": [{"seat": "p1"}, {"seat": "p2", "hold": "bot"}]}


class Thinker:
    """A bot that never comes to an end."""

    judges: frozenset[str] = frozenset()

    def choose(self, position: Position) -> Item:
        while True:
            pass


def game(client: Any, number: int) -> tuple[str, dict[str, str]]:
    made = client.post("/v1/games", json=NEW, headers={"Idempotency-Key": f"{number:032x}"}).json()
    (token,) = made["tokens"]
    return f"/v1/games/{made['game']['id']}", {"Authorization": f"Bearer {token['token']}"}


def chosen(client: Any, where: str, mine: dict[str, str]) -> int:
    """p1 chooses its colour, whatever the bot is at."""
    version = client.get(where).json()["version"]
    sent = {**mine, "If-Match": f'"{version}"', "Idempotency-Key": "c" * 32}
    body = {"type": "pennant.choose", "colour": "bold"}
    code: int = client.post(f"{where}/commands", json=body, headers=sent).status_code
    return code


def asked(client: Any, where: str, seconds: float) -> list[str]:
    """Who is asked, when p2 is no more or the time is over."""
    end = time.monotonic() + seconds
    while True:
        seats = [each["seat"] for each in client.get(where).json()["toMove"]]
        if "p2" not in seats or time.monotonic() > end:
            return seats
        time.sleep(0.1)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_bot_plays_out_of_a_process(tmp_path: Path, processes: int) -> None:
    games: dict[str, Any] = {"pennant": GAME}
    nursery = Nursery.forked(games)
    assert nursery is not None
    told = Settings(
        database=tmp_path / "games.sqlite", rate_limit=0, chain_length=64, work_processes=processes
    )
    with TestClient(create_app(told, games, nursery=nursery)) as client:
        where, mine = game(client, 1)
        assert asked(client, where, 30) == ["p1"]
        assert chosen(client, where, mine) == 200
        assert client.app.state.http.desk.office._works._places[0].child is not None
    nursery.close()


def test_a_bot_that_never_ends_is_ended_and_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChooseOrder, "budget", 5.0)
    games: dict[str, Any] = {"pennant": replace(GAME, bots={"thinker": Thinker})}
    nursery = Nursery.forked(games)
    assert nursery is not None
    told = Settings(database=tmp_path / "games.sqlite", rate_limit=0, chain_length=64)
    with TestClient(create_app(told, games, nursery=nursery)) as client:
        where, mine = game(client, 1)
        time.sleep(0.7)  # it is thinking now
        assert client.get(f"{where}/commands", headers=mine).status_code == 200
        assert client.get(f"{where}/board.svg", headers=mine).status_code == 200
        assert asked(client, where, 0) == ["p1", "p2"], "it was still thinking all the while"
        assert asked(client, where, 60) == ["p1"], "the usual answer was given"
        assert chosen(client, where, mine) == 200
    nursery.close()
