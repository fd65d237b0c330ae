"""Where nobody measures before declaring, nobody declares and takes it back to measure."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from domain.games.crimson_tide.game import GAME
from service.desk import Desk
from service.models import NewGame
from tests.service.desk.kit import desk_in, fresh_key, order

ORDERS = 40


async def offers(desk: Desk, **options: str) -> int:
    """In how many positions of a battle a seat may take back its last order."""
    choose, found = random.Random(5), 0
    new = NewGame(
        ruleset=GAME.ruleset, edition="1", scenario="standard", seed="back", options=options
    )
    game = (await desk.writer.create_game(new, key=fresh_key(), caller="me")).game.id
    for _ in range(ORDERS):
        seat = choose.choice((await desk.reader.summary(game)).to_move).seat
        state = (await desk.reader.view(game, seat)).state
        await order(desk, game, seat, choose.choice(GAME.legal(state, seat).commands))
        found += (await desk.reader.summary(game)).takeback is not None
    return found


def test_an_order_is_no_yardstick(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path, games={GAME.ruleset: GAME}) as desk:
            assert await offers(desk, measuring="free")
            assert not await offers(desk)

    asyncio.run(run())
