"""Connections that say nothing are cut, and no address takes the place of all (a real server)."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest

from service.http.doors import Doors
from service.proxies import Proxies
from tests.support.server import Running, running

MOST = 40
HEAD_SECONDS = 1.0
SLACK = 5.0
HALF = b"GET /v1 HTTP/1.1\r\nHost: x\r\nX-Half: "


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("doors")
    told = {"connection_limit": MOST, "head_seconds": HEAD_SECONDS}
    with running(folder, "pennant", **told) as server:
        yield server


def opened(server: Running, stack: ExitStack) -> socket.socket:
    parts = urlsplit(server.url)
    line = socket.create_connection((parts.hostname, parts.port), timeout=HEAD_SECONDS + SLACK)
    return stack.enter_context(line)


def cut(line: socket.socket) -> bool:
    """Whether the server hangs up, in time."""
    try:
        while line.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def drip(line: socket.socket, seconds: float) -> None:
    """A byte of the head now and then."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            line.sendall(b"x")
        except ConnectionError:
            return
        time.sleep(0.2)


def test_a_silent_connection_is_cut(server: Running) -> None:
    with ExitStack() as stack:
        assert cut(opened(server, stack))


def test_half_a_head_is_cut_however_slowly_it_goes_on(server: Running) -> None:
    with ExitStack() as stack:
        line = opened(server, stack)
        line.sendall(HALF)
        drip(line, 2.5 * HEAD_SECONDS)
        assert cut(line)


def test_half_a_head_behind_an_answer_is_cut_too(server: Running) -> None:
    with ExitStack() as stack:
        line = opened(server, stack)
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")
        line.sendall(HALF)
        assert cut(line)


def test_who_waits_between_two_whole_requests_is_not_cut(server: Running) -> None:
    with ExitStack() as stack:
        line = opened(server, stack)
        for _ in range(2):
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert line.recv(65_536).startswith(b"HTTP/1.1 200")
            time.sleep(2 * HEAD_SECONDS)


def test_an_address_has_so_many_connections_and_no_more(server: Running) -> None:
    with ExitStack() as stack:
        lines = [opened(server, stack) for _ in range(MOST + 5)]
        refused = []
        for line in lines[MOST:]:
            said = line.recv(65_536)
            assert said.startswith(b"HTTP/1.1 429 ")
            assert b"requests.too-many" in said
            refused.append(cut(line))
        assert refused == [True] * 5
    until = time.monotonic() + SLACK
    while (status := _status(server)) != 200 and time.monotonic() < until:
        time.sleep(0.1)
    assert status == 200, "places are given back"


def _status(server: Running) -> int:
    try:
        return httpx.get(server.url + "/healthz").status_code
    except httpx.HTTPError:
        return 0


def test_an_address_of_many_people_is_that_of_a_listed_proxy() -> None:
    doors = Doors(2, 1.0, Proxies("10.0.0.0/8"))
    assert [doors.enter("10.1.2.3") for _ in range(5)] == [""] * 5
    first, second = doors.enter("192.0.2.1"), doors.enter("192.0.2.1")
    assert first == second == "address:192.0.2.1"
    assert doors.enter("192.0.2.1") is None
    assert doors.enter("192.0.2.2") is not None
    doors.leave(first or "")
    assert doors.enter("192.0.2.1") is not None
    assert Doors(0, 1.0, Proxies()).enter("192.0.2.1") == ""


def test_a_network_of_ipv6_is_one_address() -> None:
    doors = Doors(1, 1.0, Proxies())
    assert doors.enter("2001:db8::1") is not None
    assert doors.enter("2001:db8::2") is None
    assert doors.enter("2001:db8:0:1::1") is not None
