"""Time where PostgreSQL is: it was away, or its clock is not the worker's."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec import UNSET

from service.clock import SYSTEM, TOLERANCE
from service.deadlines import Away, over
from service.desk import Desk, open_desk
from service.errors import StoreUnavailable
from service.models import GameSummary
from service.play.reach import LOOK_SECONDS
from service.store.postgres import PostgresRecorder
from tests.service.desk import kit
from tests.service.desk.hands import DAYS, Hands, at, go_on, turn, with_hands
from tests.service.desk.kit import GAMES, settings
from tests.support import postgres


@pytest.mark.parametrize(
    ("away", "late"),
    [
        ((), 0),
        (((at(-100), at(-50)),), 0),
        (((at(-50), at(10)),), 10),
        (((at(10), at(25)),), 15),
        (((at(10), at(25)), (at(70), at(80))), 25),
        (((at(10), at(25)), (at(76), at(80))), 15),
        (((at(60), at(90)),), 0),
        (((at(59), at(90)),), 31),
    ],
)
def test_a_question_stays_open_longer_by_what_was_lost_of_its_time(away: Away, late: float) -> None:
    summary = cast(
        "GameSummary", SimpleNamespace(deadline=60, due={"p1": at(60)}, resumed_at=UNSET)
    )
    assert over(summary, "p1", away) == at(60 + late)


@pytest.mark.parametrize(
    ("away", "late"),
    [
        (((at(20), at(40)),), 0),  # before it stood: it is in the rest
        (((at(60), at(500)),), 0),  # while it stood
        (((at(490), at(520)),), 20),  # of its time are those seconds that came after
    ],
)
def test_what_was_lost_before_its_clock_went_on_is_given_back_once(away: Away, late: float) -> None:
    summary = cast(
        "GameSummary",
        SimpleNamespace(deadline=600, due={"p1": at(535)}, resumed_at=at(500)),
    )
    assert over(summary, "p1", away) == at(535 + late)


def test_a_store_that_was_away_makes_nobody_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real PostgreSQL, away for 27 seconds, where a question may be open for 15."""

    async def test(desk: Desk, hands: Hands) -> None:
        games = [await turn(desk, 15) for _ in range(5)]
        assert await go_on(desk, hands, 5) == 0
        await asyncio.to_thread(server.stop_at_once)
        hands.passed += 27
        with pytest.raises(StoreUnavailable):
            await desk.timekeeper.tick()
        await asyncio.to_thread(server.start)
        await _answering(desk)
        assert await desk.timekeeper.tick() == 0
        assert await go_on(desk, hands, 15 + 27 - 0.5) == 0
        assert await go_on(desk, hands, 15 + 27) == 5
        for game in games:
            assert (await desk.reader.summary(game)).due == {"p2": at(15 + 27 + 15)}

    with postgres.server() as server:
        place = {"store": postgres.place(server.address, "away"), "key": postgres.KEY}
        monkeypatch.setattr(kit, "store_of", lambda _: place)
        with_hands(tmp_path, test)


async def _answering(desk: Desk) -> None:
    async with asyncio.timeout(30):
        while True:
            if (await desk.ready())["writable"] and not desk.store.recorder.turned:
                return
            await asyncio.sleep(0.05)


def test_the_databases_clock_is_the_one_that_counts(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker whose clock is two days ahead of PostgreSQL's, from its start on."""
    place = {"store": postgres.place(postgresql, str(tmp_path)), "key": postgres.KEY}
    monkeypatch.setattr(kit, "store_of", lambda _: place)
    truth, wrong = PostgresRecorder.time, [2 * DAYS]
    monkeypatch.setattr(PostgresRecorder, "time", lambda self: truth(self) - wrong[0])

    async def run() -> None:
        async with open_desk(settings(tmp_path, deadline_grace=0), GAMES) as desk:
            assert desk.clock.suspended
            behind = SYSTEM.now() - desk.clock.now()
            assert abs(behind.total_seconds() - 2 * DAYS) < TOLERANCE
            game = await turn(desk, 1)
            await asyncio.sleep(1.1)
            assert await desk.timekeeper.tick() == 0
            wrong[0] = 0.0
            await asyncio.sleep(LOOK_SECONDS)
            await desk.timekeeper.tick()
            assert not desk.clock.suspended
            assert abs((SYSTEM.now() - desk.clock.now()).total_seconds()) < TOLERANCE
            await desk.reader.wait(game, (await desk.reader.summary(game)).version, timeout=10)

    asyncio.run(run())
