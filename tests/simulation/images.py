"""Crash images of SQLite: what its disk may hold when the power goes, at each point of a recording.

    python -m tests.simulation.images --record FOLDER --commands 600     plays under strace
    python -m tests.simulation.images FOLDER --every 10                  judges every tenth point
    python -m tests.simulation.images FOLDER --drop 0.05                 a disk that swallows syncs

The recording has the writes and the syncs of the store's files and, in the same order, what players
were told. What was written since a file's last sync may be on the disk or not, in whatever order
and torn: the store has to open on it all the same, with everything that anybody was told.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from service.desk import Desk
from service.dice.vault import Vault
from service.play.live import load
from service.settings import Settings
from service.store.store import Store
from tests.service.desk import kit

CALLS = "trace=pwrite64,write,fdatasync,fsync,ftruncate"
FILES = ("games.sqlite", "games.sqlite-wal", "games.sqlite.key", "acks")
SECTOR = 512
NAME = "games.sqlite"

_CALL = re.compile(r"^(\d+) +(pwrite64|write|fdatasync|fsync|ftruncate)\((\d+)<([^>]*)>(.*)$")
_DATA = re.compile(r'^"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?, (\d+)(?:, (\d+))?')
_RESUMED = re.compile(r"^(\d+) +<\.\.\. (?:fdatasync|fsync) resumed")


class Step(NamedTuple):
    """One thing that was done to a file.

    kind  "write" at a place, "cut" to a size (``at``), "sync", or "ack": told to a player
    """

    kind: str
    file: str
    at: int = 0
    data: bytes = b""


# --- recording -----------------------------------------------------------------------------------


def record(folder: Path, commands: int, tables: int) -> None:
    """Play in a process of its own, under strace, which writes ``folder/log``."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [each for name in FILES for each in ("-P", str(folder / name))]
    played = [sys.executable, "-m", "tests.simulation.images", "--play", str(folder)]
    size = ["--commands", str(commands), "--tables", str(tables)]
    traced = ["strace", "-f", "-y", "-xx", "-s", "2000000", "-e", CALLS, *paths]
    subprocess.run([*traced, "-o", str(folder / "log"), *played, *size], check=True)


