"""``decklog admin drain``: one worker takes nothing new and ends its streams, the other goes on."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import httpx

from tests.service.cli.conftest import Run
from tests.service.cli.test_admin import Admin, Fleet, admin, fleet, ok
from tests.service.http.table import code

__all__ = ["admin", "fleet"]

SOON = 3.0


def workers(run: Run, fleet: Fleet) -> dict[str, dict[str, Any]]:
    """By the port that each listens on."""
    found = run("admin", "status", "--json", *fleet.where).json["workers"]
    return {each["name"].rpartition(":")[2]: each for each in found}


def port(url: str) -> str:
    return url.rpartition(":")[2]


def awaited(fleet: Fleet, number: int, status: int) -> str:
    """What readyz says as soon as it has that status."""
    until = time.monotonic() + SOON
    while (answer := fleet.tables[number].get("/readyz")).status_code != status:
        assert time.monotonic() < until, answer.text
        time.sleep(0.05)
    return answer.text


def test_a_worker_is_drained_and_takes_work_again(fleet: Fleet, admin: Admin, run: Run) -> None:
    first, others = fleet.tables[0], fleet.tables[1:]
    match = first.create()
    found = workers(run, fleet)
    assert {port(each.url) for each in fleet.servers} == {*found}
    name = found[port(fleet.servers[0].url)]["name"]
    ended: list[str] = []

    def follow() -> None:
        url = f"{fleet.servers[0].url}{match.path}/events"
        head = {"Accept": "text/event-stream", "Authorization": f"Bearer {match.tokens['p1']}"}
        with httpx.stream("GET", url, headers=head, timeout=30) as stream:
            ended.append("".join(stream.iter_text()))

    listener = threading.Thread(target=follow)
    listener.start()
    time.sleep(0.5)
    assert ok(admin("drain", "--worker", name)) == f"Worker {name} takes nothing new."
    said = awaited(fleet, 0, 503)
    assert "drained" in said
    assert "running" in said
    listener.join(20)
    assert not listener.is_alive()
    assert ended[0].rstrip("\n").endswith("retry: 500")
    refused = first.get(match.path)
    assert (refused.status_code, code(refused)) == (503, "service.stopping")
    assert refused.headers["connection"] == "close"
    assert first.get("/healthz").status_code == 200
    assert "decklog_draining 1.0" in first.get("/metrics").text
    assert workers(run, fleet)[port(fleet.servers[0].url)]["draining"] is True
    assert f"{name}, " in run("admin", "status", *fleet.where).out
    for table in others:
        assert table.get("/readyz").status_code == 200
        assert table.get(match.path).status_code == 200
    assert ok(admin("undrain")) == "All workers take work again."
    awaited(fleet, 0, 200)
    assert first.get(match.path).status_code == 200
    assert "decklog_draining 0.0" in first.get("/metrics").text
    acts = json.loads(run("store", "acts", "--json", *fleet.where).out)
    assert [each["act"] for each in acts][-2:] == ["drain", "undrain"]


def test_who_is_not_there_cannot_be_drained(fleet: Fleet, admin: Admin) -> None:
    refused = admin("drain", "--worker", "nobody:1")
    refused.assert_mistake("ruling.impossible")
    assert port(fleet.servers[0].url) in refused.err


def test_a_drained_worker_stops_as_any_other(fleet: Fleet, admin: Admin, run: Run) -> None:
    """Last of the module: the worker is gone for good, and nobody counts on it."""
    server = fleet.servers[-1]
    name = workers(run, fleet)[port(server.url)]["name"]
    ok(admin("drain", "--worker", name))
    awaited(fleet, -1, 503)
    assert server.stop() == 0
    assert port(server.url) not in workers(run, fleet)
