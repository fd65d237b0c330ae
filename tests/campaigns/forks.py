"""T-FORK-1 (NWD-1 2.6): forks of parents that differ only in secrets answer alike, byte for byte.

    python -m tests.campaigns.forks [--pairs 10000] [--game all] [--first 0] [--jobs 2]

Each pair is two running games in two services: other dice, something else hidden, or both. One
seat forks each with the same seed and plays on; everything that the forks answer, their comparison
with the running parent included, is compared. Pennant is the test game, the others are the real
ones (tests/support/forking_real.py); of all, each plays its share of the pairs. CI plays a few. A
failure names the pair: ``--game GAME --first N --pairs 1`` plays it alone.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.support import forking_real
from tests.support.forking import Pair, pair, world

CHUNK = 100
"""Pairs that are played in one pair of services."""

TEST_GAME = "pennant"
GAMES = (TEST_GAME, *forking_real.REAL)


class Chunk(NamedTuple):
    first: int
    many: int
    game: str = TEST_GAME


class Found(NamedTuple):
    """What a chunk came to: answers compared, and the pairs that could be told apart.

    parted  pairs that were none: before the fork the rules showed the difference to its maker
    """

    answers: int
    apart: list[int]
    parted: int = 0


def play(chunk: Chunk) -> Found:
    """Both worlds of every pair."""
    return _play_test_game(chunk) if chunk.game == TEST_GAME else _play_real(chunk)


def _play_real(chunk: Chunk) -> Found:
    answers, apart, parted = 0, list[int](), 0
    with (
        tempfile.TemporaryDirectory() as folder,
        forking_real.worlds(Path(folder), chunk.game) as both,
    ):
        for number in range(chunk.first, chunk.first + chunk.many):
            try:
                one, two = forking_real.told(both, forking_real.planned(chunk.game, number))
            except forking_real.Parted:
                parted += 1
                continue
            answers += len(one)
            if one != two:
                apart.append(number)
    return Found(answers, apart, parted)


def _play_test_game(chunk: Chunk) -> Found:
    pairs = [pair(number) for number in range(chunk.first, chunk.first + chunk.many)]
    told = [_told(pairs, side) for side in (0, 1)]
    apart = [
        chunk.first + place
        for place, (one, two) in enumerate(zip(*told, strict=True))
        if one != two
    ]
    return Found(sum(map(len, told[0])), apart)


def _told(pairs: list[Pair], side: int) -> list[list[bytes]]:
    """Digests of all that was answered in one world of each pair."""
    with tempfile.TemporaryDirectory() as folder, world(Path(folder)) as one:
        return [
            [hashlib.sha256(each).digest() for each in one.told(two.secrets[side], two.plan)]
            for two in pairs
        ]


def chunks(game: str, first: int, pairs: int) -> list[Chunk]:
    """The pairs from ``first`` on, in the games' equal shares where all are asked for."""
    asked = GAMES if game == "all" else (game,)
    found = []
    for place, name in enumerate(asked):
        many = pairs // len(asked) + (place < pairs % len(asked))
        end = first + many
        found += [Chunk(n, min(CHUNK, end - n), name) for n in range(first, end, CHUNK)]
    return found


def main(arguments: list[str]) -> int:
    """0 when no pair could be told apart."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.forks", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--game", choices=("all", *GAMES), default="all")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    work = chunks(asked.game, asked.first, asked.pairs)
    began, answers = time.monotonic(), 0
    done: Counter[str] = Counter()
    apart: list[tuple[str, int]] = []
    with multiprocessing.get_context("spawn").Pool(asked.jobs, maxtasksperchild=1) as pool:
        for chunk, found in zip(work, pool.imap(play, work), strict=True):
            answers += found.answers
            done[chunk.game] += chunk.many - found.parted
            apart += [(chunk.game, number) for number in found.apart]
            known = f"APART: {apart}" if apart else "none apart"
            seconds = time.monotonic() - began
            told = f"{_said(done)}, {answers:,} answers, {seconds:.0f} s: {known}"
            print(told, file=sys.stderr)
    verdict = f"APART: {apart}" if apart else "none could be told apart"
    print(f"{_said(done)}, {answers:,} answers of each world: {verdict}")
    return int(bool(apart))


def _said(done: Counter[str]) -> str:
    each = ", ".join(f"{many:,} {game}" for game, many in done.items())
    return f"{done.total():,} pairs ({each})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
