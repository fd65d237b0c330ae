"""What the service must survive, done to it while people play, with every acknowledged command
looked up afterwards and every stream compared with the record.

    python -m tests.campaigns.failures [--rounds 20] [--seed 1] [--only NAME ...] [--disk FOLDER]

With FOLDER, a file system of its own of 100 to 1,000 MB (as root: ``mount -t tmpfs -o size=160m
tmpfs FOLDER``), a PostgreSQL is put on it and its disk is filled.

Two worlds: two workers on a PostgreSQL and a Redis of their own, and one worker on an SQLite file.
Each round inflicts each failure of its world in an order that the seed gives, at a moment that the
seed gives; after each, play has to go on, every acknowledged command has to be in the store exactly
once, and every stream has to go on without a gap or a repeat.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.support import postgres
from tests.support.crowd import PENNANT, Crowd, check, check_resumed
from tests.support.nest import Nest, nest
from tests.support.postgres import PostgresServer
from tests.support.redis import RedisServer, free_port
from tests.support.server import Running, start

BUILD = Path(__file__).resolve().parents[2] / "build" / "campaigns"
PLAYERS = 4
DAY = 86_400
STALL_SECONDS = 1
READERS = 8
LONG = 300
"""Events: more than a stream hands over at once."""


@dataclass
class World:
    """Workers on fixed ports, what they stand on, and the crowd that plays there.

    moments  seconds that a failure lasts, at most
    enough   commands that are acknowledged before a failure, and after it
    games    which rulesets the workers have, see server.py
    wishes   for the games that are played, by turns
    """

    folder: Path
    settings: dict[str, object]
    dice: random.Random
    moments: float = 2.0
    enough: int = 25
    disk: Path | None = None
    games: str = "pennant"
    wishes: tuple[dict[str, Any], ...] = (PENNANT,)
    planted: str = ""
    nest: Nest | None = None
    database: PostgresServer | None = None
    redis: RedisServer | None = None
    workers: list[Running] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    crowd: Crowd = field(init=False)

    def open(self, many: int) -> None:
        self.ports = [free_port() for _ in range(many)]
        for number, port in enumerate(self.ports):
            self.control(number).mkdir(exist_ok=True)
            if self.planted:
                (self.control(number) / "planted").write_text(self.planted, "ascii")
            self.workers.append(self._start(number, port))
        urls = [worker.url for worker in self.workers]
        self.crowd = Crowd(urls, PLAYERS, wishes=self.wishes, choose=self._choose)
        self.crowd.start()

    def _choose(self, offers: list[dict[str, Any]]) -> dict[str, Any]:
        """Pennant is played as ever; of other games, what chance says."""
        return offers[0] if self.games == "pennant" else self.dice.choice(offers)

    def _start(self, number: int, port: int) -> Running:
        told: dict[str, Any] = {
            "chain_length": 64,
            "stream_ping": 0.5,
            "log_level": "ERROR",
            **self.settings,
        }
        control = self.control(number)
        return start(self.folder, self.games, control, nest=self.nest, port=port, **told)

    def control(self, number: int) -> Path:
        """Through which a worker is harmed, see harm.py."""
        return self.folder / f"control-{number}"

    def again(self, number: int) -> None:
        """Start a worker that has ended, at its place."""
        self.workers[number] = self._start(number, self.ports[number])

    def any(self) -> int:
        return self.dice.randrange(len(self.workers))

    def moment(self) -> None:
        """Let some time pass."""
        time.sleep(self.dice.uniform(0.05, self.moments))

    def close(self) -> None:
        for worker in self.workers:
            if worker.process.poll() is None:
                assert worker.stop() == 0, worker.lines


Failure = Callable[[World], None]


def worker_killed(world: World) -> None:
    """SIGKILL under load; another one takes its place."""
    number = world.any()
    world.workers[number].kill()
    world.moment()
    world.again(number)


def roll_over(world: World) -> None:
    """Every worker is stopped as an operator would, and started again, one after the other."""
    for number, worker in enumerate(world.workers):
        assert worker.stop() == 0, worker.lines
        world.again(number)


def database_stopped(world: World) -> None:
    assert world.database is not None
    world.database.stop_at_once()
    world.moment()
    world.database.start()


def _redis(world: World) -> RedisServer:
    assert world.redis is not None
    return world.redis


def redis_killed(world: World) -> None:
    """And play has to go on while it is away."""
    _redis(world).kill()
    world.crowd.reach(world.enough)
    _redis(world).start()


def redis_paused(world: World) -> None:
    """It keeps its connections and says nothing."""
    _redis(world).pause()
    world.crowd.reach(world.enough)
    _redis(world).go_on()


def redis_emptied(world: World) -> None:
    _redis(world).empty()


def redis_absent(world: World) -> None:
    """A worker that starts without it serves all the same."""
    _redis(world).kill()
    number = world.any()
    assert world.workers[number].stop() == 0
    world.again(number)
    world.crowd.reach(world.enough)
    _redis(world).start()


def disk_full(world: World) -> None:
    """Nothing can be written, everything can be read; then there is room again."""
    url, pages = world.workers[0].url, world.control(0) / "pages"
    pages.write_text("1")
    full = world.crowd.troubles["store.full"]
    until = time.monotonic() + 30
    while world.crowd.troubles["store.full"] < full + world.enough:
        assert time.monotonic() < until, "the disk never fills"
        assert httpx.get(f"{url}/v1/games").status_code == 200
        time.sleep(0.02)
    pages.unlink()


def database_full(world: World) -> None:
    """PostgreSQL's own disk is full: nothing can be written; then there is room again."""
    assert world.disk is not None
    assert world.database is not None
    filler = world.disk / "filler"
    refused = ("store.full", "store.unavailable")
    before = sum(world.crowd.troubles[code] for code in refused)
    until = time.monotonic() + 120
    while sum(world.crowd.troubles[code] for code in refused) < before + world.enough:
        assert time.monotonic() < until, "the disk never fills"
        _fill(filler)
        time.sleep(0.02)
    filler.unlink()
    world.database.start()


