"""Where a request comes from, when reverse proxies stand in between."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

WIDEST = {4: 8, 6: 7}
"""Bits of the largest network that is listed, by IP version: those that are private, 10.0.0.0/8 and
fc00::/7. With larger ones strangers would be believed."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Proxies:
    """The reverse proxies whose word counts; without any, nobody's does."""

    def __init__(self, listed: str = "") -> None:
        """``listed``: addresses and networks, separated by commas. Raises ValueError."""
        words = [word.strip() for word in listed.split(",") if word.strip()]
        try:
            self._networks = tuple(ipaddress.ip_network(word, strict=False) for word in words)
        except ValueError as error:
            raise ValueError(f"proxies: {error}") from None
        if any(network.prefixlen < WIDEST[network.version] for network in self._networks):
            raise ValueError("proxies must not be everybody: list the networks that are your own")

    def origin(self, host: str, forwarded: Sequence[str]) -> str:
        """The address that a request came from, as far as somebody who is trusted says so.

        host       the other end of the connection
        forwarded  the X-Forwarded-For header fields, in order: each proxy adds who asked it at the
                   end. Read from there: what stands before the first address that is no proxy of
                   ours may be invented by the caller.
        """
        if not self._networks:
            return host
        hops = [hop.strip() for field in forwarded for hop in field.split(",")]
        while hops and self.trusts(host):
            hop = _address(hops.pop())
            if hop is None:
                break
            host = str(hop)
        return host

    def trusts(self, host: str) -> bool:
        """Whether it is one of the proxies."""
        address = _address(host)
        return address is not None and any(address in network for network in self._networks)


def _address(text: str) -> Address | None:
    """The address in a hop, which may be in brackets and have a port; None for anything else."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
