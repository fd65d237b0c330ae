"""A stop that cuts nobody off: streams are told, new work is refused politely, what is under way is
finished."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from typing import Any

import httpx

from tests.service.http.table import Table, code
from tests.support.server import Running, running

DRAIN = 3.0
HINT = ": the service is stopping; go on elsewhere with Last-Event-ID"


def told_to_stop(server: Running) -> None:
    server.process.send_signal(signal.SIGTERM)


def follow(url: str, media: str, found: list[str], began: threading.Event) -> None:
    """All that comes, to the end of the stream."""
    with httpx.stream("GET", url, headers={"Accept": media}, timeout=20) as stream:
        for line in stream.iter_lines():
            found.append(line)
            began.set()


def test_while_it_drains_streams_end_with_a_hint_and_new_work_is_refused(tmp_path: Path) -> None:
    told = {"chain_length": 64, "drain_seconds": DRAIN}
    with (
        running(tmp_path, "pennant", **told) as server,
        httpx.Client(base_url=server.url, timeout=20) as client,
    ):
        table = Table.at(client)
        match = table.create()
        url = f"{server.url}{match.path}/events"
        lines: tuple[list[str], list[str]] = ([], [])
        kinds = ("text/event-stream", "application/x-ndjson")
        readers = []
        for media, found in zip(kinds, lines, strict=True):
            began = threading.Event()
            readers.append(threading.Thread(target=follow, args=(url, media, found, began)))
            readers[-1].start()
            assert began.wait(10)
        told_to_stop(server)
        for reader in readers:
            reader.join(DRAIN)
            assert not reader.is_alive(), "streams end at once, not when the door closes"
        assert lines[0][-3:] == [HINT, "retry: 500", ""]
        assert lines[1][-1] == ""
        refused = table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"}, 1)
        assert (refused.status_code, code(refused)) == (503, "service.stopping")
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.headers["connection"] == "close"
        for path in (match.path, f"{match.path}/events", "/v1/games"):
            assert code(table.get(path, Accept="application/json")) == "service.stopping"
        assert client.get("/healthz").status_code == 200
        assert server.process.wait(20) == 0


def test_a_command_that_was_taken_is_finished(tmp_path: Path) -> None:
    """The body is still on its way when the stop comes; the answer comes, and it is stored."""
    with running(tmp_path, "pennant", chain_length=64, drain_seconds=1.0) as server:
        with httpx.Client(base_url=server.url, timeout=20) as client:
            match = Table.at(client).create()
        stopping, at = threading.Event(), f'"{match.created.json()["game"]["version"]}"'

        def slowly() -> Any:
            yield b'{"type":"pennant.choose",'
            time.sleep(0.5)
            told_to_stop(server)
            time.sleep(0.3)
            stopping.set()
            yield b'"colour":"bold"}'

        headers = {
            "Authorization": f"Bearer {match.tokens['p1']}", "If-Match": at,
            "Idempotency-Key": "taken-before-the-stop-9f86d08188",
            "Content-Type": "application/json",
        }  # fmt: skip
        answer = httpx.post(
            f"{server.url}{match.path}/commands", headers=headers, content=slowly(), timeout=20
        )
        assert stopping.is_set()
        assert answer.status_code == 200, answer.text
        assert server.process.wait(20) == 0
    with running(tmp_path, "pennant", chain_length=64) as server:
        again = httpx.post(
            f"{server.url}{match.path}/commands",
            headers=headers,
            content=b'{"type":"pennant.choose","colour":"bold"}',
        )
        assert again.text == answer.text
        assert again.headers["idempotency-replayed"] == "true"


def test_an_interrupt_does_not_wait_for_the_door(tmp_path: Path) -> None:
    with running(tmp_path, "pennant", chain_length=64, drain_seconds=60.0) as server:
        told_to_stop(server)
        time.sleep(0.5)
        assert server.process.poll() is None
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(10) == 0
