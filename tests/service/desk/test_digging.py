"""Who goes through whole games holds up nobody who only looks."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from service.desk import Desk
from service.views.threads import DIGGERS, READERS
from tests.service.desk.kit import new_game, on_desk

PATIENCE = 60
"""Seconds; only what waits for something that never comes takes as long."""


def test_a_look_does_not_wait_behind_those_who_dig(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        released = threading.Event()
        many = DIGGERS + READERS + 3
        digging = [
            asyncio.create_task(desk.threads.read(released.wait, PATIENCE, dig=True))
            for _ in range(many)
        ]
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE / 2):
            assert await desk.reader.identify("dl_seat_of-nobody") is None
            assert [each.id for each in await desk.reader.lobby(limit=5)] == [game]
            assert (await desk.reader.view(game, "p1", 1)).version == 1
            assert len(await desk.reader.events(game, "p1", 0, 10)) > 1
        assert not any(task.done() for task in digging)
        released.set()
        assert await asyncio.gather(*digging) == [True] * many

    on_desk(tmp_path, test)
