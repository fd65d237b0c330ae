"""Events at those who listen. Target: p99 under 250 ms (250,000 µs) with 1,000 listeners.

    python -m tests.bench.bench_streams [SECONDS] [ROUNDS] [IDLE] [ACTIVE] [GAMES]

IDLE streams follow a game in which nothing happens, ACTIVE ones are spread over GAMES in which
somebody gives a command every 100 ms, for SECONDS a round. Measured is the time from sending a
command to the last of its events at each listener; the reference is the time to the answer itself.
First one worker on an SQLite file, then two on a PostgreSQL with a Redis between them: commands go
to one, all streams are at the other. The clients are one event loop and share the machine.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx
import uvloop

from tests.bench.bench_http import address_of
from tests.bench.load import Address, quantile, request
from tests.bench.report import Report
from tests.support import postgres, redis
from tests.support.server import Running, running

PAUSE = 0.1
SEQ = re.compile(rb'^\{"seq":(\d+)', re.MULTILINE)
PLENTY = {"stream_limit": 100_000, "parallel_limit": 0, "chain_length": 4096, "stream_ping": 5.0}
WORLDS = ("1 worker, SQLite", "2 workers, PostgreSQL, Redis")
ANSWER = "answer to the command (reference)"


class Listener(asyncio.Protocol):
    """A stream: when each event came."""

    def __init__(self) -> None:
        self.came: dict[int, float] = {}
        self.open = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        now = perf_counter()
        if not self.open.done():
            self.open.set_result(data[9:12])
        for found in SEQ.findall(data):
            self.came[int(found)] = now


@dataclass
class Game:
    """A game, and those who listen to it."""

    path: str
    tokens: dict[str, str]
    version: int
    listeners: list[Listener] = field(default_factory=list)
    sent: dict[int, float] = field(default_factory=dict)
    answers: list[float] = field(default_factory=list)


@contextmanager
def workers(name: str, folder: Path) -> Iterator[tuple[Running, Running]]:
    """Who gets the commands, and who has the streams."""
    with ExitStack() as stack:
        told: dict[str, Any] = dict(PLENTY)
        if name == WORLDS[0]:
            one = stack.enter_context(running(folder, "pennant", **told))
            yield one, one
            return
        told["store"] = stack.enter_context(postgres.running())
        told["key"] = postgres.KEY
        told["redis"] = stack.enter_context(redis.running(folder)).address
        yield (
            stack.enter_context(running(folder, "pennant", **told)),
            stack.enter_context(running(folder, "pennant", **told)),
        )


async def begin(client: httpx.AsyncClient) -> Game:
    """A game in its second phase, in which the seats pass in turn."""
    body = {"ruleset": "pennant", "options": {"turns": 10_000}}
    made = (await client.post("/v1/games", json=body, headers=key())).json()
    tokens = {one["seat"]: one["token"] for one in made["tokens"]}
    game = Game(f"/v1/games/{made['game']['id']}", tokens, made["game"]["version"])
    for seat in ("p1", "p2"):
        await give(client, game, seat, {"type": "pennant.choose", "colour": "bold"})
    return game


async def give(client: httpx.AsyncClient, game: Game, seat: str, body: dict[str, str]) -> None:
    """One command, and when it was sent and answered."""
    headers = {
        **key(),
        "Authorization": f"Bearer {game.tokens[seat]}",
        "If-Match": f'"{game.version}"',
    }
    began = perf_counter()
    answer = await client.post(f"{game.path}/commands", json=body, headers=headers)
    game.answers.append(perf_counter() - began)
    game.version = answer.raise_for_status().json()["version"]
    game.sent[game.version] = began


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


async def listen(address: Address, game: Game, many: int) -> None:
    """So many streams more, from now on."""
    path = f"{game.path}/events?after={game.version}"
    asked = request("GET", path, Accept="application/x-ndjson")
    loop = asyncio.get_running_loop()
    for _ in range(many):
        transport, listener = await loop.create_connection(Listener, *address)
        transport.write(asked)
        game.listeners.append(listener)
    for listener in game.listeners:
        status = await asyncio.wait_for(listener.open, 30)
        if status != b"200":
            raise RuntimeError(f"a stream was refused: {status!r}")


async def play(client: httpx.AsyncClient, game: Game, seconds: float) -> None:
    """A command every now and then."""
    until = perf_counter() + seconds
    while perf_counter() < until:
        shown = (await client.get(game.path)).json()
        await give(client, game, shown["toMove"][0]["seat"], {"type": "pennant.pass"})
        await asyncio.sleep(PAUSE)


async def arrived(game: Game) -> list[float]:
    """Seconds from each command to each listener; RuntimeError for an event that never comes."""
    until = perf_counter() + 30
    while any(game.sent.keys() - one.came.keys() for one in game.listeners):
        if perf_counter() > until:
            raise RuntimeError("an event did not come to everybody")
        await asyncio.sleep(0.05)
    return [one.came[seq] - sent for one in game.listeners for seq, sent in game.sent.items()]


async def measure(
    found: dict[str, Report], pair: tuple[Running, Running], seconds: float, rounds: int,
    idle: int, active: int, games: int,
) -> None:  # fmt: skip
    address = address_of(pair[1].url)
    async with httpx.AsyncClient(base_url=pair[0].url, timeout=60) as client:
        quiet = await begin(client)
        busy = [await begin(client) for _ in range(games)]
        before = resident(pair[1])
        await listen(address, quiet, idle)
        found["memory"].add("an open stream", (resident(pair[1]) - before) * 1024 / idle)
        for game in busy:
            await listen(address, game, active // games)
        for _ in range(rounds):
            for game in busy:
                game.sent.clear()
                game.answers.clear()
            await asyncio.gather(*(play(client, game, seconds) for game in busy))
            delays = [delay for game in busy for delay in await arrived(game)]
            answers = [answer for game in busy for answer in game.answers]
            for report, share in (("half", 0.5), ("most", 0.99)):
                found[report].add("event at a listener", quantile(delays, share) * 1e6)
                found[report].add(ANSWER, quantile(answers, share) * 1e6)


def resident(server: Running) -> int:
    """KiB of memory; 0 where the system does not say so in a file."""
    status = Path(f"/proc/{server.process.pid}/status")
    return int(status.read_text().partition("VmRSS:")[2].split()[0]) if status.exists() else 0


def main(
    seconds: float = 5,
    rounds: float = 3,
    idle: float = 1_000,
    active: float = 200,
    games: float = 20,
) -> None:
    for name in WORLDS:
        with tempfile.TemporaryDirectory() as text, workers(name, Path(text)) as pair:
            about = f"{name}; {idle:,.0f} idle streams, {active:,.0f} in {games:,.0f} games"
            found = {
                "half": Report("half of the events within", "µs", about),
                "most": Report("99 of 100 events within", "µs", about),
                "memory": Report("memory of the worker", "bytes", about),
            }
            given = (seconds, int(rounds), int(idle), int(active), int(games))
            uvloop.run(measure(found, pair, *given))
        for report in ("half", "most"):
            found[report].show(reference=ANSWER)
            print()
        found["memory"].show()
        print()


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
