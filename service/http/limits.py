"""Quotas: requests a minute, requests at the same time and open streams, for each caller.

They count in this process; with Redis, requests a minute count for all workers (quotas.py).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from ..settings import Settings
from .buckets import WINDOW, Allowance, Buckets

if TYPE_CHECKING:
    from ..news.line import Line

FAILED_LOGINS = 100
"""Requests with a token that is not valid which one address may send in a window, before it is
told to slow down. Valid tokens from the same address are not held up."""

VISITORS = 8
"""As many callers without a token may be behind one address."""

ADDRESS = "address:"
"""How the key of a caller without a token begins."""

HOUR = 3_600
"""Seconds of the window in which it counts what a caller has made."""

MAKING = frozenset({"createGame", "createFork", "createCustom", "createWebhook"})
"""Operations that make something that is kept."""

COST = 0.002
"""CPU seconds of a request's price: whoever asks for more is charged for so many more requests."""

STEP = 0.02
"""CPU seconds that cost nothing beside the request itself, and in which what is more is counted."""


class Places:
    """How many things each key has open at once: as many as it likes until there is a limit."""

    def __init__(self) -> None:
        self._most = self._visitors = 0
        self._taken: dict[str, int] = {}

    def limit(self, most: int) -> None:
        """At most so many; 0: no limit. Behind an address several people may be."""
        self._most, self._visitors = most, most * VISITORS

    def take(self, key: str) -> bool:
        """Take a place; false when all of them are taken."""
        most = self._visitors if key.startswith(ADDRESS) else self._most
        count = self._taken.get(key, 0)
        if most and count >= most:
            return False
        self._taken[key] = count + 1
        return True

    def leave(self, key: str) -> None:
        """Give a place back that :meth:`take` gave."""
        count = self._taken.get(key, 0) - 1
        if count > 0:
            self._taken[key] = count
        else:
            self._taken.pop(key, None)


class Limits:
    """The limits of one service.

    requests  that a caller may send in a window, and what they may cost
    behind    the same of all callers behind one address together, with tokens and without
    made      games, forks, documents and webhooks that a caller may make in an hour
    made_behind  all callers behind one address together
    logins    with tokens that are not valid, likewise
    parallel  requests of a caller that are answered at the same time
    streams   that a caller may have open
    """

    def __init__(self, settings: Settings, clock: Callable[[], float], line: Line | None) -> None:
        """``line``: to the Redis that the workers share, if there is one."""
        self.requests = _buckets(clock, line, "requests")
        self.made = _buckets(clock, line, "made", HOUR)
        self.made_behind = _buckets(clock, line, "made-behind", HOUR)
        self.logins = _buckets(clock, line, "logins")
        self.behind = _buckets(clock, line, "behind")
        self.parallel, self.streams = Places(), Places()
        self.take(settings)

    def take(self, settings: Settings) -> None:
        """From now on the limits are those of the settings; what was spent is spent."""
        made = settings.creation_limit if settings.rate_limit else 0
        self.requests.quota = settings.rate_limit
        self.behind.quota = settings.rate_limit * VISITORS
        self.made.quota, self.made_behind.quota = made, made * VISITORS
        self.logins.quota = FAILED_LOGINS if settings.rate_limit else 0
        self.parallel.limit(settings.parallel_limit)
        self.streams.limit(settings.stream_limit)

    async def spend(self, caller: str, address: str) -> Allowance:
        """Spend one request of the address, and of the caller; says who has none left."""
        behind = await self.behind.spend(address)
        return await self.requests.spend(caller) if behind.admitted else behind

    async def make(self, caller: str, address: str) -> Allowance:
        """Spend one of the things that are kept, as ``spend`` does a request."""
        behind = await self.made_behind.spend(address)
        return await self.made.spend(caller) if behind.admitted else behind

    def charge(self, caller: str, address: str, seconds: float) -> None:
        """Charge both with what a request has cost beside its own price.

        Whole steps alone: what is left of a quota tells nobody how long the service has thought.
        """
        cost = seconds // STEP * STEP / COST
        if not cost:
            return
        self.requests.charge(caller, cost)
        self.behind.charge(address, cost)


def _buckets(
    clock: Callable[[], float], line: Line | None, name: str, window: int = WINDOW
) -> Buckets:
    if line is None:
        return Buckets(0, clock, window)
    from .quotas import SharedBuckets

    return SharedBuckets(0, clock, line, name, window)


@lru_cache(1024)
def address_key(host: str) -> str:
    """The caller behind an address: the address, or the /64 network of an IPv6 one."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return f"{ADDRESS}unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            network = ipaddress.ip_network((address, 64), strict=False)
            return f"{ADDRESS}{network.network_address}"
        address = address.ipv4_mapped
    return f"{ADDRESS}{address}"
