"""The second folder that follows an SQLite file: nothing that was committed before a look is
missing, whatever is done to the log meanwhile."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest

from service.backups.copies import Failed, restore
from service.backups.shadow import Shadow, Shadowed, follow
from service.ops.measures import SHADOWED, last_shadow
from tests.service.ops.test_backup import Evening, close, playing, upheld
from tests.support.server import ROOT, Running, running

pytestmark = pytest.mark.slow("stores")

__all__ = ["playing"]


def shadowed(target: Path) -> Path:
    """The folder of the copy."""
    return Path(msgspec.json.decode((target / SHADOWED).read_bytes(), type=Shadowed).folder)


def rows(file: Path) -> list[tuple[int, bytes]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT * FROM kept ORDER BY number").fetchall()


class Source:
    """A file that is written like a store, by one connection that takes the log in by itself."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "store.sqlite"
        self.writer = sqlite3.connect(self.file, isolation_level=None, timeout=10)
        self.writer.execute("PRAGMA journal_mode = WAL")
        self.writer.execute("PRAGMA wal_autocheckpoint = 20")
        self.writer.execute("CREATE TABLE kept (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")

    def write(self, chance: Random) -> None:
        self.writer.execute("BEGIN")
        for _ in range(chance.randint(1, 9)):
            body = chance.randbytes(chance.choice((10, 3_000, 9_000)))
            number = chance.randint(1, 60)
            self.writer.execute("REPLACE INTO kept VALUES (?, ?)", (number, body))
        self.writer.execute("COMMIT")

    def harm(self, chance: Random) -> None:
        """What may happen to a log: it is taken in, cut, or all connections go and come back."""
        what = chance.choice(("PASSIVE", "FULL", "RESTART", "TRUNCATE", "close"))
        if what == "close":
            self.writer.close()
            self.writer = sqlite3.connect(self.file, isolation_level=None, timeout=0.1)
        else:
            self.writer.execute("PRAGMA busy_timeout = 10")
            self.writer.execute(f"PRAGMA wal_checkpoint({what})").fetchone()


ALWAYS = 4
"""Seeds that are tried whatever changed; the others are of the slow tier."""
FAULTS = pytest.mark.slow("faults")


@pytest.mark.parametrize(
    "seed", [*range(ALWAYS), *(pytest.param(n, marks=FAULTS) for n in range(ALWAYS, 12))]
)
def test_what_was_committed_before_a_look_is_in_the_copy(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    source, target = Source(tmp_path), tmp_path / "second"
    source.write(chance)
    shadow = Shadow(source.file, target, target, large=chance.choice((40_000, 200_000, 1 << 30)))
    shadow.begin()
    for number in range(60):
        for _ in range(chance.randint(0, 12)):
            source.write(chance)
            if chance.random() < 0.3:
                source.harm(chance)
        shadow.round()
        if number % 6 == 0:
            restored = tmp_path / f"{number}.sqlite"
            restore(shadowed(target), str(restored))
            assert rows(restored) == rows(source.file)
    shadow.close()
    source.writer.close()


def test_half_a_commit_is_left_out(tmp_path: Path) -> None:
    chance = Random(1)
    source, target = Source(tmp_path), tmp_path / "second"
    shadow = Shadow(source.file, target, target)
    shadow.begin()
    source.write(chance)
    shadow.round()
    before = rows(source.file)
    log = shadowed(target) / "decklog.sqlite-wal"
    whole = log.read_bytes()
    source.write(chance)
    shadow.round()
    after = log.read_bytes()
    assert after[: len(whole)] == whole
    for cut in (len(whole) + 1, len(after) - 1):
        log.write_bytes(after[:cut])
        restore(shadowed(target), str(tmp_path / f"{cut}.sqlite"))
        assert rows(tmp_path / f"{cut}.sqlite") == before
    shadow.close()


def test_the_log_does_not_grow_without_end(tmp_path: Path) -> None:
    chance = Random(2)
    source, target = Source(tmp_path), tmp_path / "second"
    shadow = Shadow(source.file, target, target, large=300_000)
    shadow.begin()
    sizes = []
    for _ in range(80):
        source.write(chance)
        shadow.round()
        sizes.append(source.file.with_name("store.sqlite-wal").stat().st_size)
    shadow.close()
    assert max(sizes) < 600_000
    assert source.file.stat().st_size > 0


def test_it_begins_anew_and_keeps_the_copy_of_before_until_then(tmp_path: Path) -> None:
    source, target, told = Source(tmp_path), tmp_path / "second", tmp_path / "backups"
    source.write(Random(3))
    first = Shadow(source.file, target, told)
    first.begin()
    first.close()
    old = shadowed(told)
    killed = target / "shadow-2020.part"
    killed.mkdir()
    again = Shadow(source.file, target, told)
    again.begin()
    again.close()
    assert shadowed(told) != old
    assert list(target.iterdir()) == [shadowed(told)]


def test_another_file_in_its_place_ends_it(tmp_path: Path) -> None:
    source, target = Source(tmp_path), tmp_path / "second"
    looks: Iterator[bool] = iter([False, False])

    def stopped(seconds: float) -> bool:
        source.file.rename(tmp_path / "away")
        (tmp_path / "store.sqlite").write_bytes(b"")
        return next(looks)

    with pytest.raises(Failed, match="another file"):
        follow(Shadow(source.file, target, target), 0.0, stopped)


LOST_SECONDS = 10.0


def test_a_disk_that_is_lost_costs_ten_seconds_at_most(
    tmp_path: Path, playing: Callable[[Running], Evening]
) -> None:
    """Service and follower are killed in the middle of play; what comes back is that near."""
    live, target = tmp_path / "live", tmp_path / "second"
    live.mkdir()
    with running(live, "pennant", chain_length=256) as server:
        line = [sys.executable, "-m", "service.cli", "backup", "follow", str(target),
                "--database", str(server.database), "--seconds", "1"]  # fmt: skip
        with subprocess.Popen(line, cwd=ROOT) as follower:
            told = playing(server)
            until = time.monotonic() + 60
            while not (target / SHADOWED).exists() and time.monotonic() < until:
                time.sleep(0.1)
            time.sleep(3)
            before, at = told.acknowledged(), time.time()
            while last_shadow(str(target))["timestamp"] < at and time.monotonic() < until:
                time.sleep(0.1)
            close(told)
            server.kill()
            killed = time.time()
            follower.send_signal(signal.SIGKILL)
        key = (live / "decklog.sqlite.key").read_bytes()
    at = last_shadow(str(target))["timestamp"]
    assert killed - at < LOST_SECONDS
    again = tmp_path / "again"
    again.mkdir()
    file = again / "decklog.sqlite.key"
    file.touch(mode=0o600)
    file.write_bytes(key)
    restore(shadowed(target), str(again / "decklog.sqlite"))
    with running(again, "pennant", chain_length=256) as server:
        upheld(server, before, told.games)
        with httpx.Client(base_url=server.url, timeout=60) as client:
            assert client.get("/readyz").status_code == 200
