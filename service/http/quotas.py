"""A quota that all workers share: the same token bucket as in memory, counted in Redis.

One script reads, refills and takes, so that no two workers admit the same request; the clock is
that of Redis, so that the workers' clocks may differ or jump. While Redis is away each worker
counts by itself, from what it knew last: then N workers admit up to N quotas.
"""

from __future__ import annotations

from collections.abc import Callable

from ..news.line import Away, Line
from .limits import WINDOW, Allowance, Buckets

PARTS = 1_000_000
"""A request in the integers of the script."""

TAKE = """
local quota, parts, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
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
if level >= parts then
  level = level - parts
  taken = 1
end
redis.call('HSET', KEYS[1], 'level', level, 'at', now)
redis.call('EXPIRE', KEYS[1], window)
return {taken, level}
"""
"""Takes one request out of the bucket if there is one. A clock that went back refills nothing; what
is not asked for during a whole window is full, and so is forgotten."""


class SharedBuckets(Buckets):
    """Buckets of one ``name`` in Redis; those in memory follow them and stand in for them."""

    def __init__(self, quota: int, clock: Callable[[], float], line: Line, name: str) -> None:
        super().__init__(quota, clock)
        self._line = line
        self._name = name

    async def spend(self, key: str) -> Allowance:
        """Spend one request of ``key`` of all workers, or say how long to wait."""
        if not self._quota:
            return self.take(key)
        where = f"{self._line.prefix}:{self._name}:{key}"
        try:
            taken, parts = await self._line.ask("EVAL", TAKE, 1, where, self._quota, PARTS, WINDOW)
        except Away:
            return self.take(key)
        level = parts / PARTS
        self._keep(key, level)
        return self._admitted(level) if taken else self._refused(level)
