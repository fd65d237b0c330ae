"""Engines: what one weighs, what one costs beside others, what asking one apart costs.

    python -m tests.bench.bench_engines [ROUNDS]

Of each game: size and load time of the archive, in fresh processes. War at Sea: games a second with
1, 3 and 10 engines in one process, ten games in turn; decisions of a game that is pinned to an
engine against the same by the installed rules, in turn, and commands that are stored, in pairs.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from domain.kernel.chance import Faces
from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.values import CHANCE
from service import container
from service.desk import Desk
from service.engines import installed
from service.engines.face import adapt
from service.engines.load import load
from service.evidence.digest import ruleset_of
from service.models import NewGame
from service.views.rulesets import lettered
from tests.bench.bench_verify import standard
from tests.bench.report import Report
from tests.service.desk.kit import desk_in, fresh_key, order

REFERENCE = "decisions a second, installed (reference)"
GAME = 40
"""Commands of a game, at least."""

PAIRS = 300
"""Of commands, in a round."""

LOAD = """
import sys, time
from pathlib import Path
from service.engines import load
data = Path(sys.argv[1]).read_bytes()
began = time.process_time()
load.load(data)
print(time.process_time() - began)
"""


def copies(archive: bytes, count: int) -> list[bytes]:
    """So many engines that decide alike, each with a digest of its own."""
    files = container.unpack(archive, container.ENGINE)
    name = "domain/kernel/rules.py"
    return [
        container.pack({**files, name: files[name] + f"_COPY={number}\n".encode()})
        for number in range(count)
    ]


def played(rules: Any, setup: Any, seed: int, most: int) -> int:
    """A random game, or the beginning of one; how many decisions it has."""
    choose, dice, state = random.Random(seed), random.Random(seed), None
    for event in rules.opening(setup):
        state = rules.evolve(state, event)
    for number in range(most):
        if rules.result(state) is not None:
            return number
        awaited = rules.awaiting(state)
        if awaited is not None:
            faces = tuple(
                tuple(dice.randint(1, pool.sides) for _ in range(pool.count))
                for pool in awaited.pools
            )
            events = rules.decide(state, CHANCE, Faces(awaited.label, faces))
        else:
            legal = [(seat, each) for seat in setup.seats
                     for each in rules.legal(state, seat).commands]  # fmt: skip
            events = rules.decide(state, *choose.choice(legal))
        for event in events:
            state = rules.evolve(state, event)
        for ask in (rules.pending, rules.secrets, rules.scores):  # as the service does
            ask(state)
    return most


async def begun(folder: Path, count: int) -> list[str]:
    """Games of War at Sea in a store of their own, by the installed rules; their ids."""
    async with desk_in(folder, games=games()) as desk:
        made = [
            await desk.writer.create_game(
                NewGame(ruleset="war-at-sea", seed=f"bench {number}"),
                key=fresh_key(), caller="bench",
            )
            for number in range(count)
        ]  # fmt: skip
    return [each.game.id for each in made]


async def given(desk: Desk, game: str, choose: random.Random) -> float:
    """Processor time of a stored command; 0.0 where the game is over."""
    summary = await desk.reader.summary(game)
    if summary.result is not None:
        return 0.0
    seat = summary.to_move[0].seat
    rules, view = (await desk.reader.views(game)).game, await desk.reader.view(game, seat)
    command = choose.choice(rules.legal(view.state, seat).commands)
    start = time.process_time()
    await order(desk, game, seat, command)
    return time.process_time() - start


async def paired(folder: Path, other: bytes, most: int) -> list[tuple[float, float]]:
    """Commands of games with the same dice, one of each two pinned to an engine that is not
    installed: the one first, then the other first.
    """
    count = most // GAME + 1
    ids = [await begun(folder / name, count) for name in ("here", "pinned")]
    later = {**games(), "war-at-sea": lettered(load(other))}
    found: list[tuple[float, float]] = []
    async with (
        desk_in(folder / "here", games=games()) as here,
        desk_in(folder / "pinned", games=later) as there,
    ):
        rules = (await there.reader.summary(ids[1][0])).rules
        assert rules == (await here.reader.summary(ids[0][0])).rules
        for game, ways in enumerate(zip(*ids, strict=True)):
            choices, pair = (random.Random(game), random.Random(game)), [1.0, 1.0]
            while all(pair) and len(found) < most:
                for each in (0, 1) if len(found) % 2 else (1, 0):
                    pair[each] = await given((here, there)[each], ways[each], choices[each])
                if all(pair):
                    found.append((pair[0], pair[1]))
    return found


def seconds(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def weigh(report: Report, game: Game[Any, Any, Any], folder: Path) -> None:
    archive = installed.archive(ruleset_of(game))
    name = game.ruleset
    report.add(f"{name}: bytes of the engine", len(archive))
    report.add(f"{name}: bytes, deflated", len(zlib.compress(archive, 9)))
    file = folder / f"{name}.engine"
    file.write_bytes(archive)
    line = [sys.executable, "-c", LOAD, str(file)]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    report.add(f"{name}: load, ms of a fresh process", float(done.stdout) * 1000)


def main(rounds: int = 9) -> None:
    report = Report("Engines", "", "processor time")
    with TemporaryDirectory() as name:
        for _ in range(min(rounds, 3)):
            for game in games().values():
                weigh(report, game, Path(name))
    game = games()["war-at-sea"]
    archive, setup = installed.archive(ruleset_of(game)), standard(game)
    engines = [adapt(load(each)) for each in copies(archive, 10)]
    pinned, most = adapt(load(archive)), 400
    count = played(game, setup, 1, most)
    assert played(pinned, setup, 1, most) == count
    pace = Report("Pinned to an engine", "a second", "processor time")
    for number in range(rounds):
        for many in (1, 3, 10):
            used = [engines[each % many] for each in range(10)]
            spent = seconds(lambda used=used: [played(e, setup, 1, most) for e in used])  # type: ignore[misc]
            report.add(f"games a minute, {many} engines in turn", 600 / spent)
        ways = [(REFERENCE, game), ("decisions a second, pinned", pinned)]
        for way, rules in ways if number % 2 else ways[::-1]:
            pace.add(way, count / seconds(partial(played, rules, setup, 1, most)))
    with TemporaryDirectory() as name:
        for number in range(rounds):
            folder = Path(name) / str(number)
            pairs = asyncio.run(paired(folder, copies(archive, 1)[0], PAIRS))
            here, there = (sum(each) for each in zip(*pairs, strict=True))
            pace.add("stored commands a second, installed", len(pairs) / here)
            pace.add("stored commands a second, pinned", len(pairs) / there)
            ratios = sorted(each / beside for beside, each in pairs)
            report.add("pinned, of it, thousandths (median)", ratios[len(ratios) // 2] * 1000)
    report.show()
    pace.show(REFERENCE)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
