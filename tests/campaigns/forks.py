"""T-FORK-1 (NWD-1 2.6): forks of parents that differ only in secrets answer alike, byte for byte.

    python -m tests.campaigns.forks [--pairs 10000] [--first 0] [--jobs 2]

Each pair is two running games of Pennant in two services: other dice, another hidden choice, or
both. One seat forks each with the same seed and plays on; everything that the forks answer, their
comparison with the running parent included, is compared. CI plays a few pairs. A failure names
the pair: ``--first N --pairs 1`` plays it alone.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.support.forking import Pair, pair, world

CHUNK = 100
"""Pairs that are played in one pair of services."""


class Chunk(NamedTuple):
    first: int
    many: int


class Found(NamedTuple):
    """What a chunk came to: answers compared, and the pairs that could be told apart."""

    answers: int
    apart: list[int]


def play(chunk: Chunk) -> Found:
    """Both worlds of every pair."""
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


def main(arguments: list[str]) -> int:
    """0 when no pair could be told apart."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.forks", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    end = asked.first + asked.pairs
    chunks = [Chunk(n, min(CHUNK, end - n)) for n in range(asked.first, end, CHUNK)]
    began, done, answers = time.monotonic(), 0, 0
    apart: list[int] = []
    with multiprocessing.get_context("spawn").Pool(asked.jobs, maxtasksperchild=1) as pool:
        for chunk, found in zip(chunks, pool.imap(play, chunks), strict=True):
            done, answers = done + chunk.many, answers + found.answers
            apart += found.apart
            seconds = time.monotonic() - began
            known = f"APART: {apart}" if apart else "none apart"
            told = f"{done:,} pairs, {answers:,} answers, {seconds:.0f} s: {known}"
            print(told, file=sys.stderr)
    verdict = f"APART: {apart}" if apart else "none could be told apart"
    print(f"{done:,} pairs, {answers:,} answers of each world: {verdict}")
    return int(bool(apart))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
