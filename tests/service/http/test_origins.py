"""Who is asking, behind proxies: only a listed one is believed, and lying buys nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from litestar.types import Receive, Send

from service.app import create_app
from service.http.limits import address_key
from service.proxies import Proxies
from service.settings import Settings, from_environment
from tests.service.http.table import Table, code
from tests.support.contract import Contract
from tests.support.pennant import GAME

LISTED = "10.0.0.0/8, 2001:db8:ffff::1,192.0.2.7"


@pytest.mark.parametrize(
    ("host", "forwarded", "origin"),
    [
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        ("10.1.2.3", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
        ("10.1.2.3", ["6.6.6.6", "198.51.100.1, 10.9.9.9"], "198.51.100.1"),
        ("10.1.2.3", ["10.4.4.4"], "10.4.4.4"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("10.1.2.3", ["unknown"], "10.1.2.3"),
        ("10.1.2.3", ["198.51.100.1, nonsense"], "10.1.2.3"),
        ("10.1.2.3", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.1.2.3", ["[2001:db8::5]:4711"], "2001:db8::5"),
        ("2001:db8:ffff::1", ["2001:db8::5"], "2001:db8::5"),
        ("2001:db8:ffff::2", ["2001:db8::5"], "2001:db8:ffff::2"),
        ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        ("192.0.2.7", ["::ffff:198.51.100.1"], "198.51.100.1"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_the_last_address_that_somebody_listed_vouches_for(
    host: str, forwarded: list[str], origin: str
) -> None:
    assert Proxies(LISTED).origin(host, forwarded) == origin
    assert Proxies("").origin(host, forwarded) == host


@pytest.mark.parametrize("listed", ["everybody", "10.0.0.0/33", "0.0.0.0/0", "::/0", "10.0.0.1,x"])
def test_a_list_that_is_none_is_refused_at_the_start(listed: str) -> None:
    with pytest.raises(ValueError, match="proxies"):
        from_environment({"DECKLOG_PROXIES": listed})


def test_an_ipv6_network_is_one_caller_and_a_mapped_address_is_its_ipv4_one() -> None:
    assert address_key("2001:db8:1:2:3::4") == address_key("2001:db8:1:2:ffff::")
    assert address_key("2001:db8:1:2::") != address_key("2001:db8:1:3::")
    assert address_key("::ffff:198.51.100.1") == address_key("198.51.100.1")


def table_at(folder: Path, peer: str, proxies: str) -> TestClient[Any]:
    settings = Settings(
        database=folder / "decklog.sqlite", rate_limit=10, chain_length=64, log_level="WARNING",
        proxies=proxies,
    )  # fmt: skip
    app = create_app(settings, {"pennant": GAME})
    app.state.http.limits.requests._clock = lambda: 0.0
    inside = app.asgi_handler

    async def from_peer(scope: Any, receive: Receive, send: Send) -> None:
        scope["client"] = (peer, 40_000)
        await inside(scope, receive, send)

    app.asgi_handler = from_peer
    return TestClient(app)


@pytest.mark.parametrize(
    ("peer", "proxies"),
    [("203.0.113.9", ""), ("203.0.113.9", "10.0.0.0/8"), ("10.0.0.1", "10.0.0.0/8")],
)
def test_spoofed_headers_buy_nothing(tmp_path: Path, peer: str, proxies: str) -> None:
    """From no proxy, or through one that adds the true address behind the invented ones."""
    with table_at(tmp_path, peer, proxies) as client:
        table = Table(client, Contract.of(client.app.state.http.describe()))
        true = "" if peer != "10.0.0.1" else ", 203.0.113.9"
        answers = [
            table.get(
                "/v1",
                X_Forwarded_For=f"198.51.100.{number}{true}",
                X_Real_IP=f"198.51.100.{number}",
                Forwarded=f"for=198.51.100.{number}",
            )
            for number in range(30)
        ]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 20
        assert code(answers[-1]) == "rate.exceeded"


def test_callers_behind_a_listed_proxy_do_not_share_a_quota(tmp_path: Path) -> None:
    with table_at(tmp_path, "10.0.0.1", "10.0.0.0/8") as client:
        for caller in ("198.51.100.1", "198.51.100.2", "2001:db8::1"):
            left = [
                client.get("/v1", headers={"X-Forwarded-For": caller}).headers["ratelimit"]
                for _ in range(10)
            ]
            assert [f"r={n};" in text for n, text in zip(range(9, -1, -1), left, strict=True)] == [
                True
            ] * 10
