"""kill -9 at any moment: what was acknowledged is there, what is there is whole."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.evidence.chain import STATE
from service.evidence.records import MasterOpened
from service.evidence.verify import verify
from service.store.rows import read_rows

from . import kit
from .kit import GAMES, desk_in, new_game, play

ROUNDS = 6

LINES = 100
"""What is acknowledged at least before a process is killed."""


class Acknowledged(msgspec.Struct):
    """The last thing that a killed process said of a game."""

    version: int
    key: str
    command: str


def run_and_kill(folder: Path, name: str, seconds: float) -> dict[str, Acknowledged]:
    """Load until much was acknowledged, and a while longer, then SIGKILL; what was, by game.

    Counts lines in ``-``. The load is measured in what it has done: a busy machine takes longer.
    """
    told = {field: str(value) for field, value in kit.store_of(folder).items()}
    given = msgspec.json.encode(told).decode()
    command = [sys.executable, "-m", "tests.service.desk.load", given, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        lines: list[str] = []
        # The pipe holds 64 KiB: it is read while the load runs.
        reader = Thread(target=lines.extend, args=(process.stdout,))
        reader.start()
        while len(lines) < LINES and process.poll() is None:
            time.sleep(0.01)
        time.sleep(seconds)
        process.kill()
        reader.join(timeout=30)
    found: dict[str, Acknowledged] = {}
    for line in lines:
        game, version, key, command_id = line.split()
        found[game] = Acknowledged(int(version), key, command_id)
    return found


async def check_whole(desk: Desk, game: str) -> int:
    """The chain holds from end to end, and the last event ends a command; the version."""
    stored = desk.store.game(game)
    assert stored is not None
    views = await desk.reader.views(game)
    records = read_rows(game, desk.store.rows(game), views._seals, 0, "0" * 64)
    assert len(records) == stored.summary.version
    over = records[-1].body.type == MasterOpened.TYPE
    last = records[-2] if over else records[-1]
    assert STATE in last.body.sealed, "a batch of events is there whole or not at all"
    assert over == (stored.summary.status == "finished")
    for viewer in (PUBLIC, "p1"):
        verdict = verify(await desk.reader.evidence(game, viewer), GAMES)
        assert verdict.word == "UPHELD", verdict.reason
    return len(records)


async def check_acknowledged(desk: Desk, game: str, last: Acknowledged) -> None:
    version = await check_whole(desk, game)
    assert version >= last.version, "acknowledged and lost"
    if last.key == "-":
        return
    events = await desk.reader.events(game, PUBLIC, last.version - 1, 1)
    assert events[0].caused_by == last.command
    rows = desk.store.recorder.query("SELECT 1 FROM idempotency WHERE key = ?", (last.key,))
    assert rows, "the key of an acknowledged command is remembered"


async def check(folder: Path, acknowledged: dict[str, Acknowledged]) -> None:
    """Nothing is lost, and what was cut off in the middle is played on."""
    async with desk_in(folder, chain_length=64) as desk:
        for game, last in acknowledged.items():
            await check_acknowledged(desk, game, last)
        await asyncio.gather(*(play(desk, game, seed=1) for game in acknowledged))
        await play(desk, (await new_game(desk, turns=2)).game.id, seed=1)


@pytest.mark.slow("faults")
def test_killed_under_load(tmp_path: Path) -> None:
    dice = random.Random(20261121)
    commands = 0
    for number in range(ROUNDS):
        acknowledged = run_and_kill(tmp_path, f"round-{number}", dice.random() / 2)
        commands += sum(last.version for last in acknowledged.values())

        asyncio.run(check(tmp_path, acknowledged))
    print(f"{commands} acknowledged events in {ROUNDS} killed processes, none lost")
    assert commands >= ROUNDS * LINES
