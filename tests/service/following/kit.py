"""Follows a store by hand: no thread, no waiting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec

from projections.follow import Projection
from service.following.follower import Follower, Projecting, place_of
from service.following.meaning import Meanings
from service.following.shelf import sound
from service.settings import Settings
from service.store.database import Database
from service.store.store import Store
from tests.service.desk.kit import GAMES

MEANINGS = Meanings(GAMES)
NOW = datetime(2026, 11, 21, tzinfo=UTC)


@contextmanager
def opened(given: Settings) -> Iterator[Database]:
    """The store, without a service at work on it."""
    store = Store(given)
    store.open(NOW)
    try:
        yield store.recorder
    finally:
        store.close()


def follow(recorder: Database, projection: Projection, *, limit: int = 500) -> int:
    """Bring the projection up to date; how many steps that took."""
    follower = Follower(recorder, Projecting(recorder, projection), 0, MEANINGS)
    steps = 0
    upto = recorder.settled()
    while follower.step(upto, limit):
        steps += 1
    return steps


def documents(recorder: Database, name: str) -> dict[str, Any]:
    """What a projection has kept, by key, with rank and kind."""
    rows = recorder.query(
        "SELECT key, rank, kind, document FROM projected WHERE projection = ?", (name,)
    )
    return {
        key: (rank, kind, msgspec.json.decode(sound(name, key, kind, rank, stored)))
        for key, rank, kind, stored in rows
    }


def place(recorder: Database, name: str) -> int:
    found = place_of(recorder, name)
    assert found is not None
    return found.place
