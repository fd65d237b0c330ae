"""Two cells behind one proxy: one goes down and comes back, and nobody of the other one notices.

The proxy follows the shipped configuration, put together by the very command of its page.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.deploy.files import DEPLOY
from tests.service.ops.play import Played, create, play
from tests.support import postgres
from tests.support.proxy import proxy, read
from tests.support.redis import free_port
from tests.support.server import Running, start

pytestmark = pytest.mark.slow("drills")

CELLS = {"a.games.example": "worker-a1:8000", "b.games.example": "worker-b1:8000"}
A, B = CELLS
Front = Callable[[dict[str, str]], AbstractContextManager[str]]
"""A proxy before the cells, given where their servers are; its address."""

SCRIPT = re.compile(r"^sed .*?nginx\.conf$", re.M | re.S)


def configuration() -> str:
    """nginx.conf as it is for cells, with the file that it includes in its place."""
    (command,) = SCRIPT.findall((DEPLOY / "SCALING.md").read_text("utf-8"))
    made = subprocess.run(
        ["sh", "-c", command], cwd=DEPLOY, capture_output=True, text=True, check=True
    ).stdout
    cells = (DEPLOY / "cells.conf").read_text("utf-8")
    return made.replace("include /etc/nginx/cells.conf;", cells)


class Cells:
    """What runs: a worker of each cell, and the proxy in front of them."""

    def __init__(self, folder: Path, stores: dict[str, str]) -> None:
        self._folder = folder
        self._stores = stores
        self.ports = {host: free_port() for host in CELLS}
        self.running: dict[str, Running] = {}

    def up(self, host: str) -> None:
        settings: dict[str, Any] = {"store": self._stores[host], "key": postgres.KEY}
        self.running[host] = start(
            self._folder, "pennant", port=self.ports[host], chain_length=64, **settings
        )

    def down(self, host: str, *, killed: bool) -> None:
        worker = self.running.pop(host)
        worker.kill() if killed else worker.stop()

    def _all_down(self) -> None:
        for each in self.running.values():
            each.kill()

    @contextmanager
    def all_up(self, front: Front) -> Iterator[dict[str, httpx.Client]]:
        """A client for each cell's name, by way of a proxy."""
        places = {server: f"127.0.0.1:{self.ports[host]}" for host, server in CELLS.items()}
        with ExitStack() as stack:
            stack.callback(self._all_down)
            for host in CELLS:
                self.up(host)
            url = stack.enter_context(front(places))
            yield {
                host: stack.enter_context(
                    httpx.Client(base_url=url, headers={"Host": host}, timeout=60, verify=False)
                )
                for host in CELLS
            }


@contextmanager
def stores(servers: int) -> Iterator[dict[str, str]]:
    """A schema for each cell, on one PostgreSQL or each on its own."""
    with ExitStack() as stack:
        addresses = [stack.enter_context(postgres.running()) for _ in range(servers)]
        yield {
            host: postgres.place(addresses[number % servers], f"cell {host}")
            for number, host in enumerate(CELLS)
        }


def lobby(client: httpx.Client) -> list[str]:
    return [game["id"] for game in client.get("/v1/games").json()["items"]]


def down_and_back(folder: Path, servers: int, front: Front) -> None:
    """One cell is stopped, comes back, is killed, comes back; the other one plays on."""
    with stores(servers) as places:
        cells = Cells(folder, places)
        with cells.all_up(front) as clients:
            games: dict[str, Played] = {
                host: create(client, "pennant", options={"turns": 40})
                for host, client in clients.items()
            }
            for host, client in clients.items():
                play(client, games[host], 6)
                assert lobby(client) == [games[host].id]
            for killed in (False, True):
                cells.down(B, killed=killed)
                said = clients[B].get("/v1/games")
                assert (said.status_code, said.json()["code"]) == (503, "service.not-ready")
                assert said.headers["retry-after"] == "2"
                play(clients[A], games[A], 5)
                assert lobby(clients[A]) == [games[A].id]
                cells.up(B)
                found_again(clients[B])
                play(clients[B], games[B], 5)
                assert lobby(clients[B]) == [games[B].id]
            assert clients[A].get(games[B].path).status_code == 404
            for host, client in clients.items():
                events = client.get(f"{games[host].path}/events?limit=200").text
                assert events.count("pennant.") >= len(games[host].done) > 10


def found_again(client: httpx.Client) -> None:
    """A proxy that has just seen a server away tries it again after some seconds."""
    until = time.monotonic() + 60
    while client.get("/v1/games").status_code != 200:
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.parametrize("servers", [1, 2])
def test_one_goes_down_and_comes_back(tmp_path: Path, servers: int) -> None:
    down_and_back(tmp_path, servers, lambda places: proxy(read(configuration()), places))


def test_the_configuration_is_of_both_files() -> None:
    config = read(configuration())
    assert set(config.cells) == {*CELLS, "default"}
    assert {servers[0] for servers in config.servers.values()} == set(CELLS.values())
    with pytest.raises(ValueError, match="no configuration of cells"):
        read((DEPLOY / "nginx.conf").read_text("utf-8"))
