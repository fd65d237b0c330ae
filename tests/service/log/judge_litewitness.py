"""A foreign witness, ``litewitness`` (by an editor of C2SP; Debian's torchwood): what it answers.

``python -m tests.service.log.judge_litewitness ADDRESS VKEY`` asks one that is running and knows
the log of logs.py (its key: ``LOG.public``), from nothing on, and writes the answers down in
tests/data/log-litewitness.json. It reads no leaves: those are of the form that was in use when it
was asked.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.log.leaf import FORMER
from tests.service.log.logs import asking, leaf, played, post, write_log
from tests.service.log.vectors import FILE

RECORDED = FILE.with_name("log-litewitness.json")

Ask = Callable[[bytes], tuple[int, str]]
"""Status and body of an answer."""


def requests(folder: Path) -> list[tuple[str, str, bytes]]:
    """What is asked one after the other: its name, the checkpoint, the request."""
    found: list[tuple[str, str, bytes]] = []

    def ask(name: str, old: int, leaves: list[bytes], size: int = 0) -> None:
        place = folder / f"{len(found)}"
        checkpoint = write_log(place, leaves)
        found.append((name, checkpoint, asking(place, old, size or len(leaves), checkpoint)))

    ask("begins", 0, played(3, FORMER))
    ask("goes on", 3, played(7, FORMER))
    ask("the same again", 7, played(7, FORMER))
    ask("far on", 7, played(300, FORMER))
    ask("stale", 7, played(300, FORMER))
    ask("another of the same size", 300, [*played(299, FORMER), leaf(9, 1, form=FORMER)])
    ask("a fork", 300, [*played(299, FORMER), leaf(9, 1, form=FORMER), leaf(9, 2, form=FORMER)])
    ask("goes on after all", 300, played(301, FORMER))
    return found


def answers(ask: Ask) -> list[dict[str, Any]]:
    """All of them, in order."""
    with tempfile.TemporaryDirectory() as folder:
        told = []
        for name, checkpoint, body in requests(Path(folder)):
            status, text = ask(body)
            told.append({"asked": name, "checkpoint": checkpoint, "status": status, "answer": text})
        return told


def _over_http(address: str) -> Ask:
    def ask(body: bytes) -> tuple[int, str]:
        found = post(address, body)
        return found.status_code, found.text

    return ask


if __name__ == "__main__":
    told = {"vkey": sys.argv[2], "answers": answers(_over_http(sys.argv[1]))}
    RECORDED.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
