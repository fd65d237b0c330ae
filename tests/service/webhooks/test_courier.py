"""What becomes of a delivery: it is given up after the second attempt at the earliest."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from service.clock import FixedClock, SteadyClock, stamp
from service.store.store import Conflict
from service.webhooks import rows
from service.webhooks.courier import DELAYS, PERSISTENCE, Courier, verdict
from service.webhooks.rows import DELIVERED, FAILED, WAITING, Delivery
from service.webhooks.sending import GONE, Outcome

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def delivery(tries: int) -> Delivery:
    return Delivery(1, "d", "h", "m", "your-turn", 3, b"{}", stamp(NOON), WAITING, tries, "")


def outcome(status: int) -> Outcome:
    return Outcome(status, "", 5)


@pytest.mark.parametrize(
    ("tries", "status", "later", "becomes"),
    [
        (0, 200, timedelta(), DELIVERED),
        (0, 500, timedelta(), WAITING),
        (0, 500, 30 * PERSISTENCE, WAITING),
        (1, 500, 30 * PERSISTENCE, FAILED),
        (1, 500, PERSISTENCE, FAILED),
        (1, 500, PERSISTENCE - timedelta(seconds=1), WAITING),
        (0, GONE, timedelta(), FAILED),
    ],
)
def test_it_is_given_up_after_the_second_attempt_at_the_earliest(
    tries: int, status: int, later: timedelta, becomes: str
) -> None:
    state, due = verdict(delivery(tries), outcome(status), NOON + later)
    assert state == becomes
    if (tries, status, becomes) == (0, 500, WAITING):
        assert due == stamp(NOON + later + timedelta(seconds=DELAYS[0]))


class Conflicting:
    """A recorder that another worker is quicker with."""

    box = None

    def __init__(self) -> None:
        self.recorder = self

    def query(self, sql: str, parameters: Any = ()) -> list[Any]:
        raise Conflict("deadlock detected")


class Waiting:
    """A recorder with deliveries that are due."""

    box = None

    def __init__(self) -> None:
        self.recorder = self
        self.claimed: list[str] = []

    def query(self, sql: str, parameters: Any = ()) -> list[Any]:
        return []


def test_who_is_told_to_stop_begins_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop waits for what is under way: it would wait for all that was due."""
    begun: list[str] = []

    async def read(function: Any, *arguments: Any) -> Any:
        if function is rows.due:
            return [msgspec.structs.replace(delivery(0), id=name) for name in "abc"]
        return 3

    async def claimed(self: Courier, one: Delivery, now: datetime) -> bool:
        begun.append(one.id)
        stopping = asyncio.create_task(self.stop())
        await asyncio.sleep(0)
        stopping.cancel()
        return False

    async def run() -> None:
        store: Any = Waiting()
        sender: Any = None
        await Courier(store, SteadyClock(FixedClock(NOON)), sender, read, 1.0)._look()

    monkeypatch.setattr(Courier, "_claimed", claimed)
    asyncio.run(run())
    assert begun == ["a"]


def test_a_conflict_while_an_attempt_is_recorded_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """PostgreSQL ends one of two who wait for each other: the message is sent again later."""

    async def read(function: Any, *arguments: Any) -> Any:
        return function(*arguments)

    async def run() -> None:
        store: Any = Conflicting()
        sender: Any = None
        courier = Courier(store, SteadyClock(FixedClock(NOON)), sender, read, 1.0)
        await courier._deliver(delivery(0))

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert "was not recorded" in caplog.text
