"""Rules that come to no end are ended, and their game is frozen; every other game goes on."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path
from typing import Any

import pytest

from service.play.patience import STEP_SECONDS, Frozen, Patience
from tests.service.desk.kit import GAMES, desk_in, new_game, order
from tests.support import stuck
from tests.support.pennant import Choose

ENOUGH = 15.0


def test_a_game_without_an_end_stops_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    games = {**GAMES, "pennant": stuck.GAME}

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad, other = (await new_game(desk)).game.id, (await new_game(desk)).game.id
            began = time.monotonic()
            hanging = asyncio.ensure_future(order(desk, bad, "p1", Choose("steady")))
            await asyncio.sleep(0.05)
            async with asyncio.timeout(ENOUGH):
                done = await order(desk, other, "p1", Choose("bold"))
                assert done.version > 1
                with pytest.raises(Frozen):
                    await hanging
            assert time.monotonic() - began >= STEP_SECONDS
            with pytest.raises(Frozen):
                await order(desk, bad, "p1", Choose("bold"))
            assert (await desk.reader.view(bad, "p1")).version == 2, "it is still shown"
            assert any(bad in line.getMessage() for line in caplog.records)
            assert (await order(desk, other, "p2", Choose("bold"))).version > done.version

    with caplog.at_level(logging.ERROR):
        asyncio.run(test())


def test_a_step_that_ends_in_time_is_left_alone() -> None:
    patience = Patience()
    assert patience.during("a", lambda: 7) == 7
    patience.look()
    assert patience.frozen == set()


class Later:
    """A clock that is far ahead whenever it is asked again."""

    def __init__(self) -> None:
        self.at = 0.0

    def monotonic(self) -> float:
        self.at += 10.0
        return self.at

    def now(self) -> Any:
        raise AssertionError("nobody asks for the time of day")

    def offset(self) -> float:
        raise AssertionError("nobody asks whether it was set")


def test_an_exception_that_comes_late_hits_nobody_else() -> None:
    """The watch looks at the very end of a step: whatever becomes of it, the next is not hurt."""
    patience = Patience(Later())
    for number in range(20):
        name = f"game {number}"
        with pytest.raises(Frozen):
            patience.during(name, patience.look)
        assert patience.during("another", lambda: 7) == 7
        sum(range(10_000))
    assert patience.frozen == {f"game {number}" for number in range(20)}


def test_what_rules_refuse_is_still_refused() -> None:
    patience = Patience()

    def refuse() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        patience.during("a", refuse)
    assert patience.frozen == set()
    assert patience.during("a", lambda: 7) == 7
