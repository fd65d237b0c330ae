"""Random games over HTTP by the thousand: a bot that posts what is offered is never refused (B4).

    python -m tests.campaigns.http_games --games 10000 [--game NAME] [--first SEED] [--jobs N]

Each job starts a server of its own and plays against it. Every answer is looked at; every 50th game
is held against the document. A failure names ruleset and seed, and the campaign goes on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.support.contract import Contract
from tests.support.server import running
from tests.support.stranger import SHORT, Stranger

JUDGED = 50
"""One game in so many is held against the document."""
REPORT_SECONDS = 10.0


class Job(NamedTuple):
    """What one process plays: seeds from ``first`` on, every ``stride``-th, of each ruleset."""

    rulesets: tuple[str, ...]
    first: int
    games: int
    stride: int


class Played(NamedTuple):
    """A game: how it ended, how many commands it took, and what went wrong."""

    ruleset: str
    seed: int
    reason: str
    commands: int
    failure: str = ""


def play(client: httpx.Client, contract: Contract, ruleset: str, seed: int) -> Played:
    """One game."""
    game = None
    try:
        told = contract.check if seed % JUDGED == 0 else str
        game = Stranger(client, ruleset, seed, told)
        end = game.play()
        assert end["status"] == "finished", "the game does not end"
        return Played(ruleset, seed, end["result"]["reason"], game.commands)
    except Exception:
        commands = game.commands if game else 0
        return Played(ruleset, seed, "failed", commands, traceback.format_exc(limit=-4))


def work(job: Job, done: multiprocessing.Queue[Played | None]) -> None:
    """Play the job's games against a server of its own; None is the end, also of a crash."""
    try:
        _play_all(job, done)
    finally:
        done.put(None)


def _play_all(job: Job, done: multiprocessing.Queue[Played | None]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), chain_length=4096, log_level="ERROR") as server,
        httpx.Client(base_url=server.url, timeout=120) as client,
    ):
        contract = Contract.of(client.get("/openapi.json").content)
        for number in range(job.games):
            ruleset = job.rulesets[number % len(job.rulesets)]
            done.put(play(client, contract, ruleset, job.first + number * job.stride))


def campaign(rulesets: tuple[str, ...], games: int, first: int, jobs: int) -> list[Played]:
    """Play ``games`` games altogether, with progress; all of them."""
    done: multiprocessing.Queue[Played | None] = multiprocessing.Queue()
    shares = [games // jobs + (place < games % jobs) for place in range(jobs)]
    work_of = [Job(rulesets, first + place, share, jobs) for place, share in enumerate(shares)]
    processes = [multiprocessing.Process(target=work, args=(job, done)) for job in work_of]
    for process in processes:
        process.start()
    played: list[Played] = []
    began = said = time.monotonic()
    running_jobs = jobs
    while running_jobs:
        game = done.get()
        if game is None:
            running_jobs -= 1
            continue
        played.append(game)
        if game.failure:
            print(f"\n{game.ruleset} seed {game.seed}:\n{game.failure}", file=sys.stderr)
        if time.monotonic() - said > REPORT_SECONDS:
            said = time.monotonic()
            print(f"{len(played)} of {games} games, {said - began:.0f} s", file=sys.stderr)
    for process in processes:
        process.join()
    return played


def main() -> int:
    """0 when no bot was refused."""
    parser = argparse.ArgumentParser(description="Random games over HTTP.")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--game", choices=sorted(SHORT), help="one ruleset only")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    rulesets = (asked.game,) if asked.game else tuple(sorted(SHORT))
    played = campaign(rulesets, asked.games, asked.first, asked.jobs)
    for ruleset in rulesets:
        own = [game for game in played if game.ruleset == ruleset]
        ends = ", ".join(f"{n} {reason}" for reason, n in Counter(g.reason for g in own).items())
        print(f"{ruleset}: {len(own)} games, {sum(g.commands for g in own)} commands; {ends}")
    failed = sum(bool(game.failure) for game in played)
    print(f"{failed} failed")
    return int(failed > 0 or len(played) != asked.games)


if __name__ == "__main__":
    sys.exit(main())
