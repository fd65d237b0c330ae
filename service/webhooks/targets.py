"""Where a webhook may lead: public addresses only, checked again at each delivery.

The name is looked up by us, every address that it has is checked, and the connection is made to the
very address that was checked: a name that answers differently the second time gains nothing.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import httpx

LONGEST = 2048
PORTS = (443, 8443)
"""Below 1024 there are other services; of the rest, 8443 is where https is customary."""

_NO_NAMES = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp",
             "private", "test", "example", "invalid", "onion", "arpa")  # fmt: skip
_VISIBLE = re.compile(r"[\x21-\x5b\x5d-\x7e]+")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")
_NAME = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")

_GLOBAL_6 = IPv6Network("2000::/3")
_NOT_6 = tuple(
    IPv6Network(net)
    # Teredo, benchmarks, ORCHID, documentation, 6to4: they lead elsewhere, or nowhere.
    for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
_NOT_4 = tuple(
    IPv4Network(net)
    for net in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
    )
)  # fmt: skip
"""Special-purpose registry of IANA (RFC 6890 and later); 224.0.0.0/3 is multicast and reserved."""

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Every address of a name."""


class Forbidden(Exception):
    """Not an address to which a webhook may lead. Says no more: it would tell about our network."""


class Target(msgspec.Struct, frozen=True):
    """Where to connect: ``address`` is what the host of ``url`` resolved to."""

    url: str
    host: str
    port: int
    address: str


def check_form(url: str, *, private: bool) -> httpx.URL:
    """The address if it has the form of a public one. Raises Forbidden.

    private  local development: http, any host and any port
    """
    import httpx

    if len(url) > LONGEST or not _VISIBLE.fullmatch(url):
        raise Forbidden
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise Forbidden from None
    if (
        not parsed.host
        or parsed.userinfo
        or parsed.fragment
        or "@" in url.split("?", maxsplit=1)[0]
    ):
        raise Forbidden
    if parsed.scheme not in (("https", "http") if private else ("https",)):
        raise Forbidden
    if not private:
        _check_public(parsed)
    return parsed


def _check_public(parsed: httpx.URL) -> None:
    if parsed.port not in (None, *PORTS):
        raise Forbidden
    host = parsed.raw_host.decode("ascii").lower()
    if ":" in host or _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
        # Numbers in disguise (127.1, 0x7f.1, 2130706433) are no dotted quads, and not taken.
        if not is_public(host):
            raise Forbidden
        return
    if not _NAME.fullmatch(host) or host.rpartition(".")[2] in _NO_NAMES:
        raise Forbidden


def is_public(address: str) -> bool:
    """Whether an address is one of the open internet."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv4Address):
        return found.is_global and not any(found in net for net in _NOT_4)
    return _public_6(found)


def _public_6(found: IPv6Address) -> bool:
    """Only global unicast, and of that nothing that carries an IPv4 address in it."""
    if found.scope_id is not None or found not in _GLOBAL_6:
        return False
    return found.is_global and not any(found in net for net in _NOT_6)


async def resolve(host: str, port: int) -> list[str]:
    """Every address of a name, as the system knows it."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def find(url: str, resolve: Resolve, *, private: bool) -> Target:
    """Where to connect for an address. Raises Forbidden if any of its addresses is not public."""
    parsed = check_form(url, private=private)
    host = parsed.raw_host.decode("ascii")
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    try:
        addresses = await resolve(host, port)
    except (OSError, UnicodeError):
        raise Forbidden from None
    if not addresses or not (private or all(is_public(each) for each in addresses)):
        raise Forbidden
    return Target(url, host, port, addresses[0])
