"""Token buckets: what a caller may ask for in a window, and what is left of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

WINDOW = 60
"""Seconds of a quota's window."""

_REMEMBERED = 50_000


@dataclass(frozen=True)
class Allowance:
    """What a caller has left: RateLimit and RateLimit-Policy are written from this.

    quota      requests in a window; 0: no limit
    remaining  requests that may follow at once
    reset      seconds until the quota is whole again; until one more request where none is left
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


UNLIMITED = Allowance(0, 0, 0)
"""There is no limit."""


class Buckets:
    """Token buckets: ``quota``, which may change, in a window for each key, refilled evenly."""

    def __init__(self, quota: int, clock: Callable[[], float], window: int = WINDOW) -> None:
        self.quota = quota
        self._window = window
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def charge(self, key: str, cost: float) -> None:
        """Take what something has cost after all: the bucket may owe up to a whole quota."""
        if self.quota:
            self._keep(key, max(self._level(key) - cost, -float(self.quota)))

    def take(self, key: str) -> Allowance:
        """Spend one request of ``key``, or say how long to wait."""
        if not self.quota:
            return UNLIMITED
        level = self._level(key)
        if level < 1:
            return self._told(level, admitted=False)
        self._keep(key, level - 1)
        return self._told(level - 1)

    async def spend(self, key: str) -> Allowance:
        """:meth:`take`, of a bucket that may be somewhere else."""
        return self.take(key)

    def peek(self, key: str) -> Allowance:
        """What ``key`` has left, without spending."""
        return self._told(self._level(key)) if self.quota else UNLIMITED

    def _told(self, level: float, *, admitted: bool = True) -> Allowance:
        whole = int((self.quota - level) * self._window / self.quota + 0.999)
        wait = max(1, round((1 - level) * self._window / self.quota + 0.5))
        left = max(0, int(level))
        return Allowance(self.quota, left, whole if left else wait, 0 if admitted else wait)

    def _level(self, key: str) -> float:
        level, since = self._levels.get(key, (float(self.quota), self._clock()))
        refilled = level + (self._clock() - since) * self.quota / self._window
        return min(float(self.quota), refilled)

    def _keep(self, key: str, level: float) -> None:
        self._levels[key] = (level, self._clock())
        self._levels.move_to_end(key)
        while len(self._levels) > _REMEMBERED:
            self._levels.popitem(last=False)
