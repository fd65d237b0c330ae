"""Two worlds over HTTP, seed after seed: what one seat hides is in no answer to anybody else.

    python -m tests.campaigns.secrecy --count 20

Each seed is one pair for every seat count, for teams and for linked games. After every command all
that the other seats, onlookers and the organiser can get is compared, byte for byte; a pair ends
when somebody else must learn the difference, or after ``--commands``. A failure names its seed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.naval_battles import worlds_http

WAYS = (
    ("standard", 2), ("standard", 3), ("standard", 4), ("standard", 5), ("standard", 6),
    ("pairs", 4), ("pairs", 6), ("trios", 6), ("linked", 2), ("linked", 3),
)  # fmt: skip


class Job(NamedTuple):
    """One pair of worlds."""

    scenario: str
    seats: int
    seed: int
    commands: int
    every: int


class Done(NamedTuple):
    """What it came to: commands by type, answers compared, and what was wrong, if anything."""

    job: Job
    played: Counter[str]
    compared: int
    failure: str = ""


def play(job: Job) -> Done:
    """One pair: all viewers after every so many commands."""
    played: Counter[str] = Counter()
    compared = 0
    try:
        with tempfile.TemporaryDirectory() as folder, _pair(Path(folder), job) as pair:
            try:
                for number in range(job.commands):
                    if pair.over():
                        break
                    pair.step()
                    if number % job.every == 0:
                        pair.compare()
            except worlds_http.Parted:
                pass
            played.update(pair.played)
            compared = pair.compared
    except Exception:
        return Done(job, played, compared, traceback.format_exc(limit=-6))
    return Done(job, played, compared)


def _pair(folder: Path, job: Job) -> worlds_http.Worlds:
    return worlds_http.worlds(folder, job.seats, job.scenario, job.seed)


def main(arguments: list[str]) -> int:
    """0 when nobody could tell any two worlds apart."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.secrecy", description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--commands", type=int, default=200, help="of a pair, at most")
    parser.add_argument("--every", type=int, default=1, help="commands between comparisons")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options = parser.parse_args(arguments)
    jobs = [
        Job(*way, seed, options.commands, options.every)
        for seed in range(options.first, options.first + options.count)
        for way in WAYS
    ]
    played: Counter[str] = Counter()
    compared = failed = 0
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for number, done in enumerate(pool.imap_unordered(play, jobs), 1):
            played += done.played
            compared += done.compared
            if done.failure:
                failed += 1
                print(f"\n{done.job}:\n{done.failure}", file=sys.stderr)
            line = f"\r{number} of {len(jobs)} pairs, {compared:,} answers, {failed} leaks "
            print(line, end="", file=sys.stderr, flush=True)
    print(f"\n{compared:,} answers compared in {len(jobs)} pairs, {failed} leaks; {dict(played)}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
