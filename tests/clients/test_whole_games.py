"""A stranger's program on a generated client plays whole games against the real server (B1, B2).

The program is the same for every ruleset: only the ruleset's name and its options change.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.kernel.finder import games
from tests.clients.newer import newer_than_its_clients
from tests.support import clients, generator
from tests.support.server import Running, running

MOST_LINES = 40
WISHES = {
    "war-at-sea": {"scenario": "convoy"},
    "crimson-tide": {"options": {"turns": 2, "points": 60}},
    "naval-battles": {"scenario": "standard"},
}
"""Short games, so that playing them by chance does not take long."""
SCRIPTS = {
    "typescript": "typescript/play.ts",
    "hey": "hey/play.ts",
    "fetch": "fetch/play.ts",
    "python": "python/play.py",
    "generator": "generator/play.py",
    "java": "java/Play.java",
    "go": "go/play.go",
}
COUNTING = ("fetch", "python", "generator", "java", "go")
"""Those that say how many events they read with their commands, and how often they were refused."""
PLAYED = tuple(clients.programs(next(iter(WISHES))))
"""Those whose tool chain is here: the compilers of Java and Go are taken where they are."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    clients.build()
    folder: Path = tmp_path_factory.mktemp("clients")
    with running(folder, chain_length=2048, log_level="WARNING") as server:
        yield server


def play(client: str, url: str, ruleset: str) -> dict[str, Any]:
    """Let the client play; what it says of the game, which it ends with."""
    command = [*clients.programs(ruleset)[client], url, ruleset, json.dumps(WISHES[ruleset])]
    done = subprocess.run(
        command, env=clients.environment(), capture_output=True, text=True, timeout=150, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


def test_every_ruleset_is_played() -> None:
    assert set(WISHES) == set(games())


def test_every_client_is_played_but_for_a_compiler_that_is_not_here() -> None:
    compilers = {"java": generator.javac(), "go": generator.go()}
    missing = set(SCRIPTS) - set(PLAYED)
    assert missing == {name for name, found in compilers.items() if not found}


@pytest.mark.parametrize("client", SCRIPTS)
def test_a_client_needs_few_lines_and_knows_no_ruleset(client: str) -> None:
    text = (clients.CLIENTS / SCRIPTS[client]).read_text("utf-8")
    code = [line for line in text.splitlines() if not line.startswith(("//", '"""'))]
    assert len(text.splitlines()) <= MOST_LINES
    typed_events = ("case", "if (event.type")
    for line in code:
        named = [ruleset for ruleset in WISHES if ruleset in line]
        assert not named or line.strip().startswith(typed_events), line


@pytest.mark.parametrize("client", [name for name in SCRIPTS if SCRIPTS[name].endswith(".ts")])
def test_a_client_casts_nothing(client: str) -> None:
    """What it reads and posts has its type; what comes from the command line has none."""
    text = (clients.CLIENTS / SCRIPTS[client]).read_text("utf-8")
    code = "\n".join(line.partition("//")[0] for line in text.splitlines())
    assert not re.findall(r"\bas (?!const\b)\w+|\bany\b|@ts-", code)


@pytest.mark.slow("clients")
@pytest.mark.timeout(400)
@pytest.mark.parametrize("ruleset", WISHES)
@pytest.mark.parametrize("client", PLAYED)
def test_a_whole_game_is_played(server: Running, client: str, ruleset: str) -> None:
    said = play(client, server.url, ruleset)
    game = httpx.get(f"{server.url}/v1/games/{said['game']}").json()
    assert game["status"] == "finished"
    assert game["rules"]["ruleset"] == ruleset
    assert game["result"]["reason"] != "resignation"
    if client == "hey":
        assert said["events"] == said["last"] == said["version"] == game["version"]
    if client in COUNTING:
        opening = said["version"] - said["events"]
        assert 0 < opening < 10, "all but the events of the creation came with the answers"


@pytest.mark.slow("clients")
@pytest.mark.timeout(400)
@pytest.mark.parametrize("client", PLAYED)
def test_what_a_client_does_not_know_is_skipped(server: Running, client: str) -> None:
    """Types of events and of commands, roles, codes, the options of another ruleset."""
    with newer_than_its_clients(server.url) as url:
        said = play(client, url, "crimson-tide")
    game = httpx.get(f"{server.url}/v1/games/{said['game']}").json()
    assert game["status"] == "finished"
    if client == "hey":
        assert said["events"] == said["last"] == game["version"]
    if client in COUNTING:
        assert 0 < game["version"] - said["events"] < 10
        assert said["refused"] > 0
