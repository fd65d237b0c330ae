"""T-TIME: how long an answer takes tells nothing that the answer does not.

Two services whose games differ in one card that another seat hides (tests/naval_battles/
worlds_http.py) are asked the same in an order of chance; the distributions of what it takes are
compared by Smirnov's test. Which service has which world changes from piece to piece, and a world
tells something only if it is the slower one both ways: what is peculiar to a service is against it
one way, and the two ways are never thrown together, since the machine is busier in one piece than
in another.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from tests.naval_battles.worlds_http import STRAYS, Pair, World, worlds

from .pieces import Done, Piece

REQUESTS = 200
"""To each world, in a piece."""
UNUSUAL = 1e-3
"""How improbable a difference is that counts, if it is there both ways."""
SPY = "p1"
WORLDS = ("as dealt", "another card")

GETS = ("/view", "/commands", "/events?follow=false", "/rolls")
CHECK = "/commands/check"
ASKED = (*GETS, CHECK)


def piece(number: int) -> Done:
    """The worlds of one game, asked in an order of chance."""
    dice = random.Random(f"timing {number}")
    figures: dict[str, list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        worlds(Path(folder), 2, exchanged=bool(number % 2)) as pair,
    ):
        _warm(pair)
        for turn in range(REQUESTS):
            what = ASKED[turn % len(ASKED)]
            for world in dice.sample(pair.worlds, 2):
                told = WORLDS[bool(world.fate.shift)]
                figures.setdefault(f"{what} {told}", []).append(_microseconds(world, what))
    return Done(REQUESTS, (), figures)


def _warm(pair: Pair) -> None:
    for what in ASKED * 3:
        for world in pair.worlds:
            _microseconds(world, what)


def _microseconds(world: World, what: str) -> float:
    token, path = world.tokens[SPY], world.path + what
    began = time.perf_counter_ns()
    if what == CHECK:
        answer = world.ask("POST", path, token, json=STRAYS[1])
    else:
        answer = world.ask("GET", path, token)
    took = time.perf_counter_ns() - began
    assert answer.status_code < 500, answer.text
    return float(took // 1_000)


def judge(pieces: Sequence[Piece]) -> list[str]:
    """What takes longer in the same world, whichever service has it."""
    found = []
    for what in ASKED:
        for slow, quick in (WORLDS, WORLDS[::-1]):
            chance = max(
                by_chance(_waits(half, what, quick), _waits(half, what, slow))
                for half in ([each for each in pieces if each.number % 2 == odd] for odd in (0, 1))
            )
            if chance < UNUSUAL:
                found.append(f"{what} tells a hidden card by its time: p = {chance:.2g}, {slow}")
    return found


def _waits(pieces: Sequence[Piece], what: str, world: str) -> list[float]:
    return [wait for each in pieces for wait in each.figures.get(f"{what} {world}", ())]


def by_chance(quick: Sequence[float], slow: Sequence[float]) -> float:
    """How probable it is that two samples of one distribution are so far apart, ``slow`` above.

    Smirnov's one-sided test, by its limit for large samples; 1.0 where a sample is empty.
    """
    first, second = sorted(quick), sorted(slow)
    if not first or not second:
        return 1.0
    most = max(
        bisect_right(first, at) / len(first) - bisect_right(second, at) / len(second)
        for at in {*first, *second}
    )
    root = math.sqrt(len(first) * len(second) / (len(first) + len(second)))
    return math.exp(-2 * ((root + 0.12 + 0.11 / root) * most) ** 2)