def _fill(file: Path) -> None:
    """Take all the room that there is."""
    with file.open("ab", buffering=0) as filling, contextlib.suppress(OSError):
        while filling.write(bytes(1 << 16)):
            pass


def everything_twice(world: World) -> None:
    """Everybody sends everything twice at the same moment."""
    world.crowd.twice = True
    world.crowd.reach(world.enough)
    world.crowd.twice = False


def clock_jumps(world: World) -> None:
    """Each worker's clock jumps by itself, there and back."""
    for _ in range(3):
        for number in range(len(world.workers)):
            wrong = world.dice.randrange(-400 * DAY, 400 * DAY)
            (world.control(number) / "clock").write_text(str(wrong))
        world.crowd.reach(world.enough // 3)
    for number in range(len(world.workers)):
        (world.control(number) / "clock").unlink()


def dead_readers(world: World) -> None:
    """Streams that nobody reads, one that is read slowly: the dead are hung up on."""
    url, path = world.workers[0].url, _long_game(world)
    sockets = [_ask_stream(url, path) for _ in range(READERS)]
    try:
        _until(lambda: _streams(url) >= READERS)
        for _ in range(20):
            assert sockets[0].recv(64), "who reads slowly goes on reading"
            time.sleep(0.02)
        world.crowd.reach(world.enough)
        _until(lambda: _streams(url) <= PLAYERS + 1)
    finally:
        for each in sockets:
            each.close()


def _long_game(world: World) -> str:
    """A game with more events than lie in buffers, still going on."""
    crowd, urls = world.crowd, cycle([world.workers[0].url])
    game = crowd.begin(urls, {"ruleset": "pennant", "options": {"turns": 1_000}})
    while len(game.seen) < LONG:
        crowd.step(urls, game)
    return game.path


def _ask_stream(url: str, path: str) -> socket.socket:
    parts = urlsplit(url)
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    made.settimeout(10)
    made.connect((parts.hostname, parts.port))
    asked = f"GET {path}/events HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n"
    made.sendall(asked.encode())
    return made


def _streams(url: str) -> float:
    """Streams that the worker has open, as it says."""
    for line in httpx.get(f"{url}/metrics").text.splitlines():
        if line.startswith("decklog_streams "):
            return float(line.split()[1])
    raise AssertionError("the streams are not counted")


def _until(what: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not what():
        assert time.monotonic() < until, "it does not come about"
        time.sleep(0.05)


EVERYWHERE: dict[str, Failure] = {
    "worker-killed": worker_killed,
    "roll-over": roll_over,
    "everything-twice": everything_twice,
    "clock-jumps": clock_jumps,
}
SHARED: dict[str, Failure] = {
    "redis-absent": redis_absent,
    "redis-killed": redis_killed,
    "redis-paused": redis_paused,
    "redis-emptied": redis_emptied,
    "postgresql-stopped": database_stopped,
    **EVERYWHERE,
}
ALONE: dict[str, Failure] = {"disk-full": disk_full, "dead-readers": dead_readers, **EVERYWHERE}
CRAMPED: dict[str, Failure] = {"database-full": database_full}
"""In the world of a PostgreSQL on a small disk, which a test cannot make without being root."""
WORLDS = {"shared": SHARED, "alone": ALONE}


@contextmanager
def world(name: str, folder: Path, seed: int, **more: Any) -> Iterator[World]:
    """Two workers on PostgreSQL and Redis, or one on a file; somebody is playing.

    Where ``disk`` is given, the PostgreSQL is on it. The workers are forked off a nest: most of
    what a world cost was that each of them read its modules.
    """
    with ExitStack() as stack:
        settings: dict[str, object] = {"stall_seconds": STALL_SECONDS}
        dice = random.Random(seed)
        made = World(folder, settings, dice, **more)
        made.nest = stack.enter_context(nest())
        many = 1
        if name != "alone":
            many = 2
            made.database = stack.enter_context(postgres.server(made.disk))
            made.redis = RedisServer(folder)
            stack.callback(made.redis.kill)
            made.redis.start()
            store, key = made.database.address, postgres.KEY
            settings |= {"store": store, "key": key, "redis": made.redis.address}
        made.open(many)
        try:
            yield made
            made.crowd.finish()
            check_resumed(made.crowd)
        finally:
            made.crowd.finish()
            made.crowd.close()
            made.close()


def inflict(world: World, name: str, failure: Failure) -> dict[str, object]:
    """One failure: before it, after it, and what was found then."""
    began = time.monotonic()
    world.crowd.reach(world.enough)
    failure(world)
    world.crowd.reach(world.enough)
    found = check(world.crowd)
    return {"failure": name, **found, "seconds": round(time.monotonic() - began, 1)}


def main(arguments: list[str]) -> int:
    """0 when everything was survived."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.failures", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each failure comes")
    parser.add_argument("--seed", type=int, default=1, help="of orders and moments")
    parser.add_argument(
        "--only", action="append", choices=[*SHARED, *ALONE, *CRAMPED], help="only these"
    )
    parser.add_argument("--moments", type=float, default=2.0, help="seconds that a failure lasts")
    parser.add_argument("--disk", type=Path, help="a small file system to fill, see above")
    options = parser.parse_args(arguments)
    worlds = {"cramped": CRAMPED} if options.disk else WORLDS
    BUILD.mkdir(parents=True, exist_ok=True)
    for number in range(options.seed, options.seed + options.rounds):
        for name, failures in worlds.items():
            chosen = [each for each in failures if not options.only or each in options.only]
            random.Random(number).shuffle(chosen)
            if chosen:
                ordered = {each: failures[each] for each in chosen}
                told = one_round(name, ordered, number, moments=options.moments, disk=options.disk)
                (BUILD / f"failures-{name}.json").write_text(json.dumps(told) + "\n", "utf-8")
                print(json.dumps(told), flush=True)
    return 0


def one_round(name: str, failures: dict[str, Failure], seed: int, **more: Any) -> dict[str, object]:
    """A world from its beginning to its end; prints each failure that it survived."""
    with (
        tempfile.TemporaryDirectory() as folder,
        world(name, Path(folder), seed, **more) as made,
    ):
        for each, failure in failures.items():
            found = inflict(made, each, failure)
            print(f"seed {seed}, {name}: {found}", file=sys.stderr, flush=True)
        troubles = dict(made.crowd.troubles)
        survived = len(made.crowd.acknowledged)
    return {
        "world": name,
        "seed": seed,
        "survived": list(failures),
        "acknowledged": survived,
        "lost": 0,
        "troubles": troubles,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
