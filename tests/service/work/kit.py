"""A pool of processes for tests, and tasks that are too much for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import msgspec

from domain.kernel.custom import Custom
from domain.kernel.form import Fault
from service.models import CustomDocument, GameId
from service.store.store import ALL, StoredGame
from service.store.stored import Row, StoredCommand
from service.work.nursery import Nursery
from service.work.outcomes import opened
from service.work.pool import Pool
from service.work.tasks import Check, written
from tests.support.pennant import GAME


class Burden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document whose rules do as it says."""

    does: str


def judged(document: Burden) -> Iterator[Fault]:
    match document.does:
        case "spin":
            while True:
                pass
        case "grow":
            kept: list[bytes] = []
            while True:
                kept.append(bytes(10_000_000))
        case "break":
            raise RuntimeError("a fault in a plug-in")
        case "refuse":
            yield Fault("document.heavy", "/does", "It is too heavy.", "PEN-1", "Make it light.")


GAMES: dict[str, Any] = {
    "pennant": replace(GAME, customs=(Custom("map", "Burden", "A burden.", Burden, judged),))
}


def task(does: str = "nothing") -> bytes:
    document = msgspec.Raw(msgspec.json.encode({"does": does}))
    return written(Check("pennant", "map", document))


class Nothing:
    """A store with nothing in it."""

    def game(self, game: GameId) -> StoredGame | None:
        return None

    def rows(self, game: GameId, after: int = 0, limit: int = ALL) -> list[Row]:
        return []

    def commands(self, game: GameId) -> list[StoredCommand]:
        return []

    def engine(self, digest: str) -> bytes | None:
        return None

    def shown(self, digest: str) -> bytes | None:
        return None


@asynccontextmanager
async def pool_of(many: int = 1, source: Any = None) -> AsyncIterator[Pool]:
    nursery = Nursery.forked(GAMES)
    assert nursery is not None
    pool = Pool(nursery, source or Nothing(), many)
    try:
        yield pool
    finally:
        await pool.stop()
        await asyncio.to_thread(nursery.close)


async def done(pool: Pool, does: str = "nothing", caller: str = "a", budget: float = 30) -> Any:
    """What the task made."""
    outcome = await pool.do(task(does), budget, caller, lambda seconds: None)
    return msgspec.json.decode(opened(outcome), type=CustomDocument).document


def pid_of(pool: Pool, place: int = 0) -> int:
    child = pool._places[place].child
    assert child is not None
    return child.pid
