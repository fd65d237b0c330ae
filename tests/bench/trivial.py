"""The reference for a durable command: an application that does nothing but commit one row.

Same framework, same server, same SQLite settings as the service; no rules, no record, no tokens.
``/group`` shares commits among the requests that wait (one writer thread), ``/alone`` commits each
request by itself in a thread, ``/nothing`` stores nothing. As a program (``python -m
tests.bench.trivial DATABASE``, a file or the address of a PostgreSQL) it prints its address and
serves until it is told to stop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import msgspec
import uvicorn
from litestar import Litestar, Request, Response, post

from tests.bench.load import Address
from tests.support.server import ROOT, STOP_SECONDS

GROUP = 256


class Row(msgspec.Struct, forbid_unknown_fields=True):
    """About the size of a command."""

    unit: str
    to: str
    type: str = "move"


class Stored(msgspec.Struct):
    version: int


BODY = msgspec.json.encode(Row("p1-3", "6.4"))
Job = tuple[Row, "asyncio.Future[int]"]


class Table:
    """One table of rows: durable at each commit, like the service's store."""

    def __init__(self, database: Path) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            database, check_same_thread=False, isolation_level=None, cached_statements=16
        )
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, row)")

    def put(self, rows: list[Row]) -> list[int]:
        """One transaction; the new ids."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            ids = [self._insert(row) for row in rows]
            self._connection.execute("COMMIT")
        return ids

    def _insert(self, row: Row) -> int:
        data = (msgspec.json.encode(row),)
        return self._connection.execute("INSERT INTO rows (row) VALUES (?)", data).lastrowid or 0


class Writer(threading.Thread):
    """Puts all rows that wait into one commit, then answers them in one call into the loop."""

    def __init__(self, table: Table | PostgresTable, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(daemon=True)
        self._table = table
        self._loop = loop
        self._queue: SimpleQueue[Job] = SimpleQueue()

    async def put(self, row: Row) -> int:
        future: asyncio.Future[int] = self._loop.create_future()
        self._queue.put((row, future))
        return await future

    def run(self) -> None:
        while True:
            jobs = [self._queue.get()]
            try:
                while len(jobs) < GROUP:
                    jobs.append(self._queue.get_nowait())
            except Empty:
                pass
            ids = self._table.put([row for row, _ in jobs])
            self._loop.call_soon_threadsafe(_resolve, jobs, ids)


def _resolve(jobs: list[Job], ids: list[int]) -> None:
    for (_, future), number in zip(jobs, ids, strict=True):
        if not future.done():
            future.set_result(number)


class PostgresTable:
    """The same in PostgreSQL, with its durable commits; the rows of a group in one message."""

    def __init__(self, address: str) -> None:
        import psycopg

        self._lock = threading.Lock()
        self._connection = psycopg.connect(address, autocommit=True)
        self._connection.execute("SET synchronous_commit = on")
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(1)")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS trivial_rows "
                "(id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, row BYTEA)"
            )

    def put(self, rows: list[Row]) -> list[int]:
        """One transaction; the new ids."""
        values = ",".join(["(%s)"] * len(rows))
        sql = f"INSERT INTO trivial_rows (row) VALUES {values} RETURNING id"
        with self._lock:
            found = self._connection.execute(sql.encode(), [msgspec.json.encode(r) for r in rows])
            return [id_ for (id_,) in found]


def create_app(database: str) -> Litestar:
    shared = database.startswith("postgresql://")
    table = PostgresTable(database) if shared else Table(Path(database))
    decoder = msgspec.json.Decoder(Row)

    async def start(app: Litestar) -> None:
        app.state.writer = Writer(table, asyncio.get_running_loop())
        app.state.writer.start()

    @post("/group", status_code=200)
    async def group(request: Request[Any, Any, Any]) -> Response[bytes]:
        row = decoder.decode(await request.body())
        return _answer(await request.app.state.writer.put(row))

    @post("/alone", status_code=200)
    async def alone(request: Request[Any, Any, Any]) -> Response[bytes]:
        row = decoder.decode(await request.body())
        return _answer((await asyncio.to_thread(table.put, [row]))[0])

    @post("/nothing", status_code=200)
    async def nothing(request: Request[Any, Any, Any]) -> Response[bytes]:
        decoder.decode(await request.body())
        return _answer(0)

    return Litestar(
        [group, alone, nothing], on_startup=[start], openapi_config=None, logging_config=None
    )


def _answer(number: int) -> Response[bytes]:
    body = msgspec.json.encode(Stored(number))
    return Response(body, media_type="application/json", headers={"ETag": f'"{number}"'})


class Plain(NamedTuple):
    """The running application."""

    address: Address
    pid: int


@contextmanager
def running(folder: Path, address: str = "") -> Iterator[Plain]:
    """The application in a process of its own, for the length of a ``with`` block.

    address  of a PostgreSQL to use instead of a file in ``folder``
    """
    database = address or str(folder / "trivial.sqlite")
    command = [sys.executable, "-m", "tests.bench.trivial", database]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        host, _, port = process.stdout.readline().strip().partition(":")
        yield Plain((host, int(port)), process.pid)
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)


class Server(uvicorn.Server):
    """uvicorn that says where it listens, as soon as it does."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        print(f"{host}:{port}", flush=True)


def main(database: str) -> None:
    config = uvicorn.Config(
        create_app(database),
        port=0,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    Server(config).run()


if __name__ == "__main__":
    main(sys.argv[1])
