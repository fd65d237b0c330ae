"""Random games over HTTP: a bot that posts what is offered is never refused (bar B4)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.campaigns.http_games import play
from tests.support.contract import Contract
from tests.support.server import running
from tests.support.stranger import SHORT

from .pieces import Done

GAMES = 24
"""Of a piece, which has a server of its own; every 50th game is held against the document."""


def piece(number: int) -> Done:
    rulesets = sorted(SHORT)
    with service() as client:
        contract = Contract.of(client.get("/openapi.json").content)
        seeds = range(GAMES * number, GAMES * (number + 1))
        done = [play(client, contract, rulesets[seed % len(SHORT)], seed) for seed in seeds]
    failures = [
        f"{each.ruleset}, seed {each.seed}: {each.failure}" for each in done if each.failure
    ]
    return Done(GAMES, failures, {"commands": [sum(each.commands for each in done)]})


@contextmanager
def service() -> Iterator[httpx.Client]:
    """Asks a server of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), chain_length=4096, log_level="ERROR") as server,
        httpx.Client(base_url=server.url, timeout=120) as client,
    ):
        yield client
