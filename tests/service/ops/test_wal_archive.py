"""PostgreSQL's log, archived with the settings that deploy/DRILLS.md writes out: the database is
lost, and comes back at most ten seconds older, or as it was at a time that is named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from service.store import figures
from service.store.postgres import SharedLook
from tests.service.ops.test_backup import Evening, close, playing, upheld, with_tools
from tests.support import postgres
from tests.support.server import ROOT, Running, running

__all__ = ["playing"]

SCRIPT = ROOT / "deploy" / "archive-wal.sh"
LOST_SECONDS = 10.0


def written_out(name: str) -> str:
    """A setting as the page has it."""
    page = (ROOT / "deploy" / "DRILLS.md").read_text("utf-8")
    (value,) = re.findall(rf"^{name} = '?(.*?)'?$", page, re.MULTILINE)
    return str(value)


class Archived:
    """A server with an archive in a folder beside it, and a copy of its files."""

    def __init__(self, server: postgres.PostgresServer, folder: Path) -> None:
        self.server = server
        self.archive = folder / "archive"
        self.archive.mkdir()
        self.archive.chmod(0o777)
        folder.chmod(0o755)
        script = shutil.copy(SCRIPT, folder)
        self._here = {"/opt/decklog/share/archive-wal.sh": str(script),
                      "/srv/decklog-wal": str(self.archive)}  # fmt: skip
        with psycopg.connect(server.address, autocommit=True) as operator:
            for name in ("archive_mode", "archive_timeout", "archive_command"):
                operator.execute(f"ALTER SYSTEM SET {name} = '{self._placed(name)}'".encode())
            operator.execute("CREATE TABLE ticks (at timestamptz NOT NULL)")
        server.stop_at_once()
        server.start()
        copies = folder / "copies"
        copies.mkdir()
        copies.chmod(0o777)
        self.base = copies / "base"
        postgres.copy_of(server, self.base, "-X", "fetch")

    def _placed(self, name: str) -> str:
        value = written_out(name)
        for there, here in self._here.items():
            value = value.replace(there, here)
        return value

    def come_back(self, until: str = "") -> None:
        """The server's disk is lost: its files are the copy's, and the archive is played on it."""
        self.server.stop_at_once()
        own = self.server.folder
        lost = own.with_name(own.name + "-lost")
        own.rename(lost)
        subprocess.run(["cp", "-a", str(self.base), str(own)], check=True)
        shutil.copy(lost / ".handle_pids.json", own)
        with (own / "postgresql.auto.conf").open("a") as settings:
            settings.write(f"restore_command = '{self._placed('restore_command')}'\n")
            settings.write("recovery_target_action = 'promote'\n")
            # The second life writes no log into the archive of the first.
            settings.write("archive_mode = 'off'\n")
            if until:
                settings.write(f"recovery_target_time = '{until}'\n")
        (own / "recovery.signal").touch()
        shutil.rmtree(lost)
        self.server.start()
        with psycopg.connect(self.server.address, autocommit=True) as operator:
            while operator.execute("SELECT pg_is_in_recovery()").fetchone() != (False,):
                time.sleep(0.1)


class Ticks:
    """Commits, ten in a second, each with its time."""

    def __init__(self, address: str) -> None:
        self.told: list[datetime] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(address,))
        self._thread.start()

    def _run(self, address: str) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            while not self._stop.wait(0.1):
                at = datetime.now(UTC)
                connection.execute("INSERT INTO ticks VALUES (%s)", (at,))
                self.told.append(at)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(30)


def found(address: str) -> list[datetime]:
    with psycopg.connect(address) as connection:
        return [at for (at,) in connection.execute("SELECT at FROM ticks ORDER BY at")]


def test_a_database_that_is_lost_comes_back_at_most_ten_seconds_older(
    tmp_path: Path, playing: Callable[[Running], Evening]
) -> None:
    shared = {"key": postgres.KEY, "chain_length": 256}
    with tempfile.TemporaryDirectory(prefix="decklog-archive-") as folder, postgres.server() as own:
        archived = Archived(own, Path(folder))
        ticks = Ticks(own.address)
        with running(tmp_path, "pennant", store=own.address, **shared) as server:
            told = playing(server)
            close(told)
            before = told.acknowledged()
            time.sleep(LOST_SECONDS)
            middle = len(ticks.told)
            time.sleep(LOST_SECONDS / 4)
            ticks.stop()
            with psycopg.connect(own.address, autocommit=True) as connection:
                at = figures.archived(SharedLook(connection, own.address))
            assert at is not None
            assert ticks.told[-1].timestamp() - at < LOST_SECONDS
            server.kill()
        archived.come_back()
        left = found(own.address)
        lost = (ticks.told[-1] - left[-1]).total_seconds()
        print(f"lost: {lost:.1f} s")
        assert left == ticks.told[: len(left)]
        assert lost < LOST_SECONDS
        with running(tmp_path, "pennant", store=own.address, **shared) as server:
            upheld(server, before, told.games)
        until = ticks.told[middle // 2]
        archived.come_back(until.isoformat())
        assert [at for at in found(own.address) if at > until] == []
        assert len(found(own.address)) >= middle // 2


def test_what_no_copy_needs_any_more_goes_by_the_line_that_is_written_out(tmp_path: Path) -> None:
    page = (ROOT / "deploy" / "DRILLS.md").read_text("utf-8")
    (line,) = re.findall(r"^pg_archivecleanup .*$", page, re.MULTILINE)
    oldest = line.split()[-1]
    parts = [f"{n:024X}.gz" for n in (1 << 64 | 1, 1 << 64 | 2, 1 << 64 | 3)]
    for name in (*parts, oldest, "00000002.history.gz"):
        (tmp_path / name).touch()
    words = line.replace("/srv/decklog-wal", str(tmp_path)).split()
    subprocess.run(words, env={**os.environ, "PATH": with_tools()}, check=True)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*parts[1:], oldest, "00000002.history.gz"}


@pytest.mark.parametrize("what", ["the same", "another"])
def test_what_is_in_the_archive_is_not_overwritten(tmp_path: Path, what: str) -> None:
    part, folder = tmp_path / "0001", tmp_path / "archive"
    folder.mkdir()
    part.write_bytes(b"log" * 1000)
    line = ["sh", str(SCRIPT), str(part), "0001", str(folder)]
    assert subprocess.run(line, check=False).returncode == 0
    first = (folder / "0001.gz").read_bytes()
    if what == "another":
        part.write_bytes(b"another")
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, "differs" in done.stderr) == (
        (0, False) if what == "the same" else (1, True)
    )
    assert (folder / "0001.gz").read_bytes() == first
    assert [path.name for path in folder.iterdir()] == ["0001.gz"]
