"""A process that does tasks, one after the other, within bounds of time and memory."""

from __future__ import annotations

import math
import os
import resource
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import msgspec

from domain.kernel.game import Game

from ..errors import StoreUnavailable
from ..views.rulesets import Rulesets
from ..views.views import ViewCache
from .asking import Asked
from .tasks import Materials
from .works import outcome

AnyGame = Game[Any, Any, Any]

GAMES_KEPT = 64
"""Games whose views a worker keeps: the next question about one costs what is new of it."""

MEMORY = 512 * 1024 * 1024
"""Bytes that a worker may take beside what it has at its start."""

RULES = 2
"""Processes of rules that are not of this build: a game that went over to others has two."""

NICE = 10
"""How far a worker steps back for those who take commands."""

ASKS = b"?"
"""Begins a question to the store."""
ENDS = b"="
"""Begins the end of a task: seconds, and its outcome."""
SORRY = b"!"
"""Instead of an answer: the store does not say."""


class Given(msgspec.Struct, frozen=True, array_like=True):
    """A task as it comes to a worker."""

    task: bytes
    budget: float


class Ended(msgspec.Struct, frozen=True, array_like=True):
    """A task that has ended, with the CPU seconds that it took.

    full  the process has grown so much that another one had better do the next task
    """

    outcome: bytes
    seconds: float
    full: bool


def live(line: Connection, games: Mapping[str, AnyGame]) -> NoReturn:
    """Do what comes along the line, until it ends."""
    code = 1
    try:
        os.nice(NICE)
        _bound(resource.RLIMIT_AS, _size() + MEMORY)
        _bound(resource.RLIMIT_CORE, 0)
        _work(line, games)
        code = 0
    except MemoryError:
        code = 3
    finally:
        os._exit(code)


def _work(line: Connection, games: Mapping[str, AnyGame]) -> None:
    source = Asked(lambda question: _answer(line, question))
    rules = Rulesets(games, source, apart=True, processes=RULES)
    materials = Materials(rules, ViewCache(source, rules, GAMES_KEPT), source)
    first = _size()
    with suppress(EOFError, ConnectionError):
        while True:
            given = msgspec.msgpack.decode(line.recv_bytes(), type=Given)
            began = time.process_time()
            # The system ends whoever goes on; whole seconds are all that it counts.
            _bound(resource.RLIMIT_CPU, math.ceil(began + given.budget))
            found = outcome(given.task, materials)
            full = _size() > first + MEMORY // 2
            ended = Ended(found, time.process_time() - began, full)
            line.send_bytes(ENDS + msgspec.msgpack.encode(ended))


def _answer(line: Connection, question: bytes) -> bytes:
    line.send_bytes(ASKS + question)
    answer = line.recv_bytes()
    if answer.startswith(SORRY):
        raise StoreUnavailable(answer[len(SORRY) :].decode())
    return answer[len(ENDS) :]


def _bound(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _size() -> int:
    """Bytes of address space that the process has; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 32
