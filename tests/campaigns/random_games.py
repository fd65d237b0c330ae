"""Random games by the thousand: no dead end, no crash, and what always holds holds.

``make fuzz GAMES=100000`` plays them. Each game is checked after each event; every 25th is put
through the whole conformance suite, and one of its seed before the referee. A failure names the
seed: ``--first SEED --games 1 --every 1`` plays that game again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.referees import games as referees
from tests.support.suites import TESTS, suites

BUILD = TESTS.parent / "build" / "campaigns"
FIRST = 100_000
REPORT_SECONDS = 5.0


class Job(NamedTuple):
    """One game to play."""

    game: str
    seed: int
    thorough: bool


class Done(NamedTuple):
    """What became of it: its kind and its commands, or what went wrong."""

    job: Job
    kind: str
    commands: int
    failure: str = ""


def play(job: Job) -> Done:
    """Play and check one game."""
    try:
        kind, commands = suites()[job.game].check(job.seed, job.thorough)
        if job.thorough and job.game in referees.PLAYS:
            _before_the_referee(job)
    except Exception:
        return Done(job, "failed", 0, traceback.format_exc(limit=-6))
    return Done(job, kind, commands)


def _before_the_referee(job: Job) -> None:
    """A second opinion on the game that the referee's own campaign plays with this seed."""
    events = referees.game(job.game, job.seed)
    findings = referees.judge(job.game, events).findings
    if findings:
        raise AssertionError(f"the referee disagrees: {findings[0]}")


@dataclass
class Tally:
    """What the campaign has come to so far."""

    game: str
    wanted: int
    games: int = 0
    thorough: int = 0
    commands: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[Done] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def add(self, done: Done) -> None:
        """Count one game."""
        self.games += 1
        self.thorough += done.job.thorough
        self.commands += done.commands
        self.kinds[done.kind] += 1
        if done.failure:
            self.failures.append(done)
            print(f"\n{self.game} seed {done.job.seed}:\n{done.failure}", file=sys.stderr)

    def line(self) -> str:
        """Progress in one line."""
        seconds = max(time.monotonic() - self.began, 0.001)
        left = (self.wanted - self.games) * seconds / max(self.games, 1)
        return (
            f"{self.game}: {self.games:,} of {self.wanted:,} games, {self.commands:,} commands, "
            f"{self.commands / seconds:,.0f}/s, {len(self.failures)} failed, "
            f"{left / 60:,.0f} min left  "
        )

    def report(self, options: argparse.Namespace) -> dict[str, object]:
        """What is written to build/campaigns."""
        commit = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=TESTS, capture_output=True, text=True, check=False
        )
        return {
            "game": self.game,
            "commit": commit.stdout.strip(),
            "python": platform.python_version(),
            "first": options.first,
            "games": self.games,
            "thorough": self.thorough,
            "commands": self.commands,
            "seconds": round(time.monotonic() - self.began),
            "jobs": options.jobs,
            "kinds": dict(sorted(self.kinds.items())),
            "failed": [done.job.seed for done in self.failures],
        }


def jobs(game: str, options: argparse.Namespace) -> Iterator[Job]:
    """The games to play, in order of seed."""
    for seed in range(options.first, options.first + options.games):
        yield Job(game, seed, seed % options.every == 0)


def campaign(game: str, options: argparse.Namespace) -> Tally:
    """Play them all; prints progress."""
    tally, told = Tally(game, options.games), 0.0
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        for done in pool.imap_unordered(play, jobs(game, options), chunksize=4):
            tally.add(done)
            if time.monotonic() - told >= REPORT_SECONDS:
                told = time.monotonic()
                print(f"\r{tally.line()}", end="", file=sys.stderr, flush=True)
    print(f"\r{tally.line()}", file=sys.stderr)
    return tally


def main(arguments: list[str]) -> int:
    """0 when every game was played to its end and nothing was broken."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.random_games", description=__doc__)
    parser.add_argument("--game", action="append", choices=list(suites()), help="only this one")
    parser.add_argument("--games", type=int, default=2000, help="how many of each")
    parser.add_argument("--first", type=int, default=FIRST, help="the first seed")
    parser.add_argument("--every", type=int, default=25, help="how often one is checked wholly")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options = parser.parse_args(arguments)
    failed = False
    BUILD.mkdir(parents=True, exist_ok=True)
    for game in options.game or suites():
        tally = campaign(game, options)
        report = tally.report(options)
        path: Path = BUILD / f"{game}.json"
        path.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
        print(json.dumps(report))
        failed = failed or bool(tally.failures)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
