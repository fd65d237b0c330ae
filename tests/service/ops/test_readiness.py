"""``/readyz`` tells the truth: about the engine, the store, and a service that is stopping."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from service.app import create_app
from service.settings import Settings
from tests.service.http.table import Table, code
from tests.service.ops.play import create, play
from tests.support import postgres
from tests.support.pennant import GAME
from tests.support.server import Running, running


def readiness(url: str) -> tuple[int, set[str]]:
    """Status, and the parts that do not work."""
    answer = httpx.get(url + "/readyz", timeout=10)
    parts = {error["pointer"].strip("#") for error in answer.json().get("errors", ())}
    return answer.status_code, parts


def becomes(server: Running, wanted: tuple[int, set[str]], seconds: float = 20) -> None:
    """Waits until it says so; alive it is all the time."""
    until = time.monotonic() + seconds
    while (found := readiness(server.url)) != wanted:
        assert time.monotonic() < until, found
        assert httpx.get(server.url + "/healthz").status_code == 200
        time.sleep(0.1)


def test_postgresql_goes_and_comes_back(tmp_path: Path) -> None:
    with postgres.server() as database:
        told: dict[str, Any] = {"store": database.address, "key": postgres.KEY}
        with running(tmp_path, "pennant", chain_length=64, store_busy_seconds=2, **told) as server:
            with httpx.Client(base_url=server.url, timeout=30) as client:
                game = create(client, "pennant", options={"turns": 12})
                play(client, game, 3)
                assert readiness(server.url) == (200, set())
                database.stop_at_once()
                becomes(server, (503, {"store", "writable"}))
                began = time.monotonic()
                readiness(server.url)
                assert time.monotonic() - began < 8, "a probe is not kept waiting"
                assert httpx.get(server.url + "/healthz").status_code == 200
                shown = client.get("/metrics").text
                assert 'decklog_works{part="store"} 0.0' in shown
                database.start()
                becomes(server, (200, set()))
                play(client, game, 3)
            assert server.stop() == 0


def test_a_server_that_takes_no_writes_is_not_ready(tmp_path: Path) -> None:
    told: dict[str, Any] = {"key": postgres.KEY, "chain_length": 64}
    with (
        postgres.running() as address,
        running(tmp_path, "pennant", store=address, **told) as server,
        psycopg.connect(address, autocommit=True) as operator,
    ):
        assert readiness(server.url) == (200, set())
        operator.execute("ALTER ROLE postgres SET default_transaction_read_only = on")
        cut(operator)
        becomes(server, (503, {"writable"}))
        operator.execute("ALTER ROLE postgres RESET default_transaction_read_only")
        cut(operator)
        becomes(server, (200, set()))


def cut(operator: psycopg.Connection[Any]) -> None:
    """All others have to connect anew."""
    operator.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )


def test_a_database_that_lost_its_name_is_not_ready(tmp_path: Path) -> None:
    with running(tmp_path, "pennant", chain_length=64) as server:
        assert readiness(server.url) == (200, set())
        away = server.database.with_name("moved.sqlite")
        server.database.rename(away)
        assert readiness(server.url) == (503, {"writable"})
        server.database.write_bytes(b"another file")
        assert readiness(server.url) == (503, {"writable"})
        away.replace(server.database)
        assert readiness(server.url) == (200, set())


def test_who_is_stopping_is_not_ready(table: Table) -> None:
    assert table.get("/readyz").json()["parts"]["running"] is True
    table.client.app.state.http.closing.set()
    answer = table.get("/readyz")
    assert (answer.status_code, code(answer)) == (503, "service.not-ready")
    assert answer.json()["errors"][0]["pointer"] == "#running"
    assert table.get("/healthz").status_code == 200


def test_a_dead_engine_is_not_ready(table: Table) -> None:
    desk = table.client.app.state.http.desk
    desk.engine.stop()
    answer = table.get("/readyz")
    assert {error["pointer"] for error in answer.json()["errors"]} == {"#engine"}


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
    return [int(each) for each in found]


def test_a_worker_whose_processes_cannot_be_had_is_not_ready(tmp_path: Path) -> None:
    """What is expensive is worked out by processes of a nursery, and it was killed."""
    with running(tmp_path, "pennant", chain_length=64, work_processes=1) as server:
        assert readiness(server.url) == (200, set())
        (nursery,) = children(server.process.pid)
        os.kill(nursery, signal.SIGKILL)
        becomes(server, (503, {"work"}))
        shown = httpx.get(server.url + "/metrics").text
        assert 'decklog_works{part="work"} 0.0' in shown
        assert server.stop() == 0


@pytest.mark.parametrize("public", ["https://decklog.example", ""])
def test_every_answer_carries_its_safety(public: str, tmp_path: Path) -> None:
    from litestar.testing import TestClient

    settings = Settings(database=tmp_path / "x.sqlite", public_url=public, chain_length=64)
    with TestClient(create_app(settings, {"pennant": GAME})) as client:
        for method, path in (
            ("GET", "/v1"), ("GET", "/healthz"), ("GET", "/nowhere"), ("PUT", "/v1/games"),
            ("GET", "/docs"), ("GET", "/problems/internal.error"), ("OPTIONS", "/v1/games"),
            ("GET", "/openapi.json"), ("GET", "/metrics"), ("POST", "/v1/games"),
        ):  # fmt: skip
            headers = client.request(method, path).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cache-control"], path
            assert "frame-ancestors 'none'" in headers["content-security-policy"], path
            assert "unsafe-eval" not in headers["content-security-policy"]
            assert ("strict-transport-security" in headers) == bool(public)
            assert "server" not in headers
            assert headers["x-request-id"]
