"""Whom an operator lets in otherwise, however the address is written."""

from __future__ import annotations

from typing import Any

import pytest

from service.store.curbs import NETWORK, Curb, Curbs, named


class Rows:
    """A store that has these curbs."""

    def __init__(self, *found: Curb) -> None:
        self._found = found

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        assert "curbs" in sql
        return [(curb.who, curb.rate, curb.until) for curb in self._found]


@pytest.mark.parametrize(
    ("banned", "comes"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7", "::ffff:203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "::ffff:cb00:7107"),
        ("::ffff:203.0.113.0/120", "203.0.113.9"),
        ("::ffff:0:0/96", "203.0.113.9"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("2001:db8::/64", "2001:db8::ffff:1"),
        ("2001:db8::1", "2001:db8::ffff:1"),  # one caller has all of it
        ("fe80::1", "fe80::1%eth0"),
        ("fe80::1%eth0", "fe80::1"),
    ],
)
def test_a_ban_is_of_the_address_however_it_is_written(banned: str, comes: str) -> None:
    curbs = Curbs()
    curbs.read(Rows(Curb(named(NETWORK + banned), 0)), lambda: "")
    found = curbs.of("", comes)
    assert found is not None
    assert found.bans
    assert curbs.of("", "198.51.100.1") is None or banned == "::ffff:0:0/96"


def test_one_address_of_a_caller_is_meant_where_it_is_written_so() -> None:
    curbs = Curbs()
    alone = Curb(named(NETWORK + "2001:db8::1/128"), 0)
    curbs.read(Rows(alone), lambda: "")
    assert curbs.of("", "2001:db8::1") == alone
    assert curbs.of("", "2001:db8::2") is None
