"""A desk under load in a process of its own, to be killed: prints what it has acknowledged.

    python -m tests.service.desk.load SETTINGS ROUND

SETTINGS are plain JSON

Each line: game, version, key, command id. A line is written only after the desk has answered.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys

import msgspec

from service.desk import Desk, open_desk
from service.settings import from_environment

from .kit import GAMES, new_game, order

PLAYERS = 24


def acknowledge(*words: object) -> None:
    """One system call, so that a line is there or not."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def player(desk: Desk, number: int, name: str) -> None:
    """Plays game after game for ever."""
    dice = random.Random(number)
    while True:
        rules = GAMES[("pennant", "soundings")[number % 2]]
        game = (await new_game(desk, turns=40, ruleset=rules.ruleset)).game
        acknowledge(game.id, game.version, "-", "-")
        summary = game
        while summary.result is None:
            seat = summary.to_move[0].seat
            state = (await desk.reader.view(game.id, seat)).state
            options = rules.legal(state, seat).commands
            key = f"{name}-{number}-{game.id}-{summary.version}"
            command = options[dice.randrange(len(options))]
            outcome = await order(desk, game.id, seat, command, key=key)
            acknowledge(game.id, outcome.version, key, outcome.command)
            summary = await desk.reader.summary(game.id)


async def main(given: str, name: str) -> None:
    told = msgspec.json.decode(given, type=dict[str, str])
    async with open_desk(from_environment({}, chain_length=64, **told), GAMES) as desk:
        acknowledge("ready")
        await asyncio.gather(*(player(desk, number, name) for number in range(PLAYERS)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
