"""``serve``: what it prints works, and what it refuses it refuses plainly."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from domain.kernel.finder import games
from tests.service.cli.conftest import spawn
from tests.support.server import ROOT


@contextmanager
def serving(database: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    line = [
        sys.executable,
        "-m",
        "service.cli",
        "serve",
        "--port",
        "0",
        "--database",
        str(database),
    ]
    process = subprocess.Popen(
        [*line, *more], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read(process: subprocess.Popen[str], lines: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().rstrip("\n") for _ in range(lines)]


def test_the_greeting_works(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite") as process:
        where, docs, curl = read(process, 3)
        url = where.rpartition(" ")[2]
        assert httpx.get(url + "/readyz").status_code == 200
        assert httpx.get(docs.rpartition(" ")[2]).headers["content-type"].startswith("text/html")
        program, address = shlex.split(curl.partition(":")[2])
        assert program == "curl"
        listed = [item["id"] for item in httpx.get(address).json()["items"]]
        assert listed == list(games())
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)


def test_the_greeting_in_json(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", "--json") as process:
        told = json.loads(read(process, 1)[0])
        assert httpx.get(told["rulesets"]).status_code == 200
        assert httpx.get(told["docs"]).status_code == 200


def test_a_second_service_on_the_same_store_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    with serving(database) as process:
        read(process, 3)
        done = spawn("serve", "--port", "0", "--database", database)
    assert done.code == 2
    assert "store.locked" in done.err
    assert "Traceback" not in done.err


def test_wrong_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKLOG_KEY", "short")
    monkeypatch.setenv("DECKLOG_BODY_LIMIT", "much")
    spawn("serve", "--port", "0").assert_mistake("DECKLOG_KEY must be", "DECKLOG_BODY_LIMIT: ")
