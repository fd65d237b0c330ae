"""What is no HTTP at all is refused by a problem too, and holds nobody else up (rules 15, 16).

What is HTTP is answered whatever stands behind it, and whatever it offers besides.
"""

from __future__ import annotations

import json
import re
import socket
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.http.reading import HEAD_BYTES, LINE
from service.problems import MEDIA_TYPE
from tests.support.server import Running, running

GET = b"GET /v1 HTTP/1.1\r\n"
POST = b"POST /v1/games HTTP/1.1\r\nHost: here\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("unreadable")
    with running(folder, games="pennant", stream_ping=0.1) as found:
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
    id_ = fields["x-request-id"]
    while not any(id_ in line and "request.malformed" in line for line in list(server.lines)):
        time.sleep(0.01)
    assert not any("WARNING" in line for line in server.lines)


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


NEW = json.dumps({"ruleset": "pennant"}).encode()
READ = GET + b"Host: here\r\n\r\n"


def posted(body: bytes, *fields: bytes, length: int | None = None) -> bytes:
    """A request for a new game."""
    own = b"Idempotency-Key: %s\r\nContent-Type: application/json\r\n" % uuid.uuid4().hex.encode()
    size = b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length)
    return POST + own + b"".join(field + b"\r\n" for field in fields) + size + body


def heard(server: Running, *parts: bytes, answers: int) -> bytes:
    """What comes back until so many answers have begun, and a moment after that."""
    url, found = httpx.URL(server.url), b""
    with socket.create_connection((url.host, url.port or 80), timeout=20) as line:
        for part in parts:
            line.sendall(part)
            time.sleep(0.02)
        while True:
            line.settimeout(0.2 if found.count(b"HTTP/1.1 ") >= answers else 20)
            try:
                part = line.recv(1 << 20)
            except TimeoutError:
                return found
            if not part:
                return found + b"END"
            found += part


def statuses(found: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", found)]


@pytest.mark.parametrize("offer", [b"h2c", b"websocket"])
@pytest.mark.parametrize("cut", [None, -len(NEW), -3, 30])
def test_an_offer_to_upgrade_is_overlooked(server: Running, offer: bytes, cut: int | None) -> None:
    fields = (b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: " + offer, b"HTTP2-Settings: AA")
    sent = posted(NEW, *fields)
    parts = (sent[:cut], sent[cut:]) if cut else (sent,)
    found = heard(server, *parts, READ, answers=2)
    assert statuses(found) == [201, 200]
    assert b"connection: upgrade" not in found.lower()


def test_answers_that_are_due_come_before_the_end(server: Running) -> None:
    for sent, answers in (
        (READ * 3 + b"garbage\r\n\r\n", [200, 200, 200]),
        (posted(NEW) + b"garbage\r\n\r\n", [201]),
        (READ + POST + b"Transfer-Encoding: chunked\r\n\r\nno size\r\n", [200]),
    ):
        found = heard(server, sent, answers=len(answers))
        assert statuses(found) == answers
        assert found.endswith(b"END")
        assert b"connection: close" in found


def test_no_refusal_is_written_into_a_stream(server: Running) -> None:
    path = heard(server, posted(NEW), answers=1).partition(b"location: ")[2].partition(b"\r\n")[0]
    stream = (
        b"GET %s/events HTTP/1.1\r\nHost: here\r\nAccept: text/event-stream\r\n\r\n"
        % (path[path.index(b"/v1") :])
    )
    for behind in (b"garbage\r\n\r\n", READ):
        url = httpx.URL(server.url)
        with socket.create_connection((url.host, url.port or 80), timeout=20) as line:
            line.sendall(stream + behind)
            found = b""
            while found.count(b": still here") < 2:
                found += line.recv(65_536)
        assert statuses(found) == [200]
    until = time.monotonic() + 20
    while "decklog_streams 0.0" not in httpx.get(f"{server.url}/metrics").text:
        assert time.monotonic() < until, "who hangs up with a request in line is still listened to"
        time.sleep(0.05)


def test_a_body_is_no_part_of_the_next_head(server: Running) -> None:
    found = heard(server, posted(b" " * 100_000 + NEW) + READ[:20], READ[20:], answers=2)
    assert statuses(found) == [201, 200]


@pytest.mark.parametrize(
    "endless",
    [b"X-Field: " + b"x" * 991, b"x" * 1000, b"0" * 1000],
    ids=["fields", "field", "size"],
)
def test_what_follows_a_body_has_a_limit(server: Running, endless: bytes) -> None:
    start = posted(b"", b"Transfer-Encoding: chunked").replace(b"Content-Length: 0\r\n", b"")
    start += b"0\r\n" * (endless[:1] != b"0")
    line_end = b"\r\n" * endless.startswith(b"X")
    parts = [(endless + line_end) * 20] * (HEAD_BYTES // 20_000 + 2)
    found = heard(server, start, *parts, answers=1)
    assert statuses(found) == [400]
    assert f"over {HEAD_BYTES} bytes".encode() in found
    late = heard(server, start.replace(b"Idempotency-Key", b"X-Key"), *parts, answers=1)
    assert statuses(late) == [400]
    assert b"idempotency.key-missing" in late


def test_a_line_of_requests_has_an_end(server: Running) -> None:
    found = heard(server, READ * (3 * LINE), answers=LINE)
    assert LINE <= len(statuses(found)) <= LINE + 1
    assert set(statuses(found)) == {200}
    assert found.endswith(b"END")


def test_who_asks_before_sending_and_is_refused_has_to_come_again(server: Running) -> None:
    huge = heard(server, posted(b"", b"Expect: 100-continue", length=10**8), answers=1)
    assert statuses(huge) == [413]
    assert huge.endswith(b"END")
    sent = posted(NEW, b"Expect: 100-continue")
    assert statuses(heard(server, sent[: -len(NEW)], NEW, READ, answers=3)) == [100, 201, 200]
