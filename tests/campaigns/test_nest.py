"""Servers that are forked off a nest are processes of their own: told, stopped, killed as any."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.nest import Nest, nest
from tests.support.server import start


@pytest.fixture(scope="module")
def made() -> Iterator[Nest]:
    with nest() as found:
        yield found


def test_two_servers_of_a_nest_have_memories_of_their_own(made: Nest, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    one, two = (start(folder, "pennant", nest=made) for folder in folders)
    body, headers = {"ruleset": "pennant"}, {"Idempotency-Key": "k" * 32}
    game = httpx.post(f"{one.url}/v1/games", json=body, headers=headers).json()["game"]["id"]
    assert httpx.get(f"{one.url}/v1/games/{game}").status_code == 200
    assert httpx.get(f"{two.url}/v1/games/{game}").status_code == 404
    two.kill()
    assert two.process.returncode == -signal.SIGKILL
    assert one.process.poll() is None
    again = start(folders[0].parent / "two", "pennant", nest=made)
    assert (one.stop(), again.stop()) == (0, 0)


def test_a_server_that_does_not_start_says_why(made: Nest, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="DECKLOG_CHAIN_LENGTH"):
        start(tmp_path, "pennant", nest=made, chain_length="long")


def test_what_a_nest_has_hatched_ends_with_it(tmp_path: Path) -> None:
    with nest() as short:
        server = start(tmp_path, "pennant", nest=short)
        pid = server.process.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
