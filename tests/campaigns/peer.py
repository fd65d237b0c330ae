"""Decklog and a game server that a user might pick instead, measured in one run.

    python -m tests.campaigns.peer [--seconds 2.5] [--rounds 5] [--connections 32] [--players 32 64]

Rounds of SECONDS, in turn, so that what else the machine does falls on all alike:

- Decklog: durable War at Sea commands over HTTP, one worker on SQLite, on so many connections,
  each with a game of its own;
- the reference: a handler that commits one row on the same store, on as many connections;
- boardgame.io's own server, to files (FlatFile) and in memory (which no stop survives), on which
  so many players play a trivial game, two at each table, through its own client and socket.io.
  Players move in turn: half as many moves are under way as there are players, so that 64 are to
  be compared with 32 connections.

A move counts when the player who made it sees the server's new state. boardgame.io sends that
before the files are written, and begins the next move at that table after it; it never syncs a
file, while each answer of Decklog and of the reference waits for a synced commit. Its tables are
new in each round. Its players run in Node and take more of the shared machine than Decklog's load
generator.

Needs the network when the packages of peer/ are not there yet.
Progress goes to the error output, the figures to the output.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Self

from tests.bench import trivial
from tests.bench.bench_http import PLENTY, Games, scripts, sync_time
from tests.bench.bench_workers import ROW, Figures
from tests.bench.load import Load, Round, quantile, request
from tests.support import programs
from tests.support.programs import NODE
from tests.support.server import STOP_SECONDS, running

FOLDER = Path(__file__).with_suffix("")
DECKLOG = "Decklog, War at Sea command"
INSTALL_SECONDS = 600
SCRIPTS, ORDERS = 4, 300

Measure = Callable[[], Round]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def install() -> None:
    """Install the Node packages as the lock file has them, unless that was done."""
    lock = FOLDER / "package-lock.json"
    stamp = FOLDER / "node_modules" / ".made-from"
    wanted = lock.read_bytes()
    if stamp.is_file() and stamp.read_bytes() == wanted:
        return
    say("installing the packages of tests/campaigns/peer ...")
    programs.install(FOLDER, INSTALL_SECONDS)
    stamp.write_bytes(wanted)


def versions() -> str:
    """What is measured beside Decklog, and on what."""
    packages = json.loads((FOLDER / "package.json").read_text("utf-8"))["dependencies"]
    node = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True)
    named = ", ".join(f"{name} {version}" for name, version in packages.items())
    return f"{named}, Node {node.stdout.strip().removeprefix('v')}"


@contextmanager
def _node(script: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program of ours in Node, for the length of a ``with`` block."""
    process = subprocess.Popen(
        [NODE, str(FOLDER / script), *arguments],
        env=os.environ | {"NODE_ENV": "production"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=STOP_SECONDS)


@contextmanager
def peer(*folder: str) -> Iterator[str]:
    """boardgame.io's server, its matches in files of ``folder`` or in memory; its address."""
    with _node("server.mjs", *folder) as process:
        assert process.stdout is not None
        for line in process.stdout:
            word, _, port = line.strip().partition(" ")
            if word == "listening":
                yield f"http://127.0.0.1:{port}"
                return
        raise RuntimeError("boardgame.io's server did not start")


class Players:
    """The process that plays on boardgame.io's client. Between rounds it waits."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._process = self._stack.enter_context(_node("players.mjs"))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def play(self, url: str, players: int, seconds: float) -> Round:
        """A round. Raises RuntimeError when a move was never answered."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        told = {"url": url, "players": players, "seconds": seconds}
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("boardgame.io's players stopped")
        found = json.loads(line)
        return Round(found["lanes"], found["seconds"])


def decklog(folder: Path, stack: ExitStack, connections: int, seconds: float) -> dict[str, Measure]:
    """Decklog and its reference, started and ready for rounds."""
    server = stack.enter_context(running(folder))
    plain = stack.enter_context(trivial.running(folder))
    load = stack.enter_context(Load())
    row = [request("POST", "/group", trivial.BODY)]
    load.feed(ROW, plain.address, [row] * connections, ever=True)
    load.run(ROW, limits=[20] * connections)
    made = asyncio.run(scripts(folder, SCRIPTS, ORDERS))
    games = Games([server.url], load, made, connections, DECKLOG)
    games.stagger()

    def commands() -> Round:
        games.supply(int(PLENTY * seconds / connections) + 1)
        return games.run(seconds)

    return {DECKLOG: commands, ROW: partial(load.run, ROW, seconds)}


def boardgame(
    folder: Path, stack: ExitStack, players: Sequence[int], seconds: float
) -> dict[str, Measure]:
    """boardgame.io's server with each of its stores, and its players, ready for rounds."""
    (folder / "matches").mkdir()
    stores = {
        "FlatFile, not synced": stack.enter_context(peer(str(folder / "matches"))),
        "in memory, not durable": stack.enter_context(peer()),
    }
    crowd = stack.enter_context(Players())
    for url in stores.values():
        crowd.play(url, 2, 0.5)
    return {
        f"boardgame.io, {store}, {many} players": partial(crowd.play, url, many, seconds)
        for store, url in stores.items()
        for many in players
    }


def measure(connections: int, players: Sequence[int], seconds: float, rounds: int) -> Figures:
    """All of them in turn, ``rounds`` times, each for ``seconds``."""
    with tempfile.TemporaryDirectory() as text, ExitStack() as stack:
        folder = Path(text)
        say("starting the servers, recording games ...")
        measures = decklog(folder, stack, connections, seconds)
        measures |= boardgame(folder, stack, players, seconds)
        found = Figures(
            f"{connections} connections, rounds of {seconds:g} s, {versions()}, "
            f"a synced write takes {sync_time(folder) * 1e6:,.0f} µs",
            "command or move accepted",
        )
        for number in range(1, rounds + 1):
            for name, run in measures.items():
                one = run()
                found.add(name, one)
                half = quantile(one.waits, 0.5) * 1e3
                say(f"round {number} of {rounds}: {name}: {one.rate:,.0f} a second, {half:.1f} ms")
        return found


def even(text: str) -> int:
    """A number of players: they sit in pairs."""
    number = int(text)
    if number < 2 or number % 2:
        raise argparse.ArgumentTypeError(f"{text}: players sit in pairs")
    return number


def main(arguments: Sequence[str]) -> int:
    """0 when all was measured."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.campaigns.peer",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seconds", type=float, default=2.5, help="of a round (2.5)")
    parser.add_argument("--rounds", type=int, default=5, help="of each (5)")
    parser.add_argument("--connections", type=int, default=32, help="to Decklog (32)")
    parser.add_argument(
        "--players", type=even, nargs="+", default=[32, 64], help="of boardgame.io (32 and 64)"
    )
    options = parser.parse_args(arguments)
    install()
    measure(options.connections, options.players, options.seconds, options.rounds).show()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
