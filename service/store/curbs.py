"""Whom an operator lets in less than others, more, or not at all: by token, address or network."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

import msgspec

from .bulk import Statement
from .queries import Queries

TOKEN, NETWORK = "token:", "network:"
"""How it begins of whom a curb is: the id of a token, or a network, which may be one address."""

_ALL = "SELECT who, rate, until FROM curbs ORDER BY who"
_PUT = (
    "INSERT INTO curbs (who, rate, until) VALUES (?,?,?) "
    "ON CONFLICT (who) DO UPDATE SET rate = excluded.rate, until = excluded.until"
)
_LIFT = "DELETE FROM curbs WHERE who = ?"
_OVER = "DELETE FROM curbs WHERE until <> '' AND until < ?"

Network = IPv4Network | IPv6Network

MAPPED = 96
"""Bits of an IPv6 address before the IPv4 one that it may stand for."""

CALLER = 64
"""Bits of the network of one caller by IPv6, as quotas count (``http/limits.py``)."""


class Curb(msgspec.Struct, frozen=True):
    """What somebody may ask for in place of the usual.

    who    with what it begins, see TOKEN and NETWORK
    rate   requests a minute, all of a network together; 0: none at all
    until  by the store's clock; "" for ever
    """

    who: str
    rate: int
    until: str = ""

    @property
    def bans(self) -> bool:
        """Whether they are let in no more."""
        return not self.rate


def named(who: str) -> str:
    """Of whom it is: a network in its one form. Raises ValueError."""
    if re.fullmatch(f"{TOKEN}[0-9a-f]{{16}}", who):
        return who
    if not who.startswith(NETWORK):
        raise ValueError(f"{who!r} is neither a token's id nor a network")
    return f"{NETWORK}{_network(who.removeprefix(NETWORK))}"


def _network(text: str) -> Network:
    """As addresses come: one of IPv4 that is written as one of IPv6 is of IPv4, no address names a
    link, and one of IPv6 alone stands for its caller, who has all of the /64. Raises ValueError."""
    address, slash, bits = text.partition("/")
    network = ip_network(address.partition("%")[0] + slash + bits, strict=False)
    if isinstance(network, IPv4Network):
        return network
    mapped = network.network_address.ipv4_mapped
    if mapped is not None and network.prefixlen >= MAPPED:
        return IPv4Network((mapped, network.prefixlen - MAPPED))
    return network if slash else network.supernet(new_prefix=CALLER)


def put(curb: Curb) -> Statement:
    """In place of what is there for the same."""
    return _PUT, (curb.who, curb.rate, curb.until)


def lifted(who: str, at: str) -> list[Statement]:
    """Nothing is special of them any more; those whose time is over are forgotten as well."""
    return [(_LIFT, (who,)), (_OVER, (at,))]


def kept(recorder: Queries) -> list[Curb]:
    """All of them, those too whose time is over."""
    return [Curb(who, int(rate), until) for who, rate, until in recorder.query(_ALL)]


class Curbs:
    """As one worker knows them. Nobody waits for the store when somebody asks for something."""

    def __init__(self) -> None:
        self._tokens: dict[str, Curb] = {}
        self._networks: list[tuple[Network, Curb]] = []

    def read(self, recorder: Queries, now: Callable[[], str]) -> None:
        """Know them anew; ``now`` by the store's clock, asked only where it matters."""
        found = kept(recorder)
        if any(curb.until for curb in found):
            at = now()
            found = [curb for curb in found if not curb.until or curb.until > at]
        networks = [
            (ip_network(curb.who.removeprefix(NETWORK)), curb)
            for curb in found
            if curb.who.startswith(NETWORK)
        ]
        self._networks = sorted(networks, key=lambda each: -each[0].prefixlen)
        self._tokens = {curb.who: curb for curb in found if curb.who.startswith(TOKEN)}

    def of(self, token: str, origin: str) -> Curb | None:
        """What holds for the token, else for the narrowest network that the address is in."""
        if (own := self._tokens.get(TOKEN + token)) is not None or not self._networks:
            return own
        try:
            address = ip_address(origin)
        except ValueError:
            return None
        mapped = getattr(address, "ipv4_mapped", None)
        return next(
            (curb for network, curb in self._networks if (mapped or address) in network), None
        )
