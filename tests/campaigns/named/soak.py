"""Hours at half of what the service can do: its memory and its open files stay as they are.

A piece is a minute. The minutes of one process are those of one server, which ends with it; what
was killed goes on with a new one, and only minutes of the same server are compared.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import util
from pathlib import Path

from tests.support.crowd import Crowd
from tests.support.server import Running, start

from .kills import WISHES
from .pieces import Done, Piece

MINUTE, MEASURING = 60.0, 10.0
PLAYERS = 8
WARM = 3
"""Minutes in which a server comes to what it keeps in memory."""
GROWTH, HANDLES = 1.05, 8
"""As many times as much memory, and as many open files more, may there be at the end."""


class Load:
    """A server, and a crowd that gives it half of what it can do."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.server: Running = start(Path(self._folder.name), chain_length=4096, log_level="ERROR")
        choose = random.Random(1).choice
        self.crowd = Crowd([self.server.url], PLAYERS, wishes=WISHES, choose=choose, think=0.0)
        self.crowd.start()
        self.crowd.reach(PLAYERS)
        before = len(self.crowd.acknowledged)
        time.sleep(MEASURING)
        self.capacity = (len(self.crowd.acknowledged) - before) / MEASURING
        self.crowd.think = PLAYERS / self.capacity

    def close(self) -> None:
        self.crowd.finish()
        self.crowd.close()
        self.server.stop()
        self._folder.cleanup()

    @property
    def memory(self) -> int:
        """MB that the server has."""
        told = Path(f"/proc/{self.server.process.pid}/status").read_text("ascii").splitlines()
        (line,) = (each for each in told if each.startswith("VmRSS:"))
        return int(line.split()[1]) // 1024

    @property
    def handles(self) -> int:
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))


_LOADS: list[Load] = []


def load() -> Load:
    """The one of this process, which ends with it."""
    if not _LOADS:
        _LOADS.append(Load())
        util.Finalize(None, end, exitpriority=10)
    return _LOADS[0]


def end() -> None:
    """Whatever it was given."""
    while _LOADS:
        _LOADS.pop().close()


def piece(number: int) -> Done:
    """One minute."""
    at = load()
    before = len(at.crowd.acknowledged)
    time.sleep(MINUTE)
    faults = [*at.crowd.faults]
    figures = {
        "server": [float(at.server.process.pid)],
        "capacity": [at.capacity],
        "rate": [(len(at.crowd.acknowledged) - before) / MINUTE],
        "memory": [float(at.memory)],
        "handles": [float(at.handles)],
    }
    return Done(1, faults, figures)


def judge(pieces: Sequence[Piece]) -> list[str]:
    """What grew, of each server that was up long enough to tell."""
    servers: dict[float, list[Piece]] = {}
    for each in pieces:
        if each.figures:
            servers.setdefault(each.figures["server"][0], []).append(each)
    return [wrong for minutes in servers.values() for wrong in _grown(minutes[WARM:])]


def _grown(minutes: Sequence[Piece]) -> list[str]:
    third = len(minutes) // 3
    if not third:
        return []
    found = []
    for name, times, more in (("memory", GROWTH, 0), ("handles", 1.0, HANDLES)):
        told = [each.figures[name][0] for each in minutes]
        first, last = statistics.median(told[:third]), statistics.median(told[-third:])
        if last > first * times + more:
            found.append(f"{name} grew from {first:.0f} to {last:.0f} in {len(minutes)} minutes")
    return found
