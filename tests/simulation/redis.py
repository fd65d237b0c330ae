"""One Redis as its workers see it: the script of the quotas, by its own clock; it may be away.

The script is written anew here, after what service/http/quotas.py says that it does.
"""

from __future__ import annotations

import asyncio
from typing import Any

from service.news.line import Line, RedisUnavailable

from .kernel import Process, World

WAY = 2e-4
"""Seconds to it, and back."""


class SimRedis:
    """What all workers count in.

    levels   of each bucket, and when that was, in the world's time
    failed   moments at which somebody was left to count by himself
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.levels: dict[str, tuple[float, float]] = {}
        self.away = 0.0
        self.failed: list[float] = []

    def take(
        self, key: str, quota: int, window: int, cost: float, *, owing: bool
    ) -> tuple[int, float]:
        level, at = self.levels.get(key, (float(quota), self.world.now))
        level = min(float(quota), level + (self.world.now - at) * quota / window)
        taken = 0
        if owing:
            level = max(level - cost, -float(quota))
        elif level >= cost:
            level, taken = level - cost, 1
        self.levels[key] = (level, self.world.now)
        return taken, level


class SimLine(Line):
    """Of one worker."""

    def __init__(self, redis: SimRedis, process: Process) -> None:
        self._redis, self._process = redis, process
        self.prefix, self.up = "sim", True

    async def start(self) -> None:
        """It is there, or it is not."""

    async def stop(self) -> None:
        """Nothing is open."""

    async def ask(self, *words: Any) -> Any:
        redis = self._redis
        world = redis.world
        unasked = world.strikes(f"{self._process.name}/redis-unasked", UNSURE)
        unheard = world.strikes(f"{self._process.name}/redis-unheard", UNSURE)
        await asyncio.sleep(WAY)
        if redis.away > world.now or unasked is not None:
            self._without()
        _, _, _, key, quota, parts, window, cost, owing = words
        taken, level = redis.take(key, quota, window, cost / parts, owing=bool(owing))
        await asyncio.sleep(WAY)
        if unheard is not None:
            self._without()
        return [taken, int(level * parts)]

    def _without(self) -> None:
        self._redis.failed.append(self._redis.world.now)
        raise RedisUnavailable


UNSURE = 0.002
"""How likely a question to Redis is not asked, or its answer not heard."""
