"""Where a store's limits are: the figures of deploy/SCALING.md.

    python -m tests.campaigns.scaling commits    many writers on one PostgreSQL: what the lock costs
                                                 that who follows the log asks for, and whether two
                                                 schemas do more than one
    python -m tests.campaigns.scaling players    games over HTTP, with all that a client asks for:
                                                 seconds of the processor a command
    --seconds N                                  of a round; 3 by default
    --first N                                    arrangement of players to begin with

Others may work on the machine: compare the rows of one table, and seconds of the processor.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from service.store.postgres import PostgresRecorder
from tests.service.ops.play import create, play
from tests.support import postgres, redis
from tests.support.server import Running, running

EVENTS = 6
"""Of a commit: what a command of War at Sea leaves, on the average."""
STATE = b"x" * 700
TICK = os.sysconf("SC_CLK_TCK")


def say(text: str) -> None:
    print(text, flush=True)


def spent(pid: int) -> float:
    """Seconds of the processor of a process, and of its children that live."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK + sum(spent(int(each)) for each in below)


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A PostgreSQL, and the number of its first process."""
    with tempfile.TemporaryDirectory() as folder:
        found = postgres.PostgresServer(Path(folder))
        try:
            pid = int((found.folder / "postmaster.pid").read_text("ascii").split()[0])
            yield found.address, pid
        finally:
            found.close()


class Writers:
    """So many writers, each with a worker's pool of connections, over the schemas in turn.

    ask  seconds between two questions up to which place the log is settled, as who follows it asks;
         None: nobody does
    """

    def __init__(self, schemas: list[str], many: int, ask: float | None) -> None:
        self._recorders = [PostgresRecorder(address, 5) for address in schemas]
        for each in self._recorders:
            each.prepare()
        self._many, self._ask = many, ask
        self._until = 0.0
        self._done = [0] * many
        self.asked = 0

    def run(self, seconds: float) -> float:
        """Commits a second."""
        begun, before = time.monotonic(), self.done
        self._until = begun + seconds
        threads = [threading.Thread(target=self._write, args=(n,)) for n in range(self._many)]
        threads += [
            threading.Thread(target=self._follow, args=(each,))
            for each in self._recorders
            if self._ask is not None
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        return (self.done - before) / (time.monotonic() - begun)

    @property
    def done(self) -> int:
        """Commits so far."""
        return sum(self._done)

    def close(self) -> None:
        for each in self._recorders:
            each.close()

    def _write(self, number: int) -> None:
        recorder = self._recorders[number % len(self._recorders)]
        game, seq = os.urandom(16).hex(), 0
        while time.monotonic() < self._until:
            rows = [(game, seq + n, "war-at-sea.moved.v1", STATE) for n in range(1, EVENTS + 1)]
            recorder.put(rows, ())
            seq += EVENTS
            self._done[number] += 1

    def _follow(self, recorder: PostgresRecorder) -> None:
        assert self._ask is not None
        while time.monotonic() < self._until:
            recorder.settled()
            self.asked += 1
            time.sleep(self._ask)


ROUNDS = 5
"""Times that each arrangement has its turn: what else the machine does falls on all alike."""

ARRANGEMENTS: dict[str, tuple[int, int, float | None]] = {
    "1 writer, nobody follows": (1, 1, None),
    "4 writers, nobody follows": (4, 1, None),
    "4 writers, followed every 500 ms": (4, 1, 0.5),
    "4 writers, followed every 50 ms": (4, 1, 0.05),
    "4 writers, two schemas, every 50 ms": (4, 2, 0.05),
}
"""Writers, schemas, and how often it is asked how far the log is settled."""


def commits(seconds: float) -> None:
    say(f"commits of {EVENTS} events of {len(STATE)} bytes, median of {ROUNDS} rounds in turn")
    rates: dict[str, list[float]] = {name: [] for name in ARRANGEMENTS}
    used: dict[str, list[float]] = {name: [] for name in ARRANGEMENTS}
    with server() as (address, pid), ExitStack() as stack:
        all_of_them = {}
        for name, (many, schemas, ask) in ARRANGEMENTS.items():
            places = [postgres.place(address, f"{name} {n}") for n in range(schemas)]
            all_of_them[name] = Writers(places, many, ask)
            stack.callback(all_of_them[name].close)
        for _ in range(ROUNDS):
            for name, writers in all_of_them.items():
                before, done = spent(pid), writers.done
                rates[name].append(writers.run(seconds))
                used[name].append((spent(pid) - before) / max(1, writers.done - done) * 1000)
    for name in ARRANGEMENTS:
        rate, processor = median(rates[name]), median(used[name])
        say(f"{name:<40}{rate:9,.0f} a second{processor:9.2f} s of PostgreSQL for 1,000")


def games_of(urls: list[str], ruleset: str, many: int, commands: int) -> int:
    """Games side by side, each over one connection to a worker; how many commands were taken."""
    done = [0] * many

    def one(number: int) -> None:
        with httpx.Client(base_url=urls[number % len(urls)], timeout=120) as client:
            game = create(client, ruleset)
            play(client, game, commands, seed=str(number))
            done[number] = len(game.done)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(many)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return sum(done)


PLACES = (
    ("SQLite, 1 worker", 1, False, False),
    ("PostgreSQL, 1 worker", 1, True, False),
    ("PostgreSQL, 2 workers", 2, True, False),
    ("PostgreSQL, 2 workers, Redis", 2, True, True),
    ("PostgreSQL, 4 workers", 4, True, False),
)
"""Workers, whether they share a PostgreSQL, and a Redis."""


def players(seconds: float, first: int) -> None:
    ruleset, many, commands = "war-at-sea", 4, max(5, int(10 * seconds))
    say(f"{ruleset}: {many} games side by side, {commands} commands each; for each command its")
    say("client reads the game, and the list of what it may do. Milliseconds of the processor.")
    for name, workers, shared, hinted in PLACES[first:]:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            told: dict[str, Any] = {"work_processes": 0}
            database = 0
            if shared:
                address, database = stack.enter_context(server())
                told |= {"store": address, "key": postgres.KEY}
            line = stack.enter_context(redis.running(folder)) if hinted else None
            if line is not None:
                told["redis"] = line.address
            servers: list[Running] = [
                stack.enter_context(running(folder, **told)) for _ in range(workers)
            ]
            urls = [each.url for each in servers]
            games_of(urls, ruleset, workers, 3)  # warm
            pids = [each.process.pid for each in servers]
            before = sum(map(spent, pids)), spent(database) if database else 0.0
            begun = time.monotonic()
            count = games_of(urls, ruleset, many, commands)
            took = time.monotonic() - begun
            own = (sum(map(spent, pids)) - before[0]) / count * 1000
            base = (spent(database) - before[1]) / count * 1000 if database else 0.0
            say(
                f"{name:<32}{own:8.1f} of the workers{base:8.1f} of PostgreSQL   "
                f"{count} commands in {took:.1f} s"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("item", choices=["commits", "players"])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--first", type=int, default=0, help="of the arrangements of players")
    asked = parser.parse_args()
    if asked.item == "commits":
        commits(asked.seconds)
    else:
        players(asked.seconds, asked.first)


if __name__ == "__main__":
    main()
