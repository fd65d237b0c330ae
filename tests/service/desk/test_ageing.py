"""Idempotency keys grow old by the time that the store has been served, not by a clock."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from service.clock import FixedClock
from service.desk import Desk
from service.models import Outcome
from service.store.ageing import STEP, StoreTime
from tests.service.desk.kit import desk_in, new_game, on_desk, order
from tests.support.pennant import Choose

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = 3600


async def choose(desk: Desk, game: str) -> Outcome:
    """The same command under the same key: done once, answered every time."""
    return await order(desk, game, "p1", Choose("bold"), expected=2, key="the one of p1")


async def begun(desk: Desk) -> str:
    made = await new_game(desk)
    assert made.game.version == 2
    return made.game.id


def serve(ageing: StoreTime, hours: int) -> None:
    """So long does the worker run, and looks after the keys as often as the engine does."""
    for _ in range(round(hours * HOUR / STEP)):
        ageing._since -= STEP
        ageing.go_on()


def test_a_key_is_forgotten_after_its_time_and_not_before(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await begun(desk)
        assert not (await choose(desk, game)).replayed
        serve(desk.store.ageing, 24)
        assert (await choose(desk, game)).replayed
        serve(desk.store.ageing, 1)
        assert desk.store.recorder.query("SELECT count(*) FROM idempotency") == [(0,)]

    on_desk(tmp_path, test, idempotency_hours=24)


@pytest.mark.parametrize("wrong", [-400, 400])
def test_a_clock_that_jumps_makes_no_key_old(tmp_path: Path, wrong: int) -> None:
    """Found by the campaign of failures, seed 51: a key that was stamped while the clock was behind
    was forgotten by the next worker that started."""

    async def test() -> None:
        clock = FixedClock(NOON)
        async with desk_in(tmp_path, clock) as desk:
            game = await begun(desk)
            clock.at += timedelta(days=wrong)
            await choose(desk, game)
        for days in (-wrong, wrong, 0):
            clock.at += timedelta(days=days)
            async with desk_in(tmp_path, clock) as desk:
                serve(desk.store.ageing, 1)
                assert (await choose(desk, game)).replayed

    asyncio.run(test())


def test_of_several_workers_one_counts_the_time(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        clock = [0.0]
        workers = [StoreTime(desk.store.recorder, 24, NOON, lambda: clock[0]) for _ in range(3)]
        begin = datetime.fromisoformat(workers[0].at)
        for minute in range(24 * 60):
            clock[0] = minute * 60.0
            workers[minute % 3].go_on()
        passed = [datetime.fromisoformat(each.at) - begin for each in workers]
        assert timedelta(hours=23) < max(passed) < timedelta(hours=24)
        assert max(passed) - min(passed) <= timedelta(seconds=STEP + 120)

    on_desk(tmp_path, test)


def test_a_store_that_had_no_time_begins_with_its_newest_key(tmp_path: Path) -> None:
    """A store of before, whose keys were stamped by a clock that was ahead."""

    async def test(desk: Desk) -> None:
        await choose(desk, await begun(desk))
        ahead = "2031-01-01T00:00:00.000Z"
        put = desk.store.recorder.put
        put((), [("DELETE FROM meta WHERE name = 'served'", ())])
        put((), [("UPDATE idempotency SET at = ?", (ahead,))])
        assert StoreTime(desk.store.recorder, 24, NOON).at == ahead

    on_desk(tmp_path, test)


def test_a_service_without_a_quiet_moment_forgets_as_well(tmp_path: Path) -> None:
    async def test() -> None:
        async with desk_in(tmp_path) as desk:
            game = await begun(desk)
            before = desk.store.ageing.at
            desk.store.ageing._since -= STEP
            desk.engine._tidy_at = 0.0
            await choose(desk, game)
        assert desk.store.ageing.at > before

    asyncio.run(test())
