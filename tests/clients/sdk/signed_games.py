"""A program plays a game whose seats have keys, and the judge says whose orders they are."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.server import ROOT, running
from tests.support.stranger import SHORT

SECONDS = 300
RULESET = "naval-battles"
REFUSED = ["signature.missing", "signature.wrong"]
"""What comes of an order without a signature, and with that of another key."""


def judged(command: list[str], environment: Mapping[str, str], folder: Path) -> None:
    """Raises AssertionError where the orders of both seats are not of grade O1."""
    wish = json.dumps({"ruleset": RULESET, **SHORT[RULESET]})
    with running(folder, log_level="WARNING") as server:
        done = subprocess.run(
            [*command, server.url, wish, str(folder)], env=dict(environment), cwd=folder,
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    told = json.loads(done.stdout)
    assert told["codes"] == REFUSED
    assert told["summary"]["status"] == "finished"
    assert all(seat["orderKey"] and seat["keeper"] == "client" for seat in told["summary"]["seats"])
    verdict = subprocess.run(
        [sys.executable, "-m", "service.cli", "verify", str(folder / "game.evidence")], cwd=ROOT,
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr
    assert "p1 signs its orders by another key, as it has signed by the old one" in verdict.stdout
    assert "orders: grade O1: by their own keys, of which " in verdict.stdout
    assert " orders are signed: p1 (O1), p2 (O1)\n" in verdict.stdout
