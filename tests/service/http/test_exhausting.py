"""What is sent to exhaust the service: each is refused, costs no memory to speak of, and disturbs
nobody (S-RES)."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.service.http.table import Match, Table
from tests.support.contract import Contract
from tests.support.server import Running, running

REFUSED = {400, 404, 406, 408, 413, 414, 415, 422, 429, 431}
GROWTH = 50 * 1024
"""KiB that the server may grow by under all of it."""

OTHERS_SECONDS = 3.0
"""Within which others are answered, on a machine that does other things as well; the campaign of
measurements says how quick they really are."""


@dataclass
class Scene:
    """A server, somebody's game on it, and what others had to wait meanwhile."""

    server: Running
    table: Table
    match: Match
    waits: list[float] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.server.url

    def headers(self, **more: str) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {self.match.tokens['p1']}",
            "Idempotency-Key": "an-exhausting-request-ef2d127de37b",
            "If-Match": '"1"',
            "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in more.items()},
        }

    def post(self, body: Any, path: str = "", **more: str) -> list[int]:
        """The status of a command (or of a POST elsewhere) with that body."""
        where = self.url + (path or f"{self.match.path}/commands")
        answer = httpx.post(where, content=body, headers=self.headers(**more), timeout=30)
        return [answer.status_code]

    def get(self, path: str, **more: str) -> list[int]:
        answer = httpx.get(self.url + path, headers=self.headers(**more), timeout=30)
        return [answer.status_code]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("exhausted")
    told = {"chain_length": 64, "rate_limit": 600_000, "stall_seconds": 2}
    with (
        running(folder, "pennant", **told) as server,
        httpx.Client(base_url=server.url, timeout=30) as client,
    ):
        table = Table(client, Contract.of(client.get("/openapi.json").content))  # type: ignore[arg-type]
        yield Scene(server, table, table.create())


