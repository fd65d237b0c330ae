"""A quota that all workers share: the same token bucket as in memory, counted in Redis.

One script reads, refills and takes, so that no two workers admit the same request; the clock is
that of Redis, so that the workers' clocks may differ or jump. While Redis is away each worker
counts by itself, from what it knew last: then N workers admit up to N quotas.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..news.line import Line, RedisUnavailable
from .buckets import WINDOW, Allowance, Buckets

PARTS = 1_000_000
"""A request in the integers of the script."""

TAKE = """
local quota, parts, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local cost, owing = tonumber(ARGV[4]), ARGV[5] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = quota * parts
local kept = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = tonumber(kept[1]) or full
local since = now - (tonumber(kept[2]) or now)
if since > 0 then
  level = math.min(full, math.floor(level + since * full / (window * 1000000)))
end
local taken = 0
if owing then
  level = math.max(level - cost, -full)
elseif level >= cost then
  level = level - cost
  taken = 1
end
redis.call('HSET', KEYS[1], 'level', level, 'at', now)
redis.call('EXPIRE', KEYS[1], 2 * window)
return {taken, level}
"""
"""Takes a cost out of the bucket if there is as much; or owing, up to a whole quota. A clock that
went back refills nothing; what is not asked for during two windows is full, and so is forgotten."""


class SharedBuckets(Buckets):
    """Buckets of one ``name`` in Redis; those in memory follow them and stand in for them."""

    def __init__(
        self,
        quota: int,
        clock: Callable[[], float],
        line: Line,
        name: str,
        window: int = WINDOW,
    ) -> None:
        super().__init__(quota, clock, window)
        self._charging: set[asyncio.Future[tuple[bool, float]]] = set()
        self._line = line
        self._name = name

    async def spend(self, key: str) -> Allowance:
        """Spend one request of ``key`` of all workers, or say how long to wait."""
        if not self.quota:
            return self.take(key)
        try:
            taken, level = await self._ask(key, 1, owing=False)
        except RedisUnavailable:
            return self.take(key)
        return self._told(level, admitted=taken)

    def charge(self, key: str, cost: float) -> None:
        """Charge the bucket of all workers; this one knows at once, the others when they ask."""
        super().charge(key, cost)
        if self.quota:
            charging = asyncio.ensure_future(self._ask(key, cost, owing=True))
            self._charging.add(charging)
            charging.add_done_callback(self._charged)

    def _charged(self, charging: asyncio.Future[tuple[bool, float]]) -> None:
        self._charging.discard(charging)
        if not charging.cancelled():
            charging.exception()  # Redis is away: the charge in memory stands in for it

    async def _ask(self, key: str, cost: float, *, owing: bool) -> tuple[bool, float]:
        """Whether the cost was there, and what is left. Raises Away."""
        where = f"{self._line.prefix}:{self._name}:{key}"
        told = (self.quota, PARTS, self._window, round(cost * PARTS), int(owing))
        taken, parts = await self._line.ask("EVAL", TAKE, 1, where, *told)
        self._keep(key, parts / PARTS)
        return bool(taken), parts / PARTS
