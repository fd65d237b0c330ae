"""What is no HTTP at all is refused by a problem too, and holds nobody else up (rules 15, 16)."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.problems import MEDIA_TYPE
from service.reading import HEAD_BYTES
from tests.support.server import Running, running

GET = b"GET /v1 HTTP/1.1\r\n"
POST = b"POST /v1/games HTTP/1.1\r\nHost: here\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("unreadable")
    with running(folder, games="pennant") as found:
        yield found


def told(server: Running, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, header fields and body of the answer to bytes that are sent as they are."""
    url = httpx.URL(server.url)
    with socket.create_connection((url.host, url.port or 80), timeout=20) as line:
        line.sendall(sent)
        found = b""
        while b"\r\n\r\n" not in found:
            part = line.recv(65_536)
            assert part, found
            found += part
        head, _, body = found.partition(b"\r\n\r\n")
        first, *fields = head.decode().split("\r\n")
        named = {name.lower(): value for name, value in (each.split(": ", 1) for each in fields)}
        while len(body) < int(named["content-length"]):
            body += line.recv(65_536)
    return int(first.split()[1]), named, body


@pytest.mark.parametrize(
    "sent",
    [
        b"garbage\r\n\r\n",
        b"BREW /v1 HTTP/1.1\r\nHost: here\r\n\r\n",
        GET + b"\r\n",
        GET + b"Host: here\r\nHost: there\r\n\r\n",
        GET + b"Host: here\r\nContent-Length: many\r\n\r\n",
        POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
)
def test_what_cannot_be_read_is_a_problem(server: Running, sent: bytes) -> None:
    status, fields, body = told(server, sent)
    problem = json.loads(body)
    assert (status, problem["status"], problem["code"]) == (400, 400, "request.malformed")
    assert fields["content-type"] == MEDIA_TYPE
    assert fields["cache-control"] == "no-store"
    assert fields["connection"] == "close"
    assert fields["x-request-id"]


def test_a_head_has_a_limit_and_others_are_served_meanwhile(server: Running) -> None:
    url = httpx.URL(server.url)
    with socket.create_connection((url.host, url.port or 80), timeout=20) as line:
        line.sendall(GET + b"Host: here\r\nX-Long: ")
        assert httpx.get(f"{server.url}/v1").status_code == 200
        answer, sent = b"", 0
        line.settimeout(0.05)
        while not answer and sent < 100 * HEAD_BYTES:
            sent += line.send(b"x" * 4096)
            try:
                answer = line.recv(65_536)
            except TimeoutError:
                continue
    assert b"400 Bad Request" in answer
    assert f"over {HEAD_BYTES} bytes".encode() in answer
    assert httpx.get(f"{server.url}/v1").status_code == 200


def test_http_1_0_needs_no_host_and_long_heads_within_the_limit_are_read(server: Running) -> None:
    assert told(server, b"GET /v1 HTTP/1.0\r\n\r\n")[0] == 200
    long = b"X-Long: " + b"x" * (HEAD_BYTES // 2) + b"\r\n"
    assert told(server, GET + b"Host: here\r\n" + long + b"\r\n")[0] == 200
    named = told(server, GET + b"Host: here\r\n\r\n")
    assert json.loads(named[2])["name"] == "Decklog"