def resident(server: Running) -> int:
    """KiB of memory that the process has."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def nested(opening: str, closing: str, deep: int) -> bytes:
    return f'{{"type":"pennant.pass","x":{opening * deep}1{closing * deep}}}'.encode()


def colliding() -> bytes:
    """Names whose hashes would collide in a table without a secret: more than a body may have."""
    return json.dumps({"type": "pennant.pass", **{f"{n:0>12}": n for n in range(5_000)}}).encode()


def slow_body(scene: Scene) -> list[int]:
    """A byte a second: the server does not wait for the end of it."""

    def drip() -> Iterator[bytes]:
        for _ in range(60):
            yield b" "
            time.sleep(0.5)

    return scene.post(drip())


def raw(scene: Scene, text: bytes) -> list[int]:
    """Bytes as they are; 0 where the server hung up without a word."""
    parts = urlsplit(scene.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as line:
        try:
            line.sendall(text)
            answer = line.recv(4096)
        except (ConnectionError, TimeoutError):
            answer = b""
    return [int(answer[9:12])] if answer else [431]


def too_many_streams(scene: Scene) -> list[int]:
    """As many as one likes; those beyond the limit are refused."""
    limit = scene.table.get("/v1").json()["limits"]["streams"]
    found = []
    with ExitStack() as stack:
        for _ in range(limit + 6):
            stream = httpx.stream(
                "GET",
                f"{scene.url}{scene.match.path}/events",
                headers={**scene.headers(), "Accept": "application/x-ndjson"},
                timeout=20,
            )
            found.append(stack.enter_context(stream).status_code)
    assert found[:limit] == [200] * limit
    return found[limit:]


def too_many_at_once(scene: Scene) -> list[int]:
    """Slow bodies beyond the limit of one token: the others of that token are refused at once."""
    limit = scene.table.get("/v1").json()["limits"]["parallel"]
    held = threading.Event()

    def wait() -> Iterator[bytes]:
        yield b"{"
        held.wait(20)
        yield b"}"

    with ThreadPoolExecutor(limit) as pool:
        jobs = [pool.submit(scene.post, wait()) for _ in range(limit)]
        until = time.monotonic() + 3
        while (found := scene.get(scene.match.path)) == [200] and time.monotonic() < until:
            time.sleep(0.02)
        other = {"Authorization": f"Bearer {scene.match.tokens['p2']}"}
        assert httpx.get(scene.url + scene.match.path, headers=other).status_code == 200
        held.set()
        found += [status for job in jobs for status in job.result()]
    assert scene.get(scene.match.path) == [200], "places are given back"
    return found


SPACES = b" " * 10_000_000
EXHAUSTING: dict[str, Callable[[Scene], list[int]]] = {
    "lists in lists": lambda s: s.post(nested("[", "]", 100_000)),
    "lists one too deep": lambda s: s.post(nested("[", "]", 32)),
    "objects in objects": lambda s: s.post(nested('{"a":', "}", 40_000)),
    "half of lists in lists": lambda s: s.post(b"[" * 250_000),
    "a number of 200,000 digits": lambda s: s.post(b'{"type":' + b"9" * 200_000 + b"}"),
    "a number with a great exponent": lambda s: s.post(b'{"type":1e999999999}'),
    "a long string": lambda s: s.post(b'{"type":"' + b"x" * 250_000 + b'"}'),
    "escapes": lambda s: s.post(b'{"type":"' + b"\\u0000" * 40_000 + b'"}'),
    "a long name": lambda s: s.post(b'{"' + b"x" * 250_000 + b'":1}'),
    "many names": lambda s: s.post(colliding()),
    "one name many times": lambda s: s.post(b"{" + b'"a":1,' * 40_000 + b'"a":1}'),
    "a million small orders": lambda s: s.post(b"[" + b"0," * 1_000_000 + b"0]"),
    "as many small orders as fit": lambda s: s.post(b'{"type":[' + b"0," * 120_000 + b"0]}"),
    "ten million spaces": lambda s: s.post(SPACES),
    "ten million spaces in pieces": lambda s: s.post(SPACES[:9999] for _ in range(1001)),
    "a gzip bomb": lambda s: s.post(gzip.compress(SPACES), Content_Encoding="gzip"),
    "a deflate bomb": lambda s: s.post(zlib.compress(SPACES), Content_Encoding="deflate"),
    "a body that drips": slow_body,
    "a bomb as a document of one's own": lambda s: s.post(
        b'{"content":' + b"[" * 200_000 + b"]" * 50_000 + b"}", "/v1/games"
    ),
    "a long query": lambda s: s.get("/v1/games?cursor=" + "x" * 60_000),
    "many parameters": lambda s: s.get("/v1/games?" + "&".join(f"a{n}=1" for n in range(5_000))),
    "a page without an end": lambda s: s.get(f"{s.match.path}/events?limit=1000000000"),
    "an integer without an end": lambda s: s.get(f"{s.match.path}/events?after=" + "9" * 5_000),
    "a header without an end": lambda s: raw(s, b"GET /v1 HTTP/1.1\r\nX: " + b"x" * 2_000_000),
    "a list of forms without an end": lambda s: s.get("/v1", Accept="a/b;q=0.1," * 5_000),
    "streams without an end": too_many_streams,
    "requests at the same time": too_many_at_once,
}  # fmt: skip


def disturbed(scene: Scene, over: threading.Event) -> None:
    """Somebody else, who asks for the game and does not notice anything."""
    token = {"Authorization": f"Bearer {scene.match.tokens['p2']}"}
    with httpx.Client(base_url=scene.url, headers=token, timeout=30) as client:
        while not over.is_set():
            began = time.monotonic()
            assert client.get(scene.match.path).status_code == 200
            scene.waits.append(time.monotonic() - began)
            time.sleep(0.02)


@pytest.mark.slow("strangers")
@pytest.mark.timeout(300)
def test_exhausting_inputs_are_refused_and_disturb_nobody(scene: Scene) -> None:
    for name, send in EXHAUSTING.items():  # everything once, so that memory is what it stays at
        if name not in ("a body that drips", "requests at the same time"):
            send(scene)
    before, version = resident(scene.server), scene.table.version(scene.match)
    over = threading.Event()
    with ThreadPoolExecutor(1) as other:
        watching = other.submit(disturbed, scene, over)
        try:
            found = {name: send(scene) for name, send in EXHAUSTING.items()}
        finally:
            over.set()
        watching.result(30)
    assert len(found) >= 25
    accepted = {name: codes for name, codes in found.items() if not set(codes) <= REFUSED}
    assert accepted == {}
    grown = resident(scene.server) - before
    waits = sorted(scene.waits)
    print(f"{grown} KiB grown; others waited {waits[len(waits) * 99 // 100] * 1000:.0f} ms at most")
    assert grown <= GROWTH
    assert waits[len(waits) * 99 // 100] <= OTHERS_SECONDS
    assert scene.table.version(scene.match) == version, "none of it was a command"
    assert scene.server.process.poll() is None
