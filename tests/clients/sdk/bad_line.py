"""A program plays a whole game where connections break all the time and the service is killed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from tests.support.cutting import cutting, free_port
from tests.support.server import start
from tests.support.stranger import SHORT

SECONDS = 380


def played(command: list[str], ruleset: str, environment: Mapping[str, str], folder: Path) -> None:
    """The service is killed when the program says that it is in the middle, and started anew.

    Raises AssertionError where what the program saw is not what the service has.
    """
    settings: dict[str, Any] = {
        "port": free_port(), "chain_length": 2048, "log_level": "WARNING"
    }  # fmt: skip
    server = start(folder, **settings)
    wish = json.dumps({"ruleset": ruleset, **SHORT[ruleset]})
    with cutting(settings["port"], seed=1) as line:
        player = subprocess.Popen(
            [*command, line.url, wish], env=dict(environment), cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert player.stdout is not None
            said = player.stdout.readline()
            if said:
                server.kill()
                server = start(folder, **settings)
            output, errors = player.communicate(timeout=SECONDS)
            assert player.returncode == 0, errors[-4000:]
            assert said == "moved\n"
            assert line.cuts > 0
            looked_at(json.loads(output), server.url)
        finally:
            player.kill()
            player.wait()
            server.kill()


def looked_at(told: dict[str, Any], url: str) -> None:
    """All that the reader saw is what the service has."""
    game = httpx.get(f"{url}/v1/games/{told['game']}").json()
    assert game["status"] == "finished"
    assert told["result"] == game["result"]
    assert told["numbers"] == list(range(1, game["version"] + 1))
    assert told["head"] is not None
    assert told["head"][0] == game["version"]
    (last,) = told["views"]
    assert last["version"] <= game["version"]
    assert last["state"] == told["view"]["state"]
    assert told["seen"] > 5
