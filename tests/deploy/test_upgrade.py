"""What the documents of deploy/ show is what happens, on a store of every format so far."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from service.store.schema import FORMAT
from tests.deploy.files import DEPLOY
from tests.docs.console import matches, run, shown
from tests.service.ops.play import bearer, create, key, play
from tests.support.old_store import kept, migrated, unpack
from tests.support.server import running

pytestmark = pytest.mark.slow("drills")


def walked(document: str, folder: Path) -> None:
    """Every command of the document, in a folder like the one that it describes."""
    text = (DEPLOY / document).read_text("utf-8").replace("\n   ", "\n")
    commands = list(shown(text))
    shutil.copytree(DEPLOY, folder / "deploy")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = run([each.command for each in commands], folder, {**os.environ, "PATH": path}, 150)
    assert len(done) == len(commands) > 0
    for each, (output, code) in zip(commands, done, strict=True):
        assert code == 0, f"$ {each.command}\n{output}"
        assert matches(each.output, output), f"$ {each.command}\n{output}"


@pytest.mark.parametrize("dump", kept(), ids=lambda path: path.stem)
def test_the_steps_of_an_upgrade_work_and_no_game_changes_its_rules(
    dump: Path, tmp_path: Path
) -> None:
    (tmp_path / "games").mkdir()
    game = unpack(dump, tmp_path / "games")
    walked("UPGRADE.md", tmp_path)
    with running(tmp_path / "games", "pennant", chain_length=64) as server:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            version = client.get(game.path).json()["version"]
            assert version == max(game.done.values())
            token = next(iter(game.tokens.values()))
            assert client.get(game.path, headers=bearer(token)).status_code == 200
            # Its engine was never kept: it is shown, and nobody decides it by other rules.
            refused = client.post(
                f"{game.path}/commands",
                json={"type": "pennant.fire", "aim": "hull"},
                headers={**bearer(token), **key(), "If-Match": f'"{version}"'},
            )
            assert refused.status_code == 503
            assert refused.json()["code"] == "engine.missing"
            assert client.get(game.path).json()["version"] == version
            begun = create(client, "pennant")
            play(client, begun, 3, seed="after")
            assert client.get(begun.path).json()["version"] > 3
        assert server.stop() == 0
    with closing(sqlite3.connect(server.database)) as database:
        (found,) = database.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        assert int(found) == FORMAT
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_every_earlier_format_is_kept() -> None:
    numbers = [int(path.stem.rpartition("-")[2]) for path in kept()]
    assert set(range(1, FORMAT)) <= set(numbers), "python -m tests.support.old_store keeps one"
    assert max(numbers) <= FORMAT


def test_the_commands_of_the_readme_work(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    migrated(kept()[-1], tmp_path / "games")
    walked("README.md", tmp_path)
