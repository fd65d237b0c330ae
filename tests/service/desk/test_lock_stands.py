"""While the clocks stand nobody's time for a link runs, and a slow log is named as the reason."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from domain.kernel.values import PUBLIC
from service.clock import FixedClock
from service.desk import Desk
from service.evidence.locks import LINK_SECONDS
from service.evidence.records import LinksClosed
from service.play.live import Live
from tests.service.desk.kit import instruct, judged, order
from tests.service.desk.test_deadlines import at, with_clock
from tests.service.desk.test_deadlines import wait as passes
from tests.service.desk.test_locked_orders import begun, give, kinds
from tests.support.pennant import Fire

LONG = 3_600


@pytest.mark.parametrize(("stop", "go_on"), [("freeze", "thaw"), ("pause", "resume")])
def test_the_clocks_of_a_locked_order_stand_with_the_others(
    tmp_path: Path, stop: str, go_on: str
) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await begun(desk)
        await order(desk, game, "p1", Fire("hull"))
        passes(clock, 10)
        assert not (await instruct(desk, stop, game)).code
        passes(clock, LONG)
        assert await desk.timekeeper.tick() == 0
        assert not (await instruct(desk, go_on, game)).code
        locked = (await desk.reader.summary(game)).locked
        assert locked is not None
        assert locked.due == at(LONG + LINK_SECONDS)
        passes(clock, LINK_SECONDS - 11)
        assert await desk.timekeeper.tick() == 0
        await give(desk, game, players[0])
        passes(clock, 1)
        assert await desk.timekeeper.tick() == 1
        assert (await judged(desk, game)).absences == {"p2": 1}

    with_clock(tmp_path, test)


def test_an_order_that_is_locked_while_they_stand_has_all_its_time_afterwards(
    tmp_path: Path,
) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, _ = await begun(desk)
        assert not (await instruct(desk, "pause", game)).code
        passes(clock, LONG)
        await order(desk, game, "p1", Fire("hull"))
        passes(clock, LONG)
        assert not (await instruct(desk, "resume", game)).code
        passes(clock, LINK_SECONDS - 1)
        assert await desk.timekeeper.tick() == 0
        passes(clock, 1)
        assert await desk.timekeeper.tick() == 1
        await judged(desk, game)

    with_clock(tmp_path, test)


def test_a_log_that_is_too_slow_is_the_reason_for_the_grade(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, _ = await begun(desk)
        live = desk.engine.live
        desk.engine.live = lambda *asked: publishing(live(*asked))  # type: ignore[method-assign]
        desk.writer.logged = lambda game, seq: False
        await order(desk, game, "p1", Fire("hull"))
        passes(clock, LINK_SECONDS)
        assert await desk.timekeeper.tick() == 1
        told = await desk.reader.events(game, PUBLIC, 0, 1_000)
        (closed,) = [event.data for event in told if event.type == LinksClosed.TYPE]
        assert closed == {"t": 1, "absent": ["p1", "p2"], "unlogged": True}
        assert "batch-rolled" in await kinds(desk, game, 0)
        verdict = await judged(desk, game)
        assert verdict.grade == "A0"
        assert "the public log did not have the lock in time" in verdict.text()

    with_clock(tmp_path, test)


def publishing(live: Live) -> Live:
    """The same game, of a service that keeps a public log."""
    return msgspec.structs.replace(live, waits=True)
