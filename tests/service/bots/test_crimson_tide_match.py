"""Crimson Tide over real connections: a whole battle, and nothing measured too early."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from projections.reports import report, served
from service.bots import Bot, DecklogClient, Move, RandomLegal, seated, steps
from service.bots.crimson_tide import Captain
from tests.support.server import Running, running

MEASURES = {"band", "seen", "sight", "blockers", "distance"}
"""What only a declaration may reveal."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("open-table"), "installed") as live:
        yield live


def shots(listed: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for item in listed["items"] if item["command"]["type"] == "crimson-tide.attack"]


def names(value: Any) -> Iterator[str]:
    """Every field name in a piece of JSON."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from names(each)


def test_a_whole_battle_and_no_measuring_before_a_declaration(server: Running) -> None:
    with DecklogClient(server.url) as host:
        created = host.create_game(
            ruleset="crimson-tide",
            edition="1",
            seed="open table",
            options={"turns": 3, "length": 30},
        )
        game, clients = created["game"]["id"], seated(created, host)
        bots: dict[str, Bot] = {"p1": Captain(), "p2": RandomLegal(4)}
        looked_at = 0
        for move in steps(clients, game, bots):
            looked_at += looked_at < 3 and _look(clients[move.seat], game, move)
        assert looked_at == 3
        assert host.summary(game)["status"] == "finished"
        events = list(host.events(game))
        lines = report(served(events))
        assert any("battle" in line for line in lines[-5:])
        measured = [e["data"]["shot"] for e in events if e["type"].endswith(".attack-measured")]
        assert measured
        assert all(shot["band"] and shot["dice"]["reasons"] for shot in measured)


def _look(client: DecklogClient, game: str, move: Move) -> bool:
    """What is listed and checked of the shots that are open now names no measure."""
    offered = shots(client.commands(game))
    if not offered:
        return False
    for item in offered[:5]:
        answer = client.check(game, item["command"])
        assert answer["legal"]
        assert not MEASURES & set(names([item, answer]))
        assert item.get("odds") is answer["item"].get("odds") is None
    return True
