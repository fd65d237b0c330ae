"""``backup drill``: the newest copy is restored, played on and judged, and word is left of it."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from domain.kernel.finder import games
from service.cli import main
from service.ops.measures import last_drill
from tests.service.cli.conftest import Done, Run
from tests.service.ops.test_backup import a_played_store, made, with_tools
from tests.support import postgres
from tests.support.pennant import GAME
from tests.support.server import ROOT

pytestmark = pytest.mark.slow("drills")


def drilled(*words: object, **settings: object) -> Done:
    """The command in this process, with every ruleset and PostgreSQL's tools; ``shipped`` runs it
    in one of its own."""
    given = {f"DECKLOG_{name.upper()}": str(value) for name, value in settings.items()}
    line = ["backup", "drill", "--json", *map(str, words)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name, value in {**given, "PATH": with_tools()}.items():
            patch.setenv(name, value)
        code = main(line, {**games(), "pennant": GAME})
    for stream in (out, err):
        stream.seek(0)
    return Done(code, out.read(), err.read())


class Good(NamedTuple):
    """A drill that has passed: on what store, of which copy, and what was said of it."""

    database: Path
    folder: Path
    room: Path
    copy: Path
    before: bytes
    done: Done


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Good:
    """The drill of a played store's newest copy. Whoever goes on from it does so on a copy."""
    place = tmp_path_factory.mktemp("good")
    a_played_store(place)
    database, folder, room = place / "games.sqlite", place / "backups", place / "room"
    room.mkdir()
    copy = made("sqlite", database, folder)
    before = copy.read_bytes()
    done = drilled(folder, "--database", database, "--room", room)
    return Good(database, folder, room, copy, before, done)


def shipped(word: str, secrets: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """deploy/backups.sh, as a container runs it."""
    given = {"PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "MODULE": "service",
             "SECRETS": str(secrets), "FOLDER": str(folder), "TMPDIR": str(secrets)}  # fmt: skip
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DECKLOG_")}
    return subprocess.run(
        ["sh", str(ROOT / "deploy" / "backups.sh"), word],
        env={**environment, "PATH": with_tools(), **given},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_copy_is_played_on_and_judged(good: Good) -> None:
    assert good.done.code == 0, good.done
    told = good.done.json
    assert (told["copy"], told["succeeded"], told["why"]) == (good.copy.name, True, "")
    assert told["found"], "a game of the copy is over"
    assert told["events"] > 100
    assert {"restore", "check", "start", "judge", "play", "verify"} == {*told["seconds"]}
    assert last_drill(str(good.folder))["succeeded"] == 1
    assert (good.copy.read_bytes(), left(good.room)) == (good.before, [])


def test_a_copy_that_cannot_be_played_on_fails_and_is_told(good: Good, tmp_path: Path) -> None:
    shutil.copytree(good.database.parent, tmp_path, dirs_exist_ok=True)
    database, folder = tmp_path / "games.sqlite", tmp_path / "backups"
    assert good.done.code == 0
    passed = last_drill(str(folder))
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE stored_events SET state = x'7b' WHERE originator_version = 2")
    copy = made("sqlite", database, folder)
    done = drilled(folder, "--database", database)
    assert (done.code, done.json["succeeded"], done.json["copy"]) == (1, False, copy.name)
    assert "damaged" in done.json["why"]
    failed = last_drill(str(folder))
    assert (failed["succeeded"], failed["timestamp"] > passed["timestamp"]) == (0, True)


def test_a_summary_that_was_spoiled_fails_though_games_can_be_played_beside_it(
    good: Good, tmp_path: Path
) -> None:
    shutil.copytree(good.database.parent, tmp_path, dirs_exist_ok=True)
    database, folder = tmp_path / "games.sqlite", tmp_path / "backups"
    with closing(sqlite3.connect(database)) as connection, connection:
        spoil = "UPDATE games SET summary = x'7b' WHERE place = (SELECT max(place) FROM games)"
        assert connection.execute(spoil).rowcount == 1
        (game,) = connection.execute("SELECT game FROM games ORDER BY place DESC").fetchone()
    copy = made("sqlite", database, folder)
    done = drilled(folder, "--database", database)
    assert (done.code, done.json["succeeded"], done.json["copy"]) == (1, False, copy.name)
    assert f"1 games of the copy are damaged; {game}:" in done.json["why"]


def test_no_copy_or_a_wrong_key_is_a_failure_and_no_folder_a_mistake(
    run: Run, tmp_path: Path
) -> None:
    a_played_store(tmp_path)
    folder, other = tmp_path / "backups", "11" * 32
    folder.mkdir()
    here = ("--database", tmp_path / "games.sqlite")
    none = run("backup", "drill", folder, *here)
    assert (none.code, "there is no copy in" in none.out) == (1, True)
    made("sqlite", here[1], folder)
    wrong = drilled(folder, *here, key=other)
    assert (wrong.code, "store.wrong-key" in wrong.json["why"]) == (1, True)
    assert other not in wrong.out + wrong.err
    run("backup", "drill", tmp_path / "x", *here).assert_mistake("no folder of copies")
    run("backup", "drill", folder, "--database", tmp_path / "y").assert_mistake("no key")


def test_a_dump_is_drilled_in_an_empty_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKLOG_KEY", postgres.KEY)
    folder = tmp_path / "backups"
    with postgres.running() as address:
        a_played_store(tmp_path, store=address, key=postgres.KEY)
        scratch = postgres.scratch(address)
        made("postgresql", address, folder)
        bare = drilled(folder)
        assert (bare.code, "needs --scratch" in bare.json["why"]) == (1, True)
        live = drilled(folder, "--scratch", address)
        assert (live.code, "not empty" in live.json["why"]) == (1, True)
        given = {"key": postgres.KEY, "store": address, "scratch": scratch}
        for name, value in given.items():
            (tmp_path / f"decklog_{name}").write_text(value + "\n", "ascii")
        for word, told in (("copy", "none of them damaged"), ("drill", "The drill has passed.")):
            done = shipped(word, tmp_path, folder)
            assert (done.returncode, told in done.stdout) == (0, True), done.stderr
        assert len(list(folder.glob("*.dump"))) == 2
        assert last_drill(str(folder))["succeeded"] == 1
        assert postgres.tables(scratch) == 0
