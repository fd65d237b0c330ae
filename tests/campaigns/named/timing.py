"""T-TIME: how long an answer takes tells nothing that the answer does not.

Two services whose games differ in one card that another seat hides (tests/naval_battles/
worlds_http.py) are asked the same in an order of chance; the distributions of what it takes are
compared by the test of Kolmogorov and Smirnov. Which service has which world changes from piece to
piece, so that what is peculiar to a service is in both distributions.
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
UNUSUAL = 1e-4
"""How improbable a difference is that counts."""
SPY = "p1"

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
                side = "as dealt" if not world.fate.shift else "another card"
                figures.setdefault(f"{what} {side}", []).append(_microseconds(world, what))
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
    """What takes so differently long that it is no accident."""
    found = []
    for what in ASKED:
        one, other = (
            [wait for each in pieces for wait in each.figures.get(f"{what} {side}", ())]
            for side in ("as dealt", "another card")
        )
        if one and (chance := by_chance(one, other)) < UNUSUAL:
            found.append(f"{what} tells a hidden card by its time: p = {chance:.2g}")
    return found


def by_chance(one: Sequence[float], other: Sequence[float]) -> float:
    """How probable so large a distance of two samples of one distribution is."""
    first, second = sorted(one), sorted(other)
    most = max(
        abs(bisect_right(first, at) / len(first) - bisect_right(second, at) / len(second))
        for at in {*first, *second}
    )
    root = math.sqrt(len(first) * len(second) / (len(first) + len(second)))
    scaled = (root + 0.12 + 0.11 / root) * most
    if scaled < 0.3:  # where the series converges too slowly, and is 1 to four places
        return 1.0
    terms = ((-1.0) ** (k - 1) * math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101))
    return min(1.0, max(0.0, 2.0 * math.fsum(terms)))
