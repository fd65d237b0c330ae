"""Quotas: requests a minute, requests at the same time and open streams, for each caller.

They count in this process; with Redis, requests a minute count for all workers (quotas.py).
"""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from ..news.line import Line
from ..settings import Settings
from ..store.curbs import Curb
from .buckets import WINDOW, Allowance, Buckets
from .quotas import SharedBuckets

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
    """How many things each key has open at once: ``most`` of them, 0: as many as it likes."""

    def __init__(self, most: int, visitors: int) -> None:
        """``visitors``: for a key that is an address, behind which several people may be."""
        self._most, self._visitors = most, visitors
        self._taken: defaultdict[str, int] = defaultdict(int)

    def limit(self, most: int, visitors: int) -> None:
        """From now on at most so many: what is open stays open."""
        self._most, self._visitors = most, visitors

    def take(self, key: str) -> bool:
        """Take a place; false when all of them are taken."""
        most = self._visitors if key.startswith(ADDRESS) else self._most
        if most and self._taken[key] >= most:
            return False
        self._taken[key] += 1
        return True

    def leave(self, key: str) -> None:
        """Give a place back that :meth:`take` gave."""
        self._taken[key] -= 1
        if self._taken[key] <= 0:
            del self._taken[key]


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

        def buckets(name: str, window: int = WINDOW) -> Buckets:
            if line is None:
                return Buckets(0, clock, window)
            return SharedBuckets(0, clock, line, name, window)

        self._buckets, self._curbed = buckets, dict[int, Buckets]()
        self.requests, self.behind = buckets("requests"), buckets("behind")
        self.made, self.made_behind = buckets("made", HOUR), buckets("made-behind", HOUR)
        self.logins = buckets("logins")
        self.parallel, self.streams = Places(0, 0), Places(0, 0)
        self.take(settings)

    def take(self, settings: Settings) -> None:
        """From now on the limits are those of the settings; what was spent is spent."""
        requests = settings.rate_limit
        made, logins = (settings.creation_limit, FAILED_LOGINS) if requests else (0, 0)
        self.requests.quota, self.behind.quota = requests, requests * VISITORS
        self.made.quota, self.made_behind.quota = made, made * VISITORS
        self.logins.quota = logins
        self.parallel.limit(settings.parallel_limit, settings.parallel_limit * VISITORS)
        self.streams.limit(settings.stream_limit, settings.stream_limit * VISITORS)

    def curbed(self, curb: Curb) -> Buckets:
        """What counts in place of all else for whom the operator lets in otherwise than others."""
        found = self._curbed.setdefault(curb.rate, self._buckets(f"curbed-{curb.rate}"))
        found.quota = curb.rate
        return found

    async def spend(self, caller: str, address: str, curb: Curb | None = None) -> Allowance:
        """Spend one request of the address, and of the caller; says who has none left."""
        if curb is not None:
            return await self.curbed(curb).spend(curb.who)
        behind = await self.behind.spend(address)
        return await self.requests.spend(caller) if behind.admitted else behind

    async def make(self, caller: str, address: str) -> Allowance:
        """Spend one of the things that are kept, as ``spend`` does a request."""
        behind = await self.made_behind.spend(address)
        return await self.made.spend(caller) if behind.admitted else behind

    def charge(self, caller: str, address: str, curb: Curb | None, seconds: float) -> None:
        """Charge both with what a request has cost beside its own price.

        Whole steps alone: what is left of a quota tells nobody how long the service has thought.
        """
        cost = seconds // STEP * STEP / COST
        if not cost:
            return
        if curb is not None:
            self.curbed(curb).charge(curb.who, cost)
            return
        self.requests.charge(caller, cost)
        self.behind.charge(address, cost)


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
