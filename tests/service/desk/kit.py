"""What the desk's tests share: a desk on a fresh file, and a game played on it."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from domain.kernel.values import PUBLIC
from service.clock import Clock
from service.desk import Desk, open_desk
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from service.models import CreatedGame, NewGame, Outcome, SeatWish
from service.play.examining import examine
from service.settings import Settings
from service.store import instructions
from service.store.instructions import Instruction
from tests.support import pennant, soundings

GAMES: dict[str, Any] = {"pennant": pennant.GAME, "soundings": soundings.GAME}
_KEYS = count()


def store_of(folder: Path) -> dict[str, Any]:
    """Settings of the store; the tests of the desk put PostgreSQL in its place."""
    return {"database": folder / "games.sqlite"}


def settings(folder: Path, **changes: Any) -> Settings:
    return Settings(**{"chain_length": 512, **store_of(folder), **changes})


@asynccontextmanager
async def desk_in(
    folder: Path, clock: Clock | None = None, games: Any = GAMES, **changes: Any
) -> AsyncIterator[Desk]:
    """A running desk; stopped at the end."""
    async with open_desk(settings(folder, **changes), games, clock) as desk:
        yield desk


def on_desk(folder: Path, test: Callable[[Desk], Awaitable[None]], **changes: Any) -> None:
    """Run ``test`` with a desk of its own."""

    async def run() -> None:
        async with desk_in(folder, **changes) as desk:
            await test(desk)

    asyncio.run(run())


def fresh_key() -> str:
    return f"key-{os.getpid()}-{next(_KEYS)}"


async def new_game(
    desk: Desk, turns: int = 4, ruleset: str = "pennant", **fields: Any
) -> CreatedGame:
    options = {"turns": turns, **fields.pop("options", {})}
    new = NewGame(ruleset=ruleset, options=options, **fields)
    return await desk.writer.create_game(new, key=fresh_key(), caller="tests")


def wishes(*holds: Any) -> list[SeatWish]:
    return [SeatWish(seat=f"p{place}", hold=hold) for place, hold in enumerate(holds, 1)]


async def order(desk: Desk, game: str, seat: str, command: Any, **fields: Any) -> Outcome:
    """One command at the latest version under a fresh key, unless ``fields`` say otherwise."""
    expected = fields.pop("expected", None)
    if expected is None:
        expected = (await desk.reader.summary(game)).version
    fixed = {"key": fresh_key(), "fingerprint": repr(command).encode(), "caller": seat}
    return await desk.writer.command(game, seat, command, expected=expected, **{**fixed, **fields})


async def play(desk: Desk, game: str, seed: int, commands: int = 1_000_000) -> int:
    """Random legal commands until the end, or so many; how many there were."""
    dice = random.Random(seed)
    rules = GAMES[(await desk.reader.summary(game)).rules.ruleset]
    for number in range(commands):
        summary = await desk.reader.summary(game)
        if summary.result is not None:
            return number
        seat = summary.to_move[dice.randrange(len(summary.to_move))].seat
        view = await desk.reader.view(game, seat)
        options = rules.legal(view.state, seat).commands
        await order(desk, game, seat, options[dice.randrange(len(options))])
    return commands


async def instruct(desk: Desk, act: str, game: str = "", **about: str) -> instructions.Outcome:
    """Put it into the store as an operator does, have it carried out; what came of it."""
    asked = Instruction(fresh_key(), act, "harbour master", "as was asked", game, about)
    desk.store.recorder.put((), [instructions.insertion(desk.store.box, asked)])
    assert await desk.clerk.look() == 1
    assert await desk.clerk.look() == 0
    found = instructions.outcome_of(desk.store.recorder, asked.id)
    assert found is not None
    return found


async def judged(desk: Desk, game: str, viewer: str = PUBLIC, games: Any = GAMES) -> Verdict:
    """The verdict of a game that is sound in the store, and upheld as the viewer has it."""
    found = examine(desk.store, desk.games, desk.engine.vault, game)
    assert (found.faults, found.unread) == ((), "")
    verdict = verify(await desk.reader.evidence(game, viewer), games)
    assert verdict.word == "UPHELD", verdict.text()
    return verdict
