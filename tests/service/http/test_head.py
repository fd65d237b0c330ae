"""HEAD: the answer that GET would give, and not a byte of its body (RFC 9110 9.3.2)."""

from __future__ import annotations

import http.client
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from service.http.operation import Operation
from service.http.registry import operations
from tests.service.http.table import Match, Table
from tests.service.http.test_access import NAMES
from tests.support.server import Running, running

READING = tuple(each for each in operations() if each.method == "GET")
READABLE = {each.path for each in READING}
OWN = {"x-request-id", "ratelimit", "date"}
"""What differs between any two answers."""
LIVING = {"/metrics", "/readyz", "/healthz"}
"""What says something else each time."""


def where(operation: Operation, match: Match) -> str:
    ids = {"game": match.id, "webhook": "none", "delivery": "none", "code": "version.stale"}
    return operation.path.format(**{**NAMES, **ids})


def test_head_is_get_without_the_body_everywhere_and_for_everybody(table: Table) -> None:
    match = table.create()
    for operation, token in product(READING, ("", match.tokens["p1"], "malformed")):
        path = where(operation, match)
        get, head = (table.ask(method, path, token) for method in ("GET", "HEAD"))
        assert (head.status_code, head.content) == (get.status_code, b""), path
        differing = OWN | ({"content-length"} if operation.path in LIVING else set())
        same = [
            {name: value for name, value in answer.headers.items() if name not in differing}
            for answer in (get, head)
        ]
        assert same[0] == same[1], path


def test_what_cannot_be_read_has_no_head_and_allow_says_so(table: Table) -> None:
    match = table.create()
    for operation in operations():
        if operation.path in READABLE:
            continue
        refused = table.ask("HEAD", where(operation, match))
        assert (refused.status_code, refused.content) == (405, b"")
        assert not {"GET", "HEAD"} & set(refused.headers["allow"].split(", "))
    refused, asked = (table.ask(method, "/v1/games") for method in ("PUT", "OPTIONS"))
    assert refused.headers["allow"] == asked.headers["allow"] == "GET, HEAD, POST, OPTIONS"
    assert "HEAD" in asked.headers["access-control-allow-methods"]
    assert table.ask("HEAD", "/nowhere").status_code == 404


def test_a_head_may_be_conditional_and_is_counted_as_such(table: Table) -> None:
    tag = table.get("/v1/rulesets").headers["etag"]
    again = table.ask("HEAD", "/v1/rulesets", headers={"If-None-Match": tag})
    assert (again.status_code, again.headers["etag"]) == (304, tag)
    line = 'decklog_requests_total{method="HEAD",route="/v1/rulesets",status="304"} 1.0'
    assert line in table.get("/metrics").text


def _streams(server: Running) -> str:
    found = httpx.get(f"{server.url}/metrics").text.splitlines()
    return next(line for line in found if line.startswith("decklog_streams "))


def test_a_stream_that_is_asked_for_by_head_ends_with_its_header_fields(tmp_path: Path) -> None:
    """On one connection of a real server: what comes next is not taken for a body."""
    with (
        running(tmp_path, "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url, timeout=20) as client,
    ):
        table = Table.at(client)
        match = table.create()
        line = http.client.HTTPConnection(str(urlsplit(server.url).netloc), timeout=10)
        for media in ("text/event-stream", "application/x-ndjson"):
            for path, wanted in ((f"{match.path}/events", media), (match.path, "application/json")):
                line.request("HEAD", path, headers={"Accept": wanted})
                answer = line.getresponse()
                assert (answer.status, answer.read()) == (200, b"")
                assert answer.headers["content-type"] == wanted
            line.request("GET", match.path)
            assert line.getresponse().read().startswith(b"{")
        line.close()
        assert _streams(server) == "decklog_streams 0.0"
