"""What a durable command costs at event 10, 1,000 and 10,000 of a game. Target: flat within 10 %.

    python -m tests.bench.bench_append [COMMANDS] [RUNS] [LAST]

Microseconds of processor time for one command on the desk (decide, records, commit, answer), one
after the other; then commands a second of 32 games at once, which share commits.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from service.desk import Desk, open_desk
from tests.bench.report import Report
from tests.service.desk.kit import GAMES, new_game, order, settings
from tests.support.pennant import Choose, Pass

FIRST = 10
GAMES_AT_ONCE = 32


async def game_at(desk: Desk, place: int) -> tuple[str, int]:
    """A new game carried forward to an event, and its version."""
    game = (await new_game(desk, turns=20_000)).game.id
    await order(desk, game, "p1", Choose("bold"))
    await order(desk, game, "p2", Choose("bold"))
    return game, await passes(desk, game, 5, place - 5)


async def passes(desk: Desk, game: str, version: int, count: int) -> int:
    """So many commands of one event each; the version after them."""
    for _ in range(count):
        seat = "p1" if version % 2 else "p2"
        version = (await order(desk, game, seat, Pass(), expected=version)).version
    return version


async def one_by_one(
    desk: Desk, report: Report, places: Sequence[int], commands: int, runs: int
) -> None:
    games = {place: await game_at(desk, place) for place in places}
    for _ in range(runs):
        for place, (game, version) in games.items():
            begin = time.process_time()
            games[place] = game, await passes(desk, game, version, commands)
            spent = (time.process_time() - begin) / commands
            report.add(f"a command at event {place:,} and on", spent * 1e6)


async def at_once(desk: Desk, report: Report, commands: int, runs: int) -> None:
    games = dict([await game_at(desk, FIRST) for _ in range(GAMES_AT_ONCE)])
    for _ in range(runs):
        begin = time.perf_counter()
        versions = await asyncio.gather(
            *(passes(desk, game, version, commands) for game, version in games.items())
        )
        seconds = time.perf_counter() - begin
        games = dict(zip(games, versions, strict=True))
        report.add(f"{GAMES_AT_ONCE} games at once", GAMES_AT_ONCE * commands / seconds)


async def main(commands: int = 50, runs: int = 9, last: int = 10_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_desk(settings(Path(folder)), GAMES) as desk:
            cost = Report("append", "µs", f"{commands} commands of one event, each durable")
            await one_by_one(desk, cost, (FIRST, last // 10, last), commands, runs)
            rate = Report("group commit", "commands/s", f"{commands} commands in each game")
            await at_once(desk, rate, commands, runs)
    cost.show(reference=f"a command at event {FIRST:,} and on")
    print()
    rate.show()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