async def play(folder: Path, commands: int, tables: int) -> None:
    """Play on a store in the folder, and write down what was acknowledged as soon as it is."""
    acks = os.open(folder / "acks", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    left = [commands]

    def told(game: str, version: int, command: str) -> None:
        os.write(acks, f"{game} {version} {command}\n".encode())

    async def table(desk: Desk, number: int) -> None:
        dice = random.Random(number)
        while left[0] > 0:
            game = (await kit.new_game(desk, turns=20)).game
            told(game.id, game.version, "-")
            while left[0] > 0:
                summary = await desk.reader.summary(game.id)
                if summary.result is not None:
                    break
                seat = summary.to_move[dice.randrange(len(summary.to_move))].seat
                view = await desk.reader.view(game.id, seat)
                options = kit.GAMES["pennant"].legal(view.state, seat).commands
                done = await kit.order(desk, game.id, seat, dice.choice(options))
                told(game.id, done.version, done.command)
                left[0] -= 1

    async with kit.desk_in(folder, chain_length=64) as desk:
        await asyncio.gather(*(table(desk, number) for number in range(tables)))


# --- reading it ----------------------------------------------------------------------------------


def steps(lines: Iterable[str]) -> Iterator[Step]:
    """What was done, in the order in which the system had it done."""
    syncing: dict[str, str] = {}
    for line in lines:
        if resumed := _RESUMED.match(line):
            yield Step("sync", syncing.pop(resumed[1]))
        elif call := _CALL.match(line):
            thread, name, _, path, rest = call.groups()
            file = Path(_bytes(path).decode()).name
            if name in ("fdatasync", "fsync") and "unfinished" in line:
                syncing[thread] = file
            else:
                yield _step(name, file, rest.removeprefix(", "))


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _step(name: str, file: str, rest: str) -> Step:
    if name in ("fdatasync", "fsync"):
        return Step("sync", file)
    if name == "ftruncate":
        return Step("cut", file, int(re.split(r"\D", rest, maxsplit=1)[0]))
    data = _DATA.match(rest)
    assert data is not None, rest[:200]
    assert not data[2], "strace shows too little of a write: -s"
    content = _bytes(data[1])
    if file == "acks":
        return Step("ack", file, 0, content)
    return Step("write", file, int(data[4] or 0), content)


class Disk:
    """What is on it for certain, and what was done to each file since its last sync."""

    def __init__(self) -> None:
        self.sure: dict[str, bytearray] = {}
        self.open: dict[str, list[Step]] = {}

    def take(self, step: Step) -> None:
        if step.kind == "sync":
            for each in self.open.pop(step.file, []):
                apply(self.sure.setdefault(step.file, bytearray()), each)
        elif step.kind != "ack":
            self.open.setdefault(step.file, []).append(step)

    def image(self, how: str, dice: random.Random) -> dict[str, bytes]:
        """The files as they may be found: with what is open "none", "all", "torn" or "some"."""
        made = {}
        for file in sorted({*self.sure, *self.open}):
            content = bytearray(self.sure.get(file, b""))
            for each in chosen(self.open.get(file, []), how, dice):
                apply(content, each)
            made[file] = bytes(content)
        return made


HOWS = ("none", "all", "torn", "some")


def chosen(waiting: Sequence[Step], how: str, dice: random.Random) -> Sequence[Step]:
    """Which of the open steps came to the disk."""
    if how == "none":
        return ()
    if how == "all":
        return waiting
    if how == "some":  # a disk writes in whatever order
        return [each for each in waiting if dice.random() < 0.5]
    first = list(waiting[: dice.randrange(len(waiting) + 1)])
    if first and first[-1].kind == "write":
        last = first.pop()
        whole = SECTOR * dice.randrange(len(last.data) // SECTOR + 1)
        first.append(last._replace(data=last.data[:whole]))
    return first


def apply(content: bytearray, step: Step) -> None:
    if step.kind == "cut":
        del content[step.at :]
        return
    if len(content) < step.at:
        content.extend(bytes(step.at - len(content)))
    content[step.at : step.at + len(step.data)] = step.data


# --- judging -------------------------------------------------------------------------------------


def judge(image: dict[str, bytes], acks: Sequence[str], folder: Path) -> str:
    """What is wrong with what a service finds when it starts on the image; "": nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file, content in image.items():
        (folder / file).write_bytes(content)
    store = Store(Settings(database=folder / NAME, chain_length=64))
    try:
        store.open(datetime(2026, 1, 1, tzinfo=UTC))
    except Exception as error:
        return f"does not open: {error!r}" if acks else ""
    try:
        return _wrong(store, acks)
    except Exception as error:
        return f"fails: {error!r}"
    finally:
        store.close()


def _wrong(store: Store, acks: Sequence[str]) -> str:
    ask = store.recorder.query
    if ask("PRAGMA quick_check") != [("ok",)]:
        return "not in order"
    stored = dict(ask("SELECT id, game FROM commands"))
    games = dict(ask("SELECT game, version FROM games"))
    ends = dict(ask("SELECT originator_id, max(originator_version) FROM stored_events GROUP BY 1"))
    if games != ends:
        return "rows of games and events disagree"
    for line in acks:
        game, version, command = line.split()
        # The last order of a game is answered once its master is opened, an event further on.
        if games.get(game, 0) < int(version) or command not in ("-", *stored):
            return f"lost {line}, stored up to {games.get(game, 0)}"
        if stored.get(command, game) != game:
            return f"{line} is stored in {stored[command]}"
    for game in dict.fromkeys(line.split()[0] for line in acks[-6:]):
        load(store, kit.GAMES, Vault(64), game)
    return ""


class Tally(NamedTuple):
    """How many images were judged, and what was wrong with which."""

    images: int
    wrong: tuple[str, ...]
    acks: int


def judged(found: Iterable[Step], every: int = 1, drop: float = 0.0) -> Tally:
    """Every so many points of a recording. ``drop``: so many syncs are swallowed by the disk."""
    disk, acks, dice = Disk(), list[str](), random.Random(1)
    images, point, wrong = 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for step in found:
            point += step.kind == "sync"
            if step.kind == "sync" and point % every == 0:
                for how in HOWS:
                    images += 1
                    if why := judge(disk.image(how, dice), acks, Path(folder) / "image"):
                        wrong.append(f"{how} before sync {point}, {len(acks)} told: {why}"[:300])
            if step.kind == "ack":
                acks.extend(step.data.decode().splitlines())
            if step.kind != "sync" or dice.random() >= drop:
                disk.take(step)
    return Tally(images, tuple(wrong), len(acks))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.images")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--play", action="store_true", help="what --record traces")
    parser.add_argument("--commands", type=int, default=600)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--drop", type=float, default=0.0)
    given = parser.parse_args(arguments)
    if given.play:
        asyncio.run(play(given.folder, given.commands, given.tables))
        return 0
    if given.record:
        record(given.folder, given.commands, given.tables)
        return 0
    with (given.folder / "log").open("r", encoding="ascii") as lines:
        tally = judged(steps(lines), given.every, given.drop)
    print("\n".join(tally.wrong))
    print(f"{tally.images} images, {len(tally.wrong)} wrong, {tally.acks} told")
    return bool(tally.wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
