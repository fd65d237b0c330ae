"""Quotas in this process: requests a minute and open streams, for each caller."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

WINDOW = 60
"""Seconds of a quota's window."""

FAILED_LOGINS = 100
"""Requests with a token that is not valid which one address may send in a window, before it is
told to slow down. Valid tokens from the same address are not held up."""

_REMEMBERED = 50_000


@dataclass(frozen=True)
class Allowance:
    """What a caller has left: RateLimit and RateLimit-Policy are written from this.

    quota      requests in a window; 0: no limit
    remaining  requests that may follow at once
    reset      seconds until the quota is whole again
    retry      seconds to wait; 0 when the request is admitted
    """

    quota: int
    remaining: int
    reset: int
    retry: int = 0

    @property
    def admitted(self) -> bool:
        return self.retry == 0

    def headers(self) -> dict[str, str]:
        """Header fields of the IETF's httpapi draft; nothing when there is no limit."""
        if not self.quota:
            return {}
        return {
            "RateLimit-Policy": f'"requests";q={self.quota};w={WINDOW}',
            "RateLimit": f'"requests";r={self.remaining};t={self.reset}',
        }


class Buckets:
    """Token buckets: ``quota`` in a window for each key, refilled evenly; ``clock`` in seconds."""

    def __init__(self, quota: int, clock: Callable[[], float]) -> None:
        self._quota = quota
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> Allowance:
        """Spend one request of ``key``, or say how long to wait."""
        level = self._level(key)
        if not self._quota:
            return Allowance(0, 0, 0)
        if level < 1:
            wait = (1 - level) * WINDOW / self._quota
            return Allowance(self._quota, 0, self._reset(level), max(1, round(wait + 0.5)))
        self._keep(key, level - 1)
        return Allowance(self._quota, int(level - 1), self._reset(level - 1))

    def peek(self, key: str) -> Allowance:
        """What ``key`` has left, without spending."""
        level = self._level(key)
        return Allowance(self._quota, int(level), self._reset(level), 0 if level >= 1 else 1)

    def _level(self, key: str) -> float:
        level, since = self._levels.get(key, (float(self._quota), self._clock()))
        refilled = level + (self._clock() - since) * self._quota / WINDOW
        return min(float(self._quota), refilled)

    def _keep(self, key: str, level: float) -> None:
        self._levels[key] = (level, self._clock())
        self._levels.move_to_end(key)
        while len(self._levels) > _REMEMBERED:
            self._levels.popitem(last=False)

    def _reset(self, level: float) -> int:
        if not self._quota:
            return 0
        return int((self._quota - level) * WINDOW / self._quota + 0.999)


class Limits:
    """The quotas of one service: all requests, failed logins, and open streams."""

    def __init__(self, requests: int, streams: int, clock: Callable[[], float]) -> None:
        self.requests = Buckets(requests, clock)
        self.logins = Buckets(FAILED_LOGINS if requests else 0, clock)
        self._streams = streams
        self._open: dict[str, int] = {}

    def open_stream(self, key: str) -> bool:
        """Count a stream of ``key``; false when it has as many as it may."""
        count = self._open.get(key, 0)
        if count >= self._streams:
            return False
        self._open[key] = count + 1
        return True

    def close_stream(self, key: str) -> None:
        """Forget a stream that :meth:`open_stream` counted."""
        count = self._open.get(key, 0) - 1
        if count > 0:
            self._open[key] = count
        else:
            self._open.pop(key, None)


def address_key(host: str) -> str:
    """The caller behind an address: the address, or the /64 network of an IPv6 one."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "address:unknown"
    if isinstance(address, ipaddress.IPv6Address):
        return f"address:{ipaddress.ip_network((address, 64), strict=False).network_address}"
    return f"address:{address}"
