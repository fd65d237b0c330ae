"""Clocks that jump: nobody's time is over because of it, and none is lost."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from service.clock import SETTLED_SECONDS, TOLERANCE, SteadyClock
from service.desk import Desk, open_desk
from service.errors import StoreUnavailable
from service.play.reach import Reach
from service.settings import Settings
from service.store.recorder import Recorder
from service.store.store import connect_file
from tests.support.pennant import Fire

from .hands import DAYS, NOON, Hands, at, go_on, turn, with_hands
from .kit import GAMES, desk_in, new_game, order, settings


def test_a_clock_that_leaps_plays_for_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        games = [await turn(desk, 60) for _ in range(6)]
        for wrong in (30 * DAYS, -30 * DAYS):
            hands.wrong = wrong
            assert desk.clock.suspended
            assert await desk.timekeeper.tick() == 0
            await order(desk, games[0], "p1", Fire())
            summary = await desk.reader.summary(games[0])
            assert summary.due == {"p2": at(hands.passed + 60)}, "by the time that goes on"
            await order(desk, games[0], "p2", Fire())
            hands.wrong = 0.0
            hands.passed += 3.0
            assert await desk.timekeeper.tick() == 0
            assert not desk.clock.suspended
        assert await go_on(desk, hands, 59.9) == 0
        assert await go_on(desk, hands, 60) == 5
        assert await go_on(desk, hands, 65) == 0

    with caplog.at_level(logging.ERROR):
        with_hands(tmp_path, test)
    assert sum("the clock has jumped" in record.message for record in caplog.records) == 2


def test_a_clock_that_stays_where_it_was_set_is_believed_and_nobody_is_late_for_it(
    tmp_path: Path,
) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await turn(desk, 1_000)
        hands.wrong = 2 * DAYS
        assert await go_on(desk, hands, SETTLED_SECONDS) == 0
        assert desk.clock.suspended
        assert await go_on(desk, hands, SETTLED_SECONDS + 10) == 0
        assert not desk.clock.suspended
        assert await go_on(desk, hands, 999.9) == 0
        assert await go_on(desk, hands, 1_000) == 1
        assert (await desk.reader.summary(game)).due == {"p2": at(2 * DAYS + 2_000)}

    with_hands(tmp_path, test)


def test_small_corrections_are_followed(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        for step in range(1, 11):
            hands.wrong = step * 0.9 * TOLERANCE
            await go_on(desk, hands, step)
            assert not desk.clock.suspended
            assert desk.clock.now() == hands.now()

    with_hands(tmp_path, test)


def test_no_time_runs_while_no_worker_does(tmp_path: Path) -> None:
    async def run() -> None:
        hands = Hands()
        async with desk_in(tmp_path, hands, deadline_grace=0) as desk:
            game = await turn(desk, 60)
            assert await go_on(desk, hands, 20) == 0
        hands.passed = 10_020
        async with desk_in(tmp_path, hands, deadline_grace=0) as desk:
            assert await desk.timekeeper.tick() == 0
            assert await go_on(desk, hands, 10_059.9) == 0
            assert await go_on(desk, hands, 10_060) == 1
            assert (await desk.reader.summary(game)).due == {"p2": at(10_120)}

    asyncio.run(run())


def test_a_worker_that_stood_still_was_away_unless_another_was_there(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        other = Reach(desk.store, SteadyClock(hands))
        game = await turn(desk, 60)
        await desk.timekeeper.tick()
        for seconds in (5.0, 10.0, 15.0, 20.0):
            hands.passed = seconds
            other.look()
        await desk.timekeeper.tick()
        assert not other.away, "it stood still for 20 seconds, and the other one did not"
        hands.passed = 40.0
        await desk.timekeeper.tick()
        hands.passed = 41.0
        other.look()
        assert other.away == ((at(20), at(40)),)
        assert await go_on(desk, hands, 79.9) == 0
        assert await go_on(desk, hands, 80) == 1
        assert (await desk.reader.summary(game)).due == {"p2": at(140)}

    with_hands(tmp_path, test)


def test_a_worker_that_starts_with_a_wrong_clock_stamps_nothing_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is asked before anything is stored, whatever becomes of the rest."""
    hands = Hands()
    hands.wrong = 30 * DAYS

    def connect(given: Settings) -> Recorder:
        recorder = connect_file(given)
        assert isinstance(recorder, Recorder)
        monkeypatch.setattr(recorder, "time", lambda: NOON.timestamp() + hands.passed)
        return recorder

    def away(self: Reach) -> None:
        raise StoreUnavailable("just now")

    monkeypatch.setattr(Reach, "look", away)

    async def test() -> None:
        given = settings(tmp_path, deadline_grace=0)
        async with open_desk(given, GAMES, hands, connect=connect, compared=True) as desk:
            assert (await new_game(desk)).game.created_at == at(0)
            assert desk.clock.suspended

    asyncio.run(test())
