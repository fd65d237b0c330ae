"""Commands run in this process or in one of their own, and games for them to look at."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.cli import main
from tests.service.cli.play import Table, create
from tests.support.pennant import GAME
from tests.support.server import ROOT, Running, running

PATIENCE = 60


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def assert_mistake(self, *words: str, code: int = 2) -> None:
        """That exit code, one line that has the words, a hint, nothing on standard output."""
        assert self.code == code, self
        assert self.out == ""
        first, second = self.err.rstrip("\n").split("\n")
        assert first.startswith("decklog: ")
        assert second.startswith("hint: ")
        assert not [word for word in words if word not in first], first


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process, with Pennant as the only ruleset."""

    def call(*args: object) -> Done:
        code = main([str(arg) for arg in args], {"pennant": GAME})
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return call


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process, with the installed rulesets: a process of its own takes most
    of a second to begin, and is for tests of what a process is."""

    def call(*args: object) -> Done:
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return call


def spawn(*args: object, program: str = "service.cli") -> Done:
    """Runs a command as a process of its own, with the installed rulesets."""
    line = [sys.executable, "-m", program, *map(str, args)]
    done = subprocess.run(
        line, check=False, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A real server that offers Pennant."""
    with running(tmp_path_factory.mktemp("server"), games="pennant") as started:
        yield started


@pytest.fixture(scope="session")
def finished(server: Running) -> Table:
    """A game that was played to its end, with a winner or a draw."""
    table = create(server.url, "finished", options={"turns": 6})
    table.play(1_000, Random(6))
    return table


@pytest.fixture(scope="session")
def live(server: Running) -> Table:
    """A game in which p1 has chosen in secret and p2 is still asked."""
    table = create(server.url, "live")
    table.play(1, Random(1))
    return table


@pytest.fixture(scope="session")
def bundle(finished: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evidence file of the finished game."""
    return _export(finished, "", tmp_path_factory.mktemp("bundle") / "finished.decklog")


@pytest.fixture(scope="session")
def live_bundle(live: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evidence file of the live game for p1."""
    return _export(live, live.tokens["p1"], tmp_path_factory.mktemp("bundle") / "live.decklog")


def _export(table: Table, token: str, path: Path) -> Path:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    got = table.http.get(f"/v1/games/{table.id}/evidence", headers=headers)
    assert got.is_success, got.text
    path.write_bytes(got.content)
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a command keeps what it needs again; the next test does not find it."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder
