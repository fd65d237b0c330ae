"""Two verifiers, one file: the program's, and the page's second opinion, which has no rules."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from service.evidence.verdict import REFUTED, UNREADABLE, Verdict

from .programs import NODE

SCRIPT = Path(__file__).with_suffix(".mjs")
CONSISTENT = "CONSISTENT"
BEFORE_THE_RULES = {"container", "chain", "seals", "orders", "dice"}
"""Checks that both do."""


def opinions(files: Sequence[bytes], folder: Path, *known: str) -> list[dict[str, Any]]:
    """What the page's verifier says to each file, run under Node.

    known  the service's root key, and files with receipts of it
    """
    paths = [folder / f"{number}.decklog" for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    done = subprocess.run(
        [NODE, str(SCRIPT), *known],
        input="".join(f"{path}\n" for path in paths),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def owed(told: Verdict) -> set[str]:
    """The words that the second opinion may say where the program's verdict is ``told``."""
    if told.code == UNREADABLE:
        return {"UNREADABLE"}
    if told.code != REFUTED:
        return {CONSISTENT}
    assert told.finding is not None
    return {"REFUTED", CONSISTENT} if reached_the_rules(told) else {"REFUTED"}


def reached_the_rules(told: Verdict) -> bool:
    """Whether all that needs no rules was passed: what was refuted then, was by the rules."""
    passed = {each.check for each in told.checks}
    secrets = told.scope != "complete" or "secrets" in passed
    return passed >= BEFORE_THE_RULES and secrets
