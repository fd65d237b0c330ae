"""Work in a forked process that may crash or hang, and what it told until then."""

from __future__ import annotations

import json
import os
import select
import signal
from collections.abc import Callable, Iterator
from typing import NamedTuple

SILENT = 120
"""Seconds without a word after which a process that does not even work is ended."""
LEAST = 3.0
"""Seconds of the processor that a test may take at least; see :func:`within`."""


class Told(NamedTuple):
    """How one test ended: passed, failed by what it asserts, or crashed.

    seconds  of the processor
    """

    test: str
    end: str
    seconds: float = 0.0


GONE = Told("", "crashed")
"""The process ended before it had said how its test did."""


def forked(work: Callable[[], Iterator[Told]]) -> list[Told]:
    """What a forked process told until it ended; :data:`GONE` last, if it did not end well."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _live(work, writing)
    os.close(writing)
    told, late = _heard(reading)
    os.close(reading)
    if late:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return [*told, GONE] if late or status else told


def within(seconds: float) -> None:
    """From here on this process may use so much of the processor; then it is ended.

    A machine that has other things to do makes nobody late.
    """
    signal.setitimer(signal.ITIMER_PROF, max(LEAST, seconds))


def _live(work: Callable[[], Iterator[Told]], writing: int) -> None:
    """The life of a forked process: nothing of it reaches the terminal."""
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for each in (0, 1, 2):
            os.dup2(nothing, each)
        for told in work():
            os.write(writing, (json.dumps(told) + "\n").encode())
        code = 0
    finally:
        os._exit(code)


def _heard(reading: int) -> tuple[list[Told], bool]:
    text = b""
    while select.select([reading], [], [], SILENT)[0]:
        more = os.read(reading, 65_536)
        if not more:
            return _lines(text), False
        text += more
    return _lines(text), True


def _lines(text: bytes) -> list[Told]:
    return [Told(*json.loads(line)) for line in text.split(b"\n")[:-1]]
