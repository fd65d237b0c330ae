"""A light load generator in a process of its own: prebuilt requests over kept-alive connections.

Each connection sends its next request as soon as the last one is answered (closed loop). Between
rounds the process sleeps, so that it takes nothing from what is measured next.

    with Load() as load:
        load.feed("plain", address, [[request, ...] for each connection])
        print(load.run("plain", seconds=3).rate)
"""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from multiprocessing.connection import Connection
from time import perf_counter
from types import TracebackType
from typing import Any, Self

import uvloop

Address = tuple[str, int]

END_OF_HEAD = b"\r\n\r\n"
LENGTH = b"content-length: "


def request(method: str, path: str, body: bytes = b"", **fields: str) -> bytes:
    """An HTTP/1.1 request; ``If_Match="..."`` becomes the field If-Match."""
    lines = [f"{method} {path} HTTP/1.1", "Host: bench"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass(frozen=True)
class Round:
    """What a round gave.

    lanes    for each connection the seconds from each request to its whole answer
    seconds  from the first request to the last answer
    """

    lanes: list[list[float]]
    seconds: float

    @property
    def waits(self) -> list[float]:
        return [wait for lane in self.lanes for wait in lane]

    @property
    def counts(self) -> list[int]:
        """Answers on each connection."""
        return [len(lane) for lane in self.lanes]

    @property
    def rate(self) -> float:
        """Answers a second."""
        return sum(self.counts) / self.seconds


def quantile(figures: Sequence[float], share: float) -> float:
    """The smallest figure that at least ``share`` of the figures do not exceed."""
    ordered = sorted(figures)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


class Load:
    """The other process. A request that is not answered with 200 or 201 ends the measurement."""

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._pipe.close()
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()

    def feed(
        self,
        name: str,
        address: Address | Sequence[Address],
        requests: Sequence[Sequence[bytes]],
        *,
        ever: bool = False,
    ) -> None:
        """More requests for each connection of ``name``; ``ever``: they are repeated for ever.

        With several addresses the connections are spread over them.
        """
        several = (address,) if isinstance(address[0], str) else tuple(address)
        self._ask("feed", name, several, requests, ever)

    def run(self, name: str, seconds: float = 3600.0, limits: Sequence[int] | None = None) -> Round:
        """Send for so many seconds, and at most ``limits`` requests on each connection.

        Raises RuntimeError for a refusal, and when a connection has nothing left to send.
        """
        found: Round = self._ask("run", name, seconds, limits)
        return found

    def _ask(self, *words: Any) -> Any:
        self._pipe.send(words)
        answer = self._pipe.recv()
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer


class Lane:
    """What one connection has yet to send."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._ever = False

    def add(self, requests: Sequence[bytes], ever: bool) -> None:
        self._waiting.extend(requests)
        self._ever = ever

    def next(self) -> bytes | None:
        if not self._waiting:
            return None
        if self._ever:
            self._waiting.rotate(-1)
            return self._waiting[-1]
        return self._waiting.popleft()


@dataclass(frozen=True)
class Target:
    """A server or several, and what each connection has yet to send."""

    addresses: tuple[Address, ...]
    lanes: list[Lane]


class Client(asyncio.Protocol):
    """One connection. ``done`` gets None at the end of the round, or what went wrong."""

    def __init__(self, lane: Lane) -> None:
        self.waits: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lane = lane
        self._answer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def start(self, until: float, limit: int) -> None:
        """Send until that moment, and at most so many requests."""
        self._until, self._limit = until, limit
        self._send()

    def _send(self) -> None:
        now = perf_counter()
        if now >= self._until or len(self.waits) >= self._limit:
            self._end(None)
            return
        wanted = self._lane.next()
        if wanted is None:
            self._end("a connection has nothing left to send")
            return
        self._sent = now
        self._transport.write(wanted)

    def data_received(self, data: bytes) -> None:
        answer = self._answer = self._answer + data if self._answer else data
        head = answer.find(END_OF_HEAD)
        if head < 0 or len(answer) < head + len(END_OF_HEAD) + length_of(answer[:head]):
            return
        self.waits.append(perf_counter() - self._sent)
        self._answer = b""
        if answer[9:12] not in (b"200", b"201"):
            self._end(answer.decode("utf-8", "replace"))
            return
        self._send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self._end(f"the server closed a connection: {error}")

    def _end(self, trouble: str | None) -> None:
        if trouble is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(RuntimeError(trouble))
        self._transport.close()


def length_of(head: bytes) -> int:
    """Content-Length; 0 where there is none. The servers measured here send no chunks."""
    head = head.lower()
    place = head.find(LENGTH)
    if place < 0:
        return 0
    return int(head[place + len(LENGTH) :].split(b"\r\n", 1)[0])


def serve(pipe: Connection) -> None:
    """What the process does: as it is told, until nobody is there to tell."""
    targets: dict[str, Target] = {}
    try:
        while True:
            task, name, *words = pipe.recv()
            try:
                answer: Round | str | None = None
                if task == "feed":
                    feed(targets, name, *words)
                else:
                    answer = uvloop.run(attack(targets[name], *words))
            except Exception as error:
                answer = f"{type(error).__name__}: {error}"
            pipe.send(answer)
    except (EOFError, OSError):
        return


def feed(
    targets: dict[str, Target],
    name: str,
    addresses: tuple[Address, ...],
    requests: list[list[bytes]],
    ever: bool,
) -> None:
    if name not in targets:
        targets[name] = Target(addresses, [Lane() for _ in requests])
    for lane, more in zip(targets[name].lanes, requests, strict=True):
        lane.add(more, ever)


async def attack(target: Target, seconds: float, limits: Sequence[int] | None) -> Round:
    """One round. Connections are made before the clock starts."""
    loop = asyncio.get_running_loop()
    clients = [Client(lane) for lane in target.lanes]
    for client, address in zip(clients, cycle(target.addresses), strict=False):
        await loop.create_connection(partial(_itself, client), *address)
    begin = perf_counter()
    for place, client in enumerate(clients):
        client.start(begin + seconds, sys.maxsize if limits is None else limits[place])
    await asyncio.gather(*(client.done for client in clients))
    return Round([client.waits for client in clients], perf_counter() - begin)


def _itself(client: Client) -> Client:
    return client
